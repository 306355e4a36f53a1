// SPDX-License-Identifier: MIT
#include "wavelet/transform.h"

#include <glib.h>

#include "wavelet/border.h"

int
odl_level_size (int n, int level)
{
  for (int i = 0; i < level; i++)
    n = odl_low_count (n);
  return n;
}

int
odl_max_levels (int width, int height)
{
  int levels = 0;

  while ((width > 1 || height > 1) && levels < ODL_MAX_LEVELS) {
    width = odl_low_count (width);
    height = odl_low_count (height);
    levels++;
  }
  return levels;
}

// Σ taps[k] x[fold (centre + k)]
static double
convolve_at (const OdlTaps *taps, const double *x, size_t stride, int n, int centre)
{
  double sum = 0;

  for (int i = 0; i < taps->count; i++)
    sum += taps->value[i] * x[stride * odl_border_fold (centre + taps->first + i, n)];
  return sum;
}

void
odl_transform_forward_1d (const OdlWavelet *wavelet,
                          const double *x,
                          size_t stride,
                          int n,
                          double *low,
                          double *high,
                          size_t out_stride)
{
  if (n == 1) {
    low[0] = x[0];
    return;
  }
  for (int i = 0; i < odl_low_count (n); i++)
    low[i * out_stride] = convolve_at (&wavelet->analysis_low, x, stride, n, 2 * i);
  for (int i = 0; i < odl_high_count (n); i++)
    high[i * out_stride] = convolve_at (&wavelet->analysis_high, x, stride, n, 2 * i + 1);
}

void
odl_transform_inverse_1d (const OdlWavelet *wavelet,
                          const double *low,
                          const double *high,
                          size_t stride,
                          int n,
                          double *x,
                          size_t out_stride)
{
  if (n == 1) {
    x[0] = low[0];
    return;
  }
  for (int i = 0; i < n; i++) {
    const OdlTaps *taps = i % 2 == 0 ? &wavelet->synthesis_even : &wavelet->synthesis_odd;
    double sum = 0;
    for (int k = 0; k < taps->count; k++) {
      int j = odl_border_fold (i + taps->first + k, n);
      double z = j % 2 == 0 ? low[stride * (j / 2)] : high[stride * (j / 2)];
      sum += taps->value[k] * z;
    }
    x[i * out_stride] = sum;
  }
}

// Transforms `n` samples at distance `stride` in place, to low | high or back.
static void
transform_line (const OdlWavelet *wavelet,
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
    odl_transform_forward_1d (wavelet, line, 1, n, data, data + n_low * stride, stride);
  else
    odl_transform_inverse_1d (wavelet, line, line + n_low, 1, n, data, stride);
}

void
odl_transform_forward_2d (const OdlWavelet *wavelet,
                          double *data,
                          int width,
                          int height,
                          size_t row_stride,
                          int levels)
{
  g_return_if_fail (levels >= 0 && levels <= odl_max_levels (width, height));

  g_autofree double *line = g_new (double, MAX (width, height));
  for (int level = 0; level < levels; level++) {
    const int w = odl_level_size (width, level);
    const int h = odl_level_size (height, level);
    for (int y = 0; y < h; y++)
      transform_line (wavelet, data + y * row_stride, 1, w, line, true);
    for (int x = 0; x < w; x++)
      transform_line (wavelet, data + x, row_stride, h, line, true);
  }
}

void
odl_transform_inverse_2d (const OdlWavelet *wavelet,
                          double *data,
                          int width,
                          int height,
                          size_t row_stride,
                          int levels)
{
  g_return_if_fail (levels >= 0 && levels <= odl_max_levels (width, height));

  g_autofree double *line = g_new (double, MAX (width, height));
  for (int level = levels - 1; level >= 0; level--) {
    const int w = odl_level_size (width, level);
    const int h = odl_level_size (height, level);
    for (int x = 0; x < w; x++)
      transform_line (wavelet, data + x, row_stride, h, line, false);
    for (int y = 0; y < h; y++)
      transform_line (wavelet, data + y * row_stride, 1, w, line, false);
  }
}
