// SPDX-License-Identifier: MIT
// The mean of a square of side² samples about f, each with the weight exp (−α t) at the
// distance t, where α = damping · C² and C = √v / m of mean m and variance v of the
// square: V. Frost, J. Stiles, K. Shanmugan, J. Holtzman, "A model for radar images and
// its application to adaptive digital filtering of multiplicative noise", IEEE
// Transactions on Pattern Analysis and Machine Intelligence 4 (1982), pages 157 to 166,
// in the form with one constant of A. Lopes, R. Touzi, E. Nezry, "Adaptive speckle
// filters and scene heterogeneity", IEEE Transactions on Geoscience and Remote Sensing 28
// (1990), pages 992 to 1000. Means below 1/64 of full scale count as that much.
#include "plan/spatial.h"

static const OdlParameter parameters[] = {
  { NUMBER ("damping", N_ ("Damping"), "", 0, 100, 0.5), .default_value = 5 },
  { SIZE, .default_value = 4, .tacit = true, .offset = 1 },
};

const OdlFilter odl_filter_frost = {
  SPATIAL_FILTER (FROST, "frost"),
  .label = N_ ("Frost"),
  .description = N_ ("Takes the mean of each square, of its middle alone where samples "
                     "vary much."),
  PARAMETERS (parameters),
};

enum { DAMPING };

const OdlStepRow odl_step_frost = {
  SPATIAL_STEP ("frost"),
  .square = true,
  .fields = { ODL_STEP_STRUCTURE (side, INT), ODL_STEP_VALUE ("damping", DAMPING) },
};

void
odl_plan_frost (OdlPlanner *b, int item)
{
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_FROST, item);

  step->side = odl_spatial_side (b, item);
  step->parameters.values[DAMPING] = odl_recipe_get (b->recipe, item, "damping", 0);
}
