// SPDX-License-Identifier: MIT
// Tier 1: the coder of one block of quantised coefficients (ISO/IEC 15444-1, annex D).
#pragma once

#include "jpeg2000/contexts.h"

#define ODL_J2K_BLOCK_SIDE 64 // at most
#define ODL_J2K_AT_A_TIME 2 // blocks, which take less time together
#define ODL_J2K_MOST_PASSES 94 // 3 for each bit plane but the first

// What a byte saves, in squares of the plane's step. Of two coefficients that are as
// likely as not, one becomes significant, which takes two bits and its sign and saves 2.3
// on average: 6.2, which no block of a picture reaches. A refinement saves 1/4 with a
// bit, and coefficients without significant neighbours take more bits than others.
#define ODL_J2K_MOST_SAVED 4.5
#define ODL_J2K_MOST_SAVED_LATER 3.0 // after the first pass of a plane

// Bits of a magnitude below the quantiser's step, from which errors are measured.
#define ODL_J2K_FRACTION 6

// Samples hold their sign in the highest bit.
#define ODL_J2K_NEGATIVE_SAMPLE 0x80000000u

// From coefficients to magnitudes. `step` as in OdlJ2kBlockInput.
static inline float
odl_j2k_scale (double step)
{
  return step > 0 ? (float) ((1 << ODL_J2K_FRACTION) / step) : 1;
}

// Where coefficients come from. The picture is transposed: what lies one below the other
// in the band lies side by side in memory.
typedef struct {
  const void *coefficients; // of the first column and row: floats, or
  bool quantised; // words: sign and magnitude of coefficient × odl_j2k_scale
  gsize pitch; // of them, from a column to the next
  int width, height; // 1 … ODL_J2K_BLOCK_SIDE
  OdlJ2kBandKind band;
  double step; // of the quantiser; 0: coefficients are whole numbers
  double weight; // of the square of an error of one step, in the picture; 0: do not
                 // measure, and keep all
  double least; // squared error that a byte must save; planes in which none can are left
                // out. 0: none is
} OdlJ2kBlockInput;

// What is left of a block after a pass.
typedef struct {
  guint32 bytes; // so many of the codeword make the passes up to here
  float slope; // squared error saved by a byte since the last pass where it is worth
               // stopping; 0: it is not worth stopping here
  double error; // squared error that is left
} OdlJ2kPass;

typedef struct {
  guint8 *bytes;
  OdlJ2kPass *passes; // NULL: not measured
  gsize n_bytes;
  double energy; // squared error without any pass
  int n_passes;
  int n_planes; // of bits, the highest of which has a 1
} OdlJ2kBlock;

typedef struct _OdlJ2kCoder OdlJ2kCoder;

// Work memory; one for each thread.
OdlJ2kCoder *odl_j2k_coder_new (void);
void odl_j2k_coder_free (OdlJ2kCoder *coder);

// Fills in `n` blocks, at most ODL_J2K_AT_A_TIME, which are to be cleared.
void odl_j2k_blocks_code (OdlJ2kCoder *coder,
                          const OdlJ2kBlockInput *inputs,
                          OdlJ2kBlock *const *blocks,
                          int n);
void odl_j2k_block_clear (OdlJ2kBlock *block);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlJ2kCoder, odl_j2k_coder_free)
