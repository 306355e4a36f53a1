// SPDX-License-Identifier: MIT
// Tiles of blocks on all cores, and the means of what their groups say.
#include "image/bm3d/bm3d.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/memory.h"
#include "base/parallel.h"

#define SIDE ODL_BM3D_SIDE
#define TILE_ROWS 8 // of blocks that a thread takes at once
#define TILE_COLUMNS 42
#define TILES_PER_THREAD 8 // whose sums are in memory at a time
#define ROWS_AT_ONCE 16 // that a thread adds up

// What groups say of the samples of a tile.
typedef struct {
  float *sums; // weight · window · sample
  float *weights; // of the groups whose blocks have their corner there
  int left, top; // the first sample
  int width, height; // within the picture
} Tile;

typedef struct {
  const OdlBm3d *bm3d;
  const OdlBm3dKernels *kernels;
  OdlBm3dPicture picture;
  OdlBm3dPicture guide; // in step one the picture
  OdlBm3dTransform transform;
  int step, reach; // of the effort
  int wide, tall; // the samples that tiles may write
  float line[SIDE]; // of the window
  float window[SIDE][SIDE];
  float farthest;
  float *sums; // as of tiles, of all samples
  float *weights;
  int n_rows, n_columns; // of blocks
  int tiles_x, tiles_y;
} Work;

static void
make_window (Work *work)
{
  double line[SIDE];

  odl_bm3d_window (line);
  for (int v = 0; v < SIDE; v++) {
    work->line[v] = (float) line[v];
    for (int u = 0; u < SIDE; u++)
      work->window[v][u] = (float) (line[v] * line[u]);
  }
}

// Block i of a line of blocks: every `step`-th place, and the last one.
static int
count_places (int length, int step)
{
  return (length - SIDE + step - 1) / step + 1;
}

static int
place (const Work *work, int i, int length)
{
  return MIN (i * work->step, length - SIDE);
}

// ---- pictures ------------------------------------------------------------------------

static size_t
phase_pitch (int width, int step)
{
  return (size_t) (width + step - 1) / (size_t) step + ODL_BM3D_BEFORE + ODL_BM3D_BEHIND;
}

// A copy in `copy`, which has room behind its last row, of at least SIDE columns and
// rows: there the last ones stand again, mirrored.
static OdlBm3dPicture
padded (const OdlBm3d *bm3d, const float *samples, size_t pitch, float *copy)
{
  const int width = MAX (bm3d->width, SIDE), height = MAX (bm3d->height, SIDE);

  for (int y = 0; y < height; y++) {
    const int v = y % (2 * bm3d->height), row = MIN (v, 2 * bm3d->height - 1 - v);
    const float *from = samples + (size_t) row * pitch;
    float *to = copy + (size_t) y * width;
    memcpy (to, from, (size_t) bm3d->width * sizeof *to);
    for (int x = bm3d->width; x < width; x++) {
      const int u = x % (2 * bm3d->width);
      to[x] = from[MIN (u, 2 * bm3d->width - 1 - u)];
    }
  }
  return (OdlBm3dPicture){
    .samples = copy, .pitch = (size_t) width, .width = width, .height = height
  };
}

// `lines` has room for phases and is 0.
static void
add_phases (OdlBm3dPicture *picture, int step, float *lines)
{
  const size_t pitch = phase_pitch (picture->width, step);

  ODL_PARALLEL_FOR
  for (int y = 0; y < picture->height; y++) {
    const float *row = picture->samples + (size_t) y * picture->pitch;
    for (int phase = 0; phase < step; phase++) {
      float *to = lines + ((size_t) y * step + phase) * pitch + ODL_BM3D_BEFORE;
      for (int x = phase, i = 0; x < picture->width; x += step, i++)
        to[i] = row[x];
    }
  }
  picture->phases = lines + ODL_BM3D_BEFORE;
  picture->phase_pitch = pitch;
}

// ---- tiles ---------------------------------------------------------------------------

// Finds what blocks look like those of a part of a tile.
static void
find_part (const Work *work, int x, int y, int columns, int rows, OdlBm3dMatches *matches)
{
  const OdlBm3dSearch search = {
    .picture = &work->guide,
    .step = work->step,
    .reach = work->reach,
    .most = odl_bm3d_efforts[work->bm3d->effort].most[work->bm3d->guide != NULL],
    .farthest = work->farthest,
    .x = x,
    .y = y,
    .columns = columns,
    .rows = rows,
  };

  if (columns > 0 && rows > 0)
    work->kernels->find (&search, matches, TILE_COLUMNS);
}

// The last column and the last row of blocks may stand nearer to the ones before.
static void
find_all (const Work *work,
          int column,
          int row,
          int columns,
          int rows,
          OdlBm3dMatches *matches)
{
  const int width = work->picture.width, height = work->picture.height;
  const int x = place (work, column, width), y = place (work, row, height);
  const int last_x = place (work, column + columns - 1, width);
  const int last_y = place (work, row + rows - 1, height);
  const int regular_x
      = columns - (last_x != x + (columns - 1) * work->step || x % work->step != 0);
  const int regular_y = rows - (last_y != y + (rows - 1) * work->step);
  OdlBm3dMatches *below = matches + (size_t) regular_y * TILE_COLUMNS;

  find_part (work, x, y, regular_x, regular_y, matches);
  find_part (work, last_x, y, columns - regular_x, regular_y, matches + regular_x);
  find_part (work, x, last_y, regular_x, rows - regular_y, below);
  find_part (work, last_x, last_y, columns - regular_x, rows - regular_y,
             below + regular_x);
}

static void
add_group (const Work *work, const Tile *tile, const OdlBm3dMatches *matches)
{
  const OdlBm3dGroup group = {
    .picture = &work->picture,
    .guide = work->bm3d->guide != NULL ? &work->guide : NULL,
    .matches = matches,
    .transform = &work->transform,
    .sigma = (float) work->bm3d->sigma,
    .window = work->window,
    .sums = tile->sums,
    .pitch = (size_t) work->wide,
    .left = tile->left,
    .top = tile->top,
  };
  const float weight = work->kernels->filter (&group);

  for (int i = 0; i < matches->n; i++)
    tile->weights[(matches->places[i].y - tile->top) * work->wide
                  + (matches->places[i].x - tile->left)]
        += weight;
}

static size_t
tile_size (const Work *work)
{
  return (size_t) work->tall * (size_t) work->wide;
}

static void
fill_tile (const Work *work, int index, Tile *tile, OdlBm3dMatches *matches)
{
  const int column = index % work->tiles_x * TILE_COLUMNS;
  const int row = index / work->tiles_x * TILE_ROWS;
  const int columns = MIN (TILE_COLUMNS, work->n_columns - column);
  const int rows = MIN (TILE_ROWS, work->n_rows - row);

  tile->left = MAX (place (work, column, work->picture.width) - work->reach, 0);
  tile->top = MAX (place (work, row, work->picture.height) - work->reach, 0);
  tile->width = MIN (work->wide, work->picture.width - tile->left);
  tile->height = MIN (work->tall, work->picture.height - tile->top);
  memset (tile->sums, 0, tile_size (work) * sizeof *tile->sums);
  memset (tile->weights, 0, tile_size (work) * sizeof *tile->weights);
  find_all (work, column, row, columns, rows, matches);
  for (int v = 0; v < rows; v++)
    for (int u = 0; u < columns; u++)
      add_group (work, tile, &matches[v * TILE_COLUMNS + u]);
}

// ---- sums ----------------------------------------------------------------------------

ODL_ROW_LOOP static void
add_line (const float *line, float *restrict to, int n)
{
  for (int x = 0; x < n; x++)
    to[x] += line[x];
}

// Adds tiles to the sums of the whole picture, each sample in the order of the tiles.
static void
add_tiles (const Work *work, const Tile *tiles, int n)
{
  const size_t pitch = work->picture.pitch;
  int end = 0;

  for (int i = 0; i < n; i++)
    end = MAX (end, tiles[i].top + tiles[i].height);
  ODL_PARALLEL_FOR
  for (int first = tiles[0].top; first < end; first += ROWS_AT_ONCE)
    for (int i = 0; i < n; i++) {
      const Tile *tile = &tiles[i];
      const int last = MIN (MIN (first + ROWS_AT_ONCE, end), tile->top + tile->height);
      for (int y = MAX (first, tile->top); y < last; y++) {
        const size_t from = (size_t) (y - tile->top) * (size_t) work->wide;
        const size_t to = (size_t) y * pitch + (size_t) tile->left;
        add_line (tile->sums + from, work->sums + to, tile->width);
        add_line (tile->weights + from, work->weights + to, tile->width);
      }
    }
}

// Takes the tiles from *next on as they come, until none is left.
static void
fill_some (const Work *work,
           int first,
           int n,
           Tile *tiles,
           int *next,
           OdlBm3dMatches *matches)
{
  const int all = work->tiles_x * work->tiles_y * MAX (work->bm3d->pictures, 1);

  for (int i = g_atomic_int_add (next, 1); i < n; i = g_atomic_int_add (next, 1)) {
    fill_tile (work, first + i, &tiles[i], matches);
    if (!odl_progress_count (work->bm3d->progress, 1, all))
      return;
  }
}

// Tiles side by side, then added in their order, so that sums are the same whatever the
// number of threads. False when memory is short.
static bool
fill (const Work *work)
{
  const int n_tiles = work->tiles_x * work->tiles_y;
  const int threads = MIN (odl_parallel_threads (), n_tiles);
  const int together = MIN (TILES_PER_THREAD * threads, n_tiles);
  const size_t size = tile_size (work), found = (size_t) TILE_ROWS * TILE_COLUMNS;
  g_autofree Tile *tiles = g_new (Tile, together);
  float *room
      = odl_aligned_alloc_unset (2 * size * (size_t) together * sizeof *room, false);
  OdlBm3dMatches *matches
      = odl_aligned_alloc_unset (found * (size_t) threads * sizeof *matches, false);
  const bool filled = room != NULL && matches != NULL;

  for (int i = 0; filled && i < together; i++)
    tiles[i]
        = (Tile){ .sums = room + 2 * i * size, .weights = room + (2 * i + 1) * size };
  for (int first = 0; filled && first < n_tiles; first += together) {
    const int n = MIN (together, n_tiles - first);
    int next = 0;
    ODL_PARALLEL_FOR_AT_MOST (threads)
    for (int i = 0; i < threads; i++)
      fill_some (work, first, n, tiles, &next, matches + i * found);
    if (odl_progress_stopped (work->bm3d->progress))
      break;
    add_tiles (work, tiles, n);
  }
  odl_aligned_free (room);
  odl_aligned_free (matches);
  return filled;
}

// A row of the result: sums over the weights, which the window spreads over blocks.
// `between` has room for a row and a side.
ODL_ROW_LOOP static void
divide_row (const Work *work, int y, float *restrict between, float *restrict result)
{
  const size_t pitch = work->picture.pitch;
  const int width = work->picture.width;
  const float *sums = work->sums + (size_t) y * pitch;
  float *spread = between + SIDE - 1;

  memset (between, 0, (size_t) (width + SIDE - 1) * sizeof *between);
  for (int v = 0; v < SIDE && v <= y; v++) {
    const float *weights = work->weights + (size_t) (y - v) * pitch;
    const float own = work->line[v];
    for (int x = 0; x < width; x++)
      spread[x] += own * weights[x];
  }
  for (int x = 0; x < work->bm3d->width; x++) {
    float weight = 0;
    for (int u = 0; u < SIDE; u++)
      weight += work->line[u] * spread[x - u];
    result[x] = sums[x] / weight;
  }
}

// ---- pictures ------------------------------------------------------------------------

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

// `room` is zero; `size`: of a picture there, before lines of phases and rows between.
static bool
run (const OdlBm3d *bm3d, float *room, size_t size, float *result, size_t pitch)
{
  const OdlBm3dSettings *effort = &odl_bm3d_efforts[bm3d->effort];
  Work work = {
    .bm3d = bm3d,
    .step = effort->step,
    .reach = effort->reach,
    .wide = (TILE_COLUMNS - 1) * effort->step + 2 * effort->reach + SIDE,
    .tall = (TILE_ROWS - 1) * effort->step + 2 * effort->reach + SIDE,
    .kernels = bm3d->kernels != NULL ? bm3d->kernels : &odl_bm3d_plain,
    .farthest = farthest (bm3d),
    .sums = room + 2 * size,
    .weights = room + 3 * size,
  };

  work.picture = work.guide = padded (bm3d, bm3d->samples, bm3d->pitch, room);
  if (bm3d->guide != NULL) {
    work.guide = padded (bm3d, bm3d->guide, bm3d->guide_pitch, room + size);
    odl_bm3d_cosines (&work.transform);
  } else {
    odl_bm3d_wavelets (&work.transform);
  }
  add_phases (&work.guide, work.step, room + 4 * size);
  make_window (&work);
  work.n_rows = count_places (work.picture.height, work.step);
  work.n_columns = count_places (work.picture.width, work.step);
  work.tiles_x = (work.n_columns + TILE_COLUMNS - 1) / TILE_COLUMNS;
  work.tiles_y = (work.n_rows + TILE_ROWS - 1) / TILE_ROWS;
  if (!fill (&work))
    return false;
  // The phases are no longer needed: each row has more of them than it has samples.
  float *between = room + 4 * size;
  const size_t line = (size_t) work.step * work.guide.phase_pitch;
  ODL_PARALLEL_FOR
  for (int y = 0; y < bm3d->height; y++)
    divide_row (&work, y, between + (size_t) y * line, result + y * pitch);
  return true;
}

bool
odl_bm3d_run (const OdlBm3d *bm3d, float *result, size_t pitch)
{
  const size_t width = (size_t) MAX (bm3d->width, SIDE);
  const size_t height = (size_t) MAX (bm3d->height, SIDE);
  const size_t size = width * height + ODL_BM3D_SLACK;
  const int step = odl_bm3d_efforts[bm3d->effort].step;
  const size_t phases = phase_pitch ((int) width, step) * (size_t) step * height;
  float *room
      = bm3d->sigma > 0 ? odl_aligned_alloc ((4 * size + phases) * sizeof *room) : NULL;

  const bool filtered = room != NULL && run (bm3d, room, size, result, pitch);
  if (!filtered)
    copy_picture (bm3d, result, pitch);
  odl_aligned_free (room);
  return filtered || !(bm3d->sigma > 0);
}
