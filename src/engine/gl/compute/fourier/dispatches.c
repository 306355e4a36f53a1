// SPDX-License-Identifier: MIT
// The dispatches of a convolution by Fourier transforms.
#include "engine/gl/compute/fourier/fourier.h"
#include "engine/gl/compute/step_compiler.h"
#include "engine/gl/steps.h"

// Bindings of shaders/fourier/lines.comp.
enum { SAMPLES, POINTS, TABLES, SPECTRUM, WHOLE };

// Lines of a work group; points of rows follow one another, so that few lines fill a
// transaction. Measured on an H200, µs: 17² on 2048² and 13³ on 256³ 143 and 660 with 16
// and 4, 146 and 681 with 16 and 8, 151 and 696 with 16 and 16, 146 and 698 with 8 and 8.
#define MOST_LINES 16
#define MOST_ROWS 4
// Shared memory of a work group, so that several have room on a multiprocessor.
#define MOST_SHARED (40 << 10)
#define MOST_WORKERS 384

typedef struct {
  int axis;
  bool kernel; // its spectrum, once; else samples, in every frame
  bool forward, multiplies, inverse;
} Pass;

static int
own_of (const OdlGlFourier *fourier, const Pass *pass, int axis)
{
  return pass->kernel ? 1 : fourier->axis[axis].own;
}

static int
points_of (const OdlGlFourier *fourier, int axis)
{
  return odl_gl_radix_points (fourier->axis[axis].radix);
}

// Of rows an odd number of points lies between one and the next, against bank conflicts.
static int
pitch_of (const Pass *pass, int lines)
{
  return pass->axis == 0 ? lines | 1 : lines;
}

// Invocations for a line: each makes a part of it in either step.
static int
workers_of (const OdlGlFourier *fourier, const Pass *pass)
{
  const OdlGlRadix radix = fourier->axis[pass->axis].radix;

  return MAX (radix.first, radix.second);
}

static int
lines_of (const OdlGlFourier *fourier, const Pass *pass, const OdlGlCaps *caps)
{
  const int bytes = points_of (fourier, pass->axis) * 2 * (int) sizeof (float);
  const int each = workers_of (fourier, pass);
  int lines = pass->axis == 0 ? MOST_ROWS : MOST_LINES;

  while (lines > 1
         && (bytes * pitch_of (pass, lines) > MIN (caps->max_shared, MOST_SHARED)
             || each * lines > MIN (caps->max_group, MOST_WORKERS)))
    lines /= 2;
  return lines;
}

static void
append_vector (GString *text, const char *name, const int values[3])
{
  g_string_append_printf (text, "#define %s ivec3 (%d, %d, %d)\n", name, values[0],
                          values[1], values[2]);
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
      "#define AXIS %d\n#define LAST %d\n#define FIRST %d\n#define SECOND %d\n#define "
      "LINES %d\n#define PITCH %d\n#define WORKERS %d\n#define WRITTEN %d\n#define "
      "COUNT_Y %d\n#define TURNS %d\n#define BORDER %d\n",
      pass->axis, fourier->last, axis->radix.first, axis->radix.second, lines,
      pitch_of (pass, lines), lines * workers_of (fourier, pass),
      pass->inverse ? own[pass->axis] : all[pass->axis],
      own[1] + (pass->inverse ? 0 : 2 * radius[1]), axis->turns, (int) c->step->border);
  odl_gl_radix_append (axis->radix, text);
  g_string_append_printf (
      text, "%s%s%s%s%s%s%s", pass->kernel ? "#define KERNEL\n" : "",
      pass->forward ? "#define TRANSFORM\n" : "", pass->inverse ? "#define INVERT\n" : "",
      pass->multiplies && !pass->forward ? "#define WHOLE\n" : "",
      pass->multiplies ? "#define MULTIPLY\n" : "",
      pass->axis == 0 && pass->forward ? "#define SAMPLES_IN\n" : "",
      pass->axis == 0 && pass->inverse ? "#define SAMPLES_OUT\n" : "");
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

static GLuint
points_for (const OdlGlStepCompiler *c,
            const OdlGlFourier *fourier,
            const Pass *pass,
            int kernel)
{
  const bool bank = fourier->bank.count > 1;

  if (pass->kernel)
    return fourier->spectra[kernel];
  return bank && pass->forward ? odl_gl_fouriers_whole (c->params->fouriers)
                               : odl_gl_fouriers_points (c->params->fouriers);
}

static bool
add_pass (OdlGlStepCompiler *c, const OdlGlFourier *fourier, const Pass *pass, int kernel)
{
  const OdlGlDispatchParams *params = c->params;
  const int writes = params->plan->steps[fourier->bank.first + kernel].writes;
  const OdlGlStore *source = store_at (params, c->step->reads[0]);
  const OdlGlStore *target = store_at (params, writes);
  const OdlSlot *slot = &params->plan->slots[writes];
  const bool whole = pass->multiplies && !pass->forward;
  g_autofree char *defines = pass_defines (c, fourier, pass);
  OdlGlDispatch dispatch = new_dispatch (c);

  odl_gl_cover_quads (&dispatch, slot->width, slot->height, target, slot->channels);
  find_groups (fourier, pass, params->caps, dispatch.groups);
  dispatch.once = pass->kernel;
  dispatch.bank = fourier->bank;
  dispatch.uniforms.depth = fourier->depth;
  dispatch.uniforms.first = fourier->coefficients + kernel * fourier->each;
  dispatch.uniforms.bias = odl_gl_bias (params->plan->precision);
  dispatch.buffers[POINTS] = points_for (c, fourier, pass, kernel);
  dispatch.buffers[TABLES] = fourier->tables;
  dispatch.buffers[SPECTRUM] = pass->multiplies ? fourier->spectra[kernel] : 0;
  dispatch.buffers[WHOLE] = whole ? odl_gl_fouriers_whole (params->fouriers) : 0;
  dispatch.written = 1u << POINTS;
  dispatch.rewritten = whole || (pass->axis == 0 && pass->forward) ? 0 : dispatch.written;
  if (pass->axis == 0 && pass->inverse) {
    dispatch.buffers[SAMPLES] = target->buffer;
    dispatch.written = 1u << SAMPLES;
    dispatch.rewritten = 0;
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

// The spectrum of each kernel, once; the frequencies of what is read; and of each kernel
// back along all axes. By itself a kernel meets them where they are made, along the last
// axis.
bool
odl_gl_compile_fourier (OdlGlStepCompiler *c)
{
  const OdlGlFourier *fourier = odl_gl_fouriers_at (c->params->fouriers, c->index);
  const int last = fourier->last, count = fourier->bank.count;
  const bool bank = count > 1;
  bool ok = true;

  if (c->index != fourier->bank.first + count - 1)
    return true;
  for (int k = 0; k < count; k++)
    for (int axis = 0; axis <= last && ok; axis++)
      ok = add_pass (c, fourier, &(Pass){ axis, true, true, false, false }, k);
  for (int axis = 0; axis <= (bank ? last : last - 1) && ok; axis++)
    ok = add_pass (c, fourier, &(Pass){ axis, false, true, false, false }, 0);
  for (int k = 0; k < count && ok; k++) {
    ok = add_pass (c, fourier, &(Pass){ last, false, !bank, true, true }, k);
    for (int axis = last - 1; axis >= 0 && ok; axis--)
      ok = add_pass (c, fourier, &(Pass){ axis, false, false, false, true }, k);
  }
  return ok;
}
