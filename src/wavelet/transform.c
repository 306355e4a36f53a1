// SPDX-License-Identifier: MIT
#include "wavelet/transform.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "wavelet/border.h"

const char *const odl_transform_names[] = {
  [ODL_TRANSFORM_DECIMATED] = N_ ("decimated"),
  [ODL_TRANSFORM_STATIONARY] = N_ ("stationary"),
  [ODL_TRANSFORM_DUAL_TREE] = N_ ("dual-tree"),
  [ODL_N_TRANSFORMS] = NULL,
};

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

bool
odl_transform_has_wavelet (OdlTransformKind kind)
{
  return kind != ODL_TRANSFORM_DUAL_TREE;
}

bool
odl_transform_suits (OdlTransformKind kind, const OdlWavelet *wavelet)
{
  return kind == ODL_TRANSFORM_DECIMATED || wavelet == NULL || !wavelet->reversible;
}

int
odl_transform_max_levels (OdlTransformKind kind,
                          const OdlWavelet *wavelet,
                          int width,
                          int height)
{
  const int most = odl_max_levels (width, height);

  if (kind != ODL_TRANSFORM_STATIONARY)
    return most;

  const OdlTaps *filters[] = { &wavelet->analysis_low, &wavelet->analysis_high,
                               &wavelet->stationary_low, &wavelet->stationary_high };
  int span = 1, levels = 1;
  for (size_t i = 0; i < G_N_ELEMENTS (filters); i++)
    span = MAX (span, filters[i]->count - 1);
  while (levels < most && (int64_t) span << levels < MAX (width, height))
    levels++;
  return MIN (levels, most);
}

// Σ taps[k] x[border (centre + k)]
static double
convolve_at (const OdlTaps *taps,
             OdlBorder border,
             const double *x,
             size_t stride,
             int n,
             int centre)
{
  double sum = 0;

  for (int i = 0; i < taps->count; i++) {
    const int at = odl_border_index (border, centre + taps->first + i, n);
    if (at >= 0)
      sum += taps->value[i] * x[stride * at];
  }
  return sum;
}

// Lifting steps of the reversible wavelet: d −= ⌊(s + s') / 2⌋ on odd samples, s += ⌊(d
// + d' + 2) / 4⌋ on even ones, whole-sample border. z holds integers, interleaved.
static void
lift_details (double *z, int n, int sign)
{
  for (int i = 1; i < n; i += 2) {
    const double sum = z[odl_border_fold (i - 1, n)] + z[odl_border_fold (i + 1, n)];
    z[i] -= sign * floor (sum / 2);
  }
}

static void
lift_approximation (double *z, int n, int sign)
{
  for (int i = 0; i < n; i += 2) {
    const double sum = z[odl_border_fold (i - 1, n)] + z[odl_border_fold (i + 1, n)];
    z[i] += sign * floor ((sum + 2) / 4);
  }
}

static void
forward_reversible (const OdlTransform *transform,
                    const double *x,
                    size_t stride,
                    int n,
                    double *low,
                    double *high,
                    size_t out_stride)
{
  const double quantum = transform->quantum;
  g_autofree double *z = g_new (double, n);

  for (int i = 0; i < n; i++)
    z[i] = odl_wavelet_round (x[i * stride] / quantum);
  lift_details (z, n, 1);
  lift_approximation (z, n, 1);
  for (int i = 0; i < n; i++)
    (i % 2 == 0 ? low : high)[i / 2 * out_stride] = z[i] * quantum;
}

static void
inverse_reversible (const OdlTransform *transform,
                    const double *low,
                    const double *high,
                    size_t stride,
                    int n,
                    double *x,
                    size_t out_stride)
{
  const double quantum = transform->quantum;
  g_autofree double *z = g_new (double, n);

  for (int i = 0; i < n; i++)
    z[i] = odl_wavelet_round ((i % 2 == 0 ? low : high)[i / 2 * stride] / quantum);
  lift_approximation (z, n, -1);
  lift_details (z, n, -1);
  for (int i = 0; i < n; i++)
    x[i * out_stride] = z[i] * quantum;
}

void
odl_transform_forward_1d (const OdlTransform *transform,
                          const double *x,
                          size_t stride,
                          int n,
                          double *low,
                          double *high,
                          size_t out_stride)
{
  const OdlWavelet *wavelet = transform->wavelet;
  const OdlBorder border = transform->border;
  const int length = odl_border_length (border, n);

  g_return_if_fail ((wavelet->borders & 1u << border) != 0);

  if (length < n || n == 1) // the sample left over
    low[odl_high_count (n) * out_stride] = x[(n - 1) * stride];
  if (n == 1)
    return;
  if (wavelet->reversible) {
    forward_reversible (transform, x, stride, n, low, high, out_stride);
    return;
  }
  for (int i = 0; i < odl_low_count (length); i++)
    low[i * out_stride]
        = convolve_at (&wavelet->analysis_low, border, x, stride, length, 2 * i);
  for (int i = 0; i < odl_high_count (length); i++)
    high[i * out_stride]
        = convolve_at (&wavelet->analysis_high, border, x, stride, length, 2 * i + 1);
}

void
odl_transform_inverse_1d (const OdlTransform *transform,
                          const double *low,
                          const double *high,
                          size_t stride,
                          int n,
                          double *x,
                          size_t out_stride)
{
  const OdlWavelet *wavelet = transform->wavelet;
  const int length = odl_border_length (transform->border, n);

  g_return_if_fail ((wavelet->borders & 1u << transform->border) != 0);

  if (length < n || n == 1)
    x[(n - 1) * out_stride] = low[odl_high_count (n) * stride];
  if (n == 1)
    return;
  if (wavelet->reversible) {
    inverse_reversible (transform, low, high, stride, n, x, out_stride);
    return;
  }
  for (int i = 0; i < length; i++) {
    const OdlTaps *taps = i % 2 == 0 ? &wavelet->synthesis_even : &wavelet->synthesis_odd;
    double sum = 0;
    for (int k = 0; k < taps->count; k++) {
      const int j = odl_border_index (transform->border, i + taps->first + k, length);
      if (j >= 0)
        sum += taps->value[k] * (j % 2 == 0 ? low : high)[stride * (j / 2)];
    }
    x[i * out_stride] = sum;
  }
}
