// SPDX-License-Identifier: MIT
// The dispatches of a convolution by Fourier transforms.
#include "engine/gl/compute/fourier/fourier.h"
#include "engine/gl/compute/step_compiler.h"
#include "engine/gl/steps.h"

// Bindings of shaders/fourier/lines.comp.
enum { SAMPLES, POINTS, TABLES, SPECTRUM, TERMS = ODL_GL_FOURIER_TERMS };

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
  int term; // that is transformed, or the first one whose frequencies are read
  int terms; // that are read from buffers that keep them; 0: points are
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

// macro (number, name of the block, of its array, binding) for each term that is read.
static void
append_terms (GString *text, const OdlGlFourier *fourier, const Pass *pass)
{
  g_string_append_printf (text, "#define COEFFICIENTS %d\n",
                          fourier->bank.count * fourier->each);
  if (pass->terms == 0)
    return;
  g_string_append (text, "#define EACH_TERM(macro)");
  for (int t = 0; t < pass->terms; t++)
    g_string_append_printf (text, " macro (%d, Term%d, term_%d, %d)", pass->term + t, t,
                            t, TERMS + t);
  g_string_append_c (text, '\n');
}

static bool
keeps (const OdlGlFourier *fourier, const Pass *pass)
{
  return pass->axis == fourier->last && pass->forward && !pass->multiplies;
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
      own[1] + (pass->inverse ? 0 : 2 * radius[1]), axis->turns,
      (int) c->params->plan->steps[fourier->bank.first].border);
  odl_gl_radix_append (axis->radix, text);
  append_terms (text, fourier, pass);
  g_string_append_printf (
      text, "%s%s%s%s%s%s%s%s", pass->kernel ? "#define KERNEL\n" : "",
      pass->forward ? "#define TRANSFORM\n" : "", pass->inverse ? "#define INVERT\n" : "",
      keeps (fourier, pass) ? "#define KEEPS\n" : "",
      pass->term > 0 && pass->terms > 0 ? "#define ADDS\n" : "",
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
  groups[2] = (GLuint) (pass->kernel ? fourier->bank.terms : fourier->pairs);
}

// Whether frequencies have a buffer that keeps them.
static bool
is_kept (const OdlGlFourier *fourier)
{
  return fourier->bank.count > 1 || fourier->bank.terms > 1;
}

static GLuint
kept_at (const OdlGlStepCompiler *c, const OdlGlFourier *fourier, int term)
{
  return fourier->bank.terms > 1 ? fourier->kept.buffer[term]
                                 : odl_gl_fouriers_whole (c->params->fouriers);
}

// Where a pass along the last axis leaves frequencies; 0: other passes.
static GLuint
kept_by (const OdlGlStepCompiler *c,
         const OdlGlFourier *fourier,
         const Pass *pass,
         int kernel)
{
  if (!keeps (fourier, pass))
    return 0;
  return pass->kernel ? fourier->spectra[kernel] : kept_at (c, fourier, pass->term);
}

// The step that takes the result of a kernel.
static const OdlStep *
last_step (const OdlGlStepCompiler *c, const OdlGlFourier *fourier, int kernel)
{
  return &c->params->plan->steps[fourier->bank.last + 1 - fourier->bank.count + kernel];
}

static bool
add_pass (OdlGlStepCompiler *c, const OdlGlFourier *fourier, const Pass *pass, int kernel)
{
  const OdlGlDispatchParams *params = c->params;
  const int writes = last_step (c, fourier, kernel)->writes;
  const int reads = params->plan->steps[fourier->bank.at[pass->term]].reads[0];
  const OdlGlStore *source = store_at (params, reads);
  const OdlGlStore *target = store_at (params, writes);
  const OdlSlot *slot = &params->plan->slots[writes];
  g_autofree char *defines = pass_defines (c, fourier, pass);
  OdlGlDispatch dispatch = new_dispatch (c);

  odl_gl_cover_quads (&dispatch, slot->width, slot->height, target, slot->channels);
  find_groups (fourier, pass, params->caps, dispatch.groups);
  dispatch.once = pass->kernel;
  // All kernels, whatever lies between them.
  dispatch.bank
      = (OdlBank){ fourier->bank.first, fourier->bank.last + 1 - fourier->bank.first };
  dispatch.term
      = fourier->bank.terms > 1 && pass->forward && !pass->kernel ? pass->term + 1 : 0;
  dispatch.uniforms.depth = fourier->depth;
  dispatch.uniforms.first = fourier->coefficients + kernel * fourier->each;
  dispatch.uniforms.bias = odl_gl_bias (params->plan->precision);
  dispatch.buffers[POINTS] = odl_gl_fouriers_points (params->fouriers);
  dispatch.buffers[TABLES] = fourier->tables;
  dispatch.buffers[SPECTRUM] = pass->multiplies ? fourier->spectra[kernel] : 0;
  for (int t = 0; t < pass->terms; t++)
    dispatch.buffers[TERMS + t] = kept_at (c, fourier, pass->term + t);
  if (keeps (fourier, pass))
    dispatch.buffers[TERMS] = kept_by (c, fourier, pass, kernel);
  dispatch.written = keeps (fourier, pass) ? 1u << TERMS : 1u << POINTS;
  dispatch.rewritten = (pass->terms > 0 && pass->term == 0)
                               || (pass->axis == 0 && pass->forward)
                               || keeps (fourier, pass)
                           ? 0
                           : dispatch.written;
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

// The frequencies of what this step's bank reads.
static bool
add_forward (OdlGlStepCompiler *c, const OdlGlFourier *fourier, int term)
{
  const int end = fourier->last + (is_kept (fourier) ? 1 : 0);
  bool ok = true;

  for (int axis = 0; axis < end && ok; axis++)
    ok = add_pass (c, fourier, &(Pass){ .axis = axis, .forward = true, .term = term }, 0);
  return ok;
}

// A kernel's result: terms are added up, as many at a time as shaders see buffers, and
// back along all axes.
static bool
add_inverse (OdlGlStepCompiler *c, const OdlGlFourier *fourier, int kernel)
{
  const int all = fourier->bank.terms, last = fourier->last;
  const int most
      = MIN (ODL_GL_DISPATCH_BUFFERS, c->params->caps->max_buffers + 1) - TERMS;
  bool ok = true;

  for (int t = 0; t < all && ok; t += most) {
    const int terms = is_kept (fourier) ? MIN (most, all - t) : 0;
    ok = add_pass (c, fourier,
                   &(Pass){ .axis = last,
                            .forward = terms == 0,
                            .multiplies = true,
                            .inverse = t + most >= all,
                            .term = t,
                            .terms = terms },
                   kernel);
  }
  for (int axis = last - 1; axis >= 0 && ok; axis--)
    ok = add_pass (c, fourier, &(Pass){ .axis = axis, .inverse = true }, kernel);
  return ok;
}

// The spectrum of each kernel, once; the frequencies of what is read; and of each kernel
// back along all axes. By itself a kernel meets them where they are made, along the last
// axis.
bool
odl_gl_compile_fourier (OdlGlStepCompiler *c)
{
  const OdlGlFourier *fourier = odl_gl_fouriers_at (c->params->fouriers, c->index);
  const OdlBankSum *bank = &fourier->bank;
  bool ok = true;

  for (int t = 0; t < bank->terms && ok; t++) {
    if (c->index != bank->at[t] + bank->count - 1)
      continue;
    for (int k = 0; k < bank->count && t == 0; k++)
      for (int axis = 0; axis <= fourier->last && ok; axis++)
        ok = add_pass (c, fourier,
                       &(Pass){ .axis = axis, .kernel = true, .forward = true }, k);
    ok = ok && add_forward (c, fourier, t);
  }
  for (int k = 0; k < bank->count && c->index == bank->last && ok; k++)
    ok = add_inverse (c, fourier, k);
  return ok;
}
