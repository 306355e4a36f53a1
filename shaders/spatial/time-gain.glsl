// SPDX-License-Identifier: MIT
// The gains TOP to BOTTOM, in dB, at five depths, and those between: factors where SHARE is 0, else
// they are added, SHARE of full scale for each dB, less below FOOT (src/plan/depth_gain.h).
#define FOOT (1.0 / 32.0)

SAMPLE filtered (ivec2 p)
{
  float place = (float (p.y) + 0.5) / float (size.y) * 4.0;
  float gain = TOP + min (place, 1.0) * (UPPER - TOP)
               + clamp (place - 1.0, 0.0, 1.0) * (MIDDLE - UPPER)
               + clamp (place - 2.0, 0.0, 1.0) * (LOWER - MIDDLE)
               + clamp (place - 3.0, 0.0, 1.0) * (BOTTOM - LOWER);
  SAMPLE f = at (p) + bias;
  if (SHARE == 0.0)
    return f * exp2 (gain * (log2 (10.0) / 20.0)) - bias;
  return f - bias + gain * SHARE * clamp (f / FOOT, 0.0, 1.0);
}
