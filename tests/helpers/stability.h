// SPDX-License-Identifier: MIT
// How much more a wavelet amplifies rounding errors than CDF 9/7, for which the tests'
// bounds are set. Some are far less stable: rbio3.1 has unbounded synthesis functions.
#pragma once

#include <math.h>

#include "transform_2d.h"

#define ODL_TEST_UNREST_LEVELS 5
#define ODL_TEST_UNREST_SIDE 64

// The infinity norm (largest absolute row sum) of a 1D transform.
static inline double
odl_test_row_sum (const OdlTransform *transform, bool forward)
{
  double sums[ODL_TEST_UNREST_SIDE] = { 0 }, line[ODL_TEST_UNREST_SIDE];
  double largest = 0;

  for (int i = 0; i < ODL_TEST_UNREST_SIDE; i++) {
    for (int k = 0; k < ODL_TEST_UNREST_SIDE; k++)
      line[k] = k == i;
    (forward ? odl_transform_forward_2d
             : odl_transform_inverse_2d) (transform, line, ODL_TEST_UNREST_SIDE, 1,
                                          ODL_TEST_UNREST_SIDE, ODL_TEST_UNREST_LEVELS);
    for (int k = 0; k < ODL_TEST_UNREST_SIDE; k++)
      sums[k] += fabs (line[k]);
  }
  for (int k = 0; k < ODL_TEST_UNREST_SIDE; k++)
    largest = fmax (largest, sums[k]);
  return largest;
}

static inline double
odl_test_growth (const OdlTransform *transform)
{
  const double along_a_line
      = odl_test_row_sum (transform, true) * odl_test_row_sum (transform, false);

  return along_a_line * along_a_line; // both axes
}

// At least 1; exactly 1 for reversible wavelets, which round identically in all
// engines.
static inline double
odl_test_unrest (const OdlWavelet *wavelet, OdlBorder border)
{
  const OdlTransform measure = odl_transform_of (odl_wavelet_find ("cdf97"));
  const OdlTransform transform = { wavelet, border, 0 };

  return wavelet->reversible
             ? 1
             : fmax (1, odl_test_growth (&transform) / odl_test_growth (&measure));
}
