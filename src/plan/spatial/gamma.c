// SPDX-License-Identifier: MIT
// sign (f) |f|^γ: C. Poynton, "Digital video and HD" (2012). γ = 1 leaves samples as they
// are.
#include "plan/spatial.h"

static const OdlParameter parameters[] = {
  { NUMBER ("gamma", N_ ("Exponent (γ)"), "", 0.2, 5, 0.05), .default_value = 1 },
};

const OdlFilter odl_filter_gamma = {
  SPATIAL_FILTER (GAMMA, "gamma"),
  .label = N_ ("Gamma"),
  .description = N_ ("Raises samples to a power: below 1 dark ones get brighter, above 1 "
                     "darker."),
  PARAMETERS (parameters),
};

enum { GAMMA };

const OdlStepRow odl_step_gamma = {
  SPATIAL_STEP ("gamma"),
  .amplifies = true,
  .fields = { ODL_STEP_VALUE ("gamma", GAMMA) },
};

void
odl_plan_gamma (OdlPlanner *b, int item)
{
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_GAMMA, item);

  step->parameters.values[GAMMA] = odl_recipe_get (b->recipe, item, "gamma", 0);
}
