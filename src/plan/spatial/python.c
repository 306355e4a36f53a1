// SPDX-License-Identifier: MIT
// Code of the user's own: filter/own/own.h.
#include "filter/own/own.h"
#include "plan/spatial.h"

const OdlFilter odl_filter_python = {
  SPATIAL_FILTER (PYTHON, "python"),
  .label = N_ ("Own code (Python)"),
  .description = N_ ("Runs a function of your own, in a file, on whole pictures."),
};

void
odl_plan_python (OdlPlanner *b, int item)
{
  const OdlRecipeItem *own = &b->recipe->items[item];
  const OdlOwnCode *code = own->filter->code;
  const int second
      = code->reads_other ? odl_planner_add_operand (b, item) : ODL_PLAN_NO_SLOT;
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_PYTHON, item);

  step->reads[1] = second;
  step->rule = odl_recipe_item_dimensions (own) > 2;
  step->code = code;
  memcpy (step->parameters.values, own->values, sizeof step->parameters.values);
}
