// SPDX-License-Identifier: MIT
// The parent's memory that frames are written to.
#pragma once

#include "image/pool.h"
#include "video_decoder/protocol.h"

G_BEGIN_DECLS

typedef struct _OdlVideoLent OdlVideoLent;

OdlVideoLent *odl_video_lent_new (void);

// Gives up what an order recalls, and takes the block that it lends. `fd`, −1 for none,
// becomes the callee's. False: it makes no sense.
bool odl_video_lent_take_order (OdlVideoLent *lent, const OdlVideoOrder *order, int fd);

// A pool that lends the current block once. A reference.
OdlImagePool *odl_video_lent_pool (OdlVideoLent *lent);

// Bytes of a block for `image`.
uint64_t odl_video_lent_size (const OdlImage *image);

// Puts `image` into the current block, unless it was made there, and says in `shape` what
// it is and where. False: the block is too small.
bool odl_video_lent_put (OdlVideoLent *lent, const OdlImage *image, OdlVideoShape *shape);

G_END_DECLS
