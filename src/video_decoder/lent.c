// SPDX-License-Identifier: MIT
#include "video_decoder/lent.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLANE_ALIGNMENT 64
#define ROW_ALIGNMENT 16

typedef struct {
  uint32_t id;
  uint8_t *data;
  size_t size;
} Chunk;

struct _OdlVideoLent {
  OdlImagePool pool;
  OdlImageBlock block; // current block; size 0: none
  GArray *chunks;
};

// ---- Pool of one block ----

static OdlImageBlock *
take (OdlImagePool *pool, size_t size)
{
  OdlVideoLent *self = (OdlVideoLent *) pool;

  return self->block.data != NULL && size <= self->block.size ? &self->block : NULL;
}

static void
give (OdlImageBlock *block)
{
}

static void
unmap_cb (void *data)
{
  const Chunk *chunk = data;

  munmap (chunk->data, chunk->size);
}

static void
free_pool (OdlImagePool *pool)
{
  OdlVideoLent *self = (OdlVideoLent *) pool;

  g_array_unref (self->chunks);
  g_free (self);
}

OdlVideoLent *
odl_video_lent_new (void)
{
  static const OdlImagePoolClass klass
      = { .take = take, .give = give, .free = free_pool };
  OdlVideoLent *self = g_new0 (OdlVideoLent, 1);

  self->pool.klass = &klass;
  g_atomic_ref_count_init (&self->pool.ref_count);
  self->block.pool = &self->pool;
  self->chunks = g_array_new (FALSE, FALSE, sizeof (Chunk));
  g_array_set_clear_func (self->chunks, unmap_cb);
  return self;
}

OdlImagePool *
odl_video_lent_pool (OdlVideoLent *self)
{
  return odl_image_pool_ref (&self->pool);
}

// ---- Orders ----

static Chunk *
find (OdlVideoLent *self, uint32_t id)
{
  for (guint i = 0; i < self->chunks->len; i++)
    if (g_array_index (self->chunks, Chunk, i).id == id)
      return &g_array_index (self->chunks, Chunk, i);
  return NULL;
}

static void
recall (OdlVideoLent *self, uint32_t id)
{
  const Chunk *chunk = find (self, id);

  if (chunk != NULL)
    g_array_remove_index_fast (self->chunks,
                               (guint) (chunk - (Chunk *) (void *) self->chunks->data));
}

static bool
map_chunk (OdlVideoLent *self, const OdlVideoOrder *order, int fd)
{
  struct stat status;

  if (fstat (fd, &status) != 0 || (uint64_t) status.st_size != order->chunk_bytes
      || order->chunk_bytes == 0)
    return false;
  void *data = mmap (NULL, (size_t) order->chunk_bytes, PROT_READ | PROT_WRITE,
                     MAP_SHARED, fd, 0);
  if (data == MAP_FAILED)
    return false;
  recall (self, order->chunk);
  const Chunk chunk = { order->chunk, data, (size_t) order->chunk_bytes };
  g_array_append_val (self->chunks, chunk);
  return true;
}

bool
odl_video_lent_take_order (OdlVideoLent *self, const OdlVideoOrder *order, int fd)
{
  self->block.data = NULL;
  self->block.size = 0;
  for (uint32_t i = 0; i < MIN (order->n_recalled, ODL_VIDEO_MAX_RECALLED); i++)
    recall (self, order->recalled[i]);
  bool done = fd < 0 || map_chunk (self, order, fd);
  if (fd >= 0)
    close (fd);
  if (!done || order->bytes == 0)
    return done;
  const Chunk *chunk = find (self, order->chunk);
  if (chunk == NULL || order->offset > chunk->size
      || order->bytes > chunk->size - order->offset)
    return false;
  self->block.data = chunk->data + order->offset;
  self->block.size = (size_t) order->bytes;
  return true;
}

// ---- Frames ----

// A group of interleaved channels.
typedef struct {
  const uint8_t *data;
  size_t stride, row_bytes; // of the source
  int rows;
  size_t offset, row_stride; // of the destination
} Area;

typedef struct {
  Area areas[ODL_IMAGE_MAX_CHANNELS];
  int n_areas;
  int area_of[ODL_IMAGE_MAX_CHANNELS];
  size_t size;
} Layout;

static size_t
round_up (size_t size, size_t alignment)
{
  return (size + alignment - 1) / alignment * alignment;
}

// Stored width and height of a channel.
static void
stored_size (const OdlImageInfo *info, int c, int *width, int *height)
{
  const bool coarse = info->ycbcr.used && c > 0;
  const int shift_x = coarse ? info->ycbcr.shift_x : 0;
  const int shift_y = coarse ? info->ycbcr.shift_y : 0;

  *width = (info->extent.x + (1 << shift_x) - 1) >> shift_x;
  *height = (info->extent.y + (1 << shift_y) - 1) >> shift_y;
}

// Whether the plane is interleaved with the area: starts within one sample stride.
static bool
is_within (const Area *area, const OdlPlane *plane, int rows)
{
  const uint8_t *data = plane->data;
  const ptrdiff_t distance = data - area->data;

  return rows == area->rows && plane->row_stride_bytes == area->stride
         && ABS (distance) < (ptrdiff_t) plane->sample_stride_bytes;
}

static void
lay_out (const OdlImageInfo *info, Layout *layout)
{
  *layout = (Layout){ 0 };
  for (int c = 0; c < info->channels; c++) {
    const OdlPlane *plane = &info->planes[c];
    int width, rows, a = 0;
    stored_size (info, c, &width, &rows);
    while (a < layout->n_areas && !is_within (&layout->areas[a], plane, rows))
      a++;
    if (a == layout->n_areas)
      layout->areas[layout->n_areas++] = (Area){ .data = plane->data,
                                                 .stride = plane->row_stride_bytes,
                                                 .rows = rows };
    layout->area_of[c] = a;
    Area *area = &layout->areas[a];
    const uint8_t *end = (const uint8_t *) plane->data
                         + (size_t) (width - 1) * plane->sample_stride_bytes
                         + odl_sample_size (info->type);
    const uint8_t *start = MIN (area->data, (const uint8_t *) plane->data);
    const uint8_t *before = area->data + area->row_bytes;
    area->row_bytes = (size_t) (MAX (end, before) - start);
    area->data = start;
  }
  for (int a = 0; a < layout->n_areas; a++) {
    Area *area = &layout->areas[a];
    area->row_stride = round_up (area->row_bytes, ROW_ALIGNMENT);
    area->offset = layout->size;
    layout->size += round_up (area->row_stride * (size_t) area->rows, PLANE_ALIGNMENT);
  }
}

static void
copy_area (const Area *area, uint8_t *block)
{
  const uint8_t *from = area->data;
  uint8_t *to = block + area->offset;

  if (area->stride == area->row_stride) {
    memcpy (to, from, area->stride * (size_t) (area->rows - 1) + area->row_bytes);
    return;
  }
  for (int y = 0; y < area->rows; y++, from += area->stride, to += area->row_stride)
    memcpy (to, from, area->row_bytes);
}

static void
describe (const OdlImageInfo *info, OdlVideoShape *shape)
{
  const OdlYcbcr *ycbcr = &info->ycbcr;

  shape->width = (uint32_t) info->extent.x;
  shape->height = (uint32_t) info->extent.y;
  shape->channels = (uint32_t) info->channels;
  shape->sample_type = (uint32_t) info->type;
  shape->stored_min = info->stored_min;
  shape->stored_max = info->stored_max;
  shape->pixel_aspect = info->pixel_aspect;
  shape->frame_interval_ms = info->frame_interval_ms;
  shape->pts_ns = info->pts_ns;
  shape->damaged = info->mark != NULL;
  if (!ycbcr->used)
    return;
  shape->ycbcr = 1;
  shape->centred_x = ycbcr->centred_x;
  shape->shift_x = (uint32_t) ycbcr->shift_x;
  shape->shift_y = (uint32_t) ycbcr->shift_y;
  shape->kr = ycbcr->kr;
  shape->kb = ycbcr->kb;
  shape->luma_offset = ycbcr->luma_offset;
  shape->luma_range = ycbcr->luma_range;
  shape->chroma_offset = ycbcr->chroma_offset;
  shape->chroma_range = ycbcr->chroma_range;
}

uint64_t
odl_video_lent_size (const OdlImage *image)
{
  Layout layout;

  lay_out (odl_image_info (image), &layout);
  return layout.size;
}

// Whether the frame was decoded or turned into the block directly.
static bool
is_there (const OdlVideoLent *self, const OdlImage *image)
{
  return odl_image_block (image) == &self->block;
}

bool
odl_video_lent_put (OdlVideoLent *self, const OdlImage *image, OdlVideoShape *shape)
{
  const OdlImageInfo *info = odl_image_info (image);
  const bool there = is_there (self, image);
  uint8_t *block = self->block.data;
  Layout layout;

  lay_out (info, &layout);
  if (block == NULL || (!there && layout.size > self->block.size))
    return false;
  for (int a = 0; !there && a < layout.n_areas; a++)
    copy_area (&layout.areas[a], block);
  describe (info, shape);
  for (int c = 0; c < info->channels; c++) {
    const Area *area = &layout.areas[layout.area_of[c]];
    const uint8_t *data = info->planes[c].data;
    shape->planes[c] = (OdlVideoPlane){
      .offset
      = there ? (uint64_t) (data - block) : area->offset + (uint64_t) (data - area->data),
      .sample_stride = info->planes[c].sample_stride_bytes,
      .row_stride = there ? info->planes[c].row_stride_bytes : area->row_stride,
    };
  }
  return true;
}

bool
odl_video_lent_write (OdlVideoLent *self, const void *data, size_t bytes)
{
  if (self->block.data == NULL || self->block.size < bytes)
    return false;
  memcpy (self->block.data, data, bytes);
  return true;
}
