// SPDX-License-Identifier: MIT
// Vectors of three numbers.
#pragma once

static inline double
odl_dot (const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// `product` is neither of the others.
static inline void
odl_cross (const double a[3], const double b[3], double product[3])
{
  for (int i = 0; i < 3; i++)
    product[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}
