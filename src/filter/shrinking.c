// SPDX-License-Identifier: MIT
#include "filter/shrinking.h"

#include <math.h>

double
odl_shrink (double x, double threshold, OdlShrinkingRule rule)
{
  const double size = fabs (x), excess = size - threshold;

  if (excess <= 0)
    return 0;
  switch (rule) {
  case ODL_SHRINK_HARD:
    return x;
  case ODL_SHRINK_GARROTE:
    return x - threshold * threshold / x;
  case ODL_SHRINK_FIRM:
    return copysign (fmin (2 * excess, size), x);
  case ODL_SHRINK_HYPERBOLIC:
    return copysign (sqrt (excess * (size + threshold)), x);
  case ODL_SHRINK_SOFT:
  default:
    return copysign (excess, x);
  }
}
