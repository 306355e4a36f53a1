// SPDX-License-Identifier: MIT
#include "engine/gl/compute/fusion/fusion_fill.h"

#include "engine/gl/compute/lanes.h"

typedef struct {
  const OdlGlDispatchParams *params;
  const OdlGlFusion *fusion;
  OdlGlDispatch *dispatch;
  GError **error;
} Filler;

static const OdlGlStore *
written_by (const Filler *f, int step)
{
  return odl_gl_stores_at (f->params->stores, f->params->plan->steps[step].writes);
}

static const OdlGlStore *
read_by (const Filler *f, int step)
{
  return odl_gl_stores_at (f->params->stores, f->params->plan->steps[step].reads[0]);
}

static const OdlGlStore *
bands_of (const Filler *f, int level)
{
  return written_by (f, f->fusion->level[level].forward_y);
}

// The picture that the fusion's finest level analyses and reconstructs.
static const OdlSlot *
picture_of (const Filler *f)
{
  const OdlPlan *plan = f->params->plan;

  return &plan->slots[plan->steps[f->fusion->level[0].inverse_x].writes];
}

static void
set_pairs (int layout[2], const OdlGlStore *store)
{
  layout[0] = 2 * store->pitch;
  layout[1] = 2 * store->plane;
}

static const OdlGlProgram *
find_program (Filler *f,
              OdlGlPassId pass,
              const OdlGlStore *source,
              int target_precision,
              const char *more)
{
  const OdlGlDispatchParams *params = f->params;
  g_autofree char *precisions
      = odl_gl_precision_defines (params->caps, source, target_precision);
  g_autofree char *own = odl_gl_fusion_defines (f->fusion, params->plan);
  g_autofree char *defines = g_strconcat (precisions, own, more, NULL);

  return odl_gl_programs_get (params->programs, pass, false, defines, f->error);
}

static bool
set_program (Filler *f, OdlGlPassId pass, const OdlGlStore *source, int target_precision)
{
  f->dispatch->program = find_program (f, pass, source, target_precision, "");
  return f->dispatch->program != NULL;
}

// Rows of lanes divide two levels in the same way as one.
static void
share (Filler *f, bool forward)
{
  const OdlSlot *picture = picture_of (f);
  const int precision = bands_of (f, 0)->precision;
  OdlGlDispatch *dispatch = f->dispatch;

  dispatch->lanes
      = (OdlGlLevelKind){ (double) picture->width * picture->height * picture->channels,
                          precision, !forward, f->fusion->levels };
  // Synthesis begins at the bottom, where the coarser level, which ran downwards, ended.
  dispatch->uniforms.upwards = !forward;
  odl_gl_lanes_share (dispatch,
                      odl_gl_tuning_shape (f->params->tuning, &dispatch->lanes));
}

static bool
fill_analysis (Filler *f)
{
  const OdlGlStore *source = read_by (f, f->fusion->level[0].forward_x);
  const OdlGlStore *first = bands_of (f, 0), *second = bands_of (f, 1);
  OdlGlDispatch *dispatch = f->dispatch;

  dispatch->buffers[0] = source->buffer;
  dispatch->buffers[1] = first->buffer;
  dispatch->buffers[2] = second->buffer;
  dispatch->written = 1 << 1 | 1 << 2;
  odl_gl_set_layout (dispatch->uniforms.source_layout, source);
  set_pairs (dispatch->uniforms.target_layout, first);
  set_pairs (dispatch->uniforms.second_layout, second);
  share (f, true);
  return set_program (f, ODL_GL_PASS_COMPUTE_FORWARD_TWO, source, first->precision);
}

static bool
fill_synthesis (Filler *f)
{
  const OdlGlStore *approx = read_by (f, f->fusion->level[1].inverse_y);
  const OdlGlStore *first = bands_of (f, 0), *second = bands_of (f, 1);
  const OdlGlStore *target = written_by (f, f->fusion->level[0].inverse_x);
  OdlGlDispatch *dispatch = f->dispatch;
  const char *defines = "";

  dispatch->buffers[0] = approx->buffer;
  dispatch->buffers[1] = first->buffer;
  dispatch->buffers[2] = target->buffer;
  dispatch->buffers[3] = second->buffer;
  dispatch->written = 1 << 2;
  set_pairs (dispatch->uniforms.source_layout, first);
  set_pairs (dispatch->uniforms.second_layout, second);
  odl_gl_set_layout (dispatch->uniforms.target_layout, target);
  dispatch->uniforms.approx_plane = 2 * approx->plane;
  share (f, false);
  for (int level = 0; level < f->fusion->levels; level++) {
    const int numbers = odl_gl_fusion_numbers (f->fusion, f->params->plan, level);
    if (numbers != ODL_PLAN_NO_SLOT)
      dispatch->buffers[4 + level]
          = odl_gl_stores_at (f->params->stores, numbers)->buffer;
    defines = odl_gl_measured_defines (numbers);
  }
  dispatch->program = find_program (f, ODL_GL_PASS_COMPUTE_INVERSE_TWO, first,
                                    target->precision, defines);
  return dispatch->program != NULL;
}

// Larger pictures leave the coarse levels so little of a slider's time (3 µs of 71 at
// 4096² on an H200) that it is not worth the memory.
#define WORTH_KEEPING ((int64_t) 1 << 22)

// If a buffer keeps the coefficients, also the program that starts from them.
static bool
set_coarse_programs (Filler *f, const OdlGlStore *source, int target_precision)
{
  const OdlGlPassId pass = ODL_GL_PASS_COMPUTE_COARSE;
  OdlGlDispatch *dispatch = f->dispatch;

  if (f->fusion->kept == 0)
    return set_program (f, pass, source, target_precision);
  dispatch->buffers[2] = f->fusion->kept;
  dispatch->written |= 1 << 2;
  dispatch->program = find_program (f, pass, source, target_precision, "#define KEEP\n");
  dispatch->resumed
      = find_program (f, pass, source, target_precision, "#define RESUMED\n");
  return dispatch->program != NULL && dispatch->resumed != NULL;
}

static bool
fill_coarse (Filler *f)
{
  const OdlSlot *picture = picture_of (f);
  const int core = odl_gl_tile_core (f->fusion->tile);
  const OdlGlStore *source = read_by (f, f->fusion->level[0].forward_x);
  const OdlGlStore *target = written_by (f, f->fusion->level[0].inverse_x);
  OdlGlDispatch *dispatch = f->dispatch;

  dispatch->buffers[0] = source->buffer;
  dispatch->buffers[1] = target->buffer;
  dispatch->written = 1 << 1;
  odl_gl_set_layout (dispatch->uniforms.source_layout, source);
  odl_gl_set_layout (dispatch->uniforms.target_layout, target);
  dispatch->groups[0] = (GLuint) ((picture->width + core - 1) / core);
  dispatch->groups[1] = (GLuint) ((picture->height + core - 1) / core);
  return set_coarse_programs (f, source, target->precision);
}

size_t
odl_gl_fusion_kept_bytes (const OdlGlFusion *fusion,
                          const OdlPlan *plan,
                          const OdlGlStores *stores)
{
  const int64_t samples = (int64_t) plan->geometry.width * plan->geometry.height;

  if (fusion->kind != ODL_GL_FUSION_COARSE || samples > WORTH_KEEPING)
    return 0;
  const OdlGlStore *target
      = odl_gl_stores_at (stores, plan->steps[fusion->level[0].inverse_x].writes);
  return (size_t) target->planes * target->plane * 4 * sizeof (float);
}

bool
odl_gl_fusion_fill (const OdlGlDispatchParams *params,
                    const OdlGlFusion *fusion,
                    OdlGlDispatch *dispatch,
                    GError **error)
{
  static bool (*const fill[]) (Filler *) = {
    [ODL_GL_FUSION_ANALYSIS] = fill_analysis,
    [ODL_GL_FUSION_SYNTHESIS] = fill_synthesis,
    [ODL_GL_FUSION_COARSE] = fill_coarse,
  };
  Filler f = { params, fusion, dispatch, error };
  const OdlSlot *picture = picture_of (&f);

  dispatch->fusion = fusion;
  dispatch->uniforms.size[0] = picture->width;
  dispatch->uniforms.size[1] = picture->height;
  dispatch->groups[2] = (GLuint) picture->channels;
  return fill[fusion->kind](&f);
}
