// SPDX-License-Identifier: MIT
// The markers of a codestream (ISO/IEC 15444-1, annex A) and the boxes of a JP2 file
// (annex I).
#pragma once

#include "jpeg2000/tile.h"

typedef struct {
  bool is_signed;
  bool colours; // the first three components are red, green and blue, transformed
  bool boxes; // a JP2 file, not the bare codestream
  double spacing_mm[2]; // between pixels along x and y; 0: not known
  const char *const *comments; // NULL-terminated, ISO 8859-1; may be NULL
} OdlJ2kFileInfo;

// Appends the whole file with the passes that are kept.
void
odl_j2k_file_write (const OdlJ2kTile *tile, const OdlJ2kFileInfo *info, GByteArray *out);

// Bytes of such a file without its packets.
gsize odl_j2k_file_overhead (const OdlJ2kTile *tile, const OdlJ2kFileInfo *info);
