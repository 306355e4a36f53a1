// SPDX-License-Identifier: MIT
// Where the bands of a picture lie, how they are quantised, and which blocks they have.
#pragma once

#include <stdbool.h>

#include "jpeg2000/block.h"
#include "wavelet/wavelet.h"

#define ODL_J2K_MOST_LEVELS 8 // magnitudes then fit 31 bits, with 16 bits of samples
#define ODL_J2K_MOST_BANDS (3 * ODL_J2K_MOST_LEVELS + 1)

typedef struct {
  OdlJ2kBandKind kind;
  int level; // of the transform, 1 the finest
  int x, y, width, height; // in the picture of all bands; may be empty
  double step; // of the quantiser; 0: whole numbers
  double weight; // squared error in the picture of a coefficient that is off by one
  int exponent, mantissa; // of the step, as files have it (E.1)
  int columns, rows; // of blocks
  gsize first_block; // row by row
} OdlJ2kBand;

typedef struct {
  int width, height;
  int levels;
  int bits; // of a sample
  int guard_bits;
  int n_bands; // LL, then HL, LH and HH from the coarsest level on
  OdlJ2kBand bands[ODL_J2K_MOST_BANDS];
  gsize n_blocks; // of one component
} OdlJ2kLayout;

// `step`: of a quantiser whose error all bands share in the picture; 0: reversible.
OdlJ2kLayout odl_j2k_layout (const OdlWavelet *wavelet,
                             int width,
                             int height,
                             int levels,
                             int bits,
                             double step);

// The bands of resolution 0 … levels: the first, and how many.
int odl_j2k_layout_first_band (int resolution);
int odl_j2k_layout_bands (int resolution);

// The band that holds block `i`; *x and *y are the block's place in the band.
const OdlJ2kBand *
odl_j2k_layout_find (const OdlJ2kLayout *layout, gsize i, int *x, int *y);

// Bit planes of a band: files count those of a block that are zero from there.
static inline int
odl_j2k_band_planes (const OdlJ2kLayout *layout, const OdlJ2kBand *band)
{
  return layout->guard_bits + band->exponent - 1;
}
