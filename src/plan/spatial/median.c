// SPDX-License-Identifier: MIT
// The middle one of the sorted side² samples about each: exact.
#include "plan/spatial.h"

static const char *const sides[]
    = { "3", "5", "7", "9", "11", "13", "15", "17", "19", NULL };

static const OdlParameter parameters[] = {
  { CHOICE ("size", N_ ("Size"), N_ ("pixels"), sides) },
};

const OdlFilter odl_filter_median = {
  .kind = ODL_FILTER_MEDIAN,
  .name = "median",
  .label = N_ ("Median"),
  .description = N_ ("Replaces every sample by the median of the square around it."),
  .domain = ODL_DOMAIN_SPATIAL,
  PARAMETERS (parameters),
};

const OdlStepRow odl_step_median = {
  .name = "median",
  .class = ODL_STEP_CLASS_SPATIAL,
  .phase = ODL_PHASE_FILTER,
  .keeps_whole = odl_step_always,
  .fields = { ODL_STEP_STRUCTURE (side, INT), ODL_STEP_PARAMETER (unit, DOUBLE) },
};

void
odl_plan_median (OdlPlanner *b, int item)
{
  const double unit = odl_planner_whole_unit (b);
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_MEDIAN, item);

  step->side = 3 + 2 * (int) odl_recipe_get (b->recipe, item, "size", 0);
  step->parameters.unit = unit; // exact without it; engines may be faster with it
}
