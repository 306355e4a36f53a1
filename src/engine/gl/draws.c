// SPDX-License-Identifier: MIT
#include "engine/gl/draws.h"

#include "engine/gl/platform/pace.h"
#include "engine/gl/texture_stores.h"
#include "plan/flow.h"

// Draws the luma of a video from its uploaded planes.
static bool
draw_stored_luma (const OdlGlDrawsParams *params,
                  const OdlPlan *plan,
                  const OdlImage *input,
                  const OdlGlDraw *draw,
                  GError **error)
{
  OdlGlDraw stored = *draw;

  if (!odl_gl_upload_luma (params->upload, input, &stored, error))
    return false;
  stored.uniforms.bias = odl_gl_bias (plan->precision);
  odl_gl_draw (&stored);
  return true;
}

static bool
run_step (const OdlGlDrawsParams *params,
          const OdlPlan *plan,
          int index,
          const OdlImage *input,
          OdlGlPace *pace,
          GError **error)
{
  const OdlStep *step = &plan->steps[index];
  const OdlGlStepDraws *own = &params->steps[index];
  const OdlStep *fused = own->parameters > 0 ? &plan->steps[own->parameters] : step;

  if (odl_step_class (step) == ODL_STEP_CLASS_MEASURE)
    return odl_gl_measures_run (params->measures, plan, index, error);
  for (int i = own->first; i < own->first + own->count; i++) {
    OdlGlDraw *draw = &g_array_index (params->draws, OdlGlDraw, i);
    if (step->kind == ODL_STEP_LOAD
        && !(step->input > 0 ? odl_gl_operands_load (params->operands, step, draw, error)
                             : odl_gl_upload_image (params->upload, input,
                                                    draw->precision, draw, error)))
      return false;
    odl_gl_step_parameters (fused, &draw->uniforms);
    if (odl_step_numbers (fused) != ODL_PLAN_NO_SLOT)
      odl_gl_measures_thresholds (params->measures, fused, &draw->uniforms);
    if (odl_gl_measures_tell_reference (fused))
      odl_gl_measures_reference (params->measures, fused, &draw->uniforms);
    odl_gl_past_turn (params->past, params->engine, plan, index, draw);
    if (step->kind != ODL_STEP_LUMA || step->reads[0] != plan->source
        || !odl_gl_upload_has_luma (params->upload, input, step->parameters.weights))
      odl_gl_draw (draw);
    else if (!draw_stored_luma (params, plan, input, draw, error))
      return false;
    if (!odl_gl_pace_keep (pace, (guint) i, params->draws->len, error))
      return false;
  }
  return true;
}

bool
odl_gl_draws_run (const OdlGlDrawsParams *params,
                  const OdlPlan *plan,
                  const OdlImage *input,
                  GError **error)
{
  OdlGlPace pace = { .progress = params->engine->progress };
  int n_operands = 0;
  bool ok = true;

  if (params->engine->timing && *params->timer == NULL)
    *params->timer = odl_gl_timer_new (params->caps, plan->n_steps);

  OdlGlTimer *timer = params->engine->timing ? *params->timer : NULL;
  const bool measured = timer != NULL && odl_gl_timer_frame_begin (timer, params->engine);
  for (int i = 0; i < plan->n_steps && ok; i++) {
    if (measured)
      odl_gl_timer_step_begin (timer, i);
    ok = run_step (params, plan, i, input, &pace, error);
    n_operands = MAX (n_operands, plan->steps[i].input);
    if (measured)
      odl_gl_timer_step_end (timer);
  }
  odl_gl_pace_end (&pace);
  if (measured && ok)
    odl_gl_timer_frame_end (timer);
  odl_gl_operands_keep (params->operands, n_operands);
  return ok;
}

void
odl_gl_draws_repeat (const OdlGlDrawsParams *params,
                     const OdlPlan *plan,
                     bool synthesis_only)
{
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStepKind kind = plan->steps[i].kind;
    const OdlGlStepDraws *own = &params->steps[i];
    if (kind == ODL_STEP_LOAD || (synthesis_only && kind == ODL_STEP_FORWARD))
      continue;
    for (int d = own->first; d < own->first + own->count; d++)
      odl_gl_draw (&g_array_index (params->draws, OdlGlDraw, d));
  }
}
