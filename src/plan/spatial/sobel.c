// SPDX-License-Identifier: MIT
// Sobel's gradient, with x to the right and y downwards:
//   h = (1 2 1)ᵀ (−1 0 1) f, v = (−1 0 1)ᵀ (1 2 1) f
// I. Sobel, G. Feldman, "An isotropic 3x3 image gradient operator" (1968); not divided
// by 8. Of whole samples (unit > 0) f are the whole numbers that the samples are in
// units, and the magnitude is ⌊√(v² + h²)⌋, at most full scale, times unit: exact, and
// the same bits in all engines. f reaches 17 bits (2¹⁶ steps about stored_min), v and h
// 20, so that single floats hold them; v² + h² takes 64 bits, or 32 that wrap around
// where only its difference to the square of the nearest whole number counts. Of others
// it is √(v² + h²), without a limit. The direction is where samples rise: atan2 (v, h) /
// 2π, from 0 (to the right) over 1/4 (downwards) to less than 1; 0 where v and h are 0.
// Exact v and h, but no whole numbers.
#include "plan/spatial.h"

static const char *const outputs[] = { N_ ("magnitude"), N_ ("direction"), NULL };

static const OdlParameter parameters[] = {
  { CHOICE ("output", N_ ("Output"), "", outputs) },
};

const OdlFilter odl_filter_sobel = {
  SPATIAL_FILTER (SOBEL, "sobel"),
  .label = N_ ("Sobel"),
  .description = N_ ("Shows edges: how steep they are, or which way they rise."),
  PARAMETERS (parameters),
};

enum { DIRECTION };

static bool
is_magnitude (const OdlStep *step)
{
  return step->parameters.values[DIRECTION] == 0;
}

const OdlStepRow odl_step_sobel = {
  SPATIAL_STEP ("sobel"),
  .amplifies = true,
  .keeps_whole = is_magnitude,
  .reach = 1,
  .fields
  = { ODL_STEP_VALUE ("direction", DIRECTION), ODL_STEP_PARAMETER (unit, DOUBLE) },
};

void
odl_plan_sobel (OdlPlanner *b, int item)
{
  const double unit = odl_planner_whole_unit (b);
  OdlStepParameters *own
      = &odl_planner_add_picture_step (b, ODL_STEP_SOBEL, item)->parameters;

  own->values[DIRECTION] = odl_recipe_get (b->recipe, item, "output", 0);
  own->unit = unit;
}
