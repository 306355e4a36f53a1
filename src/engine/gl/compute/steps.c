// SPDX-License-Identifier: MIT
#include "engine/gl/compute/step_compiler.h"

#include "engine/gl/compute/bank.h"
#include "engine/gl/compute/bm3d.h"
#include "engine/gl/compute/flow.h"
#include "engine/gl/compute/lanes.h"
#include "engine/gl/compute/fusion/fusion_fill.h"
#include "engine/gl/steps.h"
#include "engine/gl/texture_stores.h"
#include "plan/flow.h"
#include "plan/group.h"
#include "plan/opponent.h"

static bool
compile_load (OdlGlStepCompiler *c)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  OdlGlDispatch dispatch = new_dispatch (c);

  odl_gl_cover_tall (&dispatch, slot->width, slot->height, target, 1);
  dispatch.buffers[1] = target->buffer;
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  g_array_append_val (c->dispatches, dispatch);
  return true;
}

static bool
compile_colour (OdlGlStepCompiler *c)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  const OdlGlPassId pass = c->step->kind == ODL_STEP_LUMA ? ODL_GL_PASS_COMPUTE_LUMA
                                                          : ODL_GL_PASS_COMPUTE_RECOMBINE;
  OdlGlDispatch dispatch = new_dispatch (c);

  odl_gl_cover_tall (&dispatch, slot->width, slot->height,
                     store_at (c->params, c->step->writes), slot->channels);
  return odl_gl_add_quads (c, pass, "", dispatch);
}

static bool
compile_opponent (OdlGlStepCompiler *c)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  GString *rows = g_string_new ("#define ROWS ");
  OdlGlDispatch dispatch = new_dispatch (c);

  for (int i = 0; i < 9; i++) {
    g_string_append (rows, i > 0 ? ", " : "");
    odl_gl_bm3d_append_number (rows, odl_opponent (c->step->band == 1, i / 3, i % 3));
  }
  g_string_append_c (rows, '\n');
  g_autofree char *defines = g_string_free (rows, FALSE);
  odl_gl_cover_tall (&dispatch, slot->width, slot->height,
                     store_at (c->params, c->step->writes), slot->channels);
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  return odl_gl_add_quads (c, ODL_GL_PASS_COMPUTE_OPPONENT, defines, dispatch);
}

static bool
compile_convolve (OdlGlStepCompiler *c)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  const bool along_x = c->step->axis == ODL_AXIS_X;
  const bool far = (along_x ? slot->width : slot->height) <= ODL_PLAN_MAX_RADIUS;
  g_autofree char *defines = g_strdup_printf ("#define AXIS %d\n%s", along_x ? 0 : 1,
                                              far ? "#define FOLD_FAR\n" : "");

  return odl_gl_add_quads (c, ODL_GL_PASS_COMPUTE_CONVOLVE, defines, new_dispatch (c));
}

// Binding 0: input; 1: history, read and written; 2: output.
static bool
compile_over_time (OdlGlStepCompiler *c, OdlGlPassId pass, const char *more_defines)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  const OdlGlStore *source = store_at (c->params, c->step->reads[0]);
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  OdlGlDispatch dispatch = new_dispatch (c);
  g_autofree char *precisions
      = odl_gl_precision_defines (c->params->caps, source, target->precision);
  g_autofree char *defines = g_strdup_printf ("%s#define FRAMES %d\n%s", precisions,
                                              c->step->frames, more_defines);

  odl_gl_cover_quads (&dispatch, slot->width, slot->height, target, slot->channels);
  dispatch.buffers[0] = source->buffer;
  dispatch.buffers[1] = g_array_index (c->params->past, GLuint, c->index);
  dispatch.buffers[2] = target->buffer;
  return odl_gl_add_dispatch (c, pass, defines, &dispatch);
}

static bool
compile_recursive (OdlGlStepCompiler *c)
{
  return compile_over_time (c, ODL_GL_PASS_COMPUTE_RECURSIVE, "");
}

static bool
compile_persistence (OdlGlStepCompiler *c)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  const bool far = MIN (slot->width, slot->height) <= 2;

  return compile_over_time (c, ODL_GL_PASS_COMPUTE_PERSISTENCE,
                            far ? "#define FOLD_FAR\n" : "");
}

static bool
compile_window (OdlGlStepCompiler *c)
{
  return compile_over_time (c,
                            c->step->kind == ODL_STEP_MEAN
                                ? ODL_GL_PASS_COMPUTE_MEAN
                                : ODL_GL_PASS_COMPUTE_TEMPORAL_MEDIAN,
                            "");
}

static bool
compile_threshold (OdlGlStepCompiler *c)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  OdlGlDispatch dispatch = new_dispatch (c);

  if (odl_plan_is_fused_threshold (c->params->plan, c->index))
    return true;
  if (slot->kind == ODL_SLOT_OCTANTS)
    return odl_gl_compile_depth_threshold (c);
  odl_gl_cover_quads (&dispatch, slot->width, 3 * odl_low_count (slot->height),
                      store_at (c->params, c->step->writes), slot->channels);
  g_autofree char *rule = odl_gl_rule_defines (c->step);
  g_autofree char *defines
      = g_strconcat (odl_gl_measured_defines (odl_step_numbers (c->step)), rule, NULL);
  return odl_gl_add_quads (c, ODL_GL_PASS_COMPUTE_THRESHOLD, defines, dispatch);
}

static bool
compile_bivariate (OdlGlStepCompiler *c)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  const OdlSlot *next = &c->params->plan->slots[c->step->reads[1]];
  const OdlGlStore *parents = store_at (c->params, c->step->reads[1]);
  g_autofree char *step = odl_gl_step_defines (c->params->plan, c->step);
  g_autofree char *defines
      = g_strdup_printf ("%s#define WIDTH %d\n#define HEIGHT %d\n#define NEXT_WIDTH %d\n"
                         "#define NEXT_HEIGHT %d\n",
                         step, slot->width, slot->height, next->width, next->height);
  OdlGlDispatch dispatch = new_dispatch (c);

  odl_gl_cover_quads (&dispatch, slot->width, ODL_BANDS * odl_low_count (slot->height),
                      store_at (c->params, c->step->writes), slot->channels);
  odl_gl_set_layout (dispatch.uniforms.second_layout, parents);
  return odl_gl_add_quads (c, ODL_GL_PASS_COMPUTE_BIVARIATE, defines, dispatch);
}

static bool
compile_combine (OdlGlStepCompiler *c)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  g_autofree char *defines = odl_gl_step_defines (c->params->plan, c->step);
  OdlGlDispatch dispatch = new_dispatch (c);

  odl_gl_cover_quads (&dispatch, slot->width, ODL_BANDS * odl_low_count (slot->height),
                      store_at (c->params, c->step->writes), slot->channels);
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  return odl_gl_add_quads (c, ODL_GL_PASS_COMPUTE_COMBINE, defines, dispatch);
}

static bool
compile_layout (OdlGlStepCompiler *c)
{
  const OdlPlan *plan = c->params->plan;
  const OdlSlot *bands = &plan->slots[c->step->reads[1]];
  const OdlGlStore *source = store_at (c->params, c->step->reads[1]);
  const bool with_approx = c->step->reads[0] != ODL_PLAN_NO_SLOT;
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  OdlGlDispatch dispatch = new_dispatch (c);
  g_autofree char *depth
      = bands->kind == ODL_SLOT_OCTANTS ? g_strdup_printf (
            "#define DEPTH %d\n#define TARGET_DEPTH %d\n", source->slices, target->slices)
                                        : g_strdup ("");
  g_autofree char *defines
      = g_strconcat (with_approx ? "#define WITH_APPROX\n" : "", depth, NULL);

  odl_gl_cover_quads (&dispatch, bands->width, bands->height, target, bands->channels);
  dispatch.groups[2] = (GLuint) (bands->channels * source->slices);
  odl_gl_set_layout (dispatch.uniforms.source_layout, source);
  return odl_gl_add_quads (c, ODL_GL_PASS_COMPUTE_LAYOUT, defines, dispatch);
}

// Program, size and work groups of one level, by lifting or by a filter bank.
static bool
fill_level (OdlGlStepCompiler *c,
            OdlGlDispatch *dispatch,
            const OdlSlot *level,
            bool forward,
            const char *defines)
{
  if (odl_gl_bank_takes (c->params, c->step, level))
    return odl_gl_bank_fill (c->params, c->step, forward, level, defines, dispatch,
                             c->error);

  return odl_gl_lanes_fill (c->params, c->step, forward, level, defines, dispatch,
                            c->error);
}

// Coarser levels of a volume read the first slices of each channel alone.
static char *
slices_defines (const OdlGlStore *source, const OdlGlStore *target)
{
  if (source->slices == target->slices || target->planes == 1)
    return g_strdup ("");
  return g_strdup_printf ("#define SOURCE_SLICES %d\n#define TARGET_SLICES %d\n",
                          source->slices, target->slices);
}

static bool
compile_forward (OdlGlStepCompiler *c)
{
  const OdlPlan *plan = c->params->plan;
  OdlGlDispatch dispatch = new_dispatch (c);

  if (c->step->axis == ODL_AXIS_Z)
    return odl_gl_compile_depth (c);
  if (c->step->axis == ODL_AXIS_X)
    return true; // with the step along y, which follows

  const OdlStep *along_x = &plan->steps[odl_plan_group_level (plan, c->index).forward_x];
  const OdlSlot *level = &plan->slots[c->step->writes];
  const OdlGlStore *source = store_at (c->params, along_x->reads[0]);
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  g_autofree char *precisions
      = odl_gl_precision_defines (c->params->caps, source, target->precision);
  g_autofree char *slices = slices_defines (source, target);
  g_autofree char *defines = g_strconcat (precisions, slices, NULL);

  if (!fill_level (c, &dispatch, level, true, defines))
    return false;
  dispatch.buffers[0] = source->buffer;
  dispatch.buffers[1] = target->buffer;
  odl_gl_set_layout (dispatch.uniforms.source_layout, source);
  dispatch.uniforms.target_layout[0] = 2 * target->pitch;
  dispatch.uniforms.target_layout[1] = 2 * target->plane;
  g_array_append_val (c->dispatches, dispatch);
  return true;
}

// What a synthesis of one level reads (slots), of a picture as large as slot `level`.
typedef struct {
  int level, approx, details;
  int threshold; // step with its limit, or a step without limit
} Synthesis;

// The synthesis of an INVERSE y; for a FORWARD x, the synthesis that would invert it.
static Synthesis
synthesis_of (const OdlPlan *plan, int step)
{
  const OdlStep *along = &plan->steps[step];

  if (along->kind == ODL_STEP_FORWARD) {
    const int bands = plan->steps[odl_plan_group_reader (plan, step)].writes;
    return (Synthesis){ along->writes, bands, bands, step };
  }

  const int writer = odl_plan_last_writer (plan, along->reads[1], step);
  if (odl_plan_is_fused_threshold (plan, writer))
    return (Synthesis){ along->writes, along->reads[0], plan->steps[writer].reads[0],
                        writer };
  return (Synthesis){ along->writes, along->reads[0], along->reads[1], step };
}

static bool
fill_inverse (OdlGlStepCompiler *c,
              const Synthesis *synthesis,
              int target_precision,
              const char *more_defines,
              OdlGlDispatch *dispatch)
{
  const OdlSlot *level = &c->params->plan->slots[synthesis->level];
  const OdlGlStore *approx = store_at (c->params, synthesis->approx);
  const OdlGlStore *details = store_at (c->params, synthesis->details);
  g_autofree char *precisions
      = odl_gl_precision_defines (c->params->caps, details, target_precision);
  const OdlStep *threshold = &c->params->plan->steps[synthesis->threshold];
  g_autofree char *defines
      = g_strconcat (precisions, odl_gl_measured_defines (odl_step_numbers (threshold)),
                     more_defines, NULL);

  if (!fill_level (c, dispatch, level, false, defines))
    return false;
  odl_gl_bind_numbers (c, threshold, 2, dispatch);
  dispatch->parameters = synthesis->threshold;
  dispatch->buffers[0] = approx->buffer;
  dispatch->buffers[1] = details->buffer;
  dispatch->uniforms.source_layout[0] = 2 * details->pitch;
  dispatch->uniforms.source_layout[1] = 2 * details->plane;
  dispatch->uniforms.approx_plane = 2 * approx->plane;
  return true;
}

static bool
compile_inverse (OdlGlStepCompiler *c)
{
  OdlGlDispatch dispatch = new_dispatch (c);

  if (c->step->axis == ODL_AXIS_Z)
    return odl_gl_compile_depth (c);
  if (c->step->axis == ODL_AXIS_Y)
    return true; // with the step along x, which follows

  const OdlPlan *plan = c->params->plan;
  const Synthesis synthesis
      = synthesis_of (plan, odl_plan_group_level (plan, c->index).inverse_y);
  const OdlGlStore *target = store_at (c->params, c->step->writes);

  if (!fill_inverse (c, &synthesis, target->precision, "", &dispatch))
    return false;
  dispatch.buffers[2] = target->buffer;
  odl_gl_set_layout (dispatch.uniforms.target_layout, target);
  g_array_append_val (c->dispatches, dispatch);
  return true;
}

bool
odl_gl_compile_half (const OdlGlDispatchParams *params,
                     int step,
                     OdlGlDispatch *dispatch,
                     GError **error)
{
  const OdlSlot *level = &params->plan->slots[params->plan->steps[step].writes];
  const Synthesis synthesis = synthesis_of (params->plan, step);
  OdlGlStepCompiler c = {
    .params = params, .index = step, .step = &params->plan->steps[step], .error = error
  };

  *dispatch = new_dispatch (&c);
  dispatch->uniforms.target_layout[0] = (level->width + 3) / 4;
  dispatch->uniforms.target_layout[1] = (level->width + 3) / 4 * level->height;
  return fill_inverse (&c, &synthesis, 32, "#define HALF_ONLY\n", dispatch);
}

const OdlGlProgram *
odl_gl_load_program (const OdlGlDispatchParams *params,
                     const char *defines,
                     GError **error)
{
  const OdlGlStore *target = store_at (params, params->plan->source);
  g_autofree char *precisions
      = odl_gl_precision_defines (params->caps, NULL, target->precision);
  g_autofree char *all = g_strconcat (precisions, defines, NULL);

  return odl_gl_programs_get (params->programs, ODL_GL_PASS_COMPUTE_LOAD, false, all,
                              error);
}

bool
odl_gl_compile_show (const OdlGlDispatchParams *params,
                     int slot,
                     const char *format,
                     OdlGlDispatch *dispatch,
                     GError **error)
{
  const OdlSlot *picture = &params->plan->slots[slot];
  const OdlGlStore *source = store_at (params, slot);
  g_autofree char *precisions = odl_gl_precision_defines (params->caps, source, 32);
  g_autofree char *defines = g_strdup_printf (
      "%s#define CHANNELS %d\n#define FORMAT %s\n", precisions, source->planes, format);

  *dispatch = (OdlGlDispatch){ .buffers = { source->buffer } };
  // Of a volume the first slice.
  odl_gl_cover_quads (dispatch, picture->width, picture->height, source, 1);
  dispatch->uniforms.target_layout[1] = source->plane * source->slices;
  dispatch->groups[2] = 1;
  dispatch->program = odl_gl_programs_get (params->programs, ODL_GL_PASS_COMPUTE_SHOW,
                                           false, defines, error);
  return dispatch->program != NULL;
}

// A place for what snakes.h does; behind what it reads stands what it writes.
static bool
compile_snakes (OdlGlStepCompiler *c)
{
  enum { TARGET = 3 };
  OdlGlDispatch dispatch = new_dispatch (c);

  G_STATIC_ASSERT (TARGET < ODL_GL_DISPATCH_BUFFERS);
  for (int r = 0; r < TARGET; r++)
    if (c->step->reads[r] != ODL_PLAN_NO_SLOT)
      dispatch.buffers[r] = store_at (c->params, c->step->reads[r])->buffer;
  dispatch.buffers[TARGET] = store_at (c->params, c->step->writes)->buffer;
  dispatch.written = 1u << TARGET;
  g_array_append_val (c->dispatches, dispatch);
  return true;
}

typedef bool (*CompileFunction) (OdlGlStepCompiler *c);

// Spatial steps without a function of their own take odl_gl_compile_spatial.
// Those that measure and those of the dual tree have theirs by class.
static const CompileFunction compile_functions[ODL_N_STEP_KINDS] = {
  [ODL_STEP_LOAD] = compile_load,
  [ODL_STEP_LUMA] = compile_colour,
  [ODL_STEP_CONVOLVE_LINE] = compile_convolve,
  [ODL_STEP_ADD] = odl_gl_compile_add,
  [ODL_STEP_CONVOLVE] = odl_gl_compile_convolution,
  [ODL_STEP_MEDIAN] = odl_gl_compile_median,
  [ODL_STEP_NON_LOCAL_MEANS] = odl_gl_compile_non_local_means,
  [ODL_STEP_BM3D] = odl_gl_compile_bm3d,
  [ODL_STEP_BM3D_TIME] = odl_gl_compile_bm3d_time,
  [ODL_STEP_FORWARD] = compile_forward,
  [ODL_STEP_THRESHOLD] = compile_threshold,
  [ODL_STEP_COMBINE] = compile_combine,
  [ODL_STEP_BIVARIATE] = compile_bivariate,
  [ODL_STEP_INVERSE] = compile_inverse,
  [ODL_STEP_LAYOUT] = compile_layout,
  [ODL_STEP_BAND] = odl_gl_compile_band,
  [ODL_STEP_JOIN] = odl_gl_compile_join,
  [ODL_STEP_SHIFT] = odl_gl_compile_shift,
  [ODL_STEP_SCAN_CONVERT] = odl_gl_compile_scan_convert,
  [ODL_STEP_RECOMBINE] = compile_colour,
  [ODL_STEP_OPPONENT] = compile_opponent,
  [ODL_STEP_RECURSIVE] = compile_recursive,
  [ODL_STEP_PERSISTENCE] = compile_persistence,
  [ODL_STEP_MEAN] = compile_window,
  [ODL_STEP_TEMPORAL_MEDIAN] = compile_window,
  [ODL_STEP_SNAKES] = compile_snakes,
  [ODL_STEP_MAGNITUDE] = odl_gl_compile_tensor,
  [ODL_STEP_TENSOR] = odl_gl_compile_tensor,
  [ODL_STEP_STEER] = odl_gl_compile_tensor,
};

bool
odl_gl_dispatches_have_step (const OdlStep *step)
{
  const OdlStepClass class = odl_step_class (step);

  return compile_functions[step->kind] != NULL || class == ODL_STEP_CLASS_MEASURE
         || class == ODL_STEP_CLASS_DUAL_TREE || odl_gl_has_spatial_shader (step);
}

bool
odl_gl_dispatches_have_volume_step (const OdlStep *step)
{
  switch (step->kind) {
  case ODL_STEP_LOAD:
    // A picture is no volume.
    return step->parameters.operand == NULL
           || odl_image_info (step->parameters.operand)->extent.z > 1;
  case ODL_STEP_LUMA:
  case ODL_STEP_RECOMBINE:
  case ODL_STEP_ADD:
  case ODL_STEP_RAISE:
  case ODL_STEP_BILATERAL:
  case ODL_STEP_CONVOLVE:
  case ODL_STEP_CONVOLVE_LINE:
  case ODL_STEP_FORWARD:
  case ODL_STEP_THRESHOLD:
  case ODL_STEP_COMBINE:
  case ODL_STEP_INVERSE:
  case ODL_STEP_LAYOUT:
  case ODL_STEP_MEDIAN:
  case ODL_STEP_NON_LOCAL_MEANS:
  case ODL_STEP_MAGNITUDE:
  case ODL_STEP_TENSOR:
  case ODL_STEP_STEER:
  case ODL_STEP_SOBEL:
  case ODL_STEP_CUT:
  case ODL_STEP_KEEP:
  case ODL_STEP_TROUGH:
  case ODL_STEP_SIDES:
  case ODL_STEP_MASK:
  case ODL_STEP_NOISE:
  case ODL_STEP_BAYES:
    return true;
  default:
    return false;
  }
}

static bool
compile_step (OdlGlStepCompiler *c)
{
  const CompileFunction function = compile_functions[c->step->kind];

  if (function != NULL)
    return function (c);
  switch (odl_step_class (c->step)) {
  case ODL_STEP_CLASS_MEASURE:
    return odl_gl_compile_measure (c);
  case ODL_STEP_CLASS_DUAL_TREE:
    return odl_gl_compile_dual_tree (c);
  default:
    return odl_gl_compile_spatial (c);
  }
}

// The dispatch of a fusion, in the place of its last step.
static bool
compile_fusion (OdlGlStepCompiler *c, const OdlGlFusion *fusion)
{
  OdlGlDispatch dispatch = new_dispatch (c);

  if (c->index != odl_gl_fusion_last (fusion))
    return true;
  if (!odl_gl_fusion_fill (c->params, fusion, &dispatch, c->error))
    return false;
  g_array_append_val (c->dispatches, dispatch);
  return true;
}

GArray *
odl_gl_dispatches_compile (const OdlGlDispatchParams *params, GError **error)
{
  const OdlPlan *plan = params->plan;
  g_autoptr (GArray) dispatches = g_array_new (FALSE, TRUE, sizeof (OdlGlDispatch));

  for (int i = 0; i < plan->n_steps; i++) {
    OdlGlStepCompiler c = { .params = params,
                            .dispatches = dispatches,
                            .index = i,
                            .step = &plan->steps[i],
                            .error = error };
    const OdlGlFusion *fusion = odl_gl_fusion_at (params->fusions, i);
    if (fusion != NULL ? !compile_fusion (&c, fusion) : !compile_step (&c))
      return NULL;
  }
  odl_gl_let_overlap (dispatches, plan);
  return g_steal_pointer (&dispatches);
}

void
odl_gl_dispatch_parameters (OdlGlDispatch *dispatch, const OdlPlan *plan)
{
  if (dispatch->fusion != NULL)
    odl_gl_fusion_parameters (dispatch->fusion, plan, &dispatch->uniforms);
  else
    odl_gl_step_parameters (&plan->steps[dispatch->parameters], &dispatch->uniforms);
}

void
odl_gl_dispatch (const OdlGlDispatch *dispatch)
{
  glUseProgram (dispatch->program->id);
  if (dispatch->texture != 0) {
    glActiveTexture (GL_TEXTURE0);
    glBindTexture (GL_TEXTURE_2D, dispatch->texture);
  }
  for (GLuint i = 0; i < ODL_GL_DISPATCH_BUFFERS; i++)
    if (dispatch->buffers[i] != 0)
      glBindBufferBase (GL_SHADER_STORAGE_BUFFER, i, dispatch->buffers[i]);
  odl_gl_set_uniforms (dispatch->program, &dispatch->uniforms);
  glDispatchCompute (dispatch->groups[0], dispatch->groups[1], dispatch->groups[2]);
  if (!dispatch->overlaps)
    glMemoryBarrier (GL_SHADER_STORAGE_BARRIER_BIT);
}
