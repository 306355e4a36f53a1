// SPDX-License-Identifier: MIT
#include "engine/gl/platform/ring.h"

#include <string.h>

// Blocks of one ring: frames on screen, in mailboxes and caches, being written, and on
// their way to the GPU.
#define MAX_BLOCKS 16
#define MAX_BYTES ((size_t) 512 << 20)
// Number of blocks allocated at once: for the first request of a size, and whenever all
// are lent.
#define FIRST_BLOCKS 4
#define MORE_BLOCKS 2
// A fence flushes the GPU's caches and costs 9 µs on an H200, where a frame of 512² takes
// 29. It covers all earlier reads, so small blocks share one.
#define SMALL_BYTES ((size_t) 4 << 20)
#define READS_PER_FENCE 4
#define MAX_FENCES 8
#define LEAST_FREE 2 // one to be written next, and one while the GPU passes the fence

typedef enum {
  STATE_FREE,
  STATE_LENT,
  STATE_READ, // given back, but the GPU may still read it
} State;

typedef struct {
  OdlImageBlock base;
  State state;
  GLuint buffer;
  guint64 read; // number of the fence after the last read by the GPU; 0: not read yet
} Block;

typedef struct {
  GLsync sync;
  guint64 number;
} Fence;

struct _OdlGlRing {
  OdlImagePool base;
  bool is_es;
  GMutex mutex; // guards what follows
  GPtrArray *blocks; // Block
  Fence fences[MAX_FENCES]; // fences that the GPU has not passed yet, oldest first
  int n_fences;
  guint64 next_fence; // number
  guint64 passed; // number of the last one that the GPU has passed
  int unfenced; // reads since the last fence
  size_t size; // of the blocks that are allocated now
  size_t wanted; // size of a request that failed; 0: none
  size_t refused; // size that the driver had no memory for
  int lent;
  bool closed;
};

static const OdlImagePoolClass ring_class;

static OdlGlRing *
ring_of (OdlImagePool *pool)
{
  return pool != NULL && pool->klass == &ring_class ? (OdlGlRing *) pool : NULL;
}

OdlGlRing *
odl_gl_ring_new (const OdlGlCaps *caps)
{
  if (!caps->buffer_storage)
    return NULL;

  OdlGlRing *ring = g_new0 (OdlGlRing, 1);
  ring->base.klass = &ring_class;
  g_atomic_ref_count_init (&ring->base.ref_count);
  ring->is_es = caps->is_es;
  g_mutex_init (&ring->mutex);
  ring->blocks = g_ptr_array_new_with_free_func (g_free);
  ring->next_fence = 1;
  return ring;
}

OdlImagePool *
odl_gl_ring_pool (OdlGlRing *ring)
{
  return ring != NULL ? &ring->base : NULL;
}

static void
ring_free (OdlImagePool *pool)
{
  OdlGlRing *ring = (OdlGlRing *) pool;

  g_ptr_array_unref (ring->blocks);
  g_mutex_clear (&ring->mutex);
  g_free (ring);
}

static OdlImageBlock *
ring_take (OdlImagePool *pool, size_t size)
{
  OdlGlRing *ring = (OdlGlRing *) pool;
  Block *found = NULL;

  g_mutex_lock (&ring->mutex);
  for (guint i = 0; i < ring->blocks->len && found == NULL && !ring->closed; i++) {
    Block *block = g_ptr_array_index (ring->blocks, i);
    if (block->state == STATE_FREE && block->base.size >= size)
      found = block;
  }
  if (found != NULL) {
    found->state = STATE_LENT;
    found->read = 0;
    ring->lent++;
  } else {
    ring->wanted = size;
  }
  g_mutex_unlock (&ring->mutex);
  return found != NULL ? &found->base : NULL;
}

static void
ring_give (OdlImageBlock *given)
{
  OdlGlRing *ring = (OdlGlRing *) given->pool;
  Block *block = (Block *) given;

  g_mutex_lock (&ring->mutex);
  block->state = block->read > ring->passed ? STATE_READ : STATE_FREE;
  ring->lent--;
  g_mutex_unlock (&ring->mutex);
}

static const OdlImagePoolClass ring_class = {
  .take = ring_take,
  .give = ring_give,
  .free = ring_free,
};

static void
delete_block (Block *block)
{
  glDeleteBuffers (1, &block->buffer); // unmaps
  g_free (block);
}

// NULL when the driver has no memory. Sources may read what they wrote, so it is mapped
// for both; drivers that put such buffers elsewhere than write-only ones have not been
// seen.
static Block *
create_block (OdlGlRing *ring, size_t size)
{
  const GLbitfield flags
      = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  const GLenum target = GL_COPY_WRITE_BUFFER;
  Block *block = g_new0 (Block, 1);

  odl_gl_forget_errors ();
  glGenBuffers (1, &block->buffer);
  glBindBuffer (target, block->buffer);
  if (ring->is_es)
    glBufferStorageEXT (target, (GLsizeiptr) size, NULL, flags);
  else
    glBufferStorage (target, (GLsizeiptr) size, NULL, flags);
  block->base.pool = &ring->base;
  block->base.size = size;
  block->base.data = glMapBufferRange (target, 0, (GLsizeiptr) size, flags);
  glBindBuffer (target, 0);
  if (glGetError () == GL_NO_ERROR && block->base.data != NULL) {
    // Touches the pages now, so that the first frame need not wait for their allocation.
    memset (block->base.data, 0, size);
    return block;
  }
  delete_block (block);
  return NULL;
}

// Call it with the mutex held; likewise the next two functions.
static void
drop_oldest_fence (OdlGlRing *ring)
{
  glDeleteSync (ring->fences[0].sync);
  ring->n_fences--;
  memmove (ring->fences, ring->fences + 1, ring->n_fences * sizeof ring->fences[0]);
}

// Covers all reads so far.
static void
add_fence (OdlGlRing *ring)
{
  if (ring->n_fences == MAX_FENCES) // the next one says as much, later
    drop_oldest_fence (ring);
  ring->fences[ring->n_fences++]
      = (Fence){ glFenceSync (GL_SYNC_GPU_COMMANDS_COMPLETE, 0), ring->next_fence++ };
  ring->unfenced = 0;
}

// Takes back the blocks that the GPU has read. If few are free, the blocks without a
// fence get one.
static void
take_back (OdlGlRing *ring)
{
  bool any_unfenced = false;
  int n_free = 0;

  while (ring->n_fences > 0
         && glClientWaitSync (ring->fences[0].sync, 0, 0) != GL_TIMEOUT_EXPIRED) {
    ring->passed = ring->fences[0].number;
    drop_oldest_fence (ring);
  }
  for (guint i = 0; i < ring->blocks->len; i++) {
    Block *block = g_ptr_array_index (ring->blocks, i);
    if (block->state == STATE_READ && block->read <= ring->passed)
      block->state = STATE_FREE;
    n_free += block->state == STATE_FREE;
    any_unfenced |= block->state == STATE_READ && block->read == ring->next_fence;
  }
  if (any_unfenced && (n_free < LEAST_FREE || ring->wanted > 0))
    add_fence (ring);
}

// With the mutex held: takes blocks back, moves free ones of another size to `useless`,
// and returns the number to be allocated.
static int
look_through (OdlGlRing *ring, GPtrArray *useless)
{
  // Shaders that read words may read the last one whole.
  const size_t wanted = (ring->wanted + 15) / 16 * 16;

  take_back (ring);
  ring->wanted = 0;
  if (wanted == 0 || wanted == ring->refused)
    return 0;
  if (wanted != ring->size)
    for (guint i = ring->blocks->len; i-- > 0;)
      if (((Block *) g_ptr_array_index (ring->blocks, i))->state == STATE_FREE)
        g_ptr_array_add (useless, g_ptr_array_steal_index_fast (ring->blocks, i));

  const int most = (int) MIN (MAX_BLOCKS, MAX_BYTES / MAX (wanted, 1));
  const int more = wanted != ring->size ? FIRST_BLOCKS : MORE_BLOCKS;
  ring->size = wanted;
  return CLAMP (most - (int) ring->blocks->len, 0, more);
}

void
odl_gl_ring_tend (OdlImagePool *pool, size_t *made)
{
  OdlGlRing *ring = ring_of (pool);
  g_autoptr (GPtrArray) useless = g_ptr_array_new ();

  if (ring == NULL)
    return;
  g_mutex_lock (&ring->mutex);
  int missing = ring->closed ? 0 : look_through (ring, useless);
  const size_t size = ring->size;
  g_mutex_unlock (&ring->mutex);

  // Called without the mutex, so that no thread waits for the driver.
  for (guint i = 0; i < useless->len; i++)
    delete_block (g_ptr_array_index (useless, i));
  for (; missing > 0; missing--) {
    Block *block = create_block (ring, size);
    g_mutex_lock (&ring->mutex);
    if (block != NULL)
      g_ptr_array_add (ring->blocks, block);
    else
      ring->refused = size;
    g_mutex_unlock (&ring->mutex);
    if (block == NULL)
      return;
    *made += 1;
  }
}

void
odl_gl_ring_close (OdlGlRing *ring)
{
  if (ring == NULL)
    return;

  g_autoptr (GPtrArray) useless = g_ptr_array_new ();
  g_mutex_lock (&ring->mutex);
  ring->closed = true;
  while (ring->n_fences > 0)
    drop_oldest_fence (ring);
  for (guint i = ring->blocks->len; i-- > 0;)
    if (((Block *) g_ptr_array_index (ring->blocks, i))->state != STATE_LENT)
      g_ptr_array_add (useless, g_ptr_array_steal_index_fast (ring->blocks, i));
  g_mutex_unlock (&ring->mutex);

  for (guint i = 0; i < useless->len; i++)
    delete_block (g_ptr_array_index (useless, i));
  odl_image_pool_unref (&ring->base);
}

bool
odl_gl_ring_find (OdlImagePool *pool, const OdlImage *image, OdlGlRingPlace *place)
{
  const OdlImageBlock *block = odl_image_block (image);

  if (block == NULL || block->pool != pool || ring_of (pool) == NULL)
    return false;
  *place = (OdlGlRingPlace){
    .buffer = ((const Block *) block)->buffer,
    .offset_bytes = (size_t) ((const char *) odl_image_info (image)->planes[0].data
                              - (const char *) block->data),
  };
  return true;
}

void
odl_gl_ring_fence (const OdlImage *image)
{
  Block *block = (Block *) odl_image_block (image);
  OdlGlRing *ring = block != NULL ? ring_of (block->base.pool) : NULL;

  g_return_if_fail (ring != NULL);

  g_mutex_lock (&ring->mutex);
  block->read = ring->next_fence;
  ring->unfenced++;
  if (!ring->closed
      && (block->base.size > SMALL_BYTES || ring->unfenced >= READS_PER_FENCE))
    add_fence (ring);
  g_mutex_unlock (&ring->mutex);
}

OdlGlRingCounts
odl_gl_ring_counts (OdlImagePool *pool)
{
  OdlGlRing *ring = ring_of (pool);
  OdlGlRingCounts counts = { 0 };

  g_return_val_if_fail (ring != NULL, counts);
  g_mutex_lock (&ring->mutex);
  counts.blocks = (int) ring->blocks->len;
  counts.lent = ring->lent;
  for (guint i = 0; i < ring->blocks->len; i++)
    if (((Block *) g_ptr_array_index (ring->blocks, i))->state == STATE_READ)
      counts.waiting++;
  g_mutex_unlock (&ring->mutex);
  return counts;
}
