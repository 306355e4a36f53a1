// SPDX-License-Identifier: MIT
// The three coding passes over the bit planes of a block (ISO/IEC 15444-1, D.3), which
// write their decisions down as symbols for the MQ coder.
//
// Samples are coded in stripes of four rows, column by column. One word holds what a
// column of a stripe has to know: whether its four samples, the one above, the one below
// and all of their neighbours are significant, and more of its own.
#pragma once

#include "jpeg2000/block.h"

#define ODL_J2K_STRIPE 4
#define ODL_J2K_FLAG_STRIDE (ODL_J2K_BLOCK_SIDE + 2)
#define ODL_J2K_FLAG_ROWS (ODL_J2K_BLOCK_SIDE / ODL_J2K_STRIPE + 2)

// A sample may take a zero symbol and a sign, a column a run of three besides.
#define ODL_J2K_MOST_SYMBOLS \
  (ODL_J2K_BLOCK_SIDE * ODL_J2K_BLOCK_SIDE * 11 / 4 + ODL_J2K_STRIPE)

typedef struct {
  // 4 samples of a column side by side, then the next column; stripe by stripe.
  guint32 samples[ODL_J2K_BLOCK_SIDE * ODL_J2K_BLOCK_SIDE];
  guint64 flags[ODL_J2K_FLAG_ROWS * ODL_J2K_FLAG_STRIDE];
  int width, height;
  OdlJ2kBandKind band;
} OdlJ2kPlanes;

typedef struct {
  gsize symbols; // written
  gint64 saved; // squared error, in units of the plane's step squared / ODL_J2K_UNIT
} OdlJ2kPassResult;

#define ODL_J2K_UNIT 4096

typedef enum {
  ODL_J2K_SIGNIFICANCE,
  ODL_J2K_REFINEMENT,
  ODL_J2K_CLEANUP,
} OdlJ2kPassKind;

// Bit `plane` of the samples. `measured`: what the pass saves, too; bits below the plane
// then are at least ODL_J2K_FRACTION. `symbols` has room for ODL_J2K_MOST_SYMBOLS.
OdlJ2kPassResult odl_j2k_pass_run (OdlJ2kPlanes *planes,
                                   OdlJ2kPassKind kind,
                                   int plane,
                                   bool measured,
                                   guint8 *symbols);
