// SPDX-License-Identifier: MIT
#include "image/memory_pool.h"

#include "base/memory.h"

// Being filled, waiting, being drawn, drawn before.
#define KEPT 4

typedef struct {
  OdlImagePool base;
  bool huge_pages;
  GMutex mutex; // guards what follows
  OdlImageBlock *kept[KEPT]; // free blocks
  int n_kept;
  size_t made;
} MemoryPool;

static void
free_block (OdlImageBlock *block)
{
  odl_aligned_free (block->data);
  g_free (block);
}

static OdlImageBlock *
make_block (MemoryPool *pool, size_t size)
{
  OdlImageBlock *block = g_new0 (OdlImageBlock, 1);

  block->pool = &pool->base;
  block->size = size;
  block->data = odl_aligned_alloc_unset (size, pool->huge_pages);
  if (block->data == NULL)
    g_clear_pointer (&block, g_free);
  return block;
}

// Free blocks of another size are released: the picture size has changed.
static OdlImageBlock *
memory_take (OdlImagePool *base, size_t size)
{
  MemoryPool *pool = (MemoryPool *) base;
  OdlImageBlock *found = NULL;

  g_mutex_lock (&pool->mutex);
  while (found == NULL && pool->n_kept > 0) {
    found = pool->kept[--pool->n_kept];
    if (found->size != size)
      g_clear_pointer (&found, free_block);
  }
  pool->made += found == NULL;
  g_mutex_unlock (&pool->mutex);
  return found != NULL ? found : make_block (pool, size);
}

static void
memory_give (OdlImageBlock *block)
{
  MemoryPool *pool = (MemoryPool *) block->pool;

  g_mutex_lock (&pool->mutex);
  const bool keep = pool->n_kept < KEPT;
  if (keep)
    pool->kept[pool->n_kept++] = block;
  g_mutex_unlock (&pool->mutex);
  if (!keep)
    free_block (block);
}

static void
memory_free (OdlImagePool *base)
{
  MemoryPool *pool = (MemoryPool *) base;

  for (int i = 0; i < pool->n_kept; i++)
    free_block (pool->kept[i]);
  g_mutex_clear (&pool->mutex);
  g_free (pool);
}

static const OdlImagePoolClass memory_class = {
  .take = memory_take,
  .give = memory_give,
  .free = memory_free,
};

OdlImagePool *
odl_memory_pool_new (bool huge_pages)
{
  MemoryPool *pool = g_new0 (MemoryPool, 1);

  pool->base.klass = &memory_class;
  g_atomic_ref_count_init (&pool->base.ref_count);
  pool->huge_pages = huge_pages;
  g_mutex_init (&pool->mutex);
  return &pool->base;
}

size_t
odl_memory_pool_made (OdlImagePool *base)
{
  MemoryPool *pool = (MemoryPool *) base;

  g_return_val_if_fail (pool != NULL && base->klass == &memory_class, 0);
  g_mutex_lock (&pool->mutex);
  const size_t made = pool->made;
  g_mutex_unlock (&pool->mutex);
  return made;
}
