// SPDX-License-Identifier: MIT
// Code of the user's own: filter/own/own.h.
#include "filter/own/own.h"
#include "plan/spatial.h"

const OdlFilter odl_filter_glsl = {
  SPATIAL_FILTER (GLSL, "glsl"),
  .label = N_ ("Own code (GLSL)"),
  .description = N_ ("Runs a function of your own, in a file, for every sample."),
};

void
odl_plan_glsl (OdlPlanner *b, int item)
{
  const OdlRecipeItem *own = &b->recipe->items[item];
  const OdlOwnCode *code = own->filter->code;
  const int second
      = code->reads_other ? odl_planner_add_operand (b, item) : ODL_PLAN_NO_SLOT;
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_OWN, item);

  G_STATIC_ASSERT (ODL_OWN_MOST_PARAMETERS == ODL_STEP_MOST_VALUES);
  step->reads[1] = second;
  step->code = code;
  memcpy (step->parameters.values, own->values, sizeof step->parameters.values);
}
