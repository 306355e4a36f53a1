// SPDX-License-Identifier: MIT
// One band of stationary analysis along one axis; details are shrunk.
#include "include/rule.glsl"

SAMPLE filtered (ivec2 p)
{
  SAMPLE sum = SAMPLE (0.0);
  for (int k = 0; k < TAPS; k++)
    sum += taps[k].x * at (p + (first + k) * spacing);
#if RULE > 0
  return sum * SHARE_OF (abs (sum), SAMPLE (THRESHOLD));
#else
  // Soft: subtract at most `off`; hard: keep what is above `most`.
  float off = HARD > 0.5 ? 0.0 : THRESHOLD;
  float most = HARD > 0.5 ? THRESHOLD : -1.0;
  return (sum - clamp (sum, -off, off)) * step (most, abs (sum));
#endif
}
