// SPDX-License-Identifier: MIT
// The slopes of tone-curve, for the engines that run it on the processor.
#pragma once

#include <math.h>

// Outputs for the inputs 0, 1/4, 1/2, 3/4 and 1.
#define ODL_TONE_POINTS 5

// At an end, from the two secants next to it.
static inline double
odl_tone_end_slope (double own, double next)
{
  const double slope = (3 * own - next) / 2;

  if (slope * own <= 0)
    return 0;
  return own * next < 0 && fabs (slope) > 3 * fabs (own) ? 3 * own : slope;
}

// In units of an interval.
static inline void
odl_tone_slopes (const double points[ODL_TONE_POINTS], double slopes[ODL_TONE_POINTS])
{
  double rise[ODL_TONE_POINTS - 1];

  for (int i = 0; i < ODL_TONE_POINTS - 1; i++)
    rise[i] = points[i + 1] - points[i];
  slopes[0] = odl_tone_end_slope (rise[0], rise[1]);
  slopes[ODL_TONE_POINTS - 1]
      = odl_tone_end_slope (rise[ODL_TONE_POINTS - 2], rise[ODL_TONE_POINTS - 3]);
  for (int i = 1; i < ODL_TONE_POINTS - 1; i++)
    slopes[i] = rise[i - 1] * rise[i] > 0
                    ? 2 * rise[i - 1] * rise[i] / (rise[i - 1] + rise[i])
                    : 0;
}
