// SPDX-License-Identifier: MIT
#include "plan/spatial.h"

static const OdlParameter parameters[] = {
  { SIZE },
};

const OdlFilter odl_filter_box = {
  SPATIAL_FILTER (BOX, "box"),
  .label = N_ ("Box"),
  .description = N_ ("Replaces every sample by the mean of the square around it."),
  PARAMETERS (parameters),
};

void
odl_plan_box (OdlPlanner *b, int item)
{
  const int side = odl_spatial_side (b, item);

  for (OdlAxis axis = ODL_AXIS_X; axis <= ODL_AXIS_Y; axis++) {
    OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_CONVOLVE_LINE, item);
    step->axis = axis;
    step->parameters.radius = side / 2;
    for (int k = 0; k <= side / 2; k++)
      step->parameters.taps[k] = 1.0 / side;
  }
}
