// SPDX-License-Identifier: MIT
#include "wavelet/dual_tree.h"

#include <glib.h>
#include <math.h>

#define Q_TAPS 14

// near_sym_b (N. Kingsbury, "Image processing with complex wavelets", Philosophical
// Transactions of the Royal Society A 357, 1999): the symmetric low-pass filters of
// analysis and synthesis, from their ends to the middle.
static const double near_analysis[]
    = { -0.0017578125, 0, 0.022265625, -0.046875, -0.0482421875, 0.296875, 0.55546875 };
static const double near_synthesis[] = { 7.062639508928571e-05, 0,
                                         -0.001341901506696428, -0.001883370535714286,
                                         0.007156808035714285,  0.02385602678571428,
                                         -0.05564313616071428,  -0.05168805803571428,
                                         0.2997576032366072,    0.5594308035714286 };

// qshift_b (Kingsbury 2001): low-pass filter of tree a; tree b has it reversed.
static const double shift_low[Q_TAPS]
    = { 0.003253142763653182,  -0.00388321199915849, 0.03466034684485349,
        -0.03887280126882779,  -0.1172038876991153,  0.275295384668882,
        0.7561456438925225,    0.5688104207121227,   0.011866092033797,
        -0.1067118046866654,   0.0238253847949203,   0.01702522388155399,
        -0.005439475937274115, -0.004556895628475491 };

// ---- filters -------------------------------------------------------------------------

typedef struct {
  OdlDualFilter analysis[2][2]; // of level 1 and of the others; low and high
  OdlDualFilter synthesis[2][2];
} Filters;

// Of level 1, with the DC gain 1 or, modulated, the Nyquist gain `gain`.
static OdlDualFilter
near_filter (const double *half, int count, bool modulated, double gain)
{
  OdlDualFilter filter = { .phases = 1, .step = 1, .spacing = 1 };
  OdlTaps *taps = &filter.taps[0];

  taps->first = 1 - count;
  taps->count = 2 * count - 1;
  for (int k = 0; k < taps->count; k++)
    taps->value[k] = gain * half[MIN (k, taps->count - 1 - k)]
                     * (modulated && (k + count) % 2 == 0 ? -1 : 1);
  return filter;
}

// Of the other levels. Low: tree a filters the even samples and writes the even ones,
// tree b the odd ones. High: the other way round.
static OdlDualFilter
shift_analysis (bool high, double gain)
{
  OdlDualFilter filter = { .phases = 2, .step = 4, .spacing = 2 };

  for (int r = 0; r < 2; r++) {
    const bool odd = (r == 1) != high;
    OdlTaps *taps = &filter.taps[r];
    taps->first = odd ? -11 : -12;
    taps->count = Q_TAPS;
    for (int k = 0; k < Q_TAPS; k++) {
      const double low = shift_low[odd ? Q_TAPS - 1 - k : k];
      const double other = shift_low[odd ? k : Q_TAPS - 1 - k];
      taps->value[k] = gain * (!high ? low : (k + odd) % 2 == 0 ? other : -other);
    }
  }
  return filter;
}

// Either tree is orthonormal: synthesis is the transposed analysis.
static OdlDualFilter
transposed (const OdlDualFilter *analysis, double gain)
{
  OdlDualFilter filter = { .phases = 4, .step = 2, .spacing = 2 };

  for (int r = 0; r < 4; r++)
    for (int s = 0; s < 2; s++) {
      const OdlTaps *from = &analysis->taps[s];
      if ((r - from->first) % 2 != 0)
        continue;
      // x[4 i + r] += from->value[k] · y[2 n + s], where 4 n + from->first + 2 k = 4 i +
      // r.
      const int shift = (r - from->first) / 2; // k = shift + 2 (i − n)
      const int last = Q_TAPS - 2 + shift % 2;
      OdlTaps *taps = &filter.taps[r];
      taps->first = shift - last + s;
      taps->count = Q_TAPS / 2;
      for (int k = 0; k < taps->count; k++)
        taps->value[k] = gain * from->value[last - 2 * k];
    }
  return filter;
}

// Built once; immutable for the life of the program.
static const Filters *
all_filters (void)
{
  static gsize made = 0;

  if (g_once_init_enter (&made)) {
    const OdlDualFilter low = shift_analysis (false, 1), high = shift_analysis (true, 1);
    const int n_analysis = G_N_ELEMENTS (near_analysis);
    const int n_synthesis = G_N_ELEMENTS (near_synthesis);
    Filters *filters = g_new (Filters, 1);
    *filters = (Filters){
      .analysis
      = { { near_filter (near_analysis, n_analysis, false, 1),
            near_filter (near_synthesis, n_synthesis, true, 2) },
          { shift_analysis (false, M_SQRT1_2), shift_analysis (true, M_SQRT2) } },
      .synthesis = { { near_filter (near_synthesis, n_synthesis, false, 1),
                       near_filter (near_analysis, n_analysis, true, 0.5) },
                     { transposed (&low, M_SQRT2), transposed (&high, M_SQRT1_2) } },
    };
    g_once_init_leave (&made, (gsize) filters);
  }
  return (const Filters *) made;
}

const OdlDualFilter *
odl_dual_filter (int level, int band, bool inverse)
{
  g_return_val_if_fail (level >= 1 && (band == 0 || band == 1), NULL);

  const Filters *filters = all_filters ();
  return inverse ? &filters->synthesis[level > 1][band]
                 : &filters->analysis[level > 1][band];
}

// ---- sizes and borders ---------------------------------------------------------------

int
odl_dual_before (int n, int level)
{
  return level > 1 && n % 4 != 0;
}

// With what is put before and behind it.
static int
extended (int n, int level)
{
  return level == 1 ? n + n % 2 : n + 2 * odl_dual_before (n, level);
}

int
odl_dual_size (int n, int level)
{
  for (int l = 1; l <= level; l++)
    n = extended (n, l) / (l == 1 ? 1 : 2);
  return n;
}

int
odl_dual_index (int n, int level, int at)
{
  const int before = odl_dual_before (n, level), whole = extended (n, level);
  int folded = (at + before) % (2 * whole);

  if (folded < 0)
    folded += 2 * whole;
  if (folded >= whole)
    folded = 2 * whole - 1 - folded;
  return CLAMP (folded - before, 0, n - 1);
}
