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
//
// In three dimensions the third difference is that from slice to slice, and each is a
// mean along the axis that it has more, (1 2 1) / 4, so that what is the same in all
// slices has the magnitude that it has in one; of voxels, whatever their spacing. It has
// fractions and no limit.
#include <glib/gi18n-lib.h>

#include "plan/spatial.h"

static const char *const outputs[] = { N_ ("magnitude"), N_ ("direction"), NULL };

static const char *const dimension_names[] = { "2", "3", NULL };

static const OdlParameter parameters[] = {
  { CHOICE ("output", N_ ("Output"), "", outputs) },
  { CHOICE ("dimensions", N_ ("Dimensions"), "", dimension_names), .tacit = true,
    .offset = 1 },
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
  .square = true,
  .amplifies = true,
  .keeps_whole = is_magnitude,
  .reach = 1,
  .fields
  = { ODL_STEP_VALUE ("direction", DIRECTION), ODL_STEP_PARAMETER (unit, DOUBLE) },
};

// √(h² + v² + d²), by the steps that there are: a bank of three kernels and two sums.
static void
plan_deep (OdlPlanner *b, int item)
{
  static const double difference[] = { 1, 0, -1 }, mean[] = { 1, 2, 1 },
                      third[] = { 0.25, 0.5, 0.25 };
  OdlKernel kernels[3];
  int slots[3];

  for (int k = 0; k < 3; k++) {
    const double *along[4] = { NULL };
    along[k] = difference;
    along[(k + 1) % 3] = mean;
    along[(k + 2) % 3] = third;
    kernels[k] = odl_kernel_of_factors (along, 3, 3, 1);
  }
  odl_plan_bank (b, item, kernels, 3, ODL_BORDER_WHOLE_SAMPLE, slots);
  for (int k = 1; k < 3; k++) {
    b->picture = k == 1 ? slots[0] : b->picture;
    odl_planner_add_picture_step (b, ODL_STEP_MAGNITUDE, item)->reads[1] = slots[k];
  }
  for (int k = 0; k < 3; k++)
    odl_kernel_clear (&kernels[k]);
}

void
odl_plan_sobel (OdlPlanner *b, int item)
{
  const bool direction = odl_recipe_get (b->recipe, item, "output", 0) != 0;
  const bool deep = odl_recipe_item_dimensions (&b->recipe->items[item]) > 2;

  if (deep && b->geometry.depth == 1)
    odl_planner_note_flat (b);
  else if (deep && direction)
    odl_planner_note (b, _ ("2 dimensions: directions are those in a slice"));
  else if (deep) {
    plan_deep (b, item);
    return;
  }
  const double unit = odl_planner_whole_unit (b);
  OdlStepParameters *own
      = &odl_planner_add_picture_step (b, ODL_STEP_SOBEL, item)->parameters;

  own->values[DIRECTION] = direction;
  own->unit = unit;
}
