// SPDX-License-Identifier: MIT
// Integer 5/3: every step computes with integral multiples of `quantum` and rounds as
// odl_wavelet_round, away from zero from the fraction ROUND on.
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

// The lifting increments of a detail and of a sample, from its two neighbours.
#define LIFT_DETAIL(a, b) down (0.5 * ((a) + (b)))
#define LIFT_APPROX(a, b) down (0.25 * ((a) + (b) + 2.0))
#endif
