// SPDX-License-Identifier: MIT
// f − amount · ∇²f, over 4 or 8 neighbours: R. Gonzalez and R. Woods, "Digital image
// processing" (2018), section 3.6, “Sharpening (highpass) spatial filters”.
#include "plan/spatial.h"

static const char *const neighbours[] = { "4", "8", NULL };

static const OdlParameter parameters[] = {
  { NUMBER ("amount", N_ ("Amount"), "", 0, 4, 0.05), .default_value = 0.5 },
  { CHOICE ("neighbours", N_ ("Neighbours"), "", neighbours), .offset = 1 },
};

const OdlFilter odl_filter_sharpen = {
  SPATIAL_FILTER (SHARPEN, "sharpen"),
  .label = N_ ("Sharpen"),
  .description = N_ ("Subtracts the Laplacian, so that edges get steeper."),
  PARAMETERS (parameters),
};

enum { AMOUNT, NEIGHBOURS };

const OdlStepRow odl_step_sharpen = {
  SPATIAL_STEP ("sharpen"),
  .square = true,
  .amplifies = true,
  .reach = 1,
  .fields
  = { ODL_STEP_VALUE ("amount", AMOUNT), ODL_STEP_VALUE ("neighbours", NEIGHBOURS) },
};

void
odl_plan_sharpen (OdlPlanner *b, int item)
{
  double *values
      = odl_planner_add_picture_step (b, ODL_STEP_SHARPEN, item)->parameters.values;

  values[AMOUNT] = odl_recipe_get (b->recipe, item, "amount", 0);
  values[NEIGHBOURS] = odl_recipe_get (b->recipe, item, "neighbours", 0) == 0 ? 4 : 8;
}
