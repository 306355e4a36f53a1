// SPDX-License-Identifier: MIT
#include "engine/gl/draws.h"

static bool
run_step (const OdlGlDrawsParams *params,
          const OdlStep *step,
          const OdlGlStepDraws *own,
          const OdlImage *input,
          GError **error)
{
  for (int i = own->first; i < own->first + own->count; i++) {
    OdlGlDraw *draw = &g_array_index (params->draws, OdlGlDraw, i);
    if (step->kind == ODL_STEP_LOAD
        && !odl_gl_upload_image (params->upload, input, params->source_precision, draw,
                                 error))
      return false;
    odl_gl_step_parameters (step, &draw->uniforms);
    odl_gl_draw (draw);
  }
  return true;
}

bool
odl_gl_draws_run (const OdlGlDrawsParams *params,
                  const OdlPlan *plan,
                  const OdlImage *input,
                  GError **error)
{
  bool ok = true;

  if (params->engine->timing && *params->timer == NULL)
    *params->timer = odl_gl_timer_new (params->caps, plan->n_steps);

  OdlGlTimer *timer = params->engine->timing ? *params->timer : NULL;
  const bool measured = timer != NULL && odl_gl_timer_frame_begin (timer, params->engine);
  for (int i = 0; i < plan->n_steps && ok; i++) {
    if (measured)
      odl_gl_timer_step_begin (timer, i);
    ok = run_step (params, &plan->steps[i], &params->steps[i], input, error);
    if (measured)
      odl_gl_timer_step_end (timer);
  }
  if (measured && ok)
    odl_gl_timer_frame_end (timer);
  return ok;
}
