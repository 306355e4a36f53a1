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
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_PYTHON, item);

  step->code = own->filter->code;
  memcpy (step->parameters.values, own->values, sizeof step->parameters.values);
}
