// SPDX-License-Identifier: MIT
// The tables of the engine gl-lookup: where the samples of a convolution lie, and which
// kernel weighs them. After Wong, Leung, Heng and Wang, Discrete Wavelet Transform on
// Consumer-Level Graphics Hardware, IEEE Transactions on Multimedia, 2007.
#pragma once

#include <stdbool.h>

#include "wavelet/wavelet.h"

// Two sets of taps about a common origin, which lies among them.
#define ODL_LOOKUP_MAX_TAPS (ODL_WAVELET_MAX_TAPS + 2)

// Which of a texel's kernels a sample is made with (α).
typedef enum {
  ODL_LOOKUP_LOW, // analysis: low-pass; synthesis: even samples
  ODL_LOOKUP_HIGH, // analysis: high-pass; synthesis: odd samples
  ODL_LOOKUP_ALONE, // passes one sample through
  ODL_LOOKUP_N_KERNELS,
} OdlLookupKernel;

typedef struct {
  const OdlWavelet *wavelet;
  OdlBorder border; // one of the wavelet's
  bool inverse;
  int length; // of the line at level 1
  int levels; // rows of the table; lines of one sample may be among them
} OdlLookupParams;

// One texel of a row, as the texture holds it.
typedef struct {
  float address; // R: of the sample at this place of the extended line; −1: zero
  float kernel; // G: α of the output sample at this place
  float base; // B: β, the place that its kernel is centred on, plus 0.5
  float unused; // A
} OdlLookupTexel;

// Output sample n of a line at level row + 1 is Σ kernels[k][α] s[R], with α and β of
// texel n + left, R of texel ⌊β⌋ + k, and s the line that is read: samples in analysis,
// low | high in synthesis. Of all texels of a row, `left` stand in front of the line and
// count − 1 − left behind it; the last rows' lines are shorter.
//
// Periodic and zero borders leave the last sample of an odd line alone: its β is such
// that the last tap, the only one of ODL_LOOKUP_ALONE, reads the last texel of the row,
// which the shorter extended line does not use. A line of one sample has only this one.
typedef struct {
  int width; // l + K₀ − 1
  int rows;
  int left;
  int count; // K₀
  float kernels[ODL_LOOKUP_MAX_TAPS][ODL_LOOKUP_N_KERNELS];
  OdlLookupTexel *texels; // rows × width
} OdlLookupTable;

// Any thread.
OdlLookupTable *odl_lookup_table_new (const OdlLookupParams *params);
void odl_lookup_table_free (OdlLookupTable *table);
