// SPDX-License-Identifier: MIT
// Analysis and synthesis with one sample of a channel a texel.
#include <string.h>

#include "engine/gl/steps_along.h"

static int
line_length (const OdlGlCompiler *c)
{
  return c->step->axis == ODL_AXIS_X ? c->out->width : c->out->height;
}

static const char *
mirror_define (const OdlGlCompiler *c)
{
  return c->params->variant == ODL_GL_MIRROR ? "#define MIRROR\n" : "";
}

// Analysis of one half of the channels, into framebuffer `half`.
static OdlGlDraw *
add_forward (OdlGlCompiler *c, const OdlGlKernel *kernel, int half, bool split)
{
  g_autofree char *taps = odl_gl_kernel_defines (kernel, c->step, -1);
  g_autofree char *defines
      = g_strconcat (odl_gl_compiler_is_colour (c) ? "#define COLOUR\n" : "",
                     odl_gl_compiler_axis (c), mirror_define (c), taps, NULL);
  const OdlGlDrawParams params = { .pass = ODL_GL_PASS_FORWARD,
                                   .defines = defines,
                                   .reach = odl_gl_kernel_reach (kernel),
                                   .shortest = kernel->length,
                                   .framebuffer = half };
  OdlGlDraw *draw = odl_gl_compiler_draw (c, &params);

  if (draw == NULL)
    return NULL;
  draw->textures[0] = c->sources[0]->textures[half];
  odl_gl_kernel_set (kernel, c->step, draw);
  if (split && !odl_gl_compiler_split (c, &params, odl_gl_kernel_interior (kernel)))
    return NULL;
  return &g_array_index (c->draws, OdlGlDraw, c->draws->len - 1);
}

// The sample that is set aside, if there is one.
static bool
add_forward_rest (OdlGlCompiler *c, const OdlGlKernel *kernel, int half)
{
  OdlGlKernel copy;

  if (kernel->length == kernel->n)
    return true;
  odl_gl_kernel_init_copy (&copy, kernel->n);
  OdlGlDraw *draw = add_forward (c, &copy, half, false);
  if (draw == NULL)
    return false;
  odl_gl_compiler_cut (c, draw,
                       (OdlGlRange){ kernel->length / 2, odl_low_count (kernel->n) });
  return true;
}

bool
odl_gl_compile_flat_forward (OdlGlCompiler *c)
{
  const int halves = odl_gl_compiler_is_colour (c) && c->step->axis == ODL_AXIS_Y ? 2 : 1;
  OdlGlKernel kernel;

  odl_gl_kernel_init (&kernel, c->step, line_length (c));
  for (int half = 0; half < halves; half++)
    if (add_forward (c, &kernel, half, true) == NULL
        || !add_forward_rest (c, &kernel, half))
      return false;
  return true;
}

static void
set_inverse_textures (const OdlGlCompiler *c, OdlGlDraw *draw)
{
  if (!odl_gl_compiler_is_colour (c))
    return;
  if (c->step->axis == ODL_AXIS_X) {
    memcpy (draw->textures, c->sources[0]->textures, 2 * sizeof *draw->textures);
    return;
  }
  draw->textures[0] = c->sources[0]->textures[0];
  memcpy (draw->textures + 1, c->sources[1]->textures + 1, 3 * sizeof *draw->textures);
}

static OdlGlPassId
inverse_pass (const OdlGlCompiler *c)
{
  if (c->step->axis == ODL_AXIS_X)
    return odl_gl_compiler_is_colour (c) ? ODL_GL_PASS_INVERSE_X_COLOUR
                                         : ODL_GL_PASS_INVERSE_X;
  return odl_gl_compiler_is_colour (c) ? ODL_GL_PASS_INVERSE_Y_COLOUR
                                       : ODL_GL_PASS_INVERSE_Y;
}

// Synthesis of the lines of one `parity`, or of all (−1).
static OdlGlDraw *
add_inverse (OdlGlCompiler *c, const OdlGlKernel *kernel, int parity)
{
  g_autofree char *taps = odl_gl_kernel_defines (kernel, c->step, parity);
  g_autofree char *defines = g_strdup_printf ("%s%s%s%s", mirror_define (c),
                                              parity >= 0 ? "#define PARITY " : "",
                                              parity < 0    ? ""
                                              : parity == 0 ? "0\n"
                                                            : "1\n",
                                              taps);
  const OdlGlDrawParams params = { .pass = inverse_pass (c),
                                   .defines = defines,
                                   .lines = parity >= 0,
                                   .reach = odl_gl_kernel_reach (kernel),
                                   .shortest = kernel->length };
  OdlGlDraw *draw = odl_gl_compiler_draw (c, &params);

  if (draw == NULL)
    return NULL;
  if (params.lines)
    draw->vertices = 6 * ((kernel->length + 1 - parity) / 2);
  set_inverse_textures (c, draw);
  odl_gl_kernel_set (kernel, c->step, draw);
  return draw;
}

bool
odl_gl_compile_flat_inverse (OdlGlCompiler *c)
{
  OdlGlKernel kernel, copy;

  odl_gl_kernel_init (&kernel, c->step, line_length (c));
  if (kernel.n == 1)
    return add_inverse (c, &kernel, -1) != NULL;
  if (add_inverse (c, &kernel, 0) == NULL || add_inverse (c, &kernel, 1) == NULL)
    return false;
  if (kernel.length == kernel.n)
    return true;

  odl_gl_kernel_init_copy (&copy, kernel.n);
  OdlGlDraw *draw = add_inverse (c, &copy, -1);
  if (draw == NULL)
    return false;
  odl_gl_compiler_cut (c, draw, (OdlGlRange){ kernel.length, kernel.n });
  return true;
}
