// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"
#include "plan/tone.h"

double
odl_reference_tone_curve (const StepContext *c, int x, int y)
{
  const double *points = c->step->parameters.values;
  const double place = at (c, x, y) * (ODL_TONE_POINTS - 1);
  const int last = ODL_TONE_POINTS - 1;
  double slopes[ODL_TONE_POINTS];

  odl_tone_slopes (points, slopes);
  if (!(place > 0)) // or it is no number
    return points[0] + slopes[0] * place;
  if (place >= last)
    return points[last] + slopes[last] * (place - last);
  const int i = (int) place;
  const double t = place - i, rest = 1 - t;
  // The cubic Hermite polynomial.
  return rest * rest * ((1 + 2 * t) * points[i] + t * slopes[i])
         + t * t * ((1 + 2 * rest) * points[i + 1] - rest * slopes[i + 1]);
}
