// SPDX-License-Identifier: MIT
// m + k (f − m), where m and v are mean and variance of a square of side² samples about
// f, and k is 0 where v is no more than the variance of the noise, else
//   (v − noise²) / v                    for noise that is added
//   (v − noise² m²) / (v + noise⁴ m²)   for speckle, noise times as strong as the mean
// J.-S. Lee, "Digital image enhancement and noise filtering by use of local statistics",
// IEEE Transactions on Pattern Analysis and Machine Intelligence 2 (1980), pages 165 to
// 168: the estimate of least mean square error, with Q / (Q + σ²) and with
// Q / (Q + σ² m²), linear in the noise; Q is the variance of the picture without noise,
// v − σ² and (v + m²) / (1 + σ²) − m². With C = √v / m the second one is
// (C² − σ²) / (C² + σ⁴).
//
// Kuan's and Wiener's filters (kuan.c, wiener.c) take the same step with other numbers:
//   k = (v − noise − speckle m²) / (variance_share v + mean_share m²)
#include "plan/local.h"

static const char *const models[] = { N_ ("additive"), N_ ("speckle"), NULL };

static const OdlParameter parameters[] = {
  { NUMBER ("noise", N_ ("Noise (σ)"), N_ ("of full scale, or of the mean"), 0, 1, 0.005),
    .default_value = 0.1 },
  { CHOICE ("model", N_ ("Model"), "", models), .tacit = true, .offset = 1 },
  { SIZE, .default_value = 4, .tacit = true, .offset = 2 },
};

const OdlFilter odl_filter_lee = {
  SPATIAL_FILTER (LEE, "lee"),
  .label = N_ ("Lee"),
  .description = N_ ("Replaces samples by the mean around them, but where these vary "
                     "more than noise does."),
  PARAMETERS (parameters),
};

enum { NOISE, SPECKLE, VARIANCE_SHARE, MEAN_SHARE };

const OdlStepRow odl_step_lee = {
  SPATIAL_STEP ("lee"),
  .square = true,
  .fields = { ODL_STEP_STRUCTURE (side, INT), ODL_STEP_VALUE ("noise", NOISE),
              ODL_STEP_VALUE ("speckle", SPECKLE),
              ODL_STEP_VALUE ("variance_share", VARIANCE_SHARE),
              ODL_STEP_VALUE ("mean_share", MEAN_SHARE) },
};

void
odl_plan_local_gain (OdlPlanner *b, int item, const OdlLocalGain *gain)
{
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_LEE, item);

  step->side = odl_spatial_side (b, item);
  step->parameters.values[NOISE] = gain->noise;
  step->parameters.values[SPECKLE] = gain->speckle;
  step->parameters.values[VARIANCE_SHARE] = gain->variance_share;
  step->parameters.values[MEAN_SHARE] = gain->mean_share;
}

void
odl_plan_lee (OdlPlanner *b, int item)
{
  const double sigma = odl_recipe_get (b->recipe, item, "noise", 0);
  const double square = sigma * sigma;
  OdlLocalGain gain = { .noise = square, .variance_share = 1 };

  if (odl_recipe_get (b->recipe, item, "model", 0) != 0)
    gain = (OdlLocalGain){ .speckle = square,
                           .variance_share = 1,
                           .mean_share = square * square };
  odl_plan_local_gain (b, item, &gain);
}
