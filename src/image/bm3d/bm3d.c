// SPDX-License-Identifier: MIT
// Strips of blocks on all cores, and the means of what their groups say.
#include "image/bm3d/bm3d.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "image/bm3d/groups.h"

#define SIDE ODL_BM3D_SIDE
#define STEP ODL_BM3D_STEP
#define STRIP 8 // rows of blocks that a thread takes at once
#define STRIP_ROWS (STRIP * STEP + 2 * ODL_BM3D_REACH + SIDE) // that they may write
#define STRIPS_PER_THREAD 2 // that are in memory at a time

// What groups say of the rows of a strip.
typedef struct {
  float *sums; // weight · sample, STRIP_ROWS rows
  float *weights;
  int top; // the first row
} Strip;

typedef struct {
  const OdlBm3d *bm3d;
  OdlBm3dPicture picture;
  OdlBm3dPicture guide; // in step one the picture
  OdlBm3dTransform transform;
  float window[SIDE][SIDE];
  float farthest;
  size_t pitch; // of strips
  int n_rows; // of blocks
} Work;

static void
make_window (float window[SIDE][SIDE])
{
  double line[SIDE];

  odl_bm3d_window (line);
  for (int v = 0; v < SIDE; v++)
    for (int u = 0; u < SIDE; u++)
      window[v][u] = (float) (line[v] * line[u]);
}

// Block i of a line of blocks: every third place, and the last one.
static int
count_places (int length)
{
  return (length - SIDE + STEP - 1) / STEP + 1;
}

static int
place (int i, int length)
{
  return MIN (i * STEP, length - SIDE);
}

// A copy in `copy`, which has room behind its last row, of at least SIDE columns and
// rows: there the last ones stand again, mirrored.
static OdlBm3dPicture
padded (const OdlBm3d *bm3d, const float *samples, size_t pitch, float *copy)
{
  const int width = MAX (bm3d->width, SIDE), height = MAX (bm3d->height, SIDE);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const int u = x % (2 * bm3d->width), v = y % (2 * bm3d->height);
      const int column = MIN (u, 2 * bm3d->width - 1 - u);
      const int row = MIN (v, 2 * bm3d->height - 1 - v);
      copy[(size_t) y * width + x] = samples[(size_t) row * pitch + column];
    }
  return (OdlBm3dPicture){ copy, (size_t) width, width, height };
}

static void
take (const OdlBm3dPicture *picture,
      const OdlBm3dPlace *places,
      int n,
      OdlBm3dBlock *blocks)
{
  for (int i = 0; i < n; i++) {
    const float *from
        = picture->samples + (size_t) places[i].y * picture->pitch + places[i].x;
    for (int v = 0; v < SIDE; v++)
      memcpy (&blocks[i].rows[v], from + v * picture->pitch, sizeof blocks[i].rows[v]);
  }
}

static void
add (const Work *work,
     const Strip *strip,
     const OdlBm3dPlace *at,
     const OdlBm3dBlock *block,
     float weight)
{
  for (int v = 0; v < SIDE; v++) {
    const size_t to = (size_t) (at->y + v - strip->top) * work->pitch + at->x;
    for (int u = 0; u < SIDE; u++) {
      const float own = weight * work->window[v][u];
      strip->sums[to + u] += own * block->rows[v][u];
      strip->weights[to + u] += own;
    }
  }
}

static void
add_group (const Work *work, const Strip *strip, int x, int y)
{
  const bool second = work->bm3d->guide != NULL;
  const float sigma = (float) work->bm3d->sigma;
  OdlBm3dPlace places[ODL_BM3D_MOST];
  OdlBm3dBlock blocks[ODL_BM3D_MOST], guides[ODL_BM3D_MOST];
  const int n
      = odl_bm3d_find (&work->guide, x, y, second ? ODL_BM3D_MOST : ODL_BM3D_MOST_FIRST,
                       work->farthest, places);
  float weight;

  take (&work->picture, places, n, blocks);
  if (second) {
    take (&work->guide, places, n, guides);
    weight = odl_bm3d_wiener (&work->transform, blocks, guides, n, sigma);
  } else {
    weight = odl_bm3d_threshold (&work->transform, blocks, n,
                                 (float) ODL_BM3D_SHRINKAGE * sigma);
  }
  for (int i = 0; i < n; i++)
    add (work, strip, &places[i], &blocks[i], weight);
}

static void
fill_strip (const Work *work, int index, Strip *strip)
{
  const int first = index * STRIP, end = MIN (first + STRIP, work->n_rows);
  const int n_columns = count_places (work->picture.width);

  strip->top = MAX (place (first, work->picture.height) - ODL_BM3D_REACH, 0);
  memset (strip->sums, 0, STRIP_ROWS * work->pitch * sizeof *strip->sums);
  memset (strip->weights, 0, STRIP_ROWS * work->pitch * sizeof *strip->weights);
  for (int row = first; row < end; row++)
    for (int column = 0; column < n_columns; column++)
      add_group (work, strip, place (column, work->picture.width),
                 place (row, work->picture.height));
}

// Adds the strip to the sums of the whole picture.
static void
add_strip (const Work *work, const Strip *strip, float *sums, float *weights)
{
  const int rows = MIN (STRIP_ROWS, work->picture.height - strip->top);
  const size_t at = (size_t) strip->top * work->pitch;

  for (size_t i = 0; i < (size_t) rows * work->pitch; i++) {
    sums[at + i] += strip->sums[i];
    weights[at + i] += strip->weights[i];
  }
}

// Strips side by side, then added in their order, so that sums are the same whatever the
// number of threads. False when memory is short.
static bool
fill (const Work *work, float *sums, float *weights)
{
  const int n_strips = (work->n_rows + STRIP - 1) / STRIP;
  const int together = MIN (STRIPS_PER_THREAD * odl_parallel_threads (), n_strips);
  const size_t size = STRIP_ROWS * work->pitch;
  OdlProgress *progress = work->bm3d->progress;
  g_autofree Strip *strips = g_new (Strip, together);
  float *room
      = odl_aligned_alloc_unset (2 * size * (size_t) together * sizeof *room, false);

  for (int i = 0; room != NULL && i < together; i++)
    strips[i] = (Strip){ room + 2 * i * size, room + (2 * i + 1) * size, 0 };
  for (int first = 0; room != NULL && first < n_strips; first += together) {
    const int n = MIN (together, n_strips - first);
    ODL_PARALLEL_FOR
    for (int i = 0; i < n; i++) {
      fill_strip (work, first + i, &strips[i]);
      odl_progress_count (progress, 1, n_strips * MAX (work->bm3d->pictures, 1));
    }
    if (odl_progress_stopped (progress))
      break;
    for (int i = 0; i < n; i++)
      add_strip (work, &strips[i], sums, weights);
  }
  const bool filled = room != NULL;
  odl_aligned_free (room);
  return filled;
}

// Blocks at larger distances do not belong together.
static float
farthest (const OdlBm3d *bm3d)
{
  const double mean = (bm3d->guide != NULL ? ODL_BM3D_FARTHEST : ODL_BM3D_FARTHEST_FIRST)
                      * bm3d->sigma * bm3d->sigma;

  return (float) (mean * SIDE * SIDE);
}

static void
copy_picture (const OdlBm3d *bm3d, float *result, size_t pitch)
{
  for (int y = 0; y < bm3d->height; y++)
    memcpy (result + y * pitch, bm3d->samples + y * bm3d->pitch,
            (size_t) bm3d->width * sizeof *result);
}

// `room` is zero; `size`: of a picture there.
static bool
run (const OdlBm3d *bm3d, float *room, size_t size, float *result, size_t pitch)
{
  Work work = { .bm3d = bm3d, .farthest = farthest (bm3d) };
  float *sums = room + 2 * size, *weights = sums + size;

  work.picture = work.guide = padded (bm3d, bm3d->samples, bm3d->pitch, room);
  if (bm3d->guide != NULL) {
    work.guide = padded (bm3d, bm3d->guide, bm3d->guide_pitch, room + size);
    odl_bm3d_cosines (&work.transform);
  } else {
    odl_bm3d_wavelets (&work.transform);
  }
  make_window (work.window);
  work.pitch = work.picture.pitch;
  work.n_rows = count_places (work.picture.height);
  if (!fill (&work, sums, weights))
    return false;
  for (int y = 0; y < bm3d->height; y++)
    for (int x = 0; x < bm3d->width; x++)
      result[y * pitch + x] = sums[y * work.pitch + x] / weights[y * work.pitch + x];
  return true;
}

bool
odl_bm3d_run (const OdlBm3d *bm3d, float *result, size_t pitch)
{
  const size_t size = (size_t) MAX (bm3d->width, SIDE) * (size_t) MAX (bm3d->height, SIDE)
                      + ODL_BM3D_SLACK;
  float *room = bm3d->sigma > 0 ? odl_aligned_alloc (4 * size * sizeof *room) : NULL;

  const bool filtered = room != NULL && run (bm3d, room, size, result, pitch);
  if (!filtered)
    copy_picture (bm3d, result, pitch);
  odl_aligned_free (room);
  return filtered || !(bm3d->sigma > 0);
}
