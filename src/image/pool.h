// SPDX-License-Identifier: MIT
// OdlImagePool: memory for images that their consumer can use without copying, such as
// mapped GPU buffers. Blocks are lent without waiting; a source that gets none uses
// ordinary memory.
#pragma once

#include "image/image.h"

typedef struct _OdlImagePool OdlImagePool;

// A lent block. First member of the pool's own block type.
typedef struct {
  OdlImagePool *pool;
  void *data; // aligned to 64 bytes
  size_t size;
} OdlImageBlock;

typedef struct {
  // Lends a block of at least `size` bytes, uninitialised; NULL if none is free. Does
  // not wait. Any thread.
  OdlImageBlock *(*take) (OdlImagePool *pool, size_t size);
  // Returns a block. Any thread; also after the pool's owner has closed it: lent
  // blocks stay valid until they are returned.
  void (*give) (OdlImageBlock *block);
  void (*free) (OdlImagePool *pool);
} OdlImagePoolClass;

// First member of every pool type.
struct _OdlImagePool {
  const OdlImagePoolClass *klass;
  gatomicrefcount ref_count;
};

OdlImagePool *odl_image_pool_ref (OdlImagePool *pool);
void odl_image_pool_unref (OdlImagePool *pool);

// Lends a block, which holds a reference to the pool; NULL if none is free or `pool`
// is NULL.
OdlImageBlock *odl_image_pool_take (OdlImagePool *pool, size_t size);
void odl_image_block_give (OdlImageBlock *block);

// Wraps samples in `block`, described by `info`; the block is returned with the last
// reference. On failure (as odl_image_wrap) the caller keeps the block.
OdlImage *odl_image_wrap_block (const OdlImageInfo *info,
                                OdlImageBlock *block,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

// odl_image_alloc in a block of `pool` (may be NULL), if one is free; then the samples
// are not zeroed. Write each sample once and do not read: the memory may be
// write-combined.
OdlImage *odl_image_alloc_in (OdlImagePool *pool,
                              const OdlImageInfo *info,
                              void **samples,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

// The block that holds the samples of `image`; NULL for ordinary memory. Valid as long
// as `image`.
const OdlImageBlock *odl_image_block (const OdlImage *image);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlImagePool, odl_image_pool_unref)
