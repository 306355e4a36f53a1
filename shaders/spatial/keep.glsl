// SPDX-License-Identifier: MIT
// f where the second picture is not 0, else FILL.
SAMPLE filtered (ivec2 p)
{
  SAMPLE there = 1.0 - step (abs (second_at (p) + bias), SAMPLE (0.0));
  return mix (SAMPLE (FILL - bias), at (p), there);
}
