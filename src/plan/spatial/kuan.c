// SPDX-License-Identifier: MIT
// m + k (f − m), with k = (1 − noise² / C²) / (1 + noise²), 0 where it would be negative;
// C = √v / m of mean m and variance v of the square about f.
// D. Kuan, A. Sawchuk, T. Strand, P. Chavel, "Adaptive noise smoothing filter for images
// with signal-dependent noise", IEEE Transactions on Pattern Analysis and Machine
// Intelligence 7 (1985), pages 165 to 177: the estimate of least mean square error for
// noise in proportion to the picture, without Lee's linear model of it. `noise` is 1 /
// √looks of intensities, 0.523 / √looks of amplitudes.
#include "plan/local.h"

static const OdlParameter parameters[] = {
  { NUMBER ("noise", N_ ("Noise (σ)"), N_ ("of the mean"), 0, 1, 0.005),
    .default_value = 0.2 },
  { SIZE, .default_value = 4, .tacit = true, .offset = 1 },
};

const OdlFilter odl_filter_kuan = {
  SPATIAL_FILTER (KUAN, "kuan"),
  .label = N_ ("Kuan"),
  .description = N_ ("Replaces samples by the mean around them, but where these vary "
                     "more than speckle does."),
  PARAMETERS (parameters),
};

void
odl_plan_kuan (OdlPlanner *b, int item)
{
  const double sigma = odl_recipe_get (b->recipe, item, "noise", 0);
  const double square = sigma * sigma;

  odl_plan_local_gain (
      b, item, &(OdlLocalGain){ .speckle = square, .variance_share = 1 + square });
}
