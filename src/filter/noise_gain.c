// SPDX-License-Identifier: MIT
// What the bands of transforms make of white noise.
#include <math.h>

#include "filter/measure.h"
#include "wavelet/dual_tree.h"

// From this level on the gain halves per level, since low-pass filters preserve the
// mean.
#define LAST_COUNTED_LEVEL 6

// `wide` = `filter` dilated by `stride`, convolved with `taps`.
static GArray *
convolve (const GArray *taps, const OdlTaps *filter, int stride)
{
  const guint length = taps->len + (guint) ((filter->count - 1) * stride);
  GArray *wide = g_array_sized_new (FALSE, TRUE, sizeof (double), length);

  g_array_set_size (wide, length);
  for (guint i = 0; i < taps->len; i++)
    for (int k = 0; k < filter->count; k++)
      g_array_index (wide, double, i + (guint) (k * stride))
          += g_array_index (taps, double, i) * filter->value[k];
  return wide;
}

static double
norm (const GArray *taps)
{
  double sum = 0;

  for (guint i = 0; i < taps->len; i++)
    sum += g_array_index (taps, double, i) * g_array_index (taps, double, i);
  return sqrt (sum);
}

double
odl_noise_gain_of_band (const OdlWavelet *wavelet, int level, OdlDetailBand band)
{
  g_return_val_if_fail (wavelet != NULL && level >= 1, 0);

  const double one = 1;
  const int counted = MIN (level, LAST_COUNTED_LEVEL);
  g_autoptr (GArray) lows = g_array_new (FALSE, FALSE, sizeof (double));
  g_array_append_val (lows, one);
  for (int l = 1; l < counted; l++) {
    g_autoptr (GArray) before = g_steal_pointer (&lows);
    lows = convolve (before, &wavelet->analysis_low, 1 << (l - 1));
  }
  const int stride = 1 << (counted - 1);
  g_autoptr (GArray) low = convolve (lows, &wavelet->analysis_low, stride);
  g_autoptr (GArray) high = convolve (lows, &wavelet->analysis_high, stride);
  return ldexp (norm (band == ODL_BAND_HH ? high : low) * norm (high), counted - level);
}

// Of a line: the root mean square of both trees. Within a tree, level l looks at every
// 2^(l − 1)-th sample.
static double
dual_norm (int level, int band)
{
  const OdlDualFilter *filter = odl_dual_filter (level, band, false);
  double squares = 0;

  for (int r = 0; r < filter->phases; r++) {
    const double one = 1;
    g_autoptr (GArray) taps = g_array_new (FALSE, FALSE, sizeof (double));
    g_array_append_val (taps, one);
    int phase = r;
    for (int l = level; l >= 1; l--) {
      const OdlDualFilter *own = odl_dual_filter (l, l == level ? band : 0, false);
      const OdlTaps *tree = &own->taps[phase % own->phases];
      g_autoptr (GArray) before = g_steal_pointer (&taps);
      taps = convolve (before, tree, 1 << (l - 1));
      phase = tree->first & 1; // of what it reads
    }
    squares += norm (taps) * norm (taps) / filter->phases;
  }
  return sqrt (squares);
}

double
odl_noise_gain_of_dual_band (int level, OdlDetailBand band)
{
  g_return_val_if_fail (level >= 1, 0);

  const int counted = MIN (level, LAST_COUNTED_LEVEL);
  return ldexp (dual_norm (counted, band != ODL_BAND_LH)
                    * dual_norm (counted, band != ODL_BAND_HL),
                counted - level);
}
