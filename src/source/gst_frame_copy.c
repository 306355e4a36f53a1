// SPDX-License-Identifier: MIT
#include "source/gst_frame_copy.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

// Alignment of planes and rows in a copy, for GPUs.
#define PLANE_ALIGNMENT 64
#define ROW_ALIGNMENT 16

// Maps sample (x, y) of the turned picture to the stored one: mirrored along the
// stored x or y, with x and y exchanged.
typedef struct {
  bool swap, from_right, from_below;
} Turn;

static const Turn turns[] = {
  [GST_VIDEO_ORIENTATION_90R] = { .swap = true, .from_below = true },
  [GST_VIDEO_ORIENTATION_180] = { .from_right = true, .from_below = true },
  [GST_VIDEO_ORIENTATION_90L] = { .swap = true, .from_right = true },
  [GST_VIDEO_ORIENTATION_HORIZ] = { .from_right = true },
  [GST_VIDEO_ORIENTATION_VERT] = { .from_below = true },
  [GST_VIDEO_ORIENTATION_UL_LR] = { .swap = true },
  [GST_VIDEO_ORIENTATION_UR_LL]
  = { .swap = true, .from_right = true, .from_below = true },
};

// ---- Memory ----

// A block of the pool or, if none is free, ordinary memory.
typedef struct {
  OdlImageBlock *block;
  guint8 *data;
} Memory;

static bool
allocate (Memory *memory, OdlImagePool *pool, size_t size, GError **error)
{
  memory->block = odl_image_pool_take (pool, size);
  memory->data = memory->block != NULL ? memory->block->data : odl_aligned_alloc (size);
  if (memory->data == NULL)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                         _ ("there is not enough memory for one of its frames"));
  return memory->data != NULL;
}

static OdlImage *
publish (const Memory *memory, const OdlImageInfo *info, GError **error)
{
  OdlImage *image = memory->block != NULL
                        ? odl_image_wrap_block (info, memory->block, error)
                        : odl_image_wrap (info, odl_aligned_free, memory->data, error);
  if (image == NULL && memory->block != NULL)
    odl_image_block_give (memory->block);
  else if (image == NULL)
    odl_aligned_free (memory->data);
  return image;
}

static size_t
round_up (size_t size, size_t alignment)
{
  return (size + alignment - 1) / alignment * alignment;
}

// ---- Unturned ----

// Bytes with samples in a row of plane `p`.
static size_t
row_bytes (GstVideoFrame *frame, int p)
{
  size_t bytes = 0;

  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (frame); c++)
    if (GST_VIDEO_FRAME_COMP_PLANE (frame, c) == p)
      bytes = MAX (bytes, (size_t) GST_VIDEO_FRAME_COMP_WIDTH (frame, c)
                              * (size_t) GST_VIDEO_FRAME_COMP_PSTRIDE (frame, c));
  return MIN (bytes, (size_t) GST_VIDEO_FRAME_PLANE_STRIDE (frame, p));
}

static int
plane_rows (GstVideoFrame *frame, int p)
{
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (frame); c++)
    if (GST_VIDEO_FRAME_COMP_PLANE (frame, c) == p)
      return GST_VIDEO_FRAME_COMP_HEIGHT (frame, c);
  return 0;
}

static OdlImage *
copy_planes (GstVideoFrame *frame,
             const OdlImageInfo *from,
             OdlImagePool *pool,
             GError **error)
{
  const int n_planes = (int) GST_VIDEO_FRAME_N_PLANES (frame);
  size_t strides[GST_VIDEO_MAX_PLANES] = { 0 }, starts[GST_VIDEO_MAX_PLANES] = { 0 };
  size_t size = 0;
  Memory memory;

  for (int p = 0; p < n_planes; p++) {
    strides[p] = round_up (row_bytes (frame, p), ROW_ALIGNMENT);
    starts[p] = size;
    size += round_up (strides[p] * (size_t) plane_rows (frame, p), PLANE_ALIGNMENT);
  }
  if (!allocate (&memory, pool, size, error))
    return NULL;
  for (int p = 0; p < n_planes; p++) {
    const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (frame, p);
    for (int y = 0; y < plane_rows (frame, p); y++)
      memcpy (memory.data + starts[p] + y * strides[p],
              data + (size_t) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, p),
              row_bytes (frame, p));
  }
  OdlImageInfo info = *from;
  for (int c = 0; c < info.channels; c++) {
    const int p = GST_VIDEO_FRAME_COMP_PLANE (frame, c);
    const guint8 *plane = GST_VIDEO_FRAME_PLANE_DATA (frame, p);
    const size_t offset = (size_t) ((const guint8 *) from->planes[c].data - plane);
    info.planes[c].data = memory.data + starts[p] + offset;
    info.planes[c].row_stride_bytes = strides[p];
  }
  return publish (&memory, &info, error);
}

// ---- Turned ----

// Stored width and height of channel `c`.
static void
stored_size (const OdlImageInfo *info, int c, int *width, int *height)
{
  const bool coarse = info->ycbcr.used && c > 0;
  const int shift_x = coarse ? info->ycbcr.shift_x : 0;
  const int shift_y = coarse ? info->ycbcr.shift_y : 0;

  *width = (info->extent.x + (1 << shift_x) - 1) >> shift_x;
  *height = (info->extent.y + (1 << shift_y) - 1) >> shift_y;
}

// Copies `n` samples `step` bytes apart to positions `to_step` bytes apart.
static void
copy_line (const guint8 *from,
           ptrdiff_t step,
           guint8 *to,
           size_t to_step,
           int n,
           bool two)
{
  if (two)
    for (int i = 0; i < n; i++, from += step, to += to_step)
      *(guint16 *) (void *) to = *(const guint16 *) (const void *) from;
  else
    for (int i = 0; i < n; i++, from += step, to += to_step)
      *to = *from;
}

static void
turn_channel (const OdlImageInfo *from, const OdlImageInfo *to, int c, Turn turn)
{
  const OdlPlane *source = &from->planes[c];
  const OdlPlane *target = &to->planes[c];
  const bool two = odl_sample_size (from->type) == 2;
  ptrdiff_t step_x = (ptrdiff_t) source->sample_stride_bytes;
  ptrdiff_t step_y = (ptrdiff_t) source->row_stride_bytes;
  const guint8 *start = source->data;
  int width, height;

  stored_size (from, c, &width, &height);
  if (turn.from_right) {
    start += (width - 1) * step_x;
    step_x = -step_x;
  }
  if (turn.from_below) {
    start += (height - 1) * step_y;
    step_y = -step_y;
  }
  const ptrdiff_t along = turn.swap ? step_y : step_x;
  const ptrdiff_t across = turn.swap ? step_x : step_y;
  const int n = turn.swap ? height : width;
  const int rows = turn.swap ? width : height;
  for (int y = 0; y < rows; y++)
    copy_line (start + y * across, along,
               (guint8 *) target->data + (size_t) y * target->row_stride_bytes,
               target->sample_stride_bytes, n, two);
}

// Exchanges the properties of x and y. Chroma is sited on the first pixel or in the
// centre; mirroring moves the former to the last pixel, for which the centre is the
// closest available siting.
static OdlImageInfo
turned_info (const OdlImageInfo *from, Turn turn)
{
  OdlImageInfo info = *from;

  if (turn.swap) {
    info.extent.x = from->extent.y;
    info.extent.y = from->extent.x;
    info.pixel_aspect = from->pixel_aspect > 0 ? 1 / from->pixel_aspect : 1;
    info.ycbcr.shift_x = from->ycbcr.shift_y;
    info.ycbcr.shift_y = from->ycbcr.shift_x;
  }
  info.ycbcr.centred_x = from->ycbcr.centred_x || turn.swap || turn.from_right;
  return info;
}

// Lays out the planes of `info` from `data` on; returns their size.
static size_t
lay_out (OdlImageInfo *info, guint8 *data)
{
  const size_t sample = odl_sample_size (info->type);
  size_t size = 0;

  for (int c = 0; c < info->channels; c++) {
    const bool apart = info->ycbcr.used;
    const size_t step = apart ? sample : sample * info->channels;
    int width, height;
    stored_size (info, c, &width, &height);
    const size_t row = apart ? round_up (width * step, ROW_ALIGNMENT) : width * step;
    info->planes[c] = (OdlPlane){
      .data = data != NULL ? data + (apart ? size : c * sample) : NULL,
      .sample_stride_bytes = step,
      .row_stride_bytes = row,
    };
    if (apart || c == 0)
      size += round_up (row * height, PLANE_ALIGNMENT);
  }
  return size;
}

static OdlImage *
copy_turned (const OdlImageInfo *from, Turn turn, OdlImagePool *pool, GError **error)
{
  OdlImageInfo info = turned_info (from, turn);
  Memory memory;

  if (!allocate (&memory, pool, lay_out (&info, NULL), error))
    return NULL;
  lay_out (&info, memory.data);
  for (int c = 0; c < info.channels; c++)
    turn_channel (from, &info, c, turn);
  return publish (&memory, &info, error);
}

OdlImage *
odl_gst_frame_copy (GstVideoFrame *frame,
                    const OdlImageInfo *info,
                    GstVideoOrientationMethod turn,
                    OdlImagePool *pool,
                    GError **error)
{
  if (turn > GST_VIDEO_ORIENTATION_IDENTITY && (size_t) turn < G_N_ELEMENTS (turns))
    return copy_turned (info, turns[turn], pool, error);
  return copy_planes (frame, info, pool, error);
}
