// SPDX-License-Identifier: MIT
// OdlWavelet: wavelets as data. CPU and GPU read the same numbers.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define ODL_WAVELET_MAX_TAPS 40

// Filter taps: value[i] multiplies the sample at offset first + i from the centre.
typedef struct {
  int first;
  int count;
  double value[ODL_WAVELET_MAX_TAPS];
} OdlTaps;

// What stands beyond the ends of a line of n samples. PERIODIC and ZERO need an even
// length: of an odd line longer than one, the last sample is set aside and becomes the
// last low coefficient unchanged, as the only sample of a line of one does.
typedef enum {
  ODL_BORDER_WHOLE_SAMPLE, // … 2 1 | 0 1 2 …: mirrored about the edge sample
  ODL_BORDER_PERIODIC, // … n−2 n−1 | 0 1 …
  ODL_BORDER_ZERO, // … 0 0 | x[0] x[1] …
  ODL_N_BORDERS
} OdlBorder;

// Groups in which people choose.
typedef enum {
  ODL_WAVELET_CDF,
  ODL_WAVELET_DAUBECHIES,
  ODL_WAVELET_SYMLETS,
  ODL_WAVELET_COIFLETS,
  ODL_WAVELET_BIORTHOGONAL,
  ODL_WAVELET_REVERSE, // biorthogonal, analysis and synthesis exchanged
  ODL_WAVELET_N_FAMILIES
} OdlWaveletFamily;

extern const char *const odl_wavelet_family_labels[ODL_WAVELET_N_FAMILIES]; // N_ ()

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
// x[n] = Σ synthesis_even[k] z[n + k] for even n, synthesis_odd[k] for odd n. Lengths are
// odd or even, `first` is anything.
//
// The stationary transform keeps both bands at every sample: low[n] = Σ analysis_low[k]
// x[n + k], high[n] = Σ analysis_high[k] x[n + k]. Its synthesis, x[n] = Σ
// stationary_low[k] low[n + k] + Σ stationary_high[k] high[n + k], is the mean of the two
// that take every second sample of each. At level l, k counts steps of 2^(l − 1) samples
// (G. Nason, B. Silverman, "The stationary wavelet transform and some statistical
// applications", Lecture Notes in Statistics 103, 1995).
//
// A reversible wavelet maps integers to integers: its two lifting steps are rounded, d −=
// ⌊(s + s') / 2⌋ and s += ⌊(d + d' + 2) / 4⌋ (JPEG 2000, ISO/IEC 15444-1, F.4.8.1), and
// the taps say what it does but for the rounding. Every step works on x / quantum, made
// whole by odl_wavelet_round, and stores its result times quantum.
typedef struct {
  const char *name; // canonical: "cdf97"
  const char *label; // for people: "CDF 9/7"
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
  unsigned borders; // those that reconstruct: bits 1u << ODL_BORDER_…
  OdlBorder border; // the preferred one of them
  int vanishing_moments; // of the analysis high-pass
  double l2_low; // L2 norms of the analysis filters: the gain of white noise
  double l2_high;
} OdlWavelet;

// To a whole number; halves go towards zero. They are common (0.1 of 255 is 25.5), so
// that "half" ends a little early: an engine in single precision decides as one in
// double.
#define ODL_WAVELET_ROUND 0.4777
double odl_wavelet_round (double x); // sign (x) ⌊|x| + ODL_WAVELET_ROUND⌋

// The farthest offset of the taps from their centre.
int odl_taps_reach (const OdlTaps *taps);

// The table, in the order in which people see it. Any thread.
size_t odl_wavelet_count (void);
const OdlWavelet *odl_wavelet_at (size_t index);

// By name or alias, ignoring case; NULL when unknown.
const OdlWavelet *odl_wavelet_find (const char *name);

// What to answer to a name that odl_wavelet_find does not know: a sentence (translated)
// with the name that was meant, or with all there are. Transfer full.
char *odl_wavelet_unknown (const char *name);
