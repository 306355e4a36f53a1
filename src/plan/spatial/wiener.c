// SPDX-License-Identifier: MIT
// m + k (f − m), with k = max (v − noise², 0) / max (v, noise²), of mean m and variance v
// of the square about f: J. Lim, "Two-dimensional signal and image processing" (1990),
// equations 9.26, 9.27 and 9.29, which SciPy's signal.wiener and MATLAB's wiener2
// compute. `auto` is σ by the finest diagonal details (filter/measure.h), where these
// take the mean of all variances, which counts the picture's own as noise.
#include "plan/local.h"

static const OdlParameter parameters[] = {
  { NUMBER ("noise", N_ ("Noise (σ)"), N_ ("of full scale"), 0, 1, 0.005),
    .default_value = 0.05, .measured = true },
  { SIZE, .default_value = 1, .tacit = true, .offset = 1 },
};

const OdlFilter odl_filter_wiener = {
  SPATIAL_FILTER (WIENER, "wiener"),
  .label = N_ ("Wiener"),
  .description = N_ ("Smooths the more, the less samples vary beyond the noise."),
  PARAMETERS (parameters),
};

void
odl_plan_wiener (OdlPlanner *b, int item)
{
  const double sigma = odl_recipe_get (b->recipe, item, "noise", 0);

  odl_plan_local_gain (b, item,
                       &(OdlLocalGain){ .noise = sigma * sigma, .variance_share = 1 });
}
