// SPDX-License-Identifier: MIT
// Dispatches of steps on neighbours.
#include "engine/gl/compute/step_compiler.h"

#include "engine/gl/steps.h"

// Of include/quads.glsl.
#define QUAD_GROUP_X 16
#define QUAD_GROUP_Y 8

// Measured on an H200 for volumes of 256³, µs (rows and slices of an invocation): 7³ 608
// (2, 2), 539 (4, 2), 640 (4, 1), 562 (2, 4); 13³ 3996, 3070, 4113.
#define CONVOLVE_ROWS 4
#define CONVOLVE_SLICES 2

// Of convolve_stream.comp. Likewise, 5³ of 256³ and of 128³ (rows, slices): 125 and 22.5
// (2, 8), 122 and 27 (2, 16), 120 and 44 (2, 32), 136 and 24 (1, 16), 138 and 34 (4, 8).
#define STREAM_ROWS 2
#define STREAM_SLICES 8

// Of shaders/blocks/median_networks.py and median_tile.comp.
#define MEDIAN_NETWORKS 7
#define MEDIAN_ROWS 2 // of an invocation
#define MEDIAN_EDGE 64
#define MEDIAN_GROUP 256 // invocations

// Of shaders/blocks/non_local_means_tile.comp. Measured on an H200 at 512², patch 9,
// search 21, two rounds: 672 µs with two offsets at a time, 952 with one.
#define PATCHES_TILE 32
#define PATCHES_RUN 8
#define PATCHES_OFFSETS 2

// Of spatial.comp. Measured on an H200 at 512², µs without and with samples in shared
// memory: guided 127 and 75, srad of 50 steps 673 and 432, frost 157 and 38, lee 105 and
// 27, bilateral 43 and 21, wiener 27 and 11, weighted median 30 and 15, sobel 10.3 and
// 9.8. What reads a cross or a line alone is slower with them: diffusion 126 and 135,
// morphology 14.1 and 15.7, the stationary transform 211 and 382.
#define TILE_MOST_REACH 16

// How far the step looks about a sample where its samples go into shared memory, else 0.
static int
tile_reach (const OdlGlStepCompiler *c)
{
  const int reach = odl_step_row (c->step->kind)->square ? odl_step_reach (c->step) : 0;
  const int columns = (4 * QUAD_GROUP_X + 2 * reach + 3) / 4 * 4;
  const int floats = columns * (QUAD_GROUP_Y + 2 * reach);

  return reach <= TILE_MOST_REACH
                 && floats * (int) sizeof (GLfloat) <= c->params->caps->max_shared
             ? reach
             : 0;
}

bool
odl_gl_compile_spatial (OdlGlStepCompiler *c)
{
  const int depth = c->params->plan->slots[c->step->writes].depth;
  const int reach = depth > 1 ? 0 : tile_reach (c);
  g_autofree char *volume = depth > 1 ? g_strdup_printf ("#define DEPTH %d\n", depth)
                            : reach > 0
                                ? g_strdup_printf ("#define TILE_REACH %d\n", reach)
                                : g_strdup ("");
  g_autofree char *step = odl_gl_step_defines (c->params->plan, c->step);
  g_autofree char *defines = g_strconcat (step, volume, NULL);
  OdlGlDispatch dispatch = new_dispatch (c);

  odl_gl_step_taps (c->step, &dispatch.uniforms);
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  return odl_gl_add_quads (c, ODL_GL_PASS_COMPUTE_SPATIAL, defines, dispatch);
}

bool
odl_gl_accumulates (const OdlPlan *plan, int index)
{
  const OdlStep *add = &plan->steps[index], *step = index > 0 ? add - 1 : add;

  return add->kind == ODL_STEP_ADD && step->kind == ODL_STEP_CONVOLVE
         && add->reads[1] == step->writes && add->reads[0] != step->writes
         && add->writes != step->reads[0]
         && !odl_plan_is_needed (plan, step->writes, index + 1);
}

// Whether step `index`, a convolution by itself, leaves its work to the ADD behind it.
static bool
is_left (const OdlGlStepCompiler *c, int index)
{
  return c->params->accumulates && index + 1 < c->params->plan->n_steps
         && odl_gl_accumulates (c->params->plan, index + 1)
         && odl_gl_bank_of (c->params->caps, c->params->plan, index).count == 1
         && odl_gl_fouriers_at (c->params->fouriers, index) == NULL;
}

// ADD, together with the convolution before it where that left its work.
bool
odl_gl_compile_add (OdlGlStepCompiler *c)
{
  OdlGlStepCompiler before = *c;

  if (odl_gl_fouriers_at (c->params->fouriers, c->index) != NULL)
    return odl_gl_compile_fourier (c);
  if (c->index == 0 || !is_left (c, c->index - 1))
    return odl_gl_compile_spatial (c);
  before.step--;
  before.index--;
  before.sum = c->step;
  return odl_gl_compile_convolution (&before);
}

// EACH_NAME (macro, …): the macro with the arguments and each number below `count`.
static void
append_list (GString *text, const char *name, const char *arguments, int count)
{
  g_string_append_printf (text, "#define EACH_%s(macro%s%s)", name,
                          *arguments != '\0' ? ", " : "", arguments);
  for (int i = 0; i < count; i++)
    g_string_append_printf (text, " macro (%s%s%d)", arguments,
                            *arguments != '\0' ? ", " : "", i);
  g_string_append_c (text, '\n');
}

// Lists for shaders/blocks/convolve_stream.comp.
static char *
stream_lists (const OdlStep *step, int rows)
{
  const struct {
    const char *name, *arguments;
    int count;
  } lists[] = {
    { "TAP", "m, r, y", step->kernel_width },
    { "KERNEL_ROW", "m, r", step->kernel_height },
    { "SLICE", "", step->kernel_depth },
    { "ROW", "m", rows },
    { "SUM", "m", rows }, // a macro cannot be used in itself
    { "LINE", "", rows + step->kernel_height - 1 },
    { "QUAD", "j", 2 * ((step->kernel_width / 2 + 3) / 4) + 1 },
  };
  GString *text = g_string_new (NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (lists); i++)
    append_list (text, lists[i].name, lists[i].arguments, lists[i].count);
  return g_string_free (text, FALSE);
}

// Each invocation makes some quads, one below the other, in one slice or more.
bool
odl_gl_compile_convolution (OdlGlStepCompiler *c)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  const OdlGlStore *target
      = store_at (c->params, c->sum != NULL ? c->sum->writes : c->step->writes);
  const OdlBank bank = odl_gl_bank_of (c->params->caps, c->params->plan, c->index);
  const size_t bytes = odl_gl_kernel_bytes (c->params->caps, c->params->plan, c->index);
  const bool streams = bank.count == 1 && odl_gl_kernel_streams (c->step);
  const bool volume = bytes > 0, shared = bytes <= (size_t) c->params->caps->max_shared;
  const int rows = streams ? STREAM_ROWS : CONVOLVE_ROWS;
  const int slices = streams ? STREAM_SLICES : volume ? CONVOLVE_SLICES : 1;
  const int tall = QUAD_GROUP_Y * rows;
  // Whole quads, and rows below the picture, are looked at, too.
  const bool far = c->step->side / 2 + 2 * rows > MIN (slot->width, slot->height) - 1;
  g_autofree char *step = odl_gl_step_defines (c->params->plan, c->step);
  g_autofree char *lists = streams ? stream_lists (c->step, rows) : g_strdup ("");
  g_autofree char *defines = g_strdup_printf (
      "%s#define ROWS %d\n#define SLICES %d\n%s%s%s%s%s%s", step, rows, slices,
      c->params->plan->precision == 16 ? "#define BIASED\n" : "",
      c->sum != NULL ? "#define ACCUMULATE\n" : "",
      far ? "#undef FOLD_FAR\n#define FOLD_FAR\n" : "", volume ? "#define VOLUME\n" : "",
      volume && shared ? "#define SHARED\n" : "", lists);
  OdlGlDispatch dispatch = new_dispatch (c);

  if (odl_gl_fouriers_at (c->params->fouriers, c->index) != NULL)
    return odl_gl_compile_fourier (c);
  if (bank.count > 1)
    return odl_gl_compile_bank (c, &bank);
  if (c->sum == NULL && is_left (c, c->index))
    return true;
  odl_gl_cover_quads (&dispatch, slot->width, slot->height, target, slot->channels);
  dispatch.groups[1] = (GLuint) ((slot->height + tall - 1) / tall);
  dispatch.written = 1u << 1;
  if (c->sum != NULL) {
    dispatch.step = c->index + 1;
    dispatch.buffers[ODL_GL_SUM_BINDING] = store_at (c->params, c->sum->reads[0])->buffer;
  }
  if (volume || streams)
    dispatch.groups[2]
        = (GLuint) (slot->channels * ((target->slices + slices - 1) / slices));
  if (volume)
    dispatch.buffers[ODL_GL_KERNEL_BINDING]
        = g_array_index (c->params->past, GLuint, c->index);
  dispatch.bank = bank;
  dispatch.uniforms.depth = target->slices;
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  return odl_gl_add_quads (c,
                           streams ? ODL_GL_PASS_COMPUTE_CONVOLVE_STREAM
                                   : ODL_GL_PASS_COMPUTE_CONVOLVE_BLOCK,
                           defines, dispatch);
}

// A pass whose work groups make tiles of so many quads and rows.
static bool
add_tiles (OdlGlStepCompiler *c,
           OdlGlPassId pass,
           const char *more_defines,
           int quads,
           int rows)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  g_autofree char *step = odl_gl_step_defines (c->params->plan, c->step);
  g_autofree char *defines = g_strconcat (step, more_defines, NULL);
  OdlGlDispatch dispatch = new_dispatch (c);

  odl_gl_cover_quads (&dispatch, slot->width, slot->height, target, slot->channels);
  dispatch.groups[0] = (GLuint) ((target->pitch + quads - 1) / quads);
  dispatch.groups[1] = (GLuint) ((slot->height + rows - 1) / rows);
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  return odl_gl_add_quads (c, pass, defines, dispatch);
}

// Small windows have networks; for larger ones whole tiles are sorted.
bool
odl_gl_compile_median (OdlGlStepCompiler *c)
{
  const int side = c->step->side, rows = MEDIAN_EDGE - side + 1;
  const int quads = (QUAD_GROUP_X + 2) * (QUAD_GROUP_Y * MEDIAN_ROWS + side - 1);
  const int shared = side <= MEDIAN_NETWORKS ? quads * 4 : 2 * MEDIAN_EDGE * MEDIAN_EDGE;
  g_autofree char *defines
      = g_strdup_printf ("#define EDGE %d\n#define WORKERS %d\n#define ROWS %d\n",
                         MEDIAN_EDGE, MEDIAN_GROUP, MEDIAN_ROWS);

  if (c->params->caps->max_group < MEDIAN_GROUP
      || c->params->caps->max_shared < shared * (int) sizeof (GLfloat))
    return odl_gl_compile_spatial (c);
  if (side <= MEDIAN_NETWORKS)
    return add_tiles (c, ODL_GL_PASS_COMPUTE_MEDIAN_NETWORK, defines, QUAD_GROUP_X,
                      QUAD_GROUP_Y * MEDIAN_ROWS);
  return add_tiles (c, ODL_GL_PASS_COMPUTE_MEDIAN, defines, rows / 4, rows);
}

// In tiles where their samples and the sums of their columns go into shared memory.
bool
odl_gl_compile_non_local_means (OdlGlStepCompiler *c)
{
  const int radius = c->step->kernel_width / 2, tile = PATCHES_TILE;
  const int edge = tile + 2 * (c->step->side / 2), inner = edge - 2 * radius;
  const bool second = c->step->reads[1] != ODL_PLAN_NO_SLOT;
  const int samples = edge * (edge | 1) + (second ? inner * (inner | 1) : 0);
  const int more = (edge | 1) + 2 * tile * (tile + 2 * radius + 1); // of an offset
  const int most = c->params->caps->max_shared / (int) sizeof (GLfloat);
  const int offsets = samples + PATCHES_OFFSETS * more <= most ? PATCHES_OFFSETS : 1;
  const int workers = (tile + 2 * radius) * (tile / PATCHES_RUN);
  g_autofree char *defines
      = g_strdup_printf ("#define TILE %d\n#define RUN %d\n#define WORKERS %d\n"
                         "#define OFFSETS %d\n",
                         tile, PATCHES_RUN, workers, offsets);

  if (samples + more > most || c->params->caps->max_group < workers)
    return odl_gl_compile_spatial (c);
  return add_tiles (c, ODL_GL_PASS_COMPUTE_NON_LOCAL_MEANS, defines, tile / 4, tile);
}
