// SPDX-License-Identifier: MIT
#include "image/pool.h"

OdlImagePool *
odl_image_pool_ref (OdlImagePool *pool)
{
  g_return_val_if_fail (pool != NULL, NULL);
  g_atomic_ref_count_inc (&pool->ref_count);
  return pool;
}

void
odl_image_pool_unref (OdlImagePool *pool)
{
  if (pool != NULL && g_atomic_ref_count_dec (&pool->ref_count))
    pool->klass->free (pool);
}

OdlImageBlock *
odl_image_pool_take (OdlImagePool *pool, size_t size)
{
  OdlImageBlock *block = pool != NULL ? pool->klass->take (pool, size) : NULL;

  if (block != NULL)
    odl_image_pool_ref (pool);
  return block;
}

void
odl_image_block_give (OdlImageBlock *block)
{
  g_return_if_fail (block != NULL);

  OdlImagePool *pool = block->pool;
  pool->klass->give (block);
  odl_image_pool_unref (pool);
}
