// SPDX-License-Identifier: MIT
// The curve of detail-curve (plan/spatial/detail_curve.c), in thresholds.
#pragma once

#include <glib.h>

#define ODL_CURVE_POINTS 6

static const double odl_detail_curve_at[ODL_CURVE_POINTS] = { 0, 0.5, 1, 1.5, 2, 3 };

// c (u) for u >= 0; points[0] is 0. Any thread.
static inline double
odl_detail_curve_of (const double points[ODL_CURVE_POINTS], double u)
{
  for (int i = 1; i < ODL_CURVE_POINTS; i++)
    if (u < odl_detail_curve_at[i])
      return points[i - 1]
             + (points[i] - points[i - 1]) * (u - odl_detail_curve_at[i - 1])
                   / (odl_detail_curve_at[i] - odl_detail_curve_at[i - 1]);
  return points[ODL_CURVE_POINTS - 1] + (u - odl_detail_curve_at[ODL_CURVE_POINTS - 1]);
}
