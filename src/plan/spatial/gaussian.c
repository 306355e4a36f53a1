// SPDX-License-Identifier: MIT
// Convolution with a Gaussian, row by row and column by column: R. Gonzalez and R. Woods,
// "Digital image processing" (2018), section 3.5, “Smoothing (lowpass) spatial filters”.
#include <math.h>

#include "plan/spatial.h"

static const OdlParameter parameters[] = {
  { NUMBER ("sigma", N_ ("Standard deviation"), N_ ("pixels"), 0, 10, 0.05),
    .default_value = 1 },
};

const OdlFilter odl_filter_gaussian = {
  SPATIAL_FILTER (GAUSSIAN, "gaussian"),
  .label = N_ ("Gaussian"),
  .description = N_ ("Smooths with a Gaussian kernel, along rows and columns."),
  PARAMETERS (parameters),
};

// Taps of a Gaussian integrated over the pixels (Nielsen 2007 gives them for σ = 1), cut
// at 3 σ and normalised to a sum of 1. σ = 0 is the identity.
static void
gaussian_taps (double sigma, OdlStepParameters *kernel)
{
  double sum = 0;

  kernel->radius = MIN ((int) ceil (3 * sigma), ODL_PLAN_MAX_RADIUS);
  for (int k = 0; k <= kernel->radius; k++) {
    const double scale = sigma > 0 ? 1 / (sigma * M_SQRT2) : INFINITY;
    kernel->taps[k] = 0.5 * (erf ((k + 0.5) * scale) - erf ((k - 0.5) * scale));
    sum += (k == 0 ? 1 : 2) * kernel->taps[k];
  }
  for (int k = 0; k <= kernel->radius; k++)
    kernel->taps[k] /= sum;
}

void
odl_plan_gaussian (OdlPlanner *b, int item)
{
  const double sigma = odl_recipe_get (b->recipe, item, "sigma", 0);

  for (OdlAxis axis = ODL_AXIS_X; axis <= ODL_AXIS_Y; axis++) {
    OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_CONVOLVE_LINE, item);
    step->axis = axis;
    gaussian_taps (sigma, &step->parameters);
  }
}
