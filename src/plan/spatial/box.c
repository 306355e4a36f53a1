// SPDX-License-Identifier: MIT
// The mean of the side² samples about each: R. Gonzalez and R. Woods, "Digital image
// processing" (2018), section 3.5, “Smoothing (lowpass) spatial filters”.
#include "plan/local.h"

static const OdlParameter parameters[] = {
  { SIZE },
};

const OdlFilter odl_filter_box = {
  SPATIAL_FILTER (BOX, "box"),
  .label = N_ ("Box"),
  .description = N_ ("Replaces every sample by the mean of the square around it."),
  PARAMETERS (parameters),
};

int
odl_plan_box_mean (OdlPlanner *b, int item, int side, int read)
{
  for (OdlAxis axis = ODL_AXIS_X; axis <= ODL_AXIS_Y; axis++) {
    const int out = odl_planner_add_slot_like (b, read, ODL_SLOT_PICTURE, 0);
    OdlStep *step = odl_planner_add_step (b, ODL_STEP_CONVOLVE_LINE, read, out, item);
    step->axis = axis;
    step->parameters.radius = side / 2;
    for (int k = 0; k <= side / 2; k++)
      step->parameters.taps[k] = 1.0 / side;
    read = out;
  }
  return read;
}

void
odl_plan_box (OdlPlanner *b, int item)
{
  b->picture = odl_plan_box_mean (b, item, odl_spatial_side (b, item), b->picture);
}
