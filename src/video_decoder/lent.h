// SPDX-License-Identifier: MIT
// The parent's memory, into which frames are written.
#pragma once

#include "image/pool.h"
#include "video_decoder/protocol.h"

typedef struct _OdlVideoLent OdlVideoLent;

OdlVideoLent *odl_video_lent_new (void);

// Unmaps the chunks that an order recalls, and maps the block that it lends. Takes
// ownership of `fd` (−1: none). False: the order is invalid.
bool odl_video_lent_take_order (OdlVideoLent *lent, const OdlVideoOrder *order, int fd);

// A pool that lends the current block once. Returns a reference.
OdlImagePool *odl_video_lent_pool (OdlVideoLent *lent);

// Bytes that `image` needs in a block.
uint64_t odl_video_lent_size (const OdlImage *image);

// Copies `image` into the current block, unless it is there already, and describes it
// in `shape`. False: the block is too small.
bool odl_video_lent_put (OdlVideoLent *lent, const OdlImage *image, OdlVideoShape *shape);

// Copies `bytes` into the current block. False: it is too small.
bool odl_video_lent_write (OdlVideoLent *lent, const void *data, size_t bytes);
