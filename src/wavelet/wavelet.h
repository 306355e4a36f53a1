// SPDX-License-Identifier: MIT
// OdlWavelet: wavelets as data. CPU and GPU read the same numbers.
#pragma once

#include <stddef.h>

#define ODL_WAVELET_MAX_TAPS 16

// Filter taps: value[i] multiplies the sample at offset first + i from the centre.
typedef struct {
  int first;
  int count;
  double value[ODL_WAVELET_MAX_TAPS];
} OdlTaps;

typedef enum {
  ODL_BORDER_WHOLE_SAMPLE, // … 2 1 | 0 1 2 …: mirrored about the edge sample
} OdlBorder;

#define ODL_WAVELET_MAX_STEPS 4

// The same transform in lifting steps (Daubechies and Sweldens 1998): with s[n] = x[2n]
// and d[n] = x[2n + 1], for even i d[n] += step[i] (s[n] + s[n + 1]), for odd i
// s[n] += step[i] (d[n − 1] + d[n]); then low = low_gain s, high = high_gain d.
typedef struct {
  int count; // 2 or 4; 0: this wavelet has no such form
  double step[ODL_WAVELET_MAX_STEPS];
  double low_gain;
  double high_gain;
} OdlLifting;

// low[n] = Σ analysis_low[k] x[2n + k], high[n] = Σ analysis_high[k] x[2n + 1 + k].
// Normalisation: the analysis low-pass has DC gain 1, the high-pass Nyquist gain 2.
// Synthesis works on the interleaved signal z (z[2n] = low[n], z[2n + 1] = high[n]):
// x[n] = Σ synthesis_even[k] z[n + k] for even n, synthesis_odd[k] for odd n.
typedef struct {
  const char *name; // canonical: "cdf97"
  const char *label; // for people: "CDF 9/7"
  const char *const *aliases; // NULL-terminated
  OdlTaps analysis_low;
  OdlTaps analysis_high;
  OdlTaps synthesis_even;
  OdlTaps synthesis_odd;
  OdlLifting lifting;
  OdlBorder border;
  int vanishing_moments; // of the analysis high-pass
  double l2_low; // L2 norms of the analysis filters: the gain of white noise
  double l2_high;
} OdlWavelet;

// The table, in the order in which people see it. Any thread.
size_t odl_wavelet_count (void);
const OdlWavelet *odl_wavelet_at (size_t index);

// By name or alias, ignoring case; NULL when unknown.
const OdlWavelet *odl_wavelet_find (const char *name);
