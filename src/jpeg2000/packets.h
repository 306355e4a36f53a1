// SPDX-License-Identifier: MIT
// Tier 2: the packets of a tile (ISO/IEC 15444-1, annex B.9, B.10).
#pragma once

#include "jpeg2000/tile.h"

// Appends them in the order of resolutions, then components.
void odl_j2k_packets_write (const OdlJ2kTile *tile, GByteArray *out);

// How many bytes they would take.
gsize odl_j2k_packets_size (const OdlJ2kTile *tile);
