// SPDX-License-Identifier: MIT
// The reference 2D transform: `levels` levels in place. `data` holds height rows of
// width samples (row stride in samples), afterwards the nested Mallat layout: LL top
// left, HL (horizontal detail) right of it, LH (vertical detail) below, HH diagonal.
// Rows first, then columns; the inverse in the opposite order, on which the exactness
// of reversible wavelets depends. levels <= odl_max_levels.
#pragma once

#include <glib.h>

#include "wavelet/transform.h"

// The wavelet with its preferred border; on integers if it is reversible.
static inline OdlTransform
odl_transform_of (const OdlWavelet *wavelet)
{
  return (OdlTransform){ wavelet, wavelet->border, wavelet->reversible ? 1 : 0 };
}

// Transforms `n` samples at distance `stride` in place, to low | high or back.
static inline void
odl_test_transform_line (const OdlTransform *transform,
                         double *data,
                         size_t stride,
                         int n,
                         double *line,
                         bool forward)
{
  const int n_low = odl_low_count (n);

  for (int i = 0; i < n; i++)
    line[i] = data[i * stride];
  if (forward)
    odl_transform_forward_1d (transform, line, 1, n, data, data + n_low * stride, stride);
  else
    odl_transform_inverse_1d (transform, line, line + n_low, 1, n, data, stride);
}

static inline void
odl_transform_forward_2d (const OdlTransform *transform,
                          double *data,
                          int width,
                          int height,
                          size_t row_stride,
                          int levels)
{
  g_assert_true (levels >= 0 && levels <= odl_max_levels (width, height));

  g_autofree double *line = g_new (double, MAX (width, height));
  for (int level = 0; level < levels; level++) {
    const int w = odl_level_size (width, level);
    const int h = odl_level_size (height, level);
    for (int y = 0; y < h; y++)
      odl_test_transform_line (transform, data + y * row_stride, 1, w, line, true);
    for (int x = 0; x < w; x++)
      odl_test_transform_line (transform, data + x, row_stride, h, line, true);
  }
}

static inline void
odl_transform_inverse_2d (const OdlTransform *transform,
                          double *data,
                          int width,
                          int height,
                          size_t row_stride,
                          int levels)
{
  g_assert_true (levels >= 0 && levels <= odl_max_levels (width, height));

  g_autofree double *line = g_new (double, MAX (width, height));
  for (int level = levels - 1; level >= 0; level--) {
    const int w = odl_level_size (width, level);
    const int h = odl_level_size (height, level);
    for (int x = 0; x < w; x++)
      odl_test_transform_line (transform, data + x, row_stride, h, line, false);
    for (int y = 0; y < h; y++)
      odl_test_transform_line (transform, data + y * row_stride, 1, w, line, false);
  }
}
