// SPDX-License-Identifier: MIT
// Every step adds rate · Σ g (|d|) d to a sample, d being what its four neighbours have
// more than it, with one of
//   g (s) = exp (−(s / κ)²), g (s) = 1 / (1 + (s / κ)²)
// P. Perona, J. Malik, "Scale-space and edge detection using anisotropic diffusion", IEEE
// Transactions on Pattern Analysis and Machine Intelligence 12 (1990), pages 629 to 639.
// Nothing flows over the border of the picture, so that its mean stays. No steps, and
// κ = 0, leave the picture as it is.
#include "plan/spatial.h"

// Less than any step between samples: what is divided by is never 0.
#define LEAST_KAPPA 1e-6

static const char *const conductances[] = { N_ ("exponential"), N_ ("rational"), NULL };

static const OdlParameter parameters[] = {
  { INTEGER ("steps", N_ ("Steps"), "", 0, ODL_PLAN_MOST_ITERATIONS),
    .default_value = 20 },
  { NUMBER ("kappa", N_ ("Least edge (κ)"), N_ ("of full scale"), 0, 1, 0.005),
    .default_value = 0.1, .offset = 1 },
  { CHOICE ("conductance", N_ ("Conductance"), "", conductances), .tacit = true,
    .offset = 2 },
  { NUMBER ("step", N_ ("Size of a step"), "", 0.01, 0.25, 0.01), .default_value = 0.2,
    .tacit = true, .offset = 3 },
};

const OdlFilter odl_filter_diffusion = {
  SPATIAL_FILTER (DIFFUSION, "diffusion"),
  .label = N_ ("Anisotropic diffusion"),
  .description = N_ ("Lets samples flow into each other, but not across edges."),
  PARAMETERS (parameters),
};

enum { RATE, SHARPNESS, RATIONAL };

const OdlStepRow odl_step_diffusion = {
  SPATIAL_STEP ("diffusion"),
  .amplifies = true,
  .reach = 1,
  .fields = { ODL_STEP_VALUE ("rate", RATE), ODL_STEP_VALUE ("sharpness", SHARPNESS),
              ODL_STEP_VALUE ("rational", RATIONAL) },
};

void
odl_plan_diffusion (OdlPlanner *b, int item)
{
  const double kappa = MAX (odl_recipe_get (b->recipe, item, "kappa", 0), LEAST_KAPPA);
  const int steps = (int) odl_recipe_get (b->recipe, item, "steps", 0);

  for (int i = 0; i < steps; i++) {
    double *values
        = odl_planner_add_picture_step (b, ODL_STEP_DIFFUSION, item)->parameters.values;
    values[RATE] = odl_recipe_get (b->recipe, item, "step", 0);
    values[SHARPNESS] = 1 / (kappa * kappa);
    values[RATIONAL] = odl_recipe_get (b->recipe, item, "conductance", 0);
  }
}
