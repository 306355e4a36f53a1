// SPDX-License-Identifier: MIT
#include "image/volume/stack.h"

#include <math.h>

#include "base/vector.h"

// Slices may lie off their places by this fraction of their distance, or by this many
// millimetres, which are a rounding of the file's numbers.
#define SLACK 0.02
#define SLACK_MM 1e-3
// Directions are rounded, too: less is no tilt.
#define LEAST_TILT_DEGREES 0.1
// Lengths and right angles may be off by this much.
#define SKEW 0.01

bool
odl_stack_normal (const double orientation[6], double normal[3])
{
  const double *r = orientation, *c = orientation + 3;

  odl_cross (r, c, normal);
  const double length = sqrt (odl_dot (normal, normal));
  // NaN fails, too.
  if (!(fabs (odl_dot (r, r) - 1) < SKEW && fabs (odl_dot (c, c) - 1) < SKEW
        && fabs (odl_dot (r, c)) < SKEW))
    return false;
  for (int i = 0; i < 3; i++)
    normal[i] /= length;
  return true;
}

// Of slice i, off the straight and even line from the first to the last.
static void
find_off (const double *places, int i, const double step[3], double off[3])
{
  for (int k = 0; k < 3; k++)
    off[k] = places[3 * i + k] - places[k] - i * step[k];
}

double
odl_stack_tilt_degrees (const double step[3], const double direction[3])
{
  const double lengths = sqrt (odl_dot (step, step) * odl_dot (direction, direction));
  const double cosine = fabs (odl_dot (step, direction)) / lengths;
  const double tilt = acos (CLAMP (cosine, 0, 1)) * 180 / G_PI;

  return tilt >= LEAST_TILT_DEGREES ? tilt : 0;
}

OdlStack
odl_stack_of (const double *places, int n, const double orientation[6])
{
  OdlStack stack = { .flaw = ODL_STACK_TOO_FEW };
  double normal[3];

  if (n < 2 || !odl_stack_normal (orientation, normal))
    return stack;
  for (int k = 0; k < 3; k++)
    stack.step_mm[k] = (places[3 * (n - 1) + k] - places[k]) / (n - 1);
  const double along = odl_dot (stack.step_mm, normal);
  stack.spacing_mm = fabs (along);
  for (int i = 1; i < n; i++) {
    const double gap = odl_dot (places + 3 * (gsize) i, normal)
                       - odl_dot (places + 3 * (gsize) (i - 1), normal);
    if (!(copysign (1, along) * gap > SLACK_MM)) {
      stack.flaw = ODL_STACK_AT_ONE_PLACE;
      return stack;
    }
  }
  const double slack = fmax (SLACK * stack.spacing_mm, SLACK_MM);
  stack.flaw = ODL_STACK_REGULAR;
  for (int i = 1; i < n; i++) {
    double off[3];
    find_off (places, i, stack.step_mm, off);
    if (!(fabs (odl_dot (off, normal)) <= slack))
      stack.flaw = ODL_STACK_UNEVEN;
    else if (!(sqrt (odl_dot (off, off)) <= 2 * slack) && stack.flaw == ODL_STACK_REGULAR)
      stack.flaw = ODL_STACK_SHIFTED;
  }
  stack.tilt_degrees = odl_stack_tilt_degrees (stack.step_mm, normal);
  return stack;
}
