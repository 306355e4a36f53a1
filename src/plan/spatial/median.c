// SPDX-License-Identifier: MIT
// The middle one of the sorted side² samples about each: exact. J. Tukey, "Exploratory
// data analysis" (1977).
#include "plan/spatial.h"

static const OdlParameter parameters[] = {
  { SIZE },
};

const OdlFilter odl_filter_median = {
  SPATIAL_FILTER (MEDIAN, "median"),
  .label = N_ ("Median"),
  .description = N_ ("Replaces every sample by the median of the square around it."),
  PARAMETERS (parameters),
};

const OdlStepRow odl_step_median = {
  SPATIAL_STEP ("median"),
  .square = true,
  .keeps_whole = odl_step_always,
  .fields = { ODL_STEP_STRUCTURE (side, INT), ODL_STEP_PARAMETER (unit, DOUBLE) },
};

void
odl_plan_median (OdlPlanner *b, int item)
{
  const double unit = odl_planner_whole_unit (b);
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_MEDIAN, item);

  step->side = odl_spatial_side (b, item);
  step->parameters.unit = unit; // exact without it; engines may be faster with it
}
