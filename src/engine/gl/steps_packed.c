// SPDX-License-Identifier: MIT
// Analysis and synthesis of grey pictures with 2 × 2 samples a texel
// (shaders/packed.frag).
#include "engine/gl/compute_steps.h"
#include "engine/gl/steps_private.h"

static int
line_length (const OdlGlCompiler *c)
{
  return c->step->axis == ODL_AXIS_X ? c->out->width : c->out->height;
}

// What the kernel reads: a texture of single samples, or one of blocks or bands.
typedef struct {
  GLuint texture;
  bool flat;
} Input;

static Input
input_of (const OdlGlCompiler *c)
{
  const OdlPlan *plan = c->params->plan;
  const int slot = c->step->reads[0];
  const OdlGlSlot *source = c->sources[0];

  if (c->step->kind == ODL_STEP_INVERSE && c->step->axis == ODL_AXIS_Y)
    return (Input){ c->sources[1]->textures[0], false };
  if (plan->slots[slot].kind == ODL_SLOT_BANDS) // its LL
    return (Input){ source->textures[1], true };
  if (plan->slots[slot].kind == ODL_SLOT_HALF)
    return (Input){ source->textures[0], false };
  if (odl_gl_is_packed (plan, ODL_GL_PACKED, slot, c->index))
    return (Input){ source->textures[ODL_GL_PICTURE_PACKED], false };
  return (Input){ source->textures[ODL_GL_PICTURE_FLAT], true };
}

// Synthesis along y takes LL from the coarser result, but on the coarsest level, where it
// lies beside the details.
static GLuint
approx_of (const OdlGlCompiler *c)
{
  if (c->step->kind != ODL_STEP_INVERSE || c->step->axis != ODL_AXIS_Y
      || c->params->plan->slots[c->step->reads[0]].kind == ODL_SLOT_BANDS)
    return 0;
  return c->sources[0]->textures[ODL_GL_PICTURE_PACKED];
}

static int
framebuffer_of (const OdlGlCompiler *c)
{
  return c->out->kind == ODL_SLOT_PICTURE ? ODL_GL_PICTURE_PACKED : 0;
}

static char *
packed_defines (const OdlGlCompiler *c, const OdlGlKernel *kernel, Input input)
{
  const OdlGlTapRange range = odl_gl_kernel_range (kernel);
  const bool inverse = c->step->kind == ODL_STEP_INVERSE;
  const bool inverse_y = inverse && c->step->axis == ODL_AXIS_Y;
  g_autofree char *taps = odl_gl_kernel_defines (kernel, c->step, -1);
  const bool approx_out = c->out->kind == ODL_SLOT_BANDS && c->target->textures[1] != 0;

  return g_strdup_printf ("%s%s%s%s%s#define FIRST (%d)\n#define COUNT %d\n%s",
                          inverse_y ? "" : odl_gl_compiler_axis (c),
                          inverse && !inverse_y ? "#define SYNTHESIS\n" : "",
                          input.flat ? "#define FLAT\n" : "",
                          input.flat && c->params->gather ? "#define GATHER\n" : "",
                          approx_of (c) != 0 ? "#define APPROX_IN\n"
                          : approx_out       ? "#define APPROX_OUT\n"
                                             : "",
                          range.first, range.count, taps);
}

static OdlGlDraw *
add_packed (OdlGlCompiler *c, const OdlGlKernel *kernel, bool split)
{
  const bool inverse_y = c->step->kind == ODL_STEP_INVERSE && c->step->axis == ODL_AXIS_Y;
  const Input input = input_of (c);
  g_autofree char *defines = packed_defines (c, kernel, input);
  const OdlGlTapRange range = odl_gl_kernel_range (kernel);
  const OdlGlDrawParams params = {
    .pass = inverse_y ? ODL_GL_PASS_PACKED_INVERSE_Y : ODL_GL_PASS_PACKED,
    .defines = defines,
    // Of a block both samples are read, also where a tap is zero.
    .reach = MAX (-2 * range.first, 2 * (range.first + range.count) - 1),
    .shortest = kernel->length,
    .framebuffer = framebuffer_of (c),
  };
  OdlGlDraw *draw = odl_gl_compiler_draw (c, &params);

  if (draw == NULL)
    return NULL;
  draw->viewport[2] = (c->out->width + 1) / 2;
  draw->viewport[3] = (c->out->height + 1) / 2;
  draw->textures[0] = input.texture;
  draw->textures[1] = approx_of (c);
  odl_gl_kernel_set_pairs (kernel, c->step, draw);
  const OdlGlRange inside
      = { MAX (-range.first, 0),
          kernel->length / 2 - MAX (range.first + range.count - 1, 0) };
  if (split && !odl_gl_compiler_split (c, &params, inside))
    return NULL;
  return &g_array_index (c->draws, OdlGlDraw, c->draws->len - 1);
}

// Steps other than transforms know flat pictures only.
static bool
add_unpack (OdlGlCompiler *c)
{
  if (c->out->kind != ODL_SLOT_PICTURE || c->target->textures[ODL_GL_PICTURE_FLAT] == 0)
    return true;
  OdlGlDraw *draw = odl_gl_compiler_draw (
      c, &(OdlGlDrawParams){ .pass = ODL_GL_PASS_UNPACK,
                             .defines = "",
                             .framebuffer = ODL_GL_PICTURE_FLAT });
  if (draw == NULL)
    return false;
  draw->textures[0] = c->target->textures[ODL_GL_PICTURE_PACKED];
  draw->textures[1] = 0;
  return true;
}

// The slot whose details synthesis shrinks as it reads them.
static void
follow_threshold (OdlGlCompiler *c)
{
  const OdlPlan *plan = c->params->plan;

  if (c->step->kind != ODL_STEP_INVERSE || c->step->axis != ODL_AXIS_Y)
    return;
  const int writer = odl_gl_last_writer (plan, c->step->reads[1], c->index);
  if (!odl_gl_is_fused_threshold (plan, writer))
    return;
  c->sources[1] = odl_gl_targets_slot (c->params->targets, plan->steps[writer].reads[0]);
  c->params->steps[c->index].parameters = writer;
}

bool
odl_gl_compile_packed (OdlGlCompiler *c)
{
  OdlGlKernel kernel, copy;

  follow_threshold (c);
  odl_gl_kernel_init (&kernel, c->step, line_length (c));
  if (add_packed (c, &kernel, true) == NULL)
    return false;
  if (kernel.length < kernel.n) {
    odl_gl_kernel_init_copy (&copy, kernel.n);
    OdlGlDraw *draw = add_packed (c, &copy, false);
    if (draw == NULL)
      return false;
    odl_gl_compiler_cut (c, draw,
                         (OdlGlRange){ kernel.length / 2, odl_low_count (kernel.n) });
  }
  return add_unpack (c);
}
