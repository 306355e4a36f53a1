// SPDX-License-Identifier: MIT
// OdlImagePool: memory that an image can be made in so that whoever reads it next need
// not copy it, such as buffers that a GPU reads. It is lent block by block and never
// waited for: a source that gets none takes ordinary memory.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

typedef struct _OdlImagePool OdlImagePool;

// A piece of memory, lent until it is given back. First member of the pool's own blocks.
typedef struct {
  OdlImagePool *pool;
  void *data; // aligned to 64 bytes
  size_t size;
} OdlImageBlock;

typedef struct {
  // A block of at least `size` bytes, content undefined; NULL when none is free, at once.
  // Any thread.
  OdlImageBlock *(*take) (OdlImagePool *pool, size_t size);
  // Any thread; also after the owner of the pool has closed it: the memory stays valid
  // until then.
  void (*give) (OdlImageBlock *block);
  void (*free) (OdlImagePool *pool);
} OdlImagePoolClass;

// First member of every pool.
struct _OdlImagePool {
  const OdlImagePoolClass *klass;
  gatomicrefcount ref_count;
};

OdlImagePool *odl_image_pool_ref (OdlImagePool *pool);
void odl_image_pool_unref (OdlImagePool *pool);

// Lends a block, which keeps the pool; NULL when none is free or `pool` is NULL.
OdlImageBlock *odl_image_pool_take (OdlImagePool *pool, size_t size);
void odl_image_block_give (OdlImageBlock *block);

// An image whose planes, which `info` describes, lie in `block`: given back with the last
// reference. On failure, as of odl_image_wrap, the block stays with the caller.
OdlImage *odl_image_wrap_block (const OdlImageInfo *info,
                                OdlImageBlock *block,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

// As odl_image_alloc, but in a block of `pool` (may be NULL) if one is free, and then not
// zeroed. Write each sample once and do not read it: that may be slow in such memory.
OdlImage *odl_image_alloc_in (OdlImagePool *pool,
                              const OdlImageInfo *info,
                              void **samples,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

// The block that the samples of `image`, or of the image that it describes anew, lie in;
// NULL for ordinary memory. Valid as long as `image`.
const OdlImageBlock *odl_image_block (const OdlImage *image);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlImagePool, odl_image_pool_unref)

G_END_DECLS
