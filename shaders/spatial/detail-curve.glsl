// SPDX-License-Identifier: MIT
// sign (f) T c (|f| / T), c straight between its points (src/plan/detail_curve.h): a sum of bends,
// from each point on another slope. T = 0 changes nothing.
SAMPLE beyond (SAMPLE size, float point)
{
  return max (size - point * THRESHOLD, SAMPLE (0.0));
}

SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p), size = abs (f);
  if (THRESHOLD <= 0.0)
    return f - bias;
  float a = 2.0 * HALF, b = 2.0 * (ONE - HALF), c = 2.0 * (MORE - ONE), d = 2.0 * (TWO - MORE);
  float e = THREE - TWO;
  SAMPLE sum = a * size + (b - a) * beyond (size, 0.5) + (c - b) * beyond (size, 1.0)
               + (d - c) * beyond (size, 1.5) + (e - d) * beyond (size, 2.0)
               + (1.0 - e) * beyond (size, 3.0);
  return sign (f) * sum - bias;
}
