// SPDX-License-Identifier: MIT
// (1 − weight) f + weight g.
#include "plan/spatial.h"

static const OdlParameter parameters[] = {
  {
      .key = "with",
      .label = N_ ("Second picture"),
      .unit = "",
      .kind = ODL_PARAMETER_FILE,
  },
  { NUMBER ("weight", N_ ("Weight of the second picture"), "", 0, 1, 0.01),
    .default_value = 0.5 },
};

const OdlFilter odl_filter_mix = {
  SPATIAL_FILTER (MIX, "mix"),
  .label = N_ ("Mix"),
  .description = N_ ("Mixes every sample with the same one of a second picture."),
  PARAMETERS (parameters),
};

const OdlStepRow odl_step_mix = {
  SPATIAL_STEP ("mix"),
  .fields = { ODL_STEP_PARAMETER (weight, DOUBLE) },
};

void
odl_plan_mix (OdlPlanner *b, int item)
{
  const int second = odl_planner_add_operand (b, item);
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_MIX, item);

  step->reads[1] = second;
  step->parameters.weight = odl_recipe_get (b->recipe, item, "weight", 0);
}
