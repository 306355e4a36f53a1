// SPDX-License-Identifier: MIT
// The increment of a lifting step from the sum of two neighbours. REVERSIBLE: on integers, as JPEG
// 2000's 5/3: d -= floor (sum / 2), s += floor ((sum + 2) / 4). UNITS is the full scale in
// integers.
#ifdef REVERSIBLE
#define LIFT_0(sum) (-floor (0.5 * (sum)))
#define LIFT_1(sum) floor (0.25 * (sum) + 0.5)

// Scaled samples to integers: ROUND is below 1/2, so that halves are rounded towards zero. A
// single row is not rounded here, since there are no steps along y.
vec4 whole (vec4 value)
{
#if defined HALF_ONLY && defined ONE_ROW
  return value * UNITS;
#endif
  return sign (value) * floor (abs (value) * UNITS + ROUND);
}

#define SCALED(value) ((value) / UNITS)
#else
#define LIFT_0(sum) (STEP_0 * (sum))
#define LIFT_1(sum) (STEP_1 * (sum))

vec4 whole (vec4 value)
{
  return value;
}

#define SCALED(value) (value)
#endif
