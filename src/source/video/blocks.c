// SPDX-License-Identifier: MIT
#include "source/video/blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"

// Approximate chunk size. A process may have about a thousand descriptors and ten
// thousand mappings, while a cache holds thousands of small frames.
#define CHUNK_BYTES ((size_t) 16 << 20)
#define MAX_BLOCKS 64

typedef struct {
  uint32_t id;
  int fd;
  uint8_t *data;
  size_t size, block_bytes;
  int n_blocks, n_used;
  uint64_t used; // one bit per block
  bool told; // the helper has the descriptor
} Chunk;

struct _OdlVideoBlocks {
  GMutex mutex; // guards all that follows
  GPtrArray *chunks;
  GArray *recalled; // of uint32_t
  uint32_t next_id;
  int n_lent;
  bool closed;
};

// ---- Chunks ----

static void
free_chunk (OdlVideoBlocks *self, Chunk *chunk)
{
  if (chunk->told)
    g_array_append_val (self->recalled, chunk->id);
  // Releases the memory now; the helper keeps it mapped until it is told.
  fallocate (chunk->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
             (off_t) chunk->size);
  munmap (chunk->data, chunk->size);
  close (chunk->fd);
  g_free (chunk);
}

static bool
map_chunk (Chunk *chunk)
{
  chunk->fd = memfd_create ("ondelette-video", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (chunk->fd < 0)
    return false;
  if (ftruncate (chunk->fd, (off_t) chunk->size) == 0
      && fcntl (chunk->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    chunk->data = mmap (NULL, chunk->size, PROT_READ, MAP_SHARED, chunk->fd, 0);
  else
    chunk->data = MAP_FAILED;
  if (chunk->data != MAP_FAILED)
    return true;
  close (chunk->fd);
  return false;
}

static Chunk *
make_chunk (OdlVideoBlocks *self, size_t block_bytes, GError **error)
{
  Chunk *chunk = g_new0 (Chunk, 1);

  chunk->id = ++self->next_id;
  chunk->block_bytes = block_bytes;
  chunk->n_blocks = (int) CLAMP (CHUNK_BYTES / block_bytes, 1, MAX_BLOCKS);
  chunk->size = block_bytes * (size_t) chunk->n_blocks;
  if (map_chunk (chunk)) {
    g_ptr_array_add (self->chunks, chunk);
    return chunk;
  }
  const int code = errno;
  g_free (chunk);
  return odl_error_null (error, ODL_ERROR_TOO_LARGE,
                         _ ("there is not enough memory for its pixels (%s)"),
                         g_strerror (code));
}

static Chunk *
find_chunk (OdlVideoBlocks *self, uint32_t id)
{
  for (guint i = 0; i < self->chunks->len; i++) {
    Chunk *chunk = g_ptr_array_index (self->chunks, i);
    if (chunk->id == id)
      return chunk;
  }
  return NULL;
}

// Releases unused chunks; one may stay if its blocks have the current size.
static void
give_up_empty (OdlVideoBlocks *self, size_t block_bytes)
{
  bool kept = false;

  for (guint i = self->chunks->len; i-- > 0;) {
    Chunk *chunk = g_ptr_array_index (self->chunks, i);
    if (chunk->n_used > 0)
      continue;
    if (!kept && chunk->block_bytes == block_bytes) {
      kept = true;
      continue;
    }
    g_ptr_array_remove_index_fast (self->chunks, i);
    free_chunk (self, chunk);
  }
}

// ---- Blocks ----

OdlVideoBlocks *
odl_video_blocks_new (void)
{
  OdlVideoBlocks *self = g_new0 (OdlVideoBlocks, 1);

  g_mutex_init (&self->mutex);
  self->chunks = g_ptr_array_new ();
  self->recalled = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  return self;
}

static void
destroy (OdlVideoBlocks *self)
{
  g_ptr_array_unref (self->chunks);
  g_array_unref (self->recalled);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
odl_video_blocks_free (OdlVideoBlocks *self)
{
  g_mutex_lock (&self->mutex);
  self->closed = true;
  give_up_empty (self, 0);
  const bool last = self->n_lent == 0;
  g_mutex_unlock (&self->mutex);
  if (last)
    destroy (self);
}

static OdlVideoBlock *
take_of (OdlVideoBlocks *self, Chunk *chunk)
{
  OdlVideoBlock *block = g_new (OdlVideoBlock, 1);
  int i = 0;

  while ((chunk->used >> i & 1) != 0)
    i++;
  chunk->used |= (uint64_t) 1 << i;
  chunk->n_used++;
  self->n_lent++;
  *block = (OdlVideoBlock){
    .blocks = self,
    .chunk = chunk->id,
    .chunk_bytes = chunk->size,
    .offset = (uint64_t) i * chunk->block_bytes,
    .bytes = chunk->block_bytes,
    .data = chunk->data + (size_t) i * chunk->block_bytes,
  };
  return block;
}

OdlVideoBlock *
odl_video_blocks_take (OdlVideoBlocks *self, size_t bytes, GError **error)
{
  const size_t page = (size_t) sysconf (_SC_PAGESIZE);
  const size_t block_bytes = (MAX (bytes, 1) + page - 1) / page * page;
  Chunk *chunk = NULL;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->chunks->len && chunk == NULL; i++) {
    Chunk *one = g_ptr_array_index (self->chunks, i);
    if (one->block_bytes == block_bytes && one->n_used < one->n_blocks)
      chunk = one;
  }
  if (chunk == NULL)
    chunk = make_chunk (self, block_bytes, error);
  OdlVideoBlock *block = chunk != NULL ? take_of (self, chunk) : NULL;
  g_mutex_unlock (&self->mutex);
  return block;
}

void
odl_video_block_give (void *data)
{
  OdlVideoBlock *block = data;
  OdlVideoBlocks *self = block->blocks;

  g_mutex_lock (&self->mutex);
  Chunk *chunk = find_chunk (self, block->chunk);
  chunk->used &= ~((uint64_t) 1 << (block->offset / chunk->block_bytes));
  chunk->n_used--;
  self->n_lent--;
  if (chunk->n_used == 0)
    give_up_empty (self, self->closed ? 0 : chunk->block_bytes);
  const bool last = self->closed && self->n_lent == 0;
  g_mutex_unlock (&self->mutex);
  g_free (block);
  if (last)
    destroy (self);
}

// ---- Chunks known to the helper ----

int
odl_video_blocks_new_fd (OdlVideoBlocks *self, const OdlVideoBlock *block)
{
  g_mutex_lock (&self->mutex);
  Chunk *chunk = find_chunk (self, block->chunk);
  const int fd = chunk->told ? -1 : chunk->fd;
  chunk->told = true;
  g_mutex_unlock (&self->mutex);
  return fd;
}

void
odl_video_blocks_reset_helper (OdlVideoBlocks *self)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->chunks->len; i++)
    ((Chunk *) g_ptr_array_index (self->chunks, i))->told = false;
  g_array_set_size (self->recalled, 0);
  g_mutex_unlock (&self->mutex);
}

uint32_t
odl_video_blocks_recall (OdlVideoBlocks *self, uint32_t *chunks, uint32_t max)
{
  g_mutex_lock (&self->mutex);
  const guint n = MIN (max, self->recalled->len);
  for (guint i = 0; i < n; i++)
    chunks[i] = g_array_index (self->recalled, uint32_t, i);
  if (n > 0)
    g_array_remove_range (self->recalled, 0, n);
  g_mutex_unlock (&self->mutex);
  return n;
}
