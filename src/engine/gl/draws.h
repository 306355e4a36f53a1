// SPDX-License-Identifier: MIT
// Runs frames of gl-fragment and gl-lookup: the draw calls of a plan's steps in order.
#pragma once

#include "engine/engine.h"
#include "engine/gl/measure.h"
#include "engine/gl/operands.h"
#include "engine/gl/past.h"
#include "engine/gl/steps.h"
#include "engine/gl/platform/timer.h"
#include "engine/gl/platform/upload.h"

typedef struct {
  OdlEngine *engine;
  const OdlGlCaps *caps;
  OdlGlUpload *upload;
  OdlGlOperands *operands;
  const OdlGlStepDraws *steps; // one for each step of the plan
  GArray *draws; // OdlGlDraw
  const OdlGlPast *past;
  OdlGlMeasures *measures; // NULL: no step measures
  OdlGlTimer **timer; // made when engine->timing wants it
} OdlGlDrawsParams;

// Uploads `input` and draws all steps with the parameters of `plan`, which stay in
// `draws`. ODL_ERROR_GPU, ODL_ERROR_TOO_LARGE. GL current, an empty vertex array bound.
bool odl_gl_draws_run (const OdlGlDrawsParams *params,
                       const OdlPlan *plan,
                       const OdlImage *input,
                       GError **error);

// Draws once more, without LOAD, or only what comes after analysis, with the parameters
// of the last run. The same conditions.
void odl_gl_draws_repeat (const OdlGlDrawsParams *params,
                          const OdlPlan *plan,
                          bool synthesis_only);
