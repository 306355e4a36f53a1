// SPDX-License-Identifier: MIT
// The mean of the samples g of a square, or cube, about f, each with the weight
//   exp (−t² / (2 space²) − (g − f)² / (2 range²))
// at the distance t: C. Tomasi, R. Manduchi, "Bilateral filtering for gray and color
// images", Sixth International Conference on Computer Vision (1998), with both functions
// Gaussian; channel by channel.
#include "plan/spatial.h"

// Samples that differ by more do not count at all with range = 0, which is an identity.
#define LEAST_RANGE 1e-6

static const char *const dimension_names[] = { "2", "3", NULL };

static const OdlParameter parameters[] = {
  { NUMBER ("range", N_ ("Range (σ)"), N_ ("of full scale"), 0, 1, 0.005),
    .default_value = 0.1 },
  { NUMBER ("space", N_ ("Space (σ)"), N_ ("pixels"), 0.5, 9, 0.1), .default_value = 2,
    .offset = 1 },
  { SIZE, .default_value = 3, .tacit = true, .offset = 2 },
  { CHOICE ("dimensions", N_ ("Dimensions"), "", dimension_names), .tacit = true,
    .for_volumes = true, .offset = 3 },
};

const OdlFilter odl_filter_bilateral = {
  SPATIAL_FILTER (BILATERAL, "bilateral"),
  .label = N_ ("Bilateral"),
  .description
  = N_ ("Replaces every sample by the mean of near ones that are about as bright."),
  PARAMETERS (parameters),
};

enum { RANGE, SPACE };

const OdlStepRow odl_step_bilateral = {
  SPATIAL_STEP ("bilateral"),
  .square = true,
  .fields = { ODL_STEP_STRUCTURE (side, INT), ODL_STEP_STRUCTURE (kernel_depth, INT),
              ODL_STEP_VALUE ("range", RANGE), ODL_STEP_VALUE ("space", SPACE) },
};

// What a square is multiplied by in the exponent.
static double
factor_of (double sigma)
{
  return 1 / (2 * sigma * sigma);
}

void
odl_plan_bilateral (OdlPlanner *b, int item)
{
  const double range = odl_recipe_get (b->recipe, item, "range", 0);
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_BILATERAL, item);

  const bool deep = odl_recipe_item_dimensions (&b->recipe->items[item]) == 3;

  step->side = odl_spatial_side (b, item);
  step->kernel_depth = deep && b->geometry.depth > 1 ? step->side : 1;
  if (deep && b->geometry.depth == 1)
    odl_planner_note_flat (b);
  step->parameters.values[RANGE] = factor_of (MAX (range, LEAST_RANGE));
  step->parameters.values[SPACE]
      = factor_of (odl_recipe_get (b->recipe, item, "space", 0));
}
