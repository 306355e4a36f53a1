// SPDX-License-Identifier: MIT
// Analysis and synthesis with 2 × 2 samples of a channel a texel
// (shaders/wavelet/packed.frag).
#include <string.h>

#include "engine/gl/steps_along.h"
#include "plan/flow.h"
#include "plan/group.h"

static int
line_length (const OdlGlCompiler *c)
{
  return c->step->axis == ODL_AXIS_X ? c->out->width : c->out->height;
}

// The inputs of the kernel.
typedef enum {
  BLOCKS, // or bands: a texture for each channel
  SAMPLES, // one texture
  APPROX, // LL of bands, as single samples: a texture for each channel
} InputForm;

typedef struct {
  const GLuint *textures;
  InputForm form;
} Input;

static Input
input_of (const OdlGlCompiler *c)
{
  const OdlPlan *plan = c->params->plan;
  const int slot = c->step->reads[0];
  const OdlGlTextureStore *source = c->sources[0];

  if (c->step->kind == ODL_STEP_INVERSE && c->step->axis == ODL_AXIS_Y)
    return (Input){ c->sources[1]->textures, BLOCKS };
  if (plan->slots[slot].kind == ODL_SLOT_BANDS)
    return (Input){ source->textures, APPROX };
  if (plan->slots[slot].kind == ODL_SLOT_HALF)
    return (Input){ source->textures, BLOCKS };
  if (odl_gl_is_packed (plan, ODL_GL_PACKED, slot, c->index))
    return (Input){ source->textures + ODL_GL_PICTURE_PACKED, BLOCKS };
  return (Input){ source->textures + ODL_GL_PICTURE_FLAT, SAMPLES };
}

// Synthesis along y takes LL from the coarser result, but on the coarsest level, where it
// lies beside the details: NULL.
static const GLuint *
approx_of (const OdlGlCompiler *c)
{
  if (c->step->kind != ODL_STEP_INVERSE || c->step->axis != ODL_AXIS_Y
      || c->params->plan->slots[c->step->reads[0]].kind == ODL_SLOT_BANDS)
    return NULL;
  return c->sources[0]->textures + ODL_GL_PICTURE_PACKED;
}

static void
set_textures (const OdlGlCompiler *c, Input input, OdlGlDraw *draw)
{
  const int channels = c->out->channels;
  const int inputs = input.form == SAMPLES ? 1 : channels;
  const GLuint *approx = approx_of (c);

  memset (draw->textures, 0, sizeof draw->textures);
  memcpy (draw->textures, input.textures, inputs * sizeof *draw->textures);
  if (approx != NULL)
    memcpy (draw->textures + channels, approx, channels * sizeof *draw->textures);
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
  const bool colour = odl_gl_compiler_is_colour (c);
  const bool apart = input.form == APPROX && colour;
  // A fetch of RGB brings three channels, a gather one.
  const bool gather = input.form != BLOCKS && c->params->gather && (!colour || apart);

  return g_strdup_printf (
      "%s%s%s%s%s%s#define FIRST (%d)\n#define COUNT %d\n%s",
      inverse_y ? "" : odl_gl_compiler_axis (c),
      inverse && !inverse_y ? "#define SYNTHESIS\n" : "",
      input.form != BLOCKS ? "#define FLAT\n" : "", apart ? "#define APART\n" : "",
      gather ? "#define GATHER\n" : "",
      approx_of (c) != NULL ? "#define APPROX_IN\n" : "", range.first, range.count, taps);
}

static OdlGlPassId
packed_pass (const OdlGlCompiler *c)
{
  const bool inverse_y = c->step->kind == ODL_STEP_INVERSE && c->step->axis == ODL_AXIS_Y;

  if (odl_gl_compiler_is_colour (c))
    return inverse_y ? ODL_GL_PASS_PACKED_INVERSE_Y_COLOUR : ODL_GL_PASS_PACKED_COLOUR;
  return inverse_y ? ODL_GL_PASS_PACKED_INVERSE_Y : ODL_GL_PASS_PACKED;
}

static OdlGlDraw *
add_packed (OdlGlCompiler *c, const OdlGlKernel *kernel, bool split)
{
  const Input input = input_of (c);
  g_autofree char *defines = packed_defines (c, kernel, input);
  const OdlGlTapRange range = odl_gl_kernel_range (kernel);
  const OdlGlDrawParams params = {
    .pass = packed_pass (c),
    .defines = defines,
    // Both samples of a block are read, even where a tap is zero.
    .reach = MAX (-2 * range.first, 2 * (range.first + range.count) - 1),
    .shortest = kernel->length,
    .framebuffer = framebuffer_of (c),
  };
  OdlGlDraw *draw = odl_gl_compiler_draw (c, &params);

  if (draw == NULL)
    return NULL;
  draw->viewport[2] = (c->out->width + 1) / 2;
  draw->viewport[3] = (c->out->height + 1) / 2;
  set_textures (c, input, draw);
  odl_gl_kernel_set_pairs (kernel, c->step, draw);
  const OdlGlRange inside
      = { MAX (-range.first, 0),
          kernel->length / 2 - MAX (range.first + range.count - 1, 0) };
  if (split && !odl_gl_compiler_split (c, &params, inside))
    return NULL;
  return &g_array_index (c->draws, OdlGlDraw, c->draws->len - 1);
}

// Steps other than transforms read flat pictures only.
static bool
add_unpack (OdlGlCompiler *c)
{
  if (c->out->kind != ODL_SLOT_PICTURE || c->target->textures[ODL_GL_PICTURE_FLAT] == 0)
    return true;
  const OdlGlDrawParams params = {
    .pass
    = odl_gl_compiler_is_colour (c) ? ODL_GL_PASS_UNPACK_COLOUR : ODL_GL_PASS_UNPACK,
    .defines = "",
    .framebuffer = ODL_GL_PICTURE_FLAT,
  };
  OdlGlDraw *draw = odl_gl_compiler_draw (c, &params);

  if (draw == NULL)
    return false;
  memset (draw->textures, 0, sizeof draw->textures);
  memcpy (draw->textures, c->target->textures + ODL_GL_PICTURE_PACKED,
          c->out->channels * sizeof *draw->textures);
  return true;
}

// The slot whose details synthesis shrinks as it reads them.
static void
follow_threshold (OdlGlCompiler *c)
{
  const OdlPlan *plan = c->params->plan;

  if (c->step->kind != ODL_STEP_INVERSE || c->step->axis != ODL_AXIS_Y)
    return;
  const int writer = odl_plan_last_writer (plan, c->step->reads[1], c->index);
  if (!odl_plan_is_fused_threshold (plan, writer))
    return;
  c->sources[1]
      = odl_gl_texture_stores_at (c->params->stores, plan->steps[writer].reads[0]);
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

// Appends as much of a draw call as writes `rows` of the picture. A half has them at its
// top.
static void
add_rows (GArray *draws, const OdlGlDraw *whole, OdlGlRange rows, bool of_half)
{
  const int from = MAX (rows.from, whole->viewport[1]);
  const int to = MIN (rows.to, whole->viewport[1] + whole->viewport[3]);
  OdlGlDraw draw = *whole;

  if (from >= to)
    return;
  draw.viewport[1] = of_half ? from - rows.from : from;
  draw.viewport[3] = to - from;
  draw.uniforms.shift = of_half ? rows.from : -rows.from;
  g_array_append_val (draws, draw);
}

void
odl_gl_packed_in_strips (const OdlGlStepsParams *params, GArray *draws, int step)
{
  const OdlStep *own = &params->plan->steps[step];

  if (params->variant != ODL_GL_PACKED || own->kind != ODL_STEP_INVERSE
      || own->axis != ODL_AXIS_X)
    return;
  const OdlGlTextureStore *half
      = odl_gl_texture_stores_read (params->stores, params->plan, step, 0);
  const OdlGlTextureStore *result
      = odl_gl_texture_stores_written (params->stores, params->plan, step);
  const int rows = odl_gl_store_texture_height (half, 0);
  if (half->rows == 0 || half->rows == rows)
    return;

  const OdlGroupLevel level = odl_plan_group_level (params->plan, step);
  OdlGlStepDraws *along_y = &params->steps[level.inverse_y];
  OdlGlStepDraws *along_x = &params->steps[step];
  g_autoptr (GArray) whole = g_array_copy (draws);
  g_array_set_size (draws, (guint) along_y->first);
  // Strips are drawn from the bottom up; halves.h explains why.
  for (int from = (rows - 1) / half->rows * half->rows; from >= 0; from -= half->rows)
    for (guint i = (guint) along_y->first; i < whole->len; i++) {
      const OdlGlDraw *draw = &g_array_index (whole, OdlGlDraw, i);
      const OdlGlRange strip = { from, MIN (from + half->rows, rows) };
      if (draw->framebuffer == half->framebuffers[0])
        add_rows (draws, draw, strip, true);
      else if (draw->framebuffer == result->framebuffers[ODL_GL_PICTURE_PACKED])
        add_rows (draws, draw, strip, false);
    }
  // To single samples.
  for (guint i = (guint) along_x->first; i < whole->len; i++) {
    const OdlGlDraw *draw = &g_array_index (whole, OdlGlDraw, i);
    if (draw->framebuffer == result->framebuffers[ODL_GL_PICTURE_FLAT])
      g_array_append_val (draws, *draw);
  }
  along_x->first = along_y->first;
  along_x->count = (int) draws->len - along_x->first;
  along_x->parameters = along_y->parameters;
  along_y->count = 0;
}
