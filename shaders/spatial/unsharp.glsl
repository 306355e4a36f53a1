// SPDX-License-Identifier: MIT
// f + AMOUNT d, where d is f less the second picture, moved towards zero by THRESHOLD.
SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p);
  SAMPLE d = f - second_at (p);
  SAMPLE most = SAMPLE (THRESHOLD);
  return f + AMOUNT * (d - clamp (d, -most, most));
}
