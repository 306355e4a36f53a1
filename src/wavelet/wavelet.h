// SPDX-License-Identifier: MIT
// OdlWavelet: the wavelet table. CPU and GPU use the same coefficients.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define ODL_WAVELET_MAX_TAPS 40

// Filter taps: value[i] weights the sample at offset first + i from the centre.
typedef struct {
  int first;
  int count;
  double value[ODL_WAVELET_MAX_TAPS];
} OdlTaps;

// Extension of a line of n samples beyond its ends. PERIODIC and ZERO need an even
// length: the last sample of an odd line is set aside and copied to the last low
// coefficient; a line of one sample likewise.
typedef enum {
  ODL_BORDER_WHOLE_SAMPLE, // … 2 1 | 0 1 2 …: mirrored about the edge sample
  ODL_BORDER_PERIODIC, // … n−2 n−1 | 0 1 …
  ODL_BORDER_ZERO, // … 0 0 | x[0] x[1] …
  ODL_N_BORDERS
} OdlBorder;

// Families, as offered to the user.
typedef enum {
  ODL_WAVELET_CDF,
  ODL_WAVELET_DAUBECHIES,
  ODL_WAVELET_SYMLETS,
  ODL_WAVELET_COIFLETS,
  ODL_WAVELET_BIORTHOGONAL,
  ODL_WAVELET_REVERSE, // biorthogonal with analysis and synthesis exchanged
  ODL_WAVELET_N_FAMILIES
} OdlWaveletFamily;

extern const char *const odl_wavelet_family_labels[ODL_WAVELET_N_FAMILIES]; // N_ ()

#define ODL_WAVELET_MAX_STEPS 4

// Factorisation into lifting steps (Daubechies and Sweldens 1998): with s[n] = x[2n] and
// d[n] = x[2n + 1], for even i d[n] += step[i] (s[n] + s[n + 1]), for odd i s[n] +=
// step[i] (d[n − 1] + d[n]); then low = low_gain s, high = high_gain d.
typedef struct {
  int count; // 2 or 4; 0: no lifting factorisation
  double step[ODL_WAVELET_MAX_STEPS];
  double low_gain;
  double high_gain;
} OdlLifting;

// Decimated transform: low[n] = Σ analysis_low[k] x[2n + k], high[n] = Σ
// analysis_high[k] x[2n + 1 + k]. Normalisation: DC gain 1 of the low-pass, Nyquist gain
// 2 of the high-pass. Synthesis filters the interleaved signal z (z[2n] = low[n], z[2n +
// 1] = high[n]): x[n] = Σ synthesis_even[k] z[n + k] for even n, synthesis_odd[k] for
// odd n. Tap counts and `first` are arbitrary.
//
// Stationary transform: low[n] = Σ analysis_low[k] x[n + k], high[n] = Σ
// analysis_high[k] x[n + k]. Its synthesis x[n] = Σ stationary_low[k] low[n + k] + Σ
// stationary_high[k] high[n + k] is the mean of the syntheses from the even and from the
// odd coefficients. At level l, offsets k are in units of 2^(l − 1) samples (G. Nason,
// B. Silverman, "The stationary wavelet transform and some statistical applications",
// Lecture Notes in Statistics 103, 1995).
//
// A reversible wavelet maps integers to integers by rounding its two lifting steps: d −=
// ⌊(s + s') / 2⌋ and s += ⌊(d + d' + 2) / 4⌋ (JPEG 2000, ISO/IEC 15444-1, F.4.8.1); its
// taps describe it without rounding. Every step computes with odl_wavelet_round (x /
// quantum) and stores its result times quantum.
typedef struct {
  const char *name; // canonical: "cdf97"
  const char *label; // displayed: "CDF 9/7"
  const char *const *aliases; // NULL-terminated
  OdlWaveletFamily family;
  OdlTaps analysis_low;
  OdlTaps analysis_high;
  OdlTaps synthesis_even;
  OdlTaps synthesis_odd;
  OdlTaps stationary_low; // synthesis of the stationary transform
  OdlTaps stationary_high;
  OdlLifting lifting;
  bool reversible;
  unsigned borders; // that allow perfect reconstruction: bits 1u << ODL_BORDER_…
  OdlBorder border; // the preferred one of them
  int vanishing_moments; // of the analysis high-pass
  double l2_low; // L2 norms of the analysis filters: gains for white noise
  double l2_high;
} OdlWavelet;

// Rounding to an integer, halves towards zero. Halves are common (0.1 of 255 is 25.5),
// so the limit is slightly below 0.5: single and double precision then decide alike.
#define ODL_WAVELET_ROUND 0.4777
double odl_wavelet_round (double x); // sign (x) ⌊|x| + ODL_WAVELET_ROUND⌋

// Largest absolute offset of a tap.
int odl_taps_reach (const OdlTaps *taps);

// The table, in display order. Any thread.
size_t odl_wavelet_count (void);
const OdlWavelet *odl_wavelet_at (size_t index);

// By name or alias, ignoring case; NULL when unknown.
const OdlWavelet *odl_wavelet_find (const char *name);

// Error message for an unknown name: suggests a similar name or lists all. Translated.
// Transfer full.
char *odl_wavelet_unknown (const char *name);
