// SPDX-License-Identifier: MIT
// Dispatches of measuring steps.
#include "engine/gl/compute/step_compiler.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/steps.h"
#include "engine/gl/texture_stores.h"
#include "plan/flow.h"
#include "plan/numbers.h"
#include "plan/trough.h"

// Work groups that share a band: each invocation takes a quad as long as these are few,
// then four. Each adds its counters to those of all.
#define FEW_GROUPS 256
#define MOST_GROUPS 1024
#define GROUP_QUADS 256

// Work groups that share a channel of a slice at most, and what one of them begins with.
#define TROUGH_GROUPS 256
#define TROUGH_GROUP_QUADS 256

// Of shaders/measure/noise.comp and bayes.comp.
#define DIGITS 2
#define DIGIT_BINS 2048
#define PARTIAL_SUMS 3
#define MEASURE_BUFFERS 5

// Of include/quads.glsl.
#define QUAD_GROUP_X 16
#define QUAD_GROUP_Y 8

size_t
odl_gl_measure_bytes (const OdlStep *step)
{
  const size_t bins
      = step->kind == ODL_STEP_SIDES   ? 2
        : step->kind == ODL_STEP_NOISE ? DIGITS * DIGIT_BINS + 1
        : step->kind == ODL_STEP_BAYES
            ? ODL_DETAIL_OCTANTS
                      * (ODL_BAND_BINS + ODL_SURE_POINTS + PARTIAL_SUMS * MOST_GROUPS)
                  + 1
        : step->kind == ODL_STEP_TROUGH ? (size_t) step->bins
                                        : 0;
  return bins * sizeof (uint32_t);
}

const char *
odl_gl_measured_defines (int numbers)
{
  G_STATIC_ASSERT (ODL_BAND_THRESHOLD == 0 && ODL_BAND_NUMBERS == 37);
  return numbers == ODL_PLAN_NO_SLOT ? "" : "#define MEASURED\n#define BAND_NUMBERS 37\n";
}

static const OdlGlStore *
store_read (const OdlGlStepCompiler *c, int read)
{
  return store_at (c->params, c->step->reads[read]);
}

static const OdlSlot *
slot_read (const OdlGlStepCompiler *c, int read)
{
  return &c->params->plan->slots[c->step->reads[read]];
}

static OdlGlDispatch
new_measure (const OdlGlStepCompiler *c)
{
  OdlGlDispatch dispatch = new_dispatch (c);

  for (int i = 0; i < 3; i++)
    dispatch.groups[i] = 1;
  odl_gl_set_layout (dispatch.uniforms.source_layout, store_read (c, 0));
  odl_gl_set_layout (dispatch.uniforms.target_layout,
                     store_at (c->params, c->step->writes));
  return dispatch;
}

static const OdlGlProgram *
find_program (OdlGlStepCompiler *c, OdlGlPassId pass, const char *more)
{
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  g_autofree char *precisions
      = odl_gl_precision_defines (c->params->caps, store_read (c, 0), target->precision);
  g_autofree char *defines = g_strconcat (precisions, more, NULL);

  return odl_gl_programs_get (c->params->programs, pass, false, defines, c->error);
}

// Where SIDES and MASK of the picture say whether the step's mask leaves out something.
static GLuint
marks_of (const OdlGlStepCompiler *c)
{
  const OdlPlan *plan = c->params->plan;
  int index = c->index;

  for (;;) {
    const OdlStep *step = &plan->steps[index];
    const bool of_picture = step->kind == ODL_STEP_MASK && step->level == 0;
    if (step->kind == ODL_STEP_SIDES)
      return g_array_index (c->params->past, GLuint, index);
    index = odl_plan_last_writer (
        plan, step->reads[step->kind != ODL_STEP_MASK || of_picture ? 1 : 0], index);
    g_return_val_if_fail (index >= 0, 0);
  }
}

static bool
add (OdlGlStepCompiler *c, OdlGlPassId pass, OdlGlDispatch *dispatch, const char *more)
{
  dispatch->program = find_program (c, pass, more);
  if (dispatch->program == NULL)
    return false;
  g_array_append_val (c->dispatches, *dispatch);
  return true;
}

static bool
add_sides (OdlGlStepCompiler *c)
{
  const OdlSlot *picture = slot_read (c, 0);
  OdlGlDispatch dispatch = new_measure (c);
  g_autofree char *defines
      = g_strdup_printf ("#define SIDE_SAMPLES %d\n", ODL_SIDE_SAMPLES);

  G_STATIC_ASSERT (ODL_SIDES == 4);
  dispatch.buffers[0] = store_read (c, 0)->buffer;
  dispatch.buffers[1] = store_at (c->params, c->step->writes)->buffer;
  dispatch.buffers[2] = marks_of (c);
  dispatch.written = 1u << 1 | 1u << 2;
  dispatch.uniforms.size[0] = picture->width;
  dispatch.uniforms.size[1] = picture->height;
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  dispatch.groups[0] = ODL_SIDES;
  dispatch.groups[2] = (GLuint) (picture->channels * store_read (c, 0)->slices);
  return add (c, ODL_GL_PASS_COMPUTE_SIDES, &dispatch, defines);
}

static bool
add_mask (OdlGlStepCompiler *c)
{
  const OdlSlot *out = &c->params->plan->slots[c->step->writes];
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  const bool picture = c->step->level == 0;
  OdlGlDispatch dispatch = new_measure (c);
  int n = 0;

  dispatch.buffers[n++] = store_read (c, 0)->buffer;
  if (picture)
    dispatch.buffers[n++] = store_read (c, 1)->buffer;
  dispatch.written = 1u << n | (picture ? 1u << (n + 1) : 0);
  dispatch.rewritten = picture ? 1u << (n + 1) : 0;
  dispatch.buffers[n++] = target->buffer;
  dispatch.buffers[n] = marks_of (c);
  dispatch.uniforms.size[0] = out->width;
  dispatch.uniforms.size[1] = out->height;
  dispatch.uniforms.extent[0] = slot_read (c, 0)->width;
  dispatch.uniforms.extent[1] = slot_read (c, 0)->height;
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  dispatch.groups[0] = (GLuint) ((target->pitch + QUAD_GROUP_X - 1) / QUAD_GROUP_X);
  dispatch.groups[1] = (GLuint) ((out->height + QUAD_GROUP_Y - 1) / QUAD_GROUP_Y);
  dispatch.uniforms.depth = store_read (c, 0)->slices;
  dispatch.groups[2] = (GLuint) (out->channels * target->slices);
  return add (c, ODL_GL_PASS_COMPUTE_MASK, &dispatch,
              picture                                               ? "#define PICTURE\n"
              : c->params->plan->slots[c->step->reads[0]].depth > 1 ? "#define VOLUME\n"
                                                                    : "");
}

// Settings that all passes over bands and a mask share; `halved`: their slot holds bands.
static OdlGlDispatch
new_over_bands (const OdlGlStepCompiler *c, bool halved)
{
  const OdlSlot *bands = slot_read (c, 0);
  OdlGlDispatch dispatch = new_measure (c);
  const int width = halved ? odl_low_count (bands->width) : bands->width;
  const int height = halved ? odl_low_count (bands->height) : bands->height;
  const int slices = store_read (c, 0)->slices;
  const double quads
      = (double) ((width + 3) / 4) * height * bands->channels * odl_low_count (slices);

  odl_gl_set_layout (dispatch.uniforms.second_layout, store_read (c, 1));
  dispatch.uniforms.size[0] = bands->width;
  dispatch.uniforms.size[1] = bands->height;
  dispatch.uniforms.depth = slices;
  dispatch.buffers[0] = store_read (c, 0)->buffer;
  dispatch.buffers[1] = store_read (c, 1)->buffer;
  const double groups = ceil (quads / GROUP_QUADS);
  dispatch.groups[0]
      = (GLuint) CLAMP (MAX (MIN (groups, FEW_GROUPS), groups / 4), 1, MOST_GROUPS);
  return dispatch;
}

static bool
is_of_octants (const OdlGlStepCompiler *c)
{
  return slot_read (c, 0)->kind == ODL_SLOT_OCTANTS;
}

// For a picture that is one band, and for volumes.
static char *
shift_defines (const OdlGlStepCompiler *c)
{
  const OdlSlot *band = slot_read (c, 0), *mask = slot_read (c, 1);

  if (c->step->band == 0)
    return g_strdup (is_of_octants (c) ? "#define OCTANTS\n" : "");
  return g_strdup_printf (
      "#define SHIFT %d\n",
      odl_mask_shift (band->width, band->height, mask->width, mask->height));
}

static bool
add_noise (OdlGlStepCompiler *c)
{
  g_autofree char *shift = shift_defines (c);

  for (int pass = 0; pass < DIGITS; pass++) {
    OdlGlDispatch dispatch = new_over_bands (c, c->step->band == 0);
    g_autofree char *defines = g_strdup_printf (
        "%s#define PASS %d\n#define CHANNELS %d\n#define FEWEST_DETAILS %d\n"
        "#define MEDIAN_OF_NORMAL %g\n",
        shift, pass, slot_read (c, 0)->channels, ODL_FEWEST_DETAILS,
        ODL_MEDIAN_OF_NORMAL);
    dispatch.buffers[2] = g_array_index (c->params->past, GLuint, c->index);
    dispatch.buffers[3] = marks_of (c);
    dispatch.written = 1u << 2;
    if (pass == DIGITS - 1) {
      dispatch.buffers[4] = store_at (c->params, c->step->writes)->buffer;
      dispatch.written |= 1u << 4;
      dispatch.rewritten = 1u << 2;
    }
    if (!add (c, ODL_GL_PASS_COMPUTE_NOISE, &dispatch, defines))
      return false;
  }
  return true;
}

static bool
add_bayes (OdlGlStepCompiler *c)
{
  const int bands = c->step->band > 0   ? 1
                    : is_of_octants (c) ? ODL_DETAIL_OCTANTS
                                        : ODL_DETAIL_BANDS;
  OdlGlDispatch dispatch = new_over_bands (c, c->step->band == 0);
  g_autofree char *shift = shift_defines (c);
  g_autofree char *defines = g_strdup_printf (
      "%s#define CHANNELS %d\n#define GROUPS %d\n#define BINS %d\n"
      "#define BAND_NUMBERS %d\n#define BANDS %d\n#define FIRST %d\n#define RULE %d\n"
      "#define POINTS %d\n#define SCALE %d\n#define SHARES %d\n#define SAMPLES %d\n"
      "#define DETAILS %d\n#define MOST_STEP %d\n",
      shift, slot_read (c, 0)->channels, MOST_GROUPS, ODL_BAND_BINS, ODL_BAND_NUMBERS,
      bands, MAX (c->step->band - 1, 0), c->step->rule, ODL_SURE_POINTS, ODL_SURE_SCALE,
      ODL_SURE_SHARES, odl_samples_of_detail (c->step->band, is_of_octants (c)),
      ODL_SURE_DETAILS, ODL_SURE_MOST_STEP);
  g_autofree char *binned = g_strconcat (defines, "#define BINNED\n", NULL);

  dispatch.buffers[2] = store_read (c, 2)->buffer;
  dispatch.buffers[3] = g_array_index (c->params->past, GLuint, c->index);
  dispatch.buffers[4] = store_at (c->params, c->step->writes)->buffer;
  dispatch.written = 1u << 3 | 1u << 4;
  dispatch.groups[2] = (GLuint) bands;
  dispatch.observed = find_program (c, ODL_GL_PASS_COMPUTE_BAYES, binned);
  return dispatch.observed != NULL
         && add (c, ODL_GL_PASS_COMPUTE_BAYES, &dispatch, defines);
}

static bool
add_trough (OdlGlStepCompiler *c)
{
  const OdlSlot *picture = slot_read (c, 0);
  const int planes = picture->channels * store_read (c, 0)->slices;
  const int quads = (picture->width + 3) / 4 * picture->height;
  const int groups
      = MIN (TROUGH_GROUPS, (quads + TROUGH_GROUP_QUADS - 1) / TROUGH_GROUP_QUADS);

  for (int finish = 0; finish <= 1; finish++) {
    OdlGlDispatch dispatch = new_measure (c);
    g_autofree char *defines = g_strdup_printf (
        "%s#define GROUPS %d\n#define MOST %d\n#define HEAD %d\n#define NO_EDGE %g\n",
        finish ? "#define FINISH\n" : "", groups, c->step->bins, ODL_TROUGH_HISTOGRAM,
        ODL_TROUGH_NO_EDGE);
    dispatch.buffers[0] = store_read (c, 0)->buffer;
    dispatch.buffers[1] = g_array_index (c->params->past, GLuint, c->index);
    dispatch.uniforms.size[0] = picture->width;
    dispatch.uniforms.size[1] = picture->height;
    dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
    dispatch.written = 1u << 1;
    dispatch.groups[0] = finish ? 1 : (GLuint) groups;
    dispatch.groups[2] = finish ? 1 : (GLuint) planes;
    if (finish) {
      dispatch.buffers[0] = store_at (c->params, c->step->writes)->buffer;
      dispatch.written |= 1u << 0;
    }
    if (!add (c, ODL_GL_PASS_COMPUTE_TROUGH, &dispatch, defines))
      return false;
  }
  return true;
}

// A work group for each tile.
static bool
add_equalise (OdlGlStepCompiler *c)
{
  const OdlSlot *picture = slot_read (c, 0);
  OdlGlDispatch dispatch = new_measure (c);
  g_autofree char *defines = g_strdup_printf ("#define TILES %d\n#define BINS %d\n",
                                              c->step->side, c->step->bins);

  dispatch.buffers[0] = store_read (c, 0)->buffer;
  dispatch.buffers[1] = store_at (c->params, c->step->writes)->buffer;
  dispatch.written = 1u << 1;
  dispatch.uniforms.size[0] = picture->width;
  dispatch.uniforms.size[1] = picture->height;
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  dispatch.groups[0] = (GLuint) (c->step->side * c->step->side);
  return add (c, ODL_GL_PASS_COMPUTE_EQUALISE, &dispatch, defines);
}

// A work group for each part.
static bool
add_peak (OdlGlStepCompiler *c)
{
  const OdlSlot *picture = slot_read (c, 0);
  OdlGlDispatch dispatch = new_measure (c);
  g_autofree char *defines = g_strdup_printf ("#define PARTS %d\n#define CHANNELS %d\n",
                                              ODL_PEAK_PARTS, picture->channels);

  dispatch.buffers[0] = store_read (c, 0)->buffer;
  dispatch.buffers[1] = store_at (c->params, c->step->writes)->buffer;
  dispatch.written = 1u << 1;
  dispatch.uniforms.size[0] = picture->width;
  dispatch.uniforms.size[1] = picture->height;
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  dispatch.groups[0] = ODL_PEAK_PARTS;
  return add (c, ODL_GL_PASS_COMPUTE_PEAK, &dispatch, defines);
}

bool
odl_gl_compile_measure (OdlGlStepCompiler *c)
{
  const OdlGlCaps *caps = c->params->caps;

  if (caps->max_buffers < MEASURE_BUFFERS)
    return odl_error_set (c->error, ODL_ERROR_UNSUPPORTED,
                          _ ("shaders of this graphics driver (%s) see %d buffers at "
                             "once, and measuring needs %d; choose the CPU engine"),
                          caps->renderer, caps->max_buffers, MEASURE_BUFFERS);
  switch (c->step->kind) {
  case ODL_STEP_SIDES:
    return add_sides (c);
  case ODL_STEP_MASK:
    return add_mask (c);
  case ODL_STEP_NOISE:
    return add_noise (c);
  case ODL_STEP_BAYES:
    return add_bayes (c);
  case ODL_STEP_TROUGH:
    return add_trough (c);
  case ODL_STEP_EQUALISE:
    return add_equalise (c);
  case ODL_STEP_PEAK:
    return add_peak (c);
  default:
    g_return_val_if_reached (false);
  }
}
