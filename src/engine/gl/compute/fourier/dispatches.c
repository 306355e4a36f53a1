// SPDX-License-Identifier: MIT
// The dispatches of a convolution by Fourier transforms.
#include "engine/gl/compute/fourier/fourier.h"
#include "engine/gl/compute/step_compiler.h"
#include "engine/gl/steps.h"

// Bindings of shaders/fourier/lines.comp.
enum { SAMPLES, POINTS, TABLES, SPECTRUM };

#define MOST_WORKERS 256
#define MOST_LINES 32
// Shared memory of a work group, so that several have room on a multiprocessor.
#define MOST_SHARED (40 << 10)

typedef struct {
  int axis;
  bool kernel; // its spectrum, once; else samples, in every frame
  bool forward, multiplies, inverse;
} Pass;

// What the spectrum takes, then what a frame does; of pictures y is the last axis.
static const Pass picture_passes[] = {
  { 0, true, true, false, false },  { 1, true, true, false, false },
  { 0, false, true, false, false }, { 1, false, true, true, true },
  { 0, false, false, false, true },
};
static const Pass volume_passes[] = {
  { 0, true, true, false, false },  { 1, true, true, false, false },
  { 2, true, true, false, false },  { 0, false, true, false, false },
  { 1, false, true, false, false }, { 2, false, true, true, true },
  { 1, false, false, false, true }, { 0, false, false, false, true },
};

static int
own_of (const OdlGlFourier *fourier, const Pass *pass, int axis)
{
  return pass->kernel ? 1 : fourier->axis[axis].own;
}

static int
points_of (const OdlGlFourier *fourier, int axis)
{
  return fourier->axis[axis].fourier.points;
}

// Of rows an odd number of points lies between one and the next, against bank conflicts.
static int
pitch_of (const Pass *pass, int lines)
{
  return pass->axis == 0 ? lines | 1 : lines;
}

static int
lines_of (const OdlGlFourier *fourier, const Pass *pass, const OdlGlCaps *caps)
{
  const int bytes = points_of (fourier, pass->axis) * 2 * (int) sizeof (float);
  int lines = MOST_LINES;

  while (lines > 1
         && bytes * pitch_of (pass, lines) > MIN (caps->max_shared, MOST_SHARED))
    lines /= 2;
  return lines;
}

static void
append_vector (GString *text, const char *name, const int values[3])
{
  g_string_append_printf (text, "#define %s ivec3 (%d, %d, %d)\n", name, values[0],
                          values[1], values[2]);
}

// “macro (5, 54, 0) macro (…) …”: radix, step, and where its turns begin.
static void
append_stages (GString *text, const OdlGlFourierAxis *axis, bool inverse)
{
  const OdlCpuFourier *fourier = &axis->fourier;

  g_string_append_printf (text, "#define %s_STAGES(macro)",
                          inverse ? "INVERSE" : "FORWARD");
  for (int i = 0; i < fourier->n_stages; i++) {
    const OdlCpuFourierStage *stage
        = &fourier->stages[inverse ? fourier->n_stages - 1 - i : i];
    g_string_append_printf (text, " macro (%d, %d, %d)", stage->radix, stage->step,
                            axis->turns + (int) (stage->turns - fourier->turns) / 2);
  }
  g_string_append_c (text, '\n');
}

static char *
pass_defines (const OdlGlStepCompiler *c, const OdlGlFourier *fourier, const Pass *pass)
{
  const int lines = lines_of (fourier, pass, c->params->caps);
  const OdlGlFourierAxis *axis = &fourier->axis[pass->axis];
  GString *text = g_string_new (NULL);
  int all[3], own[3], radius[3], blocks[3];

  for (int a = 0; a < 3; a++) {
    all[a] = points_of (fourier, a);
    own[a] = own_of (fourier, pass, a);
    radius[a] = fourier->axis[a].radius;
    // A kernel is one pair of blocks, of which the second is empty.
    blocks[a] = !pass->kernel ? fourier->axis[a].blocks : a == fourier->last ? 2 : 1;
  }
  append_vector (text, "ALL_POINTS", all);
  append_vector (text, "OWN", own);
  append_vector (text, "RADIUS", radius);
  append_vector (text, "BLOCKS", blocks);
  g_string_append_printf (
      text,
      "#define AXIS %d\n#define LAST %d\n#define POINTS %d\n#define LINES %d\n#define "
      "PITCH "
      "%d\n#define WORKERS %d\n#define WRITTEN %d\n#define COUNT_Y %d\n#define "
      "COEFFICIENTS %d\n#define BORDER %d\n",
      pass->axis, fourier->last, all[pass->axis], lines, pitch_of (pass, lines),
      MIN (c->params->caps->max_group, MOST_WORKERS),
      pass->inverse ? own[pass->axis] : all[pass->axis],
      own[1] + (pass->inverse ? 0 : 2 * radius[1]), fourier->coefficients,
      (int) c->step->border);
  if (pass->forward)
    append_stages (text, axis, false);
  if (pass->inverse)
    append_stages (text, axis, true);
  g_string_append_printf (text, "%s%s%s%s", pass->kernel ? "#define KERNEL\n" : "",
                          pass->multiplies ? "#define MULTIPLY\n" : "",
                          pass->axis == 0 && pass->forward ? "#define SAMPLES_IN\n" : "",
                          pass->axis == 0 && pass->inverse ? "#define SAMPLES_OUT\n"
                                                           : "");
  return g_string_free (text, FALSE);
}

// Lines beside each other, slices, and pairs of blocks.
static void
find_groups (const OdlGlFourier *fourier,
             const Pass *pass,
             const OdlGlCaps *caps,
             GLuint groups[3])
{
  const int halo = pass->inverse ? 0 : 2;
  const int rows = own_of (fourier, pass, 1) + halo * fourier->axis[1].radius;
  const int slices = own_of (fourier, pass, 2) + halo * fourier->axis[2].radius;
  const int lines = pass->axis == 0   ? rows
                    : pass->axis == 1 ? points_of (fourier, 0)
                                      : points_of (fourier, 0) * points_of (fourier, 1);
  const int each = lines_of (fourier, pass, caps);

  groups[0] = (GLuint) ((lines + each - 1) / each);
  groups[1] = (GLuint) (pass->axis == 2 ? 1 : slices);
  groups[2] = (GLuint) (pass->kernel ? 1 : fourier->pairs);
}

static bool
add_pass (OdlGlStepCompiler *c, const OdlGlFourier *fourier, const Pass *pass)
{
  const OdlGlDispatchParams *params = c->params;
  const OdlGlStore *source = store_at (params, c->step->reads[0]);
  const OdlGlStore *target = store_at (params, c->step->writes);
  const OdlSlot *slot = &params->plan->slots[c->step->writes];
  g_autofree char *defines = pass_defines (c, fourier, pass);
  OdlGlDispatch dispatch = new_dispatch (c);

  odl_gl_cover_quads (&dispatch, slot->width, slot->height, target, slot->channels);
  find_groups (fourier, pass, params->caps, dispatch.groups);
  dispatch.once = pass->kernel;
  dispatch.uniforms.depth = fourier->depth;
  dispatch.uniforms.bias = odl_gl_bias (params->plan->precision);
  dispatch.buffers[POINTS]
      = pass->kernel ? fourier->spectrum : odl_gl_fouriers_points (params->fouriers);
  dispatch.buffers[TABLES] = fourier->tables;
  dispatch.buffers[SPECTRUM] = pass->multiplies ? fourier->spectrum : 0;
  dispatch.written = 1u << POINTS;
  if (pass->axis == 0 && pass->inverse) {
    dispatch.buffers[SAMPLES] = target->buffer;
    dispatch.written = 1u << SAMPLES;
  } else if (pass->axis == 0 && !pass->kernel) {
    dispatch.buffers[SAMPLES] = source->buffer;
  }
  dispatch.program = odl_gl_programs_get (params->programs, ODL_GL_PASS_COMPUTE_FOURIER,
                                          false, defines, c->error);
  if (dispatch.program == NULL)
    return false;
  g_array_append_val (c->dispatches, dispatch);
  return true;
}

bool
odl_gl_compile_fourier (OdlGlStepCompiler *c)
{
  const OdlGlFourier *fourier = odl_gl_fouriers_at (c->params->fouriers, c->index);
  const bool deep = fourier->last == 2;
  const Pass *passes = deep ? volume_passes : picture_passes;
  const size_t n = deep ? G_N_ELEMENTS (volume_passes) : G_N_ELEMENTS (picture_passes);

  for (size_t i = 0; i < n; i++)
    if (!add_pass (c, fourier, &passes[i]))
      return false;
  return true;
}
