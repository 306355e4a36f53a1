// SPDX-License-Identifier: MIT
#include "session/player/frame_cache.h"

#include <stdlib.h>
#include <string.h>

struct _OdlFrameCache {
  GHashTable *frames; // int64_t * -> OdlImage *
  size_t max_bytes;
  size_t bytes;
  size_t largest; // frame so far
  int min_frames;
  OdlTimeline timeline;
  int64_t focus;
  int direction;
  OdlTimeReach reach;
  int64_t lead; // −1: none
};

OdlFrameCache *
odl_frame_cache_new (size_t max_bytes, int min_frames)
{
  OdlFrameCache *cache = g_new0 (OdlFrameCache, 1);

  cache->frames = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                         (GDestroyNotify) odl_image_unref);
  cache->max_bytes = max_bytes;
  cache->min_frames = min_frames;
  cache->timeline = (OdlTimeline){ .frame_rate = 1, .speed = 1 };
  cache->direction = 1;
  cache->lead = -1;
  return cache;
}

void
odl_frame_cache_free (OdlFrameCache *cache)
{
  if (!cache)
    return;
  g_hash_table_unref (cache->frames);
  g_free (cache);
}

// Memory between the first and the last sample of a plane.
typedef struct {
  uintptr_t first, end;
} Span;

static Span
span_of (const OdlImageInfo *info, int channel)
{
  const OdlPlane *plane = &info->planes[channel];
  const OdlYcbcr *ycbcr = &info->ycbcr;
  const bool colour = ycbcr->used && channel > 0;
  const OdlSampleType type
      = colour && info->type == ODL_SAMPLE_F32 ? ycbcr->chroma_type : info->type;
  const int width = (info->extent.x - 1) >> (colour ? ycbcr->shift_x : 0);
  const int height = (info->extent.y - 1) >> (colour ? ycbcr->shift_y : 0);
  const uintptr_t first = (uintptr_t) plane->data;

  return (Span){ first, first + (size_t) width * plane->sample_stride_bytes
                            + (size_t) height * plane->row_stride_bytes
                            + (size_t) (info->extent.z - 1) * plane->slice_stride_bytes
                            + (size_t) (info->extent.t - 1) * plane->frame_stride_bytes
                            + odl_sample_size (type) };
}

static int
compare_spans (const void *a, const void *b)
{
  const Span *left = a, *right = b;

  return (left->first > right->first) - (left->first < right->first);
}

// Planes may be separate or interleaved.
size_t
odl_frame_cache_image_bytes (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  Span spans[ODL_IMAGE_MAX_CHANNELS] = { 0 };
  uintptr_t reached = 0;
  size_t bytes = 0;

  for (int c = 0; c < info->channels; c++)
    spans[c] = span_of (info, c);
  qsort (spans, (size_t) info->channels, sizeof *spans, compare_spans);
  for (int c = 0; c < info->channels; c++) {
    if (spans[c].end > reached)
      bytes += spans[c].end - MAX (spans[c].first, reached);
    reached = MAX (reached, spans[c].end);
  }
  return bytes;
}

static void
drop (OdlFrameCache *cache, int64_t index)
{
  OdlImage *image = g_hash_table_lookup (cache->frames, &index);

  if (!image)
    return;
  cache->bytes -= odl_frame_cache_image_bytes (image);
  g_hash_table_remove (cache->frames, &index);
}

static bool
is_about (const OdlFrameCache *cache, int64_t index, int64_t other)
{
  const int64_t n = cache->reach.wraps ? cache->timeline.n_frames : 0;

  for (int turn = -1; turn <= 1; turn++) {
    const int64_t from_other = index - other + turn * n;
    if (from_other >= -cache->reach.past && from_other <= cache->reach.ahead)
      return true;
  }
  return false;
}

static bool
stays (const OdlFrameCache *cache, int64_t index)
{
  return is_about (cache, index, cache->focus)
         || (cache->lead >= 0 && is_about (cache, index, cache->lead));
}

static int
least_frames (const OdlFrameCache *cache)
{
  const int about = cache->reach.past + cache->reach.ahead;

  return cache->min_frames + (cache->lead >= 0 ? 2 * about : about);
}

// For `n_new` frames of `needed` bytes in all.
static void
make_room (OdlFrameCache *cache, int n_new, size_t needed)
{
  while (cache->bytes + needed > cache->max_bytes
         && odl_frame_cache_n_frames (cache) + n_new > least_frames (cache)) {
    GHashTableIter iter;
    int64_t *index;
    int64_t farthest = 0, most = -1;
    g_hash_table_iter_init (&iter, cache->frames);
    while (g_hash_table_iter_next (&iter, (void **) &index, NULL)) {
      const int64_t steps = stays (cache, *index)
                                ? 0
                                : odl_timeline_steps_to (&cache->timeline, cache->focus,
                                                         cache->direction, *index);
      if (steps > most) {
        most = steps;
        farthest = *index;
      }
    }
    drop (cache, farthest);
  }
}

void
odl_frame_cache_set_max_bytes (OdlFrameCache *cache, size_t max_bytes)
{
  cache->max_bytes = max_bytes;
  make_room (cache, 0, 0);
}

void
odl_frame_cache_set_focus (OdlFrameCache *cache,
                           const OdlTimeline *timeline,
                           int64_t focus,
                           int direction)
{
  cache->timeline = *timeline;
  cache->focus = focus;
  cache->direction = direction;
}

void
odl_frame_cache_set_reach (OdlFrameCache *cache, OdlTimeReach reach)
{
  cache->reach = reach;
  make_room (cache, 0, 0);
}

void
odl_frame_cache_set_lead (OdlFrameCache *cache, int64_t lead)
{
  cache->lead = lead;
}

void
odl_frame_cache_put (OdlFrameCache *cache, int64_t index, OdlImage *image)
{
  const size_t bytes = odl_frame_cache_image_bytes (image);

  drop (cache, index);
  make_room (cache, 1, bytes);
  cache->bytes += bytes;
  cache->largest = MAX (cache->largest, bytes);
  g_hash_table_insert (cache->frames, g_memdup2 (&index, sizeof index),
                       odl_image_ref (image));
}

OdlImage *
odl_frame_cache_get (OdlFrameCache *cache, int64_t index)
{
  OdlImage *image = g_hash_table_lookup (cache->frames, &index);

  return image ? odl_image_ref (image) : NULL;
}

bool
odl_frame_cache_has (const OdlFrameCache *cache, int64_t index)
{
  return g_hash_table_contains (cache->frames, &index);
}

void
odl_frame_cache_mark (const OdlFrameCache *cache,
                      int64_t n_frames,
                      int n_marks,
                      uint8_t *marks)
{
  g_return_if_fail (n_marks >= 1 && n_marks <= n_frames);

  g_autofree int64_t *missing = g_new (int64_t, n_marks);
  GHashTableIter iter;
  int64_t *index;
  OdlImage *image;

  // Part k begins at the first frame i with i · n_marks / n_frames = k.
  for (int k = 0; k < n_marks; k++)
    missing[k] = ((k + 1) * n_frames + n_marks - 1) / n_marks
                 - (k * n_frames + n_marks - 1) / n_marks;
  memset (marks, 0, (size_t) n_marks);
  g_hash_table_iter_init (&iter, cache->frames);
  while (g_hash_table_iter_next (&iter, (void **) &index, (void **) &image)) {
    if (*index >= n_frames)
      continue;
    const int k = (int) (*index * n_marks / n_frames);
    if (--missing[k] == 0)
      marks[k] |= ODL_MARK_CACHED;
    if (odl_image_info (image)->mark)
      marks[k] |= ODL_MARK_DAMAGED;
  }
}

size_t
odl_frame_cache_bytes (const OdlFrameCache *cache)
{
  return cache->bytes;
}

int
odl_frame_cache_n_frames (const OdlFrameCache *cache)
{
  return (int) g_hash_table_size (cache->frames);
}

int64_t
odl_frame_cache_capacity (const OdlFrameCache *cache)
{
  if (cache->largest == 0)
    return least_frames (cache);
  return MAX (least_frames (cache), (int64_t) (cache->max_bytes / cache->largest));
}
