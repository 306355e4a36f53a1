// SPDX-License-Identifier: MIT
// TIMES 2^(SLOPE (f - 1)): amplitudes of decibels, as src/plan/spatial/log_expand.c says.
SAMPLE filtered (ivec2 p)
{
  return TIMES * exp2 (SLOPE * (at (p) + bias - 1.0)) - bias;
}
