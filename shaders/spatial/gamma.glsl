// SPDX-License-Identifier: MIT
// sign (f) |f|^GAMMA; exactly f where that is 1.
SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p) + bias;
  if (GAMMA == 1.0)
    return f - bias;
  return sign (f) * pow (max (abs (f), SAMPLE (1e-30)), SAMPLE (GAMMA)) - bias;
}
