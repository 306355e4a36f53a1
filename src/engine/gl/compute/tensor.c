// SPDX-License-Identifier: MIT
// Dispatches of the steps on structure tensors.
#include "engine/gl/compute/step_compiler.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "config.h"
#include "engine/gl/steps.h"
#include "plan/tensor.h"

// “mat3 (…), mat3 (…)”, the duals of all filters.
static void
append_duals (GString *text, int dimensions)
{
  static const int entries[]
      = { ODL_TENSOR_XX, ODL_TENSOR_XY, ODL_TENSOR_XZ, ODL_TENSOR_XY, ODL_TENSOR_YY,
          ODL_TENSOR_YZ, ODL_TENSOR_XZ, ODL_TENSOR_YZ, ODL_TENSOR_ZZ };

  for (int k = 0; k < odl_tensor_count (dimensions); k++) {
    double dual[ODL_TENSOR_ENTRIES];
    odl_tensor_dual (dimensions, k, dual);
    for (size_t i = 0; i < G_N_ELEMENTS (entries); i++) {
      char number[G_ASCII_DTOSTR_BUF_SIZE];
      g_ascii_formatd (number, sizeof number, "%.9e", dual[entries[i]]);
      g_string_append_printf (text, "%s%s",
                              i > 0   ? ", "
                              : k > 0 ? "), mat3 ("
                                      : "mat3 (",
                              number);
    }
  }
  g_string_append (text, ")\n");
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

bool
odl_gl_has_tensors (const OdlStep *step)
{
  // Without pictures, it is the kind that is asked for.
  return step->reads[0] == step->reads[1] || count_filters (step) <= odl_tensor_count (3);
}

static char *
tensor_defines (const OdlPlan *plan, const OdlStep *step)
{
  const int reads = count_reads (step);
  const int count = count_filters (step);
  const int dimensions = count == odl_tensor_count (3) ? 3 : 2;
  g_autofree char *fields = odl_gl_step_defines (plan, step);
  g_autofree char *kind = g_ascii_strup (odl_step_row (step->kind)->name, -1);
  GString *text = g_string_new (fields);

  g_string_append_printf (text, "#define %s\n#define READS %d\n#define EACH EACH_%d\n",
                          kind, reads, reads);
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

bool
odl_gl_compile_tensor (OdlGlStepCompiler *c)
{
  const OdlGlCaps *caps = c->params->caps;
  const int buffers = count_reads (c->step) + 1;
  OdlGlDispatch dispatch = new_dispatch (c);

  if (caps->max_buffers < buffers) {
    g_set_error (c->error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("%s gives shaders %d buffers, and structure tensors need %d; choose "
                    "the engine “cpu”"),
                 caps->renderer, caps->max_buffers, buffers);
    return false;
  }
  g_autofree char *defines = tensor_defines (c->params->plan, c->step);
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  return odl_gl_add_quads (c, ODL_GL_PASS_COMPUTE_TENSOR, defines, dispatch);
}
