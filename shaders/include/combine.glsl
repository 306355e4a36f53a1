// SPDX-License-Identifier: MIT
// Coefficients a and b of two pictures, times `own` and `other`: their sum, or with RULE 0 that of
// larger magnitude; `low` is 1 for those of LL, which are always added and are stored less `bias`.
uniform float parameters[9]; // own LL, HL, LH, HH; other LL, HL, LH, HH
uniform float bias;

const float beyond = 2e-6; // ODL_BEYOND_TIES

vec4 combined (vec4 a, vec4 b, vec4 own, vec4 other, vec4 low)
{
  vec4 x = own * (a + bias * low), y = other * (b + bias * low);
  vec4 sum = x + y - bias * low;
#if RULE == 0
  return mix (mix (x, y, greaterThan (abs (y), abs (x) + beyond)), sum, low);
#else
  return sum;
#endif
}
