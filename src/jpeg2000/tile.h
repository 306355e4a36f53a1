// SPDX-License-Identifier: MIT
// The only tile of a picture: the coded blocks of all components.
#pragma once

#include "jpeg2000/layout.h"

typedef struct {
  OdlJ2kLayout layout; // of each component
  int components;
  double *weights; // squared error of the picture's channels of one component's
  OdlJ2kBlock *blocks; // component by component
  int *kept; // how many passes of each block go into the file
} OdlJ2kTile;

static inline gsize
odl_j2k_tile_blocks (const OdlJ2kTile *tile)
{
  return tile->layout.n_blocks * (gsize) tile->components;
}

// Bytes of the first `passes` passes.
static inline gsize
odl_j2k_block_bytes (const OdlJ2kBlock *block, int passes)
{
  return passes == 0                 ? 0
         : passes == block->n_passes ? block->n_bytes
                                     : block->passes[passes - 1].bytes;
}
