// SPDX-License-Identifier: MIT
// Numbers that registration has in common in two and three dimensions.
#pragma once

#include <glib.h>
#include <math.h>

#define ODL_MORPHON_MOST_SCALES 10
// Samples of a scale that an iteration moves at most.
#define ODL_MORPHON_MOST_MOVE 2.0f
// Frequencies (radians per sample) that a response may have, down from twice the least
// and up from half of the most with less certainty: others come from where its magnitude
// is about 0.
#define ODL_MORPHON_LEAST_FREQUENCY 0.2f
#define ODL_MORPHON_MOST_FREQUENCY 2.5f
// Added to the certainties, as a share of their mean: what is not known at all does not
// move by itself.
#define ODL_MORPHON_DOUBT 1e-3
// Of the sum of displacements, as a share of the smoothing.
#define ODL_MORPHON_SUM_SMOOTHING 0.5

// The weights of four samples about a place `t` behind the second one (Keys, a = −½).
static inline void
odl_morphon_cubic (float t, float weights[4])
{
  const float t2 = t * t, t3 = t2 * t;

  weights[0] = -0.5f * t3 + t2 - 0.5f * t;
  weights[1] = 1.5f * t3 - 2.5f * t2 + 1;
  weights[2] = -1.5f * t3 + 2 * t2 + 0.5f * t;
  weights[3] = 0.5f * t3 - 0.5f * t2;
}

// How certain a filter is of the phase between the responses a + ib of the reference and
// re + i im of what is deformed: 0 where it says nothing. The reference's phase changes
// by `frequency` radians per sample, `along` of them in the filter's direction.
static inline float
odl_morphon_certainty (float a,
                       float b,
                       float re,
                       float im,
                       float along,
                       float frequency,
                       float *phase)
{
  // They fade, so that no rounding error decides.
  const float low = along / ODL_MORPHON_LEAST_FREQUENCY - 1;
  const float high = 2 - 2 * frequency / ODL_MORPHON_MOST_FREQUENCY;

  if (!(low > 0) || !(high > 0))
    return 0;
  // q2 times the conjugate of q1.
  *phase = atan2f (im * a - re * b, re * a + im * b);
  const float power = a * a + b * b, other = re * re + im * im;
  const float half = cosf (*phase / 2);
  return sqrtf (sqrtf (power * other)) * half * half * MIN (low, 1) * MIN (high, 1);
}
