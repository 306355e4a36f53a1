// SPDX-License-Identifier: MIT
// The context tables of the block coder (ISO/IEC 15444-1, annex D.3).
#pragma once

#include <glib.h>
#include <stdbool.h>

// Bands by the axes along which they hold details.
typedef enum {
  ODL_J2K_LL,
  ODL_J2K_HL, // along x
  ODL_J2K_LH, // along y
  ODL_J2K_HH,
  ODL_J2K_N_BANDS,
} OdlJ2kBandKind;

// Whether the eight neighbours of a sample are significant, bit 3 r + c for row r and
// column c of the square about it; bit 4 is the sample itself and 0.
#define ODL_J2K_NEIGHBOURS 0x1EF

// Bits of the index of `sign`: whether the neighbours are significant, as in the square
// about the sample, and one bit to the right whether they are negative, which only
// significant ones are.
enum {
  ODL_J2K_ABOVE = 1 << 1,
  ODL_J2K_LEFT = 1 << 3,
  ODL_J2K_RIGHT = 1 << 5,
  ODL_J2K_BELOW = 1 << 7,
};

typedef struct {
  guint8 zero[ODL_J2K_N_BANDS][512]; // symbols of a 0, by the neighbours
  guint8 sign[256]; // symbols of a sign that is positive
} OdlJ2kContexts;

// Made once. Any thread.
const OdlJ2kContexts *odl_j2k_contexts (void);
