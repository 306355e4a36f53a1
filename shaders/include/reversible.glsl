// SPDX-License-Identifier: MIT
// Integer 5/3: every step works on whole multiples of `quantum` and rounds as odl_wavelet_round
// does, halves (from ROUND on) away from zero.
#ifdef REVERSIBLE
uniform float quantum;

float whole (float x)
{
  return sign (x) * floor (abs (x / quantum) + ROUND);
}

vec2 whole (vec2 x)
{
  return sign (x) * floor (abs (x / quantum) + ROUND);
}

vec3 whole (vec3 x)
{
  return sign (x) * floor (abs (x / quantum) + ROUND);
}

mat2x3 whole (mat2x3 x)
{
  return mat2x3 (whole (x[0]), whole (x[1]));
}

float down (float x)
{
  return floor (x);
}

vec2 down (vec2 x)
{
  return floor (x);
}

vec3 down (vec3 x)
{
  return floor (x);
}

mat2x3 down (mat2x3 x)
{
  return mat2x3 (floor (x[0]), floor (x[1]));
}

// What a detail takes from the samples beside it, and a sample from the details beside it.
#define LIFT_DETAIL(a, b) down (0.5 * ((a) + (b)))
#define LIFT_APPROX(a, b) down (0.25 * ((a) + (b) + 2.0))
#endif
