// SPDX-License-Identifier: MIT
// Which passes go into a file: where to stop in each block so that a file of some size
// has the least error (D. Taubman, "High performance scalable image compression with
// EBCOT", IEEE Transactions on Image Processing 9, 2000, section III). All blocks stop
// where a byte saves as much as `slope`.
#pragma once

#include "jpeg2000/tile.h"

// Everything.
void odl_j2k_rate_keep_all (OdlJ2kTile *tile);

// At most `bytes` in all packets; nothing where not even the headers fit. Returns the
// slope.
double odl_j2k_rate_keep_bytes (OdlJ2kTile *tile, double bytes);

// As few bytes as leave a squared error of at most `error` in the whole picture;
// everything where that is not enough. Returns the slope.
double odl_j2k_rate_keep_error (OdlJ2kTile *tile, double error);

// Roughly what the two would return, from some of the blocks: each stands for `shares`
// blocks, 0 for one that is not coded yet. `bytes` without headers.
double
odl_j2k_rate_guess_bytes (const OdlJ2kTile *tile, const float *shares, double bytes);
double
odl_j2k_rate_guess_error (const OdlJ2kTile *tile, const float *shares, double error);
