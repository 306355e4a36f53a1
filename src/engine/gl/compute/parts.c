// SPDX-License-Identifier: MIT
// Dispatches of bands as pictures, and of pictures as bands; of pictures in another size.
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/compute/step_compiler.h"
#include "engine/gl/steps.h"

#define TARGET ODL_BANDS // the binding, of wavelet/join.comp

bool
odl_gl_compile_band (OdlGlStepCompiler *c)
{
  const OdlSlot *bands = &c->params->plan->slots[c->step->reads[0]];
  const OdlGlStore *source = store_at (c->params, c->step->reads[0]);
  g_autofree char *defines = g_strdup_printf (
      "#define FIRST %d\n", c->step->band * odl_low_count (bands->height));
  OdlGlDispatch dispatch = new_dispatch (c);

  odl_gl_set_layout (dispatch.uniforms.source_layout, source);
  return odl_gl_add_quads (c, ODL_GL_PASS_COMPUTE_BAND, defines, dispatch);
}

bool
odl_gl_compile_join (OdlGlStepCompiler *c)
{
  const OdlSlot *bands = &c->params->plan->slots[c->step->writes];
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  g_autofree char *precisions
      = odl_gl_precision_defines (c->params->caps, NULL, target->precision);
  g_autoptr (GString) defines = g_string_new (precisions);
  OdlGlDispatch dispatch = new_dispatch (c);

  G_STATIC_ASSERT (TARGET < ODL_GL_DISPATCH_BUFFERS);
  if (c->params->caps->max_buffers <= TARGET)
    return odl_error_set (
        c->error, ODL_ERROR_UNSUPPORTED,
        _ ("shaders of this graphics driver (%s) see %d buffers at once, and filters "
           "inside a transform need %d; choose the CPU engine"),
        c->params->caps->renderer, c->params->caps->max_buffers, TARGET + 1);
  g_string_append_printf (defines, "#define ROWS %d\n", odl_low_count (bands->height));
  for (int band = 0; band < ODL_BANDS; band++) {
    if (c->step->reads[band] == ODL_PLAN_NO_SLOT)
      continue;
    const OdlGlStore *source = store_at (c->params, c->step->reads[band]);
    dispatch.buffers[band] = source->buffer;
    g_string_append_printf (defines, "#define LAYOUT_%d ivec2 (%d, %d)\n", band,
                            source->pitch, source->plane / source->pitch);
  }
  dispatch.buffers[TARGET] = target->buffer;
  dispatch.written = 1u << TARGET;
  odl_gl_cover_quads (&dispatch, bands->width, ODL_BANDS * odl_low_count (bands->height),
                      target, bands->channels);
  return odl_gl_add_dispatch (c, ODL_GL_PASS_COMPUTE_JOIN, defines->str, &dispatch);
}

bool
odl_gl_compile_shift (OdlGlStepCompiler *c)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->reads[0]];
  const OdlGlStore *source = store_at (c->params, c->step->reads[0]);
  g_autofree char *step = odl_gl_step_defines (c->params->plan, c->step);
  g_autofree char *defines
      = g_strdup_printf ("%s#define BORDER %d\n#define SOURCE_SIZE ivec2 (%d, %d)\n",
                         step, (int) c->step->border, slot->width, slot->height);
  OdlGlDispatch dispatch = new_dispatch (c);

  odl_gl_set_layout (dispatch.uniforms.source_layout, source);
  return odl_gl_add_quads (c, ODL_GL_PASS_COMPUTE_SHIFT, defines, dispatch);
}

bool
odl_gl_compile_scan_convert (OdlGlStepCompiler *c)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->reads[0]];
  const OdlGlStore *source = store_at (c->params, c->step->reads[0]);
  g_autofree char *step = odl_gl_step_defines (c->params->plan, c->step);
  g_autofree char *defines = g_strdup_printf ("%s#define SOURCE_SIZE ivec2 (%d, %d)\n",
                                              step, slot->width, slot->height);
  OdlGlDispatch dispatch = new_dispatch (c);

  odl_gl_set_layout (dispatch.uniforms.source_layout, source);
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  return odl_gl_add_quads (c, ODL_GL_PASS_COMPUTE_SCAN_CONVERT, defines, dispatch);
}
