// SPDX-License-Identifier: MIT
// A curve through five points, by cubic polynomials that rise and fall where the points
// do: F. Fritsch, J. Butland, "A method for constructing local monotone piecewise cubic
// interpolants", SIAM Journal on Scientific and Statistical Computing 5 (1984), pages 300
// to 304, with the harmonic mean of both sides as slope, and at either end that of three
// points. Beyond 0 and 1 it goes on straight. Points on the diagonal leave samples as
// they are.
#include "plan/tone.h"
#include "plan/spatial.h"

static const char *const keys[ODL_TONE_POINTS]
    = { "black", "dark", "middle", "light", "white" };

#define POINT(i, key, label) \
  { \
    NUMBER (key, label, N_ ("of full scale"), 0, 1, 0.01), .default_value = 0.25 * (i), \
                                                           .tacit = true, .offset = (i) \
  }

static const OdlParameter parameters[] = {
  POINT (0, "black", N_ ("Black becomes")),
  POINT (1, "dark", N_ ("A quarter becomes")),
  POINT (2, "middle", N_ ("Half becomes")),
  POINT (3, "light", N_ ("Three quarters become")),
  POINT (4, "white", N_ ("White becomes")),
};

const OdlFilter odl_filter_tone_curve = {
  SPATIAL_FILTER (TONE_CURVE, "tone-curve"),
  .label = N_ ("Tone curve"),
  .description
  = N_ ("Gives samples the brightness that a curve through five points says."),
  PARAMETERS (parameters),
};

const OdlStepRow odl_step_tone_curve = {
  SPATIAL_STEP ("tone-curve"),
  .amplifies = true,
  .fields = { ODL_STEP_VALUE ("black", 0), ODL_STEP_VALUE ("dark", 1),
              ODL_STEP_VALUE ("middle", 2), ODL_STEP_VALUE ("light", 3),
              ODL_STEP_VALUE ("white", 4) },
};

void
odl_plan_tone_curve (OdlPlanner *b, int item)
{
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_TONE_CURVE, item);

  for (int i = 0; i < ODL_TONE_POINTS; i++)
    step->parameters.values[i] = odl_recipe_get (b->recipe, item, keys[i], 0);
}
