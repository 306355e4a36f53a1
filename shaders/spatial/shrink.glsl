// SPDX-License-Identifier: MIT
// Thresholding of a band by what BAYES found, the second picture's first number
// (src/plan/numbers.h): soft, or by SIDE * SIDE neighbours, 2^LEVEL samples apart. Without a second
// picture by THRESHOLD and RULE. Details lack the bias.
#include "include/rule.glsl"

SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p);
#ifndef SECOND
#if RULE > 0
  return f * SHARE_OF (abs (f), SAMPLE (THRESHOLD));
#else
  // Soft: subtract at most `off`; hard: keep what is above `most`.
  SAMPLE off = SAMPLE (HARD > 0.5 ? 0.0 : THRESHOLD);
  SAMPLE most = SAMPLE (HARD > 0.5 ? THRESHOLD : -1.0);
  return (f - clamp (f, -off, off)) * (1.0 - step (abs (f), most));
#endif
#elif SIDE > 0
  float square = number_at (0) * number_at (0);
  SAMPLE sum = SAMPLE (0.0);
  for (int y = -(SIDE / 2); y <= SIDE / 2; y++)
    for (int x = -(SIDE / 2); x <= SIDE / 2; x++) {
      SAMPLE g = at (p + (ivec2 (x, y) << LEVEL));
      sum += g * g;
    }
  // What is divided by is never 0.
  return f * max (1.0 - square / max (sum, 1e-30), 0.0);
#else
  SAMPLE most = SAMPLE (number_at (0));
  return f - clamp (f, -most, most);
#endif
}
