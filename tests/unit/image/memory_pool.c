// SPDX-License-Identifier: MIT
// Memory that is lent to images: by any thread, back from any other, and longer than the
// pool's owner wants it.
#include "image/memory_pool.h"

#include <string.h>

#include "image/image.h"

#define SIZE 4096
#define ROUNDS 2000
#define THREADS 4

static void
blocks_come_back (void)
{
  OdlImagePool *pool = odl_memory_pool_new (false);

  for (int i = 0; i < 100; i++) {
    OdlImageBlock *first = odl_image_pool_take (pool, SIZE);
    OdlImageBlock *second = odl_image_pool_take (pool, SIZE);
    g_assert_true (first->data != second->data);
    memset (first->data, i, SIZE);
    memset (second->data, -i, SIZE);
    odl_image_block_give (first);
    odl_image_block_give (second);
  }
  g_assert_cmpuint (odl_memory_pool_made (pool), ==, 2);
  odl_image_pool_unref (pool);
}

static void
another_size_lets_go_of_the_old_one (void)
{
  OdlImagePool *pool = odl_memory_pool_new (false);

  odl_image_block_give (odl_image_pool_take (pool, SIZE));
  OdlImageBlock *larger = odl_image_pool_take (pool, 2 * SIZE);
  g_assert_cmpuint (larger->size, ==, 2 * SIZE);
  memset (larger->data, 1, 2 * SIZE);
  odl_image_block_give (larger);
  g_assert_cmpuint (odl_memory_pool_made (pool), ==, 2);
  odl_image_pool_unref (pool);
}

static void
lent_memory_outlives_the_owner (void)
{
  OdlImagePool *pool = odl_memory_pool_new (false);
  const OdlImageInfo info = { .extent = { 64, 64, 1, 1 }, .channels = 1 };
  void *samples;
  g_autoptr (OdlImage) image = odl_image_alloc_in (pool, &info, &samples, NULL);

  g_assert_nonnull (image);
  odl_image_pool_unref (pool);
  memset (samples, 7, (size_t) 64 * 64);
  const uint8_t *shown = odl_image_info (image)->planes[0].data;
  g_assert_cmpint (shown[64 * 64 - 1], ==, 7);
}

// ---- Threads ----

typedef struct {
  OdlImagePool *pool;
  GMutex mutex; // guards `slots`
  OdlImageBlock *slots[THREADS];
  int n_bad; // blocks that somebody else wrote to
} Shared;

// Lends a block, marks it, lays it into a slot and gives back what lay there.
static void *
exchange (void *data)
{
  Shared *shared = data;
  uint8_t mark = (uint8_t) (guintptr) g_thread_self ();

  for (int i = 0; i < ROUNDS; i++, mark++) {
    OdlImageBlock *block = odl_image_pool_take (shared->pool, SIZE);
    memset (block->data, mark, SIZE);
    g_thread_yield ();
    const uint8_t *bytes = block->data;
    if (bytes[0] != mark || memcmp (bytes, bytes + 1, SIZE - 1) != 0)
      g_atomic_int_inc (&shared->n_bad);
    g_mutex_lock (&shared->mutex);
    OdlImageBlock *lay = shared->slots[i % THREADS];
    shared->slots[i % THREADS] = block;
    g_mutex_unlock (&shared->mutex);
    if (lay != NULL)
      odl_image_block_give (lay);
  }
  return NULL;
}

static void
nobody_has_a_block_twice (void)
{
  Shared shared = { .pool = odl_memory_pool_new (false) };
  GThread *threads[THREADS];

  g_mutex_init (&shared.mutex);
  for (int i = 0; i < THREADS; i++)
    threads[i] = g_thread_new ("exchange", exchange, &shared);
  for (int i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (shared.n_bad, ==, 0);
  // The last ones come back after their owner has let go of the pool.
  odl_image_pool_unref (shared.pool);
  for (int i = 0; i < THREADS; i++)
    odl_image_block_give (shared.slots[i]);
  g_mutex_clear (&shared.mutex);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/image/memory-pool/blocks-come-back", blocks_come_back);
  g_test_add_func ("/image/memory-pool/another-size-lets-go-of-the-old-one",
                   another_size_lets_go_of_the_old_one);
  g_test_add_func ("/image/memory-pool/lent-memory-outlives-the-owner",
                   lent_memory_outlives_the_owner);
  g_test_add_func ("/image/memory-pool/nobody-has-a-block-twice",
                   nobody_has_a_block_twice);
  return g_test_run ();
}
