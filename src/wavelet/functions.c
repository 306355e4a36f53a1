// SPDX-License-Identifier: MIT
#include "wavelet/functions.h"

#include <math.h>

// Enough for taps from −ODL_WAVELET_MAX_TAPS on, of two kernels that are interleaved.
#define MOST_TAPS (2 * ODL_WAVELET_MAX_TAPS + 4)

// A filter of the two-scale relation f (x) = Σ value[i] φ (2 x − first − i).
typedef struct {
  int first, n;
  double value[MOST_TAPS];
} Filter;

static double
tap_of (const OdlTaps *taps, int at)
{
  const int i = at - taps->first;
  return i >= 0 && i < taps->count ? taps->value[i] : 0;
}

// What a low (0) or high (1) coefficient adds to sample `at`, counted from the sample of
// the low one.
static double
synthesis_at (const OdlWavelet *wavelet, int high, int at)
{
  return tap_of ((at & 1) == 0 ? &wavelet->synthesis_even : &wavelet->synthesis_odd,
                 high - at);
}

// Without zeros at its ends.
static void
trim (Filter *filter)
{
  int skip = 0;
  while (filter->n > 1 && filter->value[filter->n - 1] == 0)
    filter->n--;
  while (skip < filter->n - 1 && filter->value[skip] == 0)
    skip++;
  filter->first += skip;
  filter->n -= skip;
  for (int i = 0; skip > 0 && i < filter->n; i++)
    filter->value[i] = filter->value[i + skip];
}

// Both relations in the table's norm: a sum of 2 for φ, and of ψ twice its share of
// white noise, as high bands have twice the gain of orthonormal ones.
static Filter
filter_of (const OdlWavelet *wavelet, OdlWaveletSide side, bool is_wavelet)
{
  Filter filter = { .first = -ODL_WAVELET_MAX_TAPS, .n = MOST_TAPS };
  for (int i = 0; i < filter.n; i++) {
    const int at = filter.first + i;
    filter.value[i] = side == ODL_WAVELET_SYNTHESIS
                          ? (is_wavelet ? 2 : 1) * synthesis_at (wavelet, is_wavelet, at)
                      : is_wavelet ? tap_of (&wavelet->analysis_high, at - 1)
                                   : 2 * tap_of (&wavelet->analysis_low, at);
  }
  trim (&filter);
  return filter;
}

// Samples half as far apart: each becomes what `filter` makes of it.
static void
refine (OdlWaveletFunction *function, const Filter *filter)
{
  const int n = 2 * (function->n - 1) + filter->n;
  double *values = g_new0 (double, n);
  for (int i = 0; i < function->n; i++)
    for (int k = 0; k < filter->n; k++)
      values[2 * i + k] += function->values[i] * filter->value[k];
  function->step /= 2;
  function->first += filter->first * function->step;
  function->n = n;
  g_free (function->values);
  function->values = values;
}

OdlWaveletFunction
odl_wavelet_function (const OdlWavelet *wavelet,
                      OdlWaveletSide side,
                      bool is_wavelet,
                      int levels)
{
  OdlWaveletFunction function = { .n = 1, .step = 1, .values = g_new (double, 1) };
  const Filter low = filter_of (wavelet, side, false);
  const Filter first = filter_of (wavelet, side, is_wavelet);
  function.values[0] = 1;
  refine (&function, &first);
  for (int l = 1; l < levels; l++)
    refine (&function, &low);
  return function;
}

void
odl_wavelet_function_clear (OdlWaveletFunction *function)
{
  g_clear_pointer (&function->values, g_free);
  function->n = 0;
}

void
odl_wavelet_response (const OdlWavelet *wavelet,
                      OdlWaveletSide side,
                      int n,
                      double *low,
                      double *high)
{
  const Filter filters[]
      = { filter_of (wavelet, side, false), filter_of (wavelet, side, true) };
  double *const gains[] = { low, high };
  for (int f = 0; f < 2; f++)
    for (int i = 0; i < n; i++) {
      double real = 0, imaginary = 0;
      for (int k = 0; k < filters[f].n; k++) {
        const double angle = G_PI * i * k / (n - 1);
        real += filters[f].value[k] * cos (angle);
        imaginary -= filters[f].value[k] * sin (angle);
      }
      gains[f][i] = hypot (real, imaginary) / 2;
    }
}
