// SPDX-License-Identifier: MIT
// What a lifting step adds to a sample of the sum of its neighbours, plain or, REVERSIBLE, on
// whole numbers as JPEG 2000's 5/3: d -= floor (sum / 2), s += floor ((sum + 2) / 4). UNITS of
// them are the full scale.
#ifdef REVERSIBLE
#define LIFT_0(sum) (-floor (0.5 * (sum)))
#define LIFT_1(sum) floor (0.25 * (sum) + 0.5)

// Scaled samples to whole numbers: ROUND is below 1/2, so that halves go towards zero. What a
// single row would be after the steps along y is not rounded yet: there are none.
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
