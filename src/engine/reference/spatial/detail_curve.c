// SPDX-License-Identifier: MIT
#include <math.h>

#include "engine/reference/context.h"
#include "plan/detail_curve.h"

double
odl_reference_detail_curve (const StepContext *c, int x, int y)
{
  const double f = at (c, x, y), *values = c->step->parameters.values;
  const double threshold = values[0];
  double points[ODL_CURVE_POINTS] = { 0 };

  for (int i = 1; i < ODL_CURVE_POINTS; i++)
    points[i] = values[i];
  return threshold > 0 ? copysign (
             threshold * odl_detail_curve_of (points, fabs (f) / threshold), f)
                       : f;
}
