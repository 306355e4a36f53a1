// SPDX-License-Identifier: MIT
// Makes noise as large in bright parts as in dark ones, so that filters against noise of
// one σ can follow; “restore” undoes it after them. Samples below 0 count as 0; full
// scale becomes 1.
//
// anscombe: 2 √(n + 3/8) / N, n = peak · x photons, N = 2 √(peak + 3/8). The noise
// becomes 1 / N. F. Anscombe, "The transformation of Poisson, binomial and negative-
// binomial data", Biometrika 35 (1948), pages 246 to 254.
//
// log: ln (1 + x / floor) / ln (1 + 1 / floor). Speckle, which multiplies, becomes noise
// that is added, above the floor. A. Oppenheim, R. Schafer, T. Stockham, "Nonlinear
// filtering of multiplied and convolved signals", Proceedings of the IEEE 56 (1968).
//
// box-cox: x^λ, which is (x^λ − 1) / λ with its ends put to 0 and 1. G. Box, D. Cox, "An
// analysis of transformations", Journal of the Royal Statistical Society B 26 (1964).
#include "plan/stabiliser.h"

static const char *const methods[] = { N_ ("anscombe"), N_ ("log"), "box-cox", NULL };

static const OdlParameter parameters[] = {
  { CHOICE ("method", N_ ("Method"), "", methods) },
  { NUMBER ("peak", N_ ("Photons at full scale"), "", 1, 100000, 1), .default_value = 255,
    .tacit = true, .offset = 1 },
  { NUMBER ("floor", N_ ("Floor"), N_ ("of full scale"), 0.0005, 0.5, 0.0005),
    .default_value = 0.01, .tacit = true, .offset = 2 },
  { NUMBER ("exponent", N_ ("Exponent (λ)"), "", 0.1, 1, 0.01), .default_value = 0.5,
    .tacit = true, .offset = 3 },
};

const OdlFilter odl_filter_stabilise = {
  SPATIAL_FILTER (STABILISE, "stabilise"),
  .label = N_ ("Stabilise noise"),
  .description = N_ ("Makes noise equally large everywhere, until “restore” undoes it."),
  PARAMETERS (parameters),
};

const OdlStepRow odl_step_stabilise = {
  SPATIAL_STEP ("stabilise"),
  .amplifies = true,
  .fields
  = { ODL_STEP_STRUCTURE (rule, INT), ODL_STEP_VALUE ("scale", ODL_STABILISER_SCALE),
      ODL_STEP_VALUE ("unit", ODL_STABILISER_UNIT),
      ODL_STEP_VALUE ("noise", ODL_STABILISER_NOISE) },
};

OdlStep *
odl_plan_stabiliser (OdlPlanner *b, int item, int from, OdlStabilising direction)
{
  const int method = (int) odl_recipe_get (b->recipe, from, "method", 0);
  const double peak = odl_recipe_get (b->recipe, from, "peak", 0);
  const double floor = odl_recipe_get (b->recipe, from, "floor", 0);
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_STABILISE, item);
  double *values = step->parameters.values;

  step->rule = ODL_N_STABILISING * method + (int) direction;
  switch ((OdlStabiliser) method) {
  case ODL_STABILISER_ANSCOMBE:
    values[ODL_STABILISER_SCALE] = peak;
    values[ODL_STABILISER_UNIT] = 2 * sqrt (peak + 0.375);
    break;
  case ODL_STABILISER_LOG:
    values[ODL_STABILISER_SCALE] = floor;
    values[ODL_STABILISER_UNIT] = log (1 + 1 / floor);
    break;
  case ODL_STABILISER_BOX_COX:
    values[ODL_STABILISER_SCALE] = odl_recipe_get (b->recipe, from, "exponent", 0);
    values[ODL_STABILISER_UNIT] = 1;
    break;
  }
  return step;
}

void
odl_plan_stabilise (OdlPlanner *b, int item)
{
  odl_plan_stabiliser (b, item, item, ODL_STABILISE_FORWARD);
}
