// SPDX-License-Identifier: MIT
// What a wavelet looks like: its scaling function and wavelet, and what its filters let
// through. Any thread.
#pragma once

#include <glib.h>

#include "wavelet/wavelet.h"

// Of the analysis, which coefficients are scalar products with, or of the synthesis,
// which the picture is a sum of; of orthogonal wavelets both are the same.
typedef enum {
  ODL_WAVELET_ANALYSIS,
  ODL_WAVELET_SYNTHESIS,
} OdlWaveletSide;

// A function as samples at equal distances, which are 0 beyond both ends. Places are in
// samples of the finer level, the coefficient at 0; values have the norm that makes
// orthogonal wavelets orthonormal.
typedef struct {
  int n;
  double first, step;
  double *values;
} OdlWaveletFunction;

// φ (`is_wavelet` false) or ψ by the cascade algorithm, `levels` (1 … 12) times: 2^levels
// samples a unit. I. Daubechies, "Ten Lectures on Wavelets" (1992), section 6.5. Some
// filters of analysis have no function that this comes near to (bior3.1); what it makes
// of these grows with `levels`. Cost: taps · 2^levels. To be cleared.
OdlWaveletFunction odl_wavelet_function (const OdlWavelet *wavelet,
                                         OdlWaveletSide side,
                                         bool is_wavelet,
                                         int levels);
void odl_wavelet_function_clear (OdlWaveletFunction *function);

// Gains of the low- and the high-pass filter at the frequencies i / (2 (n − 1)) cycles a
// sample, i = 0 … n − 1, by the Fourier transform of their taps: each so that an
// orthogonal one has 1 where it lets all through. n is 2 or more.
void odl_wavelet_response (const OdlWavelet *wavelet,
                           OdlWaveletSide side,
                           int n,
                           double *low,
                           double *high);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlWaveletFunction, odl_wavelet_function_clear)
