// SPDX-License-Identifier: MIT
#include "wavelet/wavelet.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

#include <glib/gi18n-lib.h>

#include "wavelet/taps.h"

// What defines a wavelet: its low-pass filters. Everything else is derived.
typedef struct {
  const char *name;
  const char *label;
  OdlWaveletFamily family;
  const char *const *aliases;
  const double *analysis, *synthesis;
  int n_analysis, n_synthesis;
  int vanishing_moments;
  OdlLifting lifting;
  bool reversible;
} Row;

#define ROW(name_, label_, family_, analysis_, synthesis_, moments) \
  .name = (name_), .label = (label_), .family = ODL_WAVELET_##family_, \
  .analysis = (analysis_), .n_analysis = G_N_ELEMENTS (analysis_), \
  .synthesis = (synthesis_), .n_synthesis = G_N_ELEMENTS (synthesis_), \
  .vanishing_moments = (moments)

#define LIFTING_53 \
  { \
    2, { -0.5, 0.25 }, 1, 1 \
  }

// Named as in PyWavelets; bior2.2 and bior4.4 are JPEG 2000's 5/3 and 9/7, sym2 and sym3
// equal db2 and db3.
static const Row rows[] = {
  { ROW ("cdf97", "CDF 9/7", CDF, bior4_4, bior4_4_synthesis, 4),
    .aliases = (const char *const[]){ "9/7", "97", "bior4.4", NULL },
    .lifting
    = { 4,
        { -1.586134342059924, -0.052980118572961, 0.882911075530934, 0.443506852043971 },
        1 / 1.230174104914001,
        1.230174104914001 } },
  { ROW ("cdf53", "CDF 5/3", CDF, bior2_2, spline2, 2),
    .aliases = (const char *const[]){ "5/3", "53", "legall", "bior2.2", NULL },
    .lifting = LIFTING_53 },
  { ROW ("int53", "CDF 5/3 integer", CDF, bior2_2, spline2, 2),
    .aliases = (const char *const[]){ "5/3i", NULL }, .lifting = LIFTING_53,
    .reversible = true },
  { ROW ("haar", "Haar", DAUBECHIES, haar, haar, 1),
    .aliases = (const char *const[]){ "db1", "bior1.1", "rbio1.1", NULL } },
  { ROW ("db2", "Daubechies 2", DAUBECHIES, db2, db2, 2),
    .aliases = (const char *const[]){ "sym2", NULL } },
  { ROW ("db3", "Daubechies 3", DAUBECHIES, db3, db3, 3),
    .aliases = (const char *const[]){ "sym3", NULL } },
  { ROW ("db4", "Daubechies 4", DAUBECHIES, db4, db4, 4) },
  { ROW ("db5", "Daubechies 5", DAUBECHIES, db5, db5, 5) },
  { ROW ("db6", "Daubechies 6", DAUBECHIES, db6, db6, 6) },
  { ROW ("db7", "Daubechies 7", DAUBECHIES, db7, db7, 7) },
  { ROW ("db8", "Daubechies 8", DAUBECHIES, db8, db8, 8) },
  { ROW ("db9", "Daubechies 9", DAUBECHIES, db9, db9, 9) },
  { ROW ("db10", "Daubechies 10", DAUBECHIES, db10, db10, 10) },
  { ROW ("sym4", "Symlet 4", SYMLETS, sym4, sym4, 4) },
  { ROW ("sym5", "Symlet 5", SYMLETS, sym5, sym5, 5) },
  { ROW ("sym6", "Symlet 6", SYMLETS, sym6, sym6, 6) },
  { ROW ("sym7", "Symlet 7", SYMLETS, sym7, sym7, 7) },
  { ROW ("sym8", "Symlet 8", SYMLETS, sym8, sym8, 8) },
  { ROW ("sym9", "Symlet 9", SYMLETS, sym9, sym9, 9) },
  { ROW ("sym10", "Symlet 10", SYMLETS, sym10, sym10, 10) },
  { ROW ("coif1", "Coiflet 1", COIFLETS, coif1, coif1, 2) },
  { ROW ("coif2", "Coiflet 2", COIFLETS, coif2, coif2, 4) },
  { ROW ("coif3", "Coiflet 3", COIFLETS, coif3, coif3, 6) },
  { ROW ("coif4", "Coiflet 4", COIFLETS, coif4, coif4, 8) },
  { ROW ("coif5", "Coiflet 5", COIFLETS, coif5, coif5, 10) },
  { ROW ("bior1.3", "Biorthogonal 1.3", BIORTHOGONAL, bior1_3, haar, 1) },
  { ROW ("bior1.5", "Biorthogonal 1.5", BIORTHOGONAL, bior1_5, haar, 1) },
  { ROW ("bior2.4", "Biorthogonal 2.4", BIORTHOGONAL, bior2_4, spline2, 2) },
  { ROW ("bior2.6", "Biorthogonal 2.6", BIORTHOGONAL, bior2_6, spline2, 2) },
  { ROW ("bior2.8", "Biorthogonal 2.8", BIORTHOGONAL, bior2_8, spline2, 2) },
  { ROW ("bior3.1", "Biorthogonal 3.1", BIORTHOGONAL, bior3_1, spline3, 3) },
  { ROW ("bior3.3", "Biorthogonal 3.3", BIORTHOGONAL, bior3_3, spline3, 3) },
  { ROW ("bior3.5", "Biorthogonal 3.5", BIORTHOGONAL, bior3_5, spline3, 3) },
  { ROW ("bior3.7", "Biorthogonal 3.7", BIORTHOGONAL, bior3_7, spline3, 3) },
  { ROW ("bior3.9", "Biorthogonal 3.9", BIORTHOGONAL, bior3_9, spline3, 3) },
  { ROW ("bior5.5", "Biorthogonal 5.5", BIORTHOGONAL, bior5_5, bior5_5_synthesis, 6) },
  { ROW ("bior6.8", "Biorthogonal 6.8", BIORTHOGONAL, bior6_8, bior6_8_synthesis, 6) },
  { ROW ("rbio1.3", "Reverse bior 1.3", REVERSE, haar, bior1_3, 3) },
  { ROW ("rbio1.5", "Reverse bior 1.5", REVERSE, haar, bior1_5, 5) },
  { ROW ("rbio2.2", "Reverse bior 2.2", REVERSE, spline2, bior2_2, 2) },
  { ROW ("rbio2.4", "Reverse bior 2.4", REVERSE, spline2, bior2_4, 4) },
  { ROW ("rbio2.6", "Reverse bior 2.6", REVERSE, spline2, bior2_6, 6) },
  { ROW ("rbio2.8", "Reverse bior 2.8", REVERSE, spline2, bior2_8, 8) },
  { ROW ("rbio3.1", "Reverse bior 3.1", REVERSE, spline3, bior3_1, 1) },
  { ROW ("rbio3.3", "Reverse bior 3.3", REVERSE, spline3, bior3_3, 3) },
  { ROW ("rbio3.5", "Reverse bior 3.5", REVERSE, spline3, bior3_5, 5) },
  { ROW ("rbio3.7", "Reverse bior 3.7", REVERSE, spline3, bior3_7, 7) },
  { ROW ("rbio3.9", "Reverse bior 3.9", REVERSE, spline3, bior3_9, 9) },
  { ROW ("rbio4.4", "Reverse bior 4.4", REVERSE, bior4_4_synthesis, bior4_4, 4) },
  { ROW ("rbio5.5", "Reverse bior 5.5", REVERSE, bior5_5_synthesis, bior5_5, 4) },
  { ROW ("rbio6.8", "Reverse bior 6.8", REVERSE, bior6_8_synthesis, bior6_8, 8) },
};

static const char *const no_aliases[] = { NULL };

const char *const odl_wavelet_family_labels[ODL_WAVELET_N_FAMILIES] = {
  [ODL_WAVELET_CDF] = N_ ("JPEG 2000"),
  [ODL_WAVELET_DAUBECHIES] = N_ ("Daubechies"),
  [ODL_WAVELET_SYMLETS] = N_ ("Symlets"),
  [ODL_WAVELET_COIFLETS] = N_ ("Coiflets"),
  [ODL_WAVELET_BIORTHOGONAL] = N_ ("Biorthogonal"),
  [ODL_WAVELET_REVERSE] = N_ ("Reverse biorthogonal"),
};

// ---- Derived from a row ----

// `count` taps scaled to the sum `gain` and shifted so that the centre of gravity lies
// within half a sample of 0: coefficients then align with the picture's edges.
static OdlTaps
low_pass (const double *values, int count, double gain)
{
  OdlTaps taps = { .count = count };
  double sum = 0, moment = 0;

  g_assert (count <= ODL_WAVELET_MAX_TAPS);
  for (int i = 0; i < count; i++) {
    sum += values[i];
    moment += i * values[i];
  }
  taps.first = -(int) ceil (moment / sum - 0.5 - 1e-6); // 0.5 becomes 0: Haar
  for (int i = 0; i < count; i++)
    taps.value[i] = values[i] * gain / sum;
  return taps;
}

static double
tap_at (const OdlTaps *taps, int offset)
{
  const int i = offset - taps->first;

  return i >= 0 && i < taps->count ? taps->value[i] : 0;
}

static double
sign_of (int offset)
{
  return offset % 2 == 0 ? 1 : -1;
}

// The high-pass filter of a biorthogonal pair: the other side's low-pass h (−k),
// modulated to the Nyquist frequency.
static OdlTaps
high_pass (const OdlTaps *low)
{
  OdlTaps taps = { .first = 1 - low->first - low->count, .count = low->count };

  for (int i = 0; i < taps.count; i++)
    taps.value[i] = sign_of (taps.first + i) * tap_at (low, -(taps.first + i));
  return taps;
}

// Polyphase component of synthesis for samples of one parity, as taps on interleaved
// coefficients: x[n] = Σ low[m] s (n − 2m) + Σ high[m] t (n − 2m − 1).
static OdlTaps
interleave (const OdlTaps *low, const OdlTaps *high, int parity)
{
  const int first = 1 - MAX (low->first + low->count, high->first + high->count);
  const int last = -MIN (low->first, high->first);
  OdlTaps taps = { 0 };

  for (int k = first; k <= last; k++) {
    const double value = tap_at ((k + parity) % 2 == 0 ? low : high, -k);
    if (value == 0 && taps.count == 0)
      continue;
    if (taps.count == 0)
      taps.first = k;
    g_assert (k - taps.first < ODL_WAVELET_MAX_TAPS);
    taps.value[k - taps.first] = value;
    if (value != 0)
      taps.count = k - taps.first + 1;
  }
  return taps;
}

// Stationary synthesis filter of one band: half the sum of the taps of both polyphase
// components on that band.
static OdlTaps
stationary (const OdlWavelet *wavelet, int band)
{
  const OdlTaps *filters[2] = { &wavelet->synthesis_even, &wavelet->synthesis_odd };
  const int first = MIN (filters[0]->first, filters[1]->first);
  const int end = MAX (filters[0]->first + filters[0]->count,
                       filters[1]->first + filters[1]->count);
  OdlTaps taps = { 0 };

  for (int k = first; k < end; k++) {
    const double value = tap_at (filters[(k + band) & 1], k) / 2;
    if (value != 0 && taps.count == 0)
      taps.first = k;
    if (value == 0)
      continue;
    g_assert (k - taps.first < ODL_WAVELET_MAX_TAPS);
    taps.count = k - taps.first + 1;
    taps.value[taps.count - 1] = value;
  }
  return taps;
}

static double
norm_of (const OdlTaps *taps)
{
  double sum = 0;

  for (int i = 0; i < taps->count; i++)
    sum += taps->value[i] * taps->value[i];
  return sqrt (sum);
}

static bool
is_symmetric (const double *values, int count)
{
  for (int i = 0; i < count / 2; i++)
    if (values[i] != values[count - 1 - i])
      return false;
  return count % 2 == 1;
}

// Borders that allow perfect reconstruction. Whole-sample folding suits filters
// symmetric about a sample; the periodic border suits all; zeros suit two-tap filters,
// which do not reach beyond their pair. (bior1.x, one lifting step away from Haar, would
// also reconstruct with zeros but darkens the edges.)
static unsigned
borders_of (const Row *row)
{
  if (is_symmetric (row->analysis, row->n_analysis))
    return 1u << ODL_BORDER_WHOLE_SAMPLE
           | (row->reversible ? 0 : 1u << ODL_BORDER_PERIODIC);
  if (row->n_analysis == 2 && row->n_synthesis == 2)
    return 1u << ODL_BORDER_PERIODIC | 1u << ODL_BORDER_ZERO;
  return 1u << ODL_BORDER_PERIODIC;
}

static void
derive (const Row *row, OdlWavelet *wavelet)
{
  const OdlTaps synthesis_low = low_pass (row->synthesis, row->n_synthesis, 2);

  wavelet->name = row->name;
  wavelet->label = row->label;
  wavelet->family = row->family;
  wavelet->aliases = row->aliases != NULL ? row->aliases : no_aliases;
  wavelet->lifting = row->lifting;
  wavelet->reversible = row->reversible;
  wavelet->vanishing_moments = row->vanishing_moments;
  wavelet->analysis_low = low_pass (row->analysis, row->n_analysis, 1);
  wavelet->analysis_high = high_pass (&synthesis_low);

  const OdlTaps synthesis_high = high_pass (&wavelet->analysis_low);
  wavelet->synthesis_even = interleave (&synthesis_low, &synthesis_high, 0);
  wavelet->synthesis_odd = interleave (&synthesis_low, &synthesis_high, 1);
  wavelet->stationary_low = stationary (wavelet, 0);
  wavelet->stationary_high = stationary (wavelet, 1);
  wavelet->borders = borders_of (row);
  while ((wavelet->borders & 1u << wavelet->border) == 0)
    wavelet->border++;
  wavelet->l2_low = norm_of (&wavelet->analysis_low);
  wavelet->l2_high = norm_of (&wavelet->analysis_high);
}

// Built once; immutable for the life of the program.
static const OdlWavelet *
all_wavelets (void)
{
  static gsize made = 0;

  if (g_once_init_enter (&made)) {
    OdlWavelet *wavelets = g_new0 (OdlWavelet, G_N_ELEMENTS (rows));
    for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
      derive (&rows[i], &wavelets[i]);
    g_once_init_leave (&made, (gsize) wavelets);
  }
  return (const OdlWavelet *) made;
}

int
odl_taps_reach (const OdlTaps *taps)
{
  return MAX (abs (taps->first), abs (taps->first + taps->count - 1));
}

size_t
odl_wavelet_count (void)
{
  return G_N_ELEMENTS (rows);
}

const OdlWavelet *
odl_wavelet_at (size_t index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (rows), NULL);
  return &all_wavelets ()[index];
}

const OdlWavelet *
odl_wavelet_find (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const OdlWavelet *wavelet = odl_wavelet_at (i);
    if (g_ascii_strcasecmp (wavelet->name, name) == 0)
      return wavelet;
    for (const char *const *alias = wavelet->aliases; *alias != NULL; alias++)
      if (g_ascii_strcasecmp (*alias, name) == 0)
        return wavelet;
  }
  return NULL;
}

// Compares names ignoring case and punctuation: "bior44", "CDF 9/7" and "db-4" match.
static bool
sounds_like (const char *a, const char *b)
{
  for (;; a++, b++) {
    while (*a != '\0' && !g_ascii_isalnum (*a))
      a++;
    while (*b != '\0' && !g_ascii_isalnum (*b))
      b++;
    if (g_ascii_tolower (*a) != g_ascii_tolower (*b))
      return false;
    if (*a == '\0')
      return true;
  }
}

// The similar name or alias; NULL if there is none.
static const char *
guess (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const OdlWavelet *wavelet = odl_wavelet_at (i);
    if (sounds_like (wavelet->name, name) || sounds_like (wavelet->label, name))
      return wavelet->name;
    for (const char *const *alias = wavelet->aliases; *alias != NULL; alias++)
      if (sounds_like (*alias, name))
        return *alias;
  }
  return NULL;
}

char *
odl_wavelet_unknown (const char *name)
{
  const char *meant = guess (name);
  g_autoptr (GString) known = g_string_new (NULL);

  if (meant != NULL)
    return g_strdup_printf (_ ("“%s” is not a wavelet; did you mean “%s”?"), name, meant);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    g_string_append_printf (known, "%s%s", i == 0 ? "" : ", ", rows[i].name);
  return g_strdup_printf (_ ("“%s” is not a wavelet; choose one of: %s"), name,
                          known->str);
}

double
odl_wavelet_round (double x)
{
  return copysign (floor (fabs (x) + ODL_WAVELET_ROUND), x);
}
