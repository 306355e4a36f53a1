// SPDX-License-Identifier: MIT
// With detail d = f − g and a = |d|: g + d (1 + w (q − 1)), where
//   q = (ample / max (a, ample / 32)) ^ (1 − exponent), w = a² / (a² + gate²)
// P. Vuylsteke, E. Schoeters, "Multiscale image contrast amplification (MUSICA)",
// Proceedings of SPIE 2167 (1994), pages 551 to 560: a power of the detail, linear where
// that is faint. The gate is the rational one of empirical Wiener filters, so that noise
// stays.
//
// Levels are those of the "à trous" pyramid of J.-L. Starck and F. Murtagh, "Astronomical
// image and data analysis" (2002): the low-pass kernel is that of a cubic B-spline, with
// 2^(level − 1) − 1 zeros between its taps.
#include "plan/spatial.h"

#define MOST_LEVELS 5 // the kernel of the coarsest one reaches 32 samples
#define GATE_SIGMAS 3 // the gate, times the deviation of noise in a level

static const OdlParameter parameters[] = {
  { INTEGER ("levels", N_ ("Levels"), "", 1, MOST_LEVELS), .default_value = MOST_LEVELS,
    .tacit = true },
  { NUMBER ("exponent", N_ ("Exponent"), "", 0.4, 1, 0.01), .default_value = 0.7,
    .tacit = true, .offset = 1 },
  { NUMBER ("ample", N_ ("Contrast that stays"), N_ ("of full scale"), 0.01, 1, 0.01),
    .default_value = 0.1, .tacit = true, .offset = 2 },
  { NUMBER ("noise", N_ ("Noise (σ)"), N_ ("of full scale"), 0, 0.1, 0.0005),
    .default_value = 0.002, .tacit = true, .offset = 3 },
};

const OdlFilter odl_filter_multi_scale_contrast = {
  SPATIAL_FILTER (MULTI_SCALE_CONTRAST, "multi-scale-contrast"),
  .label = N_ ("Multi-scale contrast"),
  .description = N_ ("Strengthens faint detail of every size, but for noise."),
  PARAMETERS (parameters),
};

enum { EXPONENT, AMPLE, GATE };

const OdlStepRow odl_step_multi_scale_contrast = {
  SPATIAL_STEP ("multi-scale-contrast"),
  .amplifies = true,
  .fields = { ODL_STEP_VALUE ("exponent", EXPONENT), ODL_STEP_VALUE ("ample", AMPLE),
              ODL_STEP_VALUE ("gate", GATE) },
};

// Of white noise of σ = 1 in the details of each level (ibid., table 2.3).
static const double noise_gains[MOST_LEVELS] = { 0.889, 0.200, 0.086, 0.041, 0.020 };

// The slot with what the kernel makes of slot `read`.
static int
plan_low_pass (OdlPlanner *b, int item, int level, int read)
{
  static const double taps[] = { 6.0 / 16, 4.0 / 16, 1.0 / 16 };
  const int spacing = 1 << (level - 1);

  G_STATIC_ASSERT (2 << (MOST_LEVELS - 1) <= ODL_PLAN_MAX_RADIUS);
  for (OdlAxis axis = ODL_AXIS_X; axis <= ODL_AXIS_Y; axis++) {
    const int out = odl_planner_add_slot_like (b, read, ODL_SLOT_PICTURE, 0);
    OdlStep *step = odl_planner_add_step (b, ODL_STEP_CONVOLVE_LINE, read, out, item);
    step->axis = axis;
    step->parameters.radius = 2 * spacing;
    for (int k = 0; k < (int) G_N_ELEMENTS (taps); k++)
      step->parameters.taps[k * spacing] = taps[k];
    read = out;
  }
  return read;
}

static int
plan_mix (OdlPlanner *b, int item, int first, int second, double weight)
{
  const int out = odl_planner_add_slot_like (b, first, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_MIX, first, out, item);

  step->reads[1] = second;
  step->parameters.weight = weight;
  return out;
}

// The result is the sum of what the step makes of each level, less what each but the
// coarsest has below its details.
void
odl_plan_multi_scale_contrast (OdlPlanner *b, int item)
{
  const int levels = (int) odl_recipe_get (b->recipe, item, "levels", 0);
  const double noise = odl_recipe_get (b->recipe, item, "noise", 0);
  int low[MOST_LEVELS + 1] = { b->picture }, sum = ODL_PLAN_NO_SLOT;

  for (int level = 1; level <= levels; level++)
    low[level] = plan_low_pass (b, item, level, low[level - 1]);
  for (int level = levels; level >= 1; level--) {
    const int out = odl_planner_add_slot_like (b, b->picture, ODL_SLOT_PICTURE, 0);
    OdlStep *step = odl_planner_add_step (b, ODL_STEP_MULTI_SCALE_CONTRAST,
                                          low[level - 1], out, item);
    double *values = step->parameters.values;
    step->reads[1] = low[level];
    values[EXPONENT] = odl_recipe_get (b->recipe, item, "exponent", 0);
    values[AMPLE] = odl_recipe_get (b->recipe, item, "ample", 0);
    values[GATE] = GATE_SIGMAS * noise * noise_gains[level - 1];
    // (sum + out) / 2, then twice that less `low`.
    sum = level == levels
              ? out
              : plan_mix (b, item, plan_mix (b, item, sum, out, 0.5), low[level], -1);
  }
  b->picture = sum;
}
