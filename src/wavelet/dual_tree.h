// SPDX-License-Identifier: MIT
// The dual-tree complex wavelet transform: filters, sizes and borders. N. Kingsbury,
// "Complex wavelets for shift invariant analysis and filtering of signals", Applied and
// Computational Harmonic Analysis 10 (2001), with the filters near_sym_b at level 1 and
// qshift_b beyond.
//
// Both trees of a line lie interleaved, so that a level is a line, too. Level 1 keeps all
// samples; the even and the odd ones are two decimated transforms, the trees. At the
// other levels either tree is filtered by itself and halved. A level of a picture has
// four pictures of one size, LL, HL, LH and HH, and each 2 × 2 block a b / c d of a
// detail band holds two complex coefficients of opposite orientation:
//   z1 = (a − d + j (b + c)) / √2,  z2 = (a + d + j (b − c)) / √2
// HL has those of ±75°, LH ±15° and HH ±45°.
//
// Gains are those of the other transforms: low-pass filters have the DC gain 1. To those
// of Kingsbury's text, LL of level l is 2^(1 − l), HL and LH 2^(2 − l) and HH 2^(3 − l).
#pragma once

#include <stdbool.h>

#include "wavelet/wavelet.h"

#define ODL_DUAL_PHASES 4

// Analysis, or the share of one band in synthesis. There are `phases` outputs for `step`
// inputs: output number phases · i + r is
//   Σ taps[r].value[k] · x[step · i + taps[r].first + k · spacing]
// of a line x that is extended as odl_dual_index says.
typedef struct {
  int phases;
  int step;
  int spacing;
  OdlTaps taps[ODL_DUAL_PHASES];
} OdlDualFilter;

// Of level 1 or of any other. `band`: 0 low, 1 high. Any thread.
const OdlDualFilter *odl_dual_filter (int level, int band, bool inverse);

// Length of a line of n samples at `level`; level 0 is the line itself. Lines of odd
// length get one sample more, and those that are halved have a multiple of 4.
int odl_dual_size (int n, int level);

// Samples put before a line of n samples (n at level − 1) for the analysis of `level`,
// each equal to the first one: 0 or 1. As many outputs of its synthesis are dropped.
int odl_dual_before (int n, int level);

// Index of the sample of such a line that stands at `at`, where its own ones are
// 0 … n − 1: beyond what is put before and behind it, the line is mirrored, its ends
// repeated. For synthesis `level` is 0.
int odl_dual_index (int n, int level, int at);

// Index along a line of the complex coefficient of level + 1 that stands where number
// `index` of `level` does; a line of `level` has n samples, n / 2 coefficients.
static inline int
odl_dual_parent (int n, int level, int index)
{
  return (2 * index + odl_dual_before (n, level + 1) + 1) / 4;
}
