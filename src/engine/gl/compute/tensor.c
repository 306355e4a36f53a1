// SPDX-License-Identifier: MIT
// Dispatches of the steps on structure tensors.
#include "engine/gl/compute/step_compiler.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/steps.h"
#include "plan/tensor/tensor.h"

// “mat3 (…), mat3 (…)”, the duals of all filters, of four rows in four dimensions.
static void
append_duals (GString *text, int dimensions)
{
  static const int entries[4][4] = {
    { ODL_TENSOR_XX, ODL_TENSOR_XY, ODL_TENSOR_XZ, ODL_TENSOR_XT },
    { ODL_TENSOR_XY, ODL_TENSOR_YY, ODL_TENSOR_YZ, ODL_TENSOR_YT },
    { ODL_TENSOR_XZ, ODL_TENSOR_YZ, ODL_TENSOR_ZZ, ODL_TENSOR_ZT },
    { ODL_TENSOR_XT, ODL_TENSOR_YT, ODL_TENSOR_ZT, ODL_TENSOR_TT },
  };
  const int side = MAX (dimensions, 3);

  for (int k = 0; k < odl_tensor_count (dimensions); k++) {
    double dual[ODL_TENSOR_ENTRIES];
    odl_tensor_dual (dimensions, k, dual);
    g_string_append_printf (text, "%smat%d (", k > 0 ? ", " : "", side);
    for (int i = 0; i < side * side; i++) {
      char number[G_ASCII_DTOSTR_BUF_SIZE];
      g_ascii_formatd (number, sizeof number, "%.9e", dual[entries[i / side][i % side]]);
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", number);
    }
    g_string_append_c (text, ')');
  }
  g_string_append_c (text, '\n');
}

static int
count_reads (const OdlStep *step)
{
  int n = 0;

  while (n < ODL_STEP_MOST_READS && step->reads[n] != ODL_PLAN_NO_SLOT)
    n++;
  return n;
}

static int
count_filters (const OdlStep *step)
{
  return step->kind == ODL_STEP_STEER ? count_reads (step) / 2 : count_reads (step);
}

static char *
tensor_defines (const OdlPlan *plan, const OdlStep *step, int reads)
{
  const int count = count_filters (step), dimensions = odl_tensor_dimensions (count);
  g_autofree char *fields = odl_gl_step_defines (plan, step);
  g_autofree char *kind = g_ascii_strup (odl_step_row (step->kind)->name, -1);
  GString *text = g_string_new (fields);

  g_string_append_printf (
      text, "#define %s\n#define READS %d\n#define EACH(macro) EACH_%d (macro)\n", kind,
      reads, reads);
  g_string_append_printf (
      text, "#define ENERGY %d\n#define CERTAINTY %d\n#define COSINE %d\n",
      (int) ODL_TENSOR_ENERGY, (int) ODL_TENSOR_CERTAINTY, (int) ODL_TENSOR_COSINE);
  if (step->kind != ODL_STEP_MAGNITUDE) {
    g_string_append_printf (text,
                            "#define COUNT %d\n#define DIMENSIONS %d\n#define DUALS ",
                            count, dimensions);
    append_duals (text, dimensions);
  }
  return g_string_free (text, FALSE);
}

// Whether shaders see so many buffers.
static bool
has_buffers (const OdlGlStepCompiler *c, int buffers)
{
  const OdlGlCaps *caps = c->params->caps;

  if (caps->max_buffers >= buffers)
    return true;
  return odl_error_set (c->error, ODL_ERROR_UNSUPPORTED,
                        _ ("%s gives shaders %d buffers, and structure tensors need %d; "
                           "choose the engine “cpu”"),
                        caps->renderer, caps->max_buffers, buffers);
}

// One of the dispatches that STEER takes in four dimensions, over `reads` pictures, of
// which the buffers are set.
static bool
add_part (OdlGlStepCompiler *c, const char *part, int reads, OdlGlDispatch dispatch)
{
  const OdlPlan *plan = c->params->plan;
  const OdlSlot *slot = &plan->slots[c->step->writes];
  const OdlGlStore *source = store_at (c->params, c->step->reads[0]);
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  g_autofree char *precisions
      = odl_gl_precision_defines (c->params->caps, source, target->precision);
  g_autofree char *fields = tensor_defines (plan, c->step, reads);
  g_autofree char *defines
      = g_strdup_printf ("%s%s#define %s\n", precisions, fields, part);

  odl_gl_cover_quads (&dispatch, slot->width, slot->height, target, slot->channels);
  dispatch.uniforms.bias = odl_gl_bias (plan->precision);
  return odl_gl_add_dispatch (c, ODL_GL_PASS_COMPUTE_TENSOR, defines, &dispatch);
}

// The magnitudes, which nothing else reads, become weights of the bands.
static bool
add_weights (OdlGlStepCompiler *c, int count)
{
  OdlGlDispatch dispatch = new_dispatch (c);

  for (int k = 0; k < count; k++)
    dispatch.buffers[k] = store_at (c->params, c->step->reads[1 + count + k])->buffer;
  dispatch.written = dispatch.rewritten = (1u << count) - 1;
  return add_part (c, "WEIGHTS", count, dispatch);
}

// Bands `from` … `end` − 1, with the low one before the first of them.
static bool
add_bands (OdlGlStepCompiler *c, int count, int from, int end)
{
  OdlGlDispatch dispatch = new_dispatch (c);
  int n = 0;

  if (from == 0)
    dispatch.buffers[n++] = store_at (c->params, c->step->reads[0])->buffer;
  for (int part = 0; part < 2; part++)
    for (int k = from; k < end; k++)
      dispatch.buffers[n++]
          = store_at (c->params, c->step->reads[1 + part * count + k])->buffer;
  dispatch.buffers[n] = store_at (c->params, c->step->writes)->buffer;
  dispatch.written = 1u << n;
  dispatch.rewritten = from > 0 ? dispatch.written : 0;
  return add_part (c, from > 0 ? "MORE_BANDS" : "BANDS", n, dispatch);
}

bool
odl_gl_compile_tensor (OdlGlStepCompiler *c)
{
  const int reads = count_reads (c->step), count = count_filters (c->step);
  const bool parts = c->step->kind == ODL_STEP_STEER && odl_tensor_dimensions (count) > 3;
  OdlGlDispatch dispatch = new_dispatch (c);

  if (!has_buffers (c, parts ? count + 2 : reads + 1))
    return false;
  if (parts)
    return add_weights (c, count) && add_bands (c, count, 0, count / 2)
           && add_bands (c, count, count / 2, count);
  g_autofree char *defines = tensor_defines (c->params->plan, c->step, reads);
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  return odl_gl_add_quads (c, ODL_GL_PASS_COMPUTE_TENSOR, defines, dispatch);
}
