// SPDX-License-Identifier: MIT
// Convolutions that read one picture once, and the coefficients of all that lie in
// buffers.
#include <string.h>

#include "engine/gl/compute/step_compiler.h"
#include "engine/gl/steps.h"

// Of include/quads.glsl.
#define QUAD_GROUP_Y 8

// Bindings of shaders/blocks/convolve_bank.comp: results, and behind them the picture
// and the kernels.
#define OTHERS 2
#define MOST_TARGETS (ODL_GL_DISPATCH_BUFFERS - OTHERS)

// Rows of an invocation: the sums of all kernels are in registers. Measured on an H200
// for twelve kernels of 7³ on 256³, µs, with 1, 2 and 4 rows: by 12 6168, 4737, –; by 6
// 5457, 9488, 12095; by 4 8984, 6426, 5573; by 3 8707, 7955, 5991; one by one 7491. For
// eight of 9² on 2048²: by 8 211, 169, 214; by 4 306, 303, 240; by 2 360, 295, 309; one
// by one 375.
#define ROWS_OF_FEW 4
#define ROWS_OF_MANY 2
#define FEW 5

// Sides of kernels for convolve_stream.comp. 7³ of 256³ on an H200: 362 µs, 472 by
// blocks.
#define MOST_STREAMED 7

OdlBank
odl_gl_bank_of (const OdlGlCaps *caps, const OdlPlan *plan, int index)
{
  const int most = MIN (MOST_TARGETS, caps->max_buffers - OTHERS);

  return odl_plan_bank_at (plan, index, MAX (most, 1));
}

static int
packs_of (const OdlStep *step)
{
  return (step->kernel_width + 3) / 4;
}

bool
odl_gl_kernel_streams (const OdlStep *step)
{
  const int side
      = MAX (step->kernel_width, MAX (step->kernel_height, step->kernel_depth));

  return step->kernel_depth > 1 && side <= MOST_STREAMED;
}

size_t
odl_gl_kernel_bytes (const OdlGlCaps *caps, const OdlPlan *plan, int index)
{
  const OdlStep *step = &plan->steps[index];
  const OdlBank bank = odl_gl_bank_of (caps, plan, index);

  if (bank.count == 0 || (bank.count == 1 && step->kernel_depth == 1)
      || (bank.count == 1 && odl_gl_kernel_streams (step))
      || index != bank.first + bank.count - 1)
    return 0;
  return (size_t) bank.count * step->kernel_depth * step->kernel_height * packs_of (step)
         * 4 * sizeof (float);
}

// Of one kernel its slices and rows, each in whole quads; of a bank the same turned, row
// by row of all of them.
static float *
arrange (const OdlStep *steps, int count)
{
  const int width = steps->kernel_width, pitch = 4 * packs_of (steps);
  const int rows = steps->kernel_depth * steps->kernel_height;
  float *all = g_new0 (float, (size_t) count *rows *pitch);

  for (int k = 0; k < count; k++)
    for (int y = 0; y < rows; y++)
      memcpy (all + ((size_t) (count > 1 ? rows - 1 - y : y) * count + k) * pitch,
              steps[k].parameters.kernel + (size_t) y * width, width * sizeof *all);
  return all;
}

void
odl_gl_write_kernels (GPtrArray *written,
                      const OdlGlDispatch *dispatch,
                      const OdlGlCaps *caps,
                      const OdlPlan *plan)
{
  const int last = dispatch->bank.first + dispatch->bank.count - 1;
  const guint index = (guint) MAX (last, 0);

  if (dispatch->bank.count == 0 || odl_gl_kernel_bytes (caps, plan, last) == 0)
    return;
  const size_t bytes = odl_gl_kernel_bytes (caps, plan, last);
  float *arranged = arrange (&plan->steps[dispatch->bank.first], dispatch->bank.count);
  if (written->len <= index)
    g_ptr_array_set_size (written, (gint) index + 1);
  float **before = (float **) &written->pdata[index];
  if (*before != NULL && memcmp (*before, arranged, bytes) == 0) {
    g_free (arranged);
    return;
  }
  g_free (*before);
  *before = arranged;
  const int binding
      = dispatch->bank.count > 1 ? dispatch->bank.count + 1 : ODL_GL_KERNEL_BINDING;
  glBindBuffer (GL_COPY_WRITE_BUFFER, dispatch->buffers[binding]);
  glBufferSubData (GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr) bytes, arranged);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
}

static char *
bank_defines (const OdlGlStepCompiler *c, int count, int rows)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  const bool far = c->step->side / 2 + 2 * rows > MIN (slot->width, slot->height) - 1;
  g_autofree char *step = odl_gl_step_defines (c->params->plan, c->step);
  GString *text = g_string_new (step);

  g_string_append_printf (text,
                          "#define COUNT %d\n#define SOURCE_BINDING %d\n#define "
                          "KERNELS_BINDING %d\n#define ROWS %d\n%s%s",
                          count, count, count + 1, rows,
                          c->params->plan->precision == 16 ? "#define BIASED\n" : "",
                          far ? "#undef FOLD_FAR\n#define FOLD_FAR\n" : "");
  g_string_append (text, "#define EACH_KERNEL(macro)");
  for (int k = 0; k < count; k++)
    g_string_append_printf (text, " macro (%d, %c, %c)", k, 'A' + k, 'a' + k);
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}

// One dispatch in the place of the last step.
bool
odl_gl_compile_bank (OdlGlStepCompiler *c, const OdlBank *bank)
{
  const OdlPlan *plan = c->params->plan;
  const OdlSlot *slot = &plan->slots[c->step->writes];
  const OdlGlStore *source = store_at (c->params, c->step->reads[0]);
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  const int rows = bank->count <= FEW ? ROWS_OF_FEW : ROWS_OF_MANY;
  const int tall = QUAD_GROUP_Y * rows;
  OdlGlDispatch dispatch = new_dispatch (c);

  if (c->index != bank->first + bank->count - 1)
    return true;
  g_autofree char *precisions
      = odl_gl_precision_defines (c->params->caps, source, target->precision);
  g_autofree char *bank_text = bank_defines (c, bank->count, rows);
  g_autofree char *defines = g_strconcat (precisions, bank_text, NULL);
  odl_gl_cover_quads (&dispatch, slot->width, slot->height, target, slot->channels);
  dispatch.groups[1] = (GLuint) ((slot->height + tall - 1) / tall);
  dispatch.uniforms.depth = target->slices;
  dispatch.uniforms.bias = odl_gl_bias (plan->precision);
  dispatch.bank = *bank;
  dispatch.buffers[bank->count] = source->buffer;
  dispatch.buffers[bank->count + 1] = g_array_index (c->params->past, GLuint, c->index);
  for (int k = 0; k < bank->count; k++) {
    const int writes = plan->steps[bank->first + k].writes;
    dispatch.buffers[k] = store_at (c->params, writes)->buffer;
    dispatch.written |= 1u << k;
  }
  dispatch.program = odl_gl_programs_get (
      c->params->programs, ODL_GL_PASS_COMPUTE_CONVOLVE_BANK, false, defines, c->error);
  if (dispatch.program == NULL)
    return false;
  g_array_append_val (c->dispatches, dispatch);
  return true;
}
