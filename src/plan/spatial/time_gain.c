// SPDX-License-Identifier: MIT
// Gain along the depth, as the sliders of an ultrasound scanner set it (time-gain
// compensation): T. Szabo, "Diagnostic ultrasound imaging" (2014). Five gains in dB stand
// at even depths from the first row to the last one, those between are interpolated. Of a
// picture that is compressed, of `range` dB from black to white, g dB are g / range more;
// next to black less, and nothing at black, so that what lies beside the sector stays
// black. Of amplitudes they are the factor 10^(g / 20). With 0 dB everywhere samples stay
// as they are.
#include "plan/spatial.h"

#define GAINS 5

static const char *const inputs[] = { N_ ("compressed"), N_ ("amplitude"), NULL };
static const char *const keys[GAINS] = { "top", "upper", "middle", "lower", "bottom" };

#define GAIN(i, key, label) \
  { \
    NUMBER (key, label, N_ ("dB"), -20, 20, 0.5), .tacit = true, .offset = (i) \
  }

static const OdlParameter parameters[] = {
  GAIN (0, "top", N_ ("Gain at the top")),
  GAIN (1, "upper", N_ ("Gain at a quarter")),
  GAIN (2, "middle", N_ ("Gain in the middle")),
  GAIN (3, "lower", N_ ("Gain at three quarters")),
  GAIN (4, "bottom", N_ ("Gain at the bottom")),
  { CHOICE ("input", N_ ("Input"), "", inputs), .tacit = true, .offset = GAINS },
  { NUMBER ("range", N_ ("Dynamic range"), N_ ("dB"), 20, 120, 1), .default_value = 60,
    .tacit = true, .offset = GAINS + 1 },
};

const OdlFilter odl_filter_time_gain = {
  SPATIAL_FILTER (TIME_GAIN, "time-gain"),
  .label = N_ ("Gain along the depth"),
  .description = N_ ("Makes rows brighter or darker by their depth, as the sliders of an "
                     "ultrasound scanner do."),
  PARAMETERS (parameters),
};

const OdlStepRow odl_step_time_gain = {
  SPATIAL_STEP ("time-gain"),
  .amplifies = true,
  .fields = { ODL_STEP_VALUE ("top", 0), ODL_STEP_VALUE ("upper", 1),
              ODL_STEP_VALUE ("middle", 2), ODL_STEP_VALUE ("lower", 3),
              ODL_STEP_VALUE ("bottom", 4), ODL_STEP_VALUE ("share", GAINS) },
};

// `share`: of full scale, of a dB; 0 for amplitudes.
void
odl_plan_time_gain (OdlPlanner *b, int item)
{
  const bool compressed = odl_recipe_get (b->recipe, item, "input", 0) == 0;
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_TIME_GAIN, item);

  for (int i = 0; i < GAINS; i++)
    step->parameters.values[i] = odl_recipe_get (b->recipe, item, keys[i], 0);
  step->parameters.values[GAINS]
      = compressed ? 1 / odl_recipe_get (b->recipe, item, "range", 0) : 0;
}
