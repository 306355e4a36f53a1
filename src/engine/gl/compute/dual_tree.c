// SPDX-License-Identifier: MIT
// Dispatches of the dual tree's steps: one for each level and direction, and one for each
// band that is shrunk. Halves have no store.
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/compute/step_compiler.h"
#include "engine/gl/steps.h"
#include "plan/flow.h"

// Of shaders/wavelet/dual_forward.comp, dual_inverse.comp and dual_bivariate.comp. GLES
// promises 128 invocations and 16 KiB of shared memory.
#define GROUP 128
#define BLOCKS 8 // each way
#define BLOCK 4 // samples
#define TILE_X 32
#define TILE_Y 16

// Of include/quads.glsl.
#define QUAD_GROUP_X 16
#define QUAD_GROUP_Y 8

#define BANDS 4

static const OdlSlot *
slot_at (const OdlGlStepCompiler *c, int slot)
{
  return &c->params->plan->slots[slot];
}

static GLuint
count_groups (int n, int each)
{
  return (GLuint) ((n + each - 1) / each);
}

// What shares the size of `slot`; the layout is that of `target`.
static OdlGlDispatch
new_level (const OdlGlStepCompiler *c, int slot, int target)
{
  OdlGlDispatch dispatch = new_dispatch (c);

  dispatch.uniforms.size[0] = slot_at (c, slot)->width;
  dispatch.uniforms.size[1] = slot_at (c, slot)->height;
  dispatch.groups[2] = (GLuint) slot_at (c, slot)->channels;
  odl_gl_set_layout (dispatch.uniforms.target_layout, store_at (c->params, target));
  return dispatch;
}

// ---- filters -------------------------------------------------------------------------

// The taps of both bands that meet sample `at` of a block's window.
static void
append_taps (GString *text, int level, bool inverse, int origin, int at)
{
  static const char *const names[] = { "LOW", "HIGH" };
  bool read = false;

  for (int band = 0; band < 2; band++) {
    const OdlDualFilter *filter = odl_dual_filter (level, band, inverse);
    const bool every = filter->phases == 1; // of a block four outputs, one for each
    read = read && !inverse;
    for (int o = 0; o < (every ? BLOCK : filter->phases); o++) {
      const OdlTaps *taps = &filter->taps[every ? 0 : o];
      const int place = at - origin - (every ? o : 0) - taps->first;
      const int k = place / filter->spacing;
      char tap[G_ASCII_DTOSTR_BUF_SIZE];
      if (place < 0 || place % filter->spacing != 0 || k >= taps->count
          || taps->value[k] == 0)
        continue;
      if (!read)
        g_string_append_printf (text, " READ_%s (%d)", names[inverse ? band : 0], at);
      read = true;
      g_ascii_formatd (tap, sizeof tap, "%.9e", taps->value[k]);
      g_string_append_printf (text, " %s (%d, %d, %s)", names[band], o, at, tap);
    }
  }
}

// What include/dual.glsl expects.
static char *
filter_defines (int level, bool inverse)
{
  const bool wide = level == 1 || !inverse;
  const int origin = wide ? 12 : 8, window = wide ? 28 : 16;
  const int phases = odl_dual_filter (level, 0, inverse)->phases;
  GString *text = g_string_new (level == 1 ? "#define FIRST\n" : "");

  g_string_append_printf (
      text,
      "#define GROUP %d\n#define ORIGIN %d\n#define WINDOW %d\n#define OUTPUTS %d\n"
      "#define TAPS(READ_LOW, READ_HIGH, LOW, HIGH)",
      GROUP, origin, window, phases == 1 ? BLOCK : phases);
  for (int at = 0; at < window; at++)
    append_taps (text, level, inverse, origin, at);
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}

// ---- levels --------------------------------------------------------------------------

// What the last step of a level needs to know of the others.
typedef struct {
  int source, bands[BANDS];
} Forward;

static Forward
forward_of (const OdlPlan *plan, int last)
{
  Forward forward = { .source = ODL_PLAN_NO_SLOT };

  for (int i = last;
       i >= 0 && odl_steps_last_of_level (plan->steps, plan->n_steps, i) == last; i--) {
    const OdlStep *step = &plan->steps[i];
    if (step->axis == ODL_AXIS_X) {
      forward.source = step->reads[0];
      continue;
    }
    const OdlStep *half = &plan->steps[odl_plan_last_writer (plan, step->reads[0], i)];
    forward.bands[half->band + 2 * step->band] = step->writes;
  }
  return forward;
}

static bool
compile_forward (OdlGlStepCompiler *c)
{
  const Forward forward = forward_of (c->params->plan, c->index);
  const OdlSlot *band = slot_at (c, forward.bands[0]);
  g_autofree char *defines = filter_defines (c->step->level, false);
  const int rows = BLOCKS * (c->step->level == 1 ? BLOCK : BLOCK / 2);
  OdlGlDispatch dispatch = new_level (c, forward.source, forward.bands[0]);

  odl_gl_set_layout (dispatch.uniforms.source_layout,
                     store_at (c->params, forward.source));
  dispatch.groups[0]
      = count_groups (store_at (c->params, forward.bands[0])->pitch, BLOCKS);
  dispatch.groups[1] = count_groups (band->height, rows);
  dispatch.buffers[0] = store_at (c->params, forward.source)->buffer;
  for (int b = 0; b < BANDS; b++) {
    dispatch.buffers[1 + b] = store_at (c->params, forward.bands[b])->buffer;
    dispatch.written |= 1u << (1 + b);
  }
  return odl_gl_add_dispatch (c, ODL_GL_PASS_COMPUTE_DUAL_FORWARD, defines, &dispatch);
}

static bool
compile_inverse (OdlGlStepCompiler *c)
{
  const OdlStep *low = c->step - 2, *high = c->step - 1;
  const int bands[BANDS]
      = { low->reads[0], high->reads[0], low->reads[1], high->reads[1] };
  const OdlSlot *out = slot_at (c, c->step->writes);
  g_autofree char *defines = filter_defines (c->step->level, true);
  OdlGlDispatch dispatch = new_level (c, c->step->writes, c->step->writes);

  odl_gl_set_layout (dispatch.uniforms.source_layout, store_at (c->params, bands[0]));
  dispatch.groups[0] = count_groups (
      out->width + odl_dual_before (out->width, c->step->level), BLOCKS * BLOCK);
  dispatch.groups[1] = count_groups (
      out->height + odl_dual_before (out->height, c->step->level), BLOCKS * BLOCK);
  for (int b = 0; b < BANDS; b++)
    dispatch.buffers[b] = store_at (c->params, bands[b])->buffer;
  dispatch.buffers[BANDS] = store_at (c->params, c->step->writes)->buffer;
  return odl_gl_add_dispatch (c, ODL_GL_PASS_COMPUTE_DUAL_INVERSE, defines, &dispatch);
}

// ---- bands ---------------------------------------------------------------------------

static bool
compile_band (OdlGlStepCompiler *c)
{
  const int out = c->step->writes, second = c->step->reads[1];
  const OdlSlot *slot = slot_at (c, out);
  g_autofree char *step = odl_gl_step_defines (c->params->plan, c->step);
  g_autofree char *defines = g_strdup_printf ("%s#define GROUP %d\n", step, GROUP);
  OdlGlDispatch dispatch = new_level (c, out, out);
  int n = 0;

  for (int r = 0; r < 2; r++)
    if (c->step->reads[r] != ODL_PLAN_NO_SLOT)
      dispatch.buffers[n++] = store_at (c->params, c->step->reads[r])->buffer;
  dispatch.buffers[n] = store_at (c->params, out)->buffer;
  switch (c->step->kind) {
  case ODL_STEP_DUAL_SHRINK:
    dispatch.groups[0] = count_groups (slot->width / 2, QUAD_GROUP_X);
    dispatch.groups[1] = count_groups (slot->height / 2, QUAD_GROUP_Y);
    return odl_gl_add_dispatch (c, ODL_GL_PASS_COMPUTE_DUAL_SHRINK, defines, &dispatch);
  case ODL_STEP_DUAL_BIVARIATE:
    odl_gl_set_layout (dispatch.uniforms.second_layout, store_at (c->params, second));
    dispatch.groups[0] = count_groups (slot->width / 2, TILE_X);
    dispatch.groups[1] = count_groups (slot->height / 2, TILE_Y);
    return odl_gl_add_dispatch (c, ODL_GL_PASS_COMPUTE_DUAL_BIVARIATE, defines,
                                &dispatch);
  case ODL_STEP_DUAL_PLACE:
    odl_gl_set_layout (dispatch.uniforms.source_layout, store_at (c->params, second));
    dispatch.groups[0] = count_groups (store_at (c->params, out)->pitch, QUAD_GROUP_X);
    dispatch.groups[1] = count_groups (slot->height, QUAD_GROUP_Y);
    return odl_gl_add_dispatch (c, ODL_GL_PASS_COMPUTE_DUAL_PLACE, defines, &dispatch);
  default:
    g_return_val_if_reached (false);
  }
}

bool
odl_gl_compile_dual_tree (OdlGlStepCompiler *c)
{
  const OdlPlan *plan = c->params->plan;
  const OdlGlCaps *caps = c->params->caps;

  if (caps->max_buffers <= BANDS)
    return odl_error_set (c->error, ODL_ERROR_UNSUPPORTED,
                          _ ("shaders of this graphics driver (%s) see %d buffers at "
                             "once, and the dual tree needs %d; choose the CPU engine"),
                          caps->renderer, caps->max_buffers, BANDS + 1);
  if (odl_steps_last_of_level (plan->steps, plan->n_steps, c->index) != c->index)
    return true;
  if (c->step->kind == ODL_STEP_DUAL_FORWARD)
    return compile_forward (c);
  return c->step->kind == ODL_STEP_DUAL_INVERSE ? compile_inverse (c) : compile_band (c);
}
