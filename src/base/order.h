// SPDX-License-Identifier: MIT
// Numbers in ascending order, for qsort. None of them is NaN.
#pragma once

static inline int
odl_order_floats (const void *a, const void *b)
{
  const float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

static inline int
odl_order_doubles (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}
