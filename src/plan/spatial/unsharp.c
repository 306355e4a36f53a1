// SPDX-License-Identifier: MIT
// f + amount · d, where d = f − g is what a Gaussian g takes away, moved towards zero by
// the threshold, so that noise stays as it is: the photographers' unsharp mask, R.
// Gonzalez and R. Woods, "Digital image processing" (2018), section 3.6, “Unsharp masking
// and highboost filtering”.
#include "plan/spatial.h"

static const OdlParameter parameters[] = {
  { NUMBER ("amount", N_ ("Amount"), "", 0, 5, 0.05), .default_value = 1 },
  { NUMBER ("sigma", N_ ("Standard deviation"), N_ ("pixels"), 0, 10, 0.05),
    .default_value = 1.5, .tacit = true, .offset = 1 },
  { NUMBER ("threshold", N_ ("Threshold"), N_ ("of full scale"), 0, 0.2, 0.001),
    .tacit = true, .offset = 2 },
};

const OdlFilter odl_filter_unsharp = {
  SPATIAL_FILTER (UNSHARP, "unsharp"),
  .label = N_ ("Unsharp mask"),
  .description = N_ ("Strengthens what a Gaussian takes away: detail up to its size."),
  PARAMETERS (parameters),
};

enum { AMOUNT, THRESHOLD };

const OdlStepRow odl_step_unsharp = {
  SPATIAL_STEP ("unsharp"),
  .amplifies = true,
  .fields
  = { ODL_STEP_VALUE ("amount", AMOUNT), ODL_STEP_VALUE ("threshold", THRESHOLD) },
};

void
odl_plan_unsharp (OdlPlanner *b, int item)
{
  const int sharp = b->picture;

  odl_plan_gaussian (b, item); // it reads `sigma`
  const int smooth = b->picture;
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_UNSHARP, item);
  step->reads[0] = sharp;
  step->reads[1] = smooth;
  step->parameters.values[AMOUNT] = odl_recipe_get (b->recipe, item, "amount", 0);
  step->parameters.values[THRESHOLD] = odl_recipe_get (b->recipe, item, "threshold", 0);
}
