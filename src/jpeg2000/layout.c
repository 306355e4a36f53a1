// SPDX-License-Identifier: MIT
#include "jpeg2000/layout.h"

#include <math.h>

#include "wavelet/transform.h"

#define MANTISSA_BITS 11
#define MOST_EXPONENT 31

// ---- how far an error of a coefficient spreads

static double
tap_at (const OdlTaps *taps, int offset)
{
  const int i = offset - taps->first;

  return i >= 0 && i < taps->count ? taps->value[i] : 0;
}

// Sample `n` of what one coefficient makes that stands at `place` (0 low, 1 high) of the
// interleaved signal.
static double
response (const OdlWavelet *wavelet, int place, int n)
{
  return tap_at (n & 1 ? &wavelet->synthesis_odd : &wavelet->synthesis_even, place - n);
}

// One more level of synthesis of low coefficients, `half` to either side of the middle.
static GArray *
synthesise (const OdlWavelet *wavelet, const GArray *low)
{
  enum { REACH = ODL_WAVELET_MAX_TAPS };
  const int half = (int) low->len / 2;
  const int wide = 2 * half + REACH;
  GArray *out = g_array_sized_new (FALSE, TRUE, sizeof (double), 2 * wide + 1);

  g_array_set_size (out, 2 * wide + 1);
  for (int i = -half; i <= half; i++)
    for (int n = MAX (2 * i - REACH, -wide); n <= MIN (2 * i + REACH, wide); n++)
      g_array_index (out, double, n + wide)
          += g_array_index (low, double, i + half) * response (wavelet, 0, n - 2 * i);
  return out;
}

// Squared norm of the function that one coefficient of a line makes: low or high at
// `level`.
static double
norm_squared (const OdlWavelet *wavelet, int place, int level)
{
  enum { REACH = ODL_WAVELET_MAX_TAPS };
  double sum = 0;
  GArray *signal = g_array_sized_new (FALSE, TRUE, sizeof (double), 2 * REACH + 1);

  g_array_set_size (signal, 2 * REACH + 1);
  for (int n = -REACH; n <= REACH; n++)
    g_array_index (signal, double, n + REACH) = response (wavelet, place, n);
  for (int i = 1; i < level; i++) {
    GArray *finer = synthesise (wavelet, signal);
    g_array_unref (signal);
    signal = finer;
  }
  for (guint i = 0; i < signal->len; i++)
    sum += g_array_index (signal, double, i) * g_array_index (signal, double, i);
  g_array_unref (signal);
  return sum;
}

// ---- the bands

// Equation E-3: step = 2^(R − exponent) (1 + mantissa / 2^11), where R are the bits of
// the samples and those that the band's filters add.
static void
set_step (OdlJ2kBand *band, int bits, double wanted)
{
  static const int gains[ODL_J2K_N_BANDS] = { 0, 1, 1, 2 };
  const int range = bits + gains[band->kind];

  if (!(wanted > 0)) {
    band->exponent = range;
    return;
  }
  const int power = CLAMP ((int) floor (log2 (wanted)), range - MOST_EXPONENT, range);
  const double mantissa
      = floor ((ldexp (wanted, -power) - 1) * (1 << MANTISSA_BITS) + 0.5);
  band->exponent = range - power;
  band->mantissa = (int) CLAMP (mantissa, 0, (1 << MANTISSA_BITS) - 1);
  band->step = ldexp (1 + band->mantissa / (double) (1 << MANTISSA_BITS), power);
}

static int
blocks_of (int samples)
{
  return (samples + ODL_J2K_BLOCK_SIDE - 1) / ODL_J2K_BLOCK_SIDE;
}

static void
add_band (OdlJ2kLayout *layout,
          const double norms[2],
          OdlJ2kBandKind kind,
          int level,
          double step)
{
  const int high_x = kind & 1, high_y = kind >> 1;
  const int width = odl_level_size (layout->width, MAX (level - 1, 0));
  const int height = odl_level_size (layout->height, MAX (level - 1, 0));
  OdlJ2kBand *band = &layout->bands[layout->n_bands++];

  *band = (OdlJ2kBand){ .kind = kind, .level = level, .width = width, .height = height };
  if (level > 0) {
    band->width = high_x ? odl_high_count (width) : odl_low_count (width);
    band->height = high_y ? odl_high_count (height) : odl_low_count (height);
    band->x = high_x ? odl_low_count (width) : 0;
    band->y = high_y ? odl_low_count (height) : 0;
  }
  band->weight = norms[high_x] * norms[high_y];
  set_step (band, layout->bits, step / sqrt (band->weight));
  band->columns = blocks_of (band->width);
  band->rows = blocks_of (band->height);
  band->first_block = layout->n_blocks;
  layout->n_blocks += (gsize) band->columns * band->rows;
}

OdlJ2kLayout
odl_j2k_layout (const OdlWavelet *wavelet,
                int width,
                int height,
                int levels,
                int bits,
                double step)
{
  OdlJ2kLayout layout = {
    .width = width, .height = height, .levels = levels, .bits = bits, .guard_bits = 1
  };
  static const double none[2] = { 1, 1 };

  if (levels == 0)
    add_band (&layout, none, ODL_J2K_LL, 0, step);
  for (int level = levels; level >= 1; level--) {
    const double norms[2]
        = { norm_squared (wavelet, 0, level), norm_squared (wavelet, 1, level) };
    for (int kind = level == levels ? ODL_J2K_LL : ODL_J2K_HL; kind < ODL_J2K_N_BANDS;
         kind++)
      add_band (&layout, norms, (OdlJ2kBandKind) kind, level, step);
  }
  return layout;
}

int
odl_j2k_layout_first_band (int resolution)
{
  return resolution == 0 ? 0 : 3 * resolution - 2;
}

int
odl_j2k_layout_bands (int resolution)
{
  return resolution == 0 ? 1 : 3;
}

const OdlJ2kBand *
odl_j2k_layout_find (const OdlJ2kLayout *layout, gsize i, int *x, int *y)
{
  int b = layout->n_bands - 1;

  while (layout->bands[b].first_block > i)
    b--;
  const OdlJ2kBand *band = &layout->bands[b];
  *x = (int) ((i - band->first_block) % band->columns) * ODL_J2K_BLOCK_SIDE;
  *y = (int) ((i - band->first_block) / band->columns) * ODL_J2K_BLOCK_SIDE;
  return band;
}
