// SPDX-License-Identifier: MIT
// Tiles of blocks on all cores, and the means of what their groups say.
#include "image/bm3d/pass.h"

#include <glib.h>
#include <string.h>

#include "base/clones.h"
#include "base/memory.h"
#include "base/parallel.h"

#define SIDE ODL_BM3D_SIDE
#define TILE_ROWS 8 // of blocks that a thread takes at once
#define TILE_COLUMNS 42
#define TILES_PER_THREAD 8 // whose sums are in memory at a time
#define ROWS_AT_ONCE 16 // that a thread adds up

// What groups say of the samples of a tile, frame by frame.
typedef struct {
  float *sums; // weight · window · sample
  float *weights; // of the groups whose blocks have their corner there
  int left, top; // the first sample
  int width, height; // within the picture
} Tile;

typedef struct {
  const OdlBm3dPass *pass;
  OdlBm3dPicture searched; // the centre, with its phases
  OdlBm3dTransform transform;
  OdlBm3dNoise *noise; // NULL: white
  float along[ODL_BM3D_MOST_TIMES + 1][ODL_BM3D_MOST_TIMES][ODL_BM3D_MOST_TIMES];
  OdlBm3dFollow follow;
  int step, reach, most; // of the effort
  int wide, tall; // the samples of a frame that tiles may write
  float window[SIDE][SIDE];
  float farthest;
  int n_rows, n_columns; // of blocks
  int tiles_x, tiles_y;
} Work;

static void
make_window (Work *work)
{
  double line[SIDE];

  odl_bm3d_window (line);
  for (int v = 0; v < SIDE; v++)
    for (int u = 0; u < SIDE; u++)
      work->window[v][u] = (float) (line[v] * line[u]);
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

size_t
odl_bm3d_phases_size (int width, int height, OdlBm3dEffort effort)
{
  const int step = odl_bm3d_efforts[effort].step;

  return phase_pitch (width, step) * (size_t) step * (size_t) height;
}

void
odl_bm3d_pad (const float *samples, size_t pitch, int width, int height, float *copy)
{
  const int wide = MAX (width, SIDE), tall = MAX (height, SIDE);

  for (int y = 0; y < tall; y++) {
    const int v = y % (2 * height), row = MIN (v, 2 * height - 1 - v);
    const float *from = samples + (size_t) row * pitch;
    float *to = copy + (size_t) y * (size_t) wide;
    memcpy (to, from, (size_t) width * sizeof *to);
    for (int x = width; x < wide; x++) {
      const int u = x % (2 * width);
      to[x] = from[MIN (u, 2 * width - 1 - u)];
    }
  }
}

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
    .picture = &work->searched,
    .step = work->step,
    .reach = work->reach,
    .most = work->most,
    .farthest = work->farthest,
    .x = x,
    .y = y,
    .columns = columns,
    .rows = rows,
  };

  if (columns > 0 && rows > 0)
    work->pass->kernels->find (&search, matches, TILE_COLUMNS);
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
  const int width = work->searched.width, height = work->searched.height;
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

// Samples of a frame of a tile.
static size_t
frame_size (const Work *work)
{
  return (size_t) work->tall * (size_t) work->wide;
}

static void
add_group (const Work *work, const Tile *tile, const OdlBm3dBlocks *blocks)
{
  const OdlBm3dGroup group = {
    .picture = &work->pass->picture,
    .guide = work->pass->second ? &work->pass->guide : NULL,
    .blocks = blocks,
    .transform = &work->transform,
    .along = work->along[blocks->times],
    .sigma = (float) work->pass->sigma,
    .noise = work->noise,
    .window = work->window,
    .sums = tile->sums,
    .pitch = (size_t) work->wide,
    .frame = frame_size (work),
    .left = tile->left,
    .top = tile->top,
  };
  const float weight = work->pass->kernels->filter (&group);

  for (int i = 0; i < blocks->n * blocks->times; i++)
    tile->weights[(size_t) blocks->places[i].frame * group.frame
                  + (size_t) (blocks->places[i].y - tile->top) * group.pitch
                  + (size_t) (blocks->places[i].x - tile->left)]
        += weight;
}

static size_t
tile_size (const Work *work)
{
  return (size_t) work->pass->n_frames * frame_size (work);
}

static void
fill_tile (const Work *work, int index, Tile *tile, OdlBm3dMatches *matches)
{
  const int column = index % work->tiles_x * TILE_COLUMNS;
  const int row = index / work->tiles_x * TILE_ROWS;
  const int columns = MIN (TILE_COLUMNS, work->n_columns - column);
  const int rows = MIN (TILE_ROWS, work->n_rows - row);

  tile->left = MAX (place (work, column, work->searched.width) - work->reach, 0);
  tile->top = MAX (place (work, row, work->searched.height) - work->reach, 0);
  tile->width = MIN (work->wide, work->searched.width - tile->left);
  tile->height = MIN (work->tall, work->searched.height - tile->top);
  memset (tile->sums, 0, tile_size (work) * sizeof *tile->sums);
  memset (tile->weights, 0, tile_size (work) * sizeof *tile->weights);
  find_all (work, column, row, columns, rows, matches);
  for (int v = 0; v < rows; v++)
    for (int u = 0; u < columns; u++) {
      OdlBm3dBlocks blocks;
      odl_bm3d_follow (&work->follow, &matches[v * TILE_COLUMNS + u], &blocks);
      add_group (work, tile, &blocks);
      for (int other = 1; work->pass->together && other < work->pass->n_frames; other++) {
        for (int i = 0; i < blocks.n; i++)
          blocks.places[i].frame = other;
        add_group (work, tile, &blocks);
      }
    }
}

// ---- sums ----------------------------------------------------------------------------

ODL_ROW_LOOP static void
add_line (const float *line, float *restrict to, int n)
{
  for (int x = 0; x < n; x++)
    to[x] += line[x];
}

// Adds rows from `first` on of all frames.
static void
add_rows (const Work *work, const Tile *tile, int first, int last)
{
  const OdlBm3dPass *pass = work->pass;

  for (int frame = 0; frame < pass->n_frames; frame++)
    for (int y = first; y < last; y++) {
      const size_t from = (size_t) frame * frame_size (work)
                          + (size_t) (y - tile->top) * (size_t) work->wide;
      const size_t to = (size_t) frame * pass->picture.frame
                        + (size_t) y * pass->picture.pitch + (size_t) tile->left;
      add_line (tile->sums + from, pass->sums + to, tile->width);
      add_line (tile->weights + from, pass->weights + to, tile->width);
    }
}

// Adds tiles to the sums of whole frames, each sample in the order of the tiles.
static void
add_tiles (const Work *work, const Tile *tiles, int n)
{
  int end = 0;

  for (int i = 0; i < n; i++)
    end = MAX (end, tiles[i].top + tiles[i].height);
  ODL_PARALLEL_FOR
  for (int first = tiles[0].top; first < end; first += ROWS_AT_ONCE)
    for (int i = 0; i < n; i++)
      add_rows (work, &tiles[i], MAX (first, tiles[i].top),
                MIN (MIN (first + ROWS_AT_ONCE, end), tiles[i].top + tiles[i].height));
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
  const int all = work->tiles_x * work->tiles_y * work->pass->passes;

  for (int i = g_atomic_int_add (next, 1); i < n; i = g_atomic_int_add (next, 1)) {
    fill_tile (work, first + i, &tiles[i], matches);
    if (!odl_progress_count (work->pass->progress, 1, all))
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
    if (odl_progress_stopped (work->pass->progress))
      break;
    add_tiles (work, tiles, n);
  }
  odl_aligned_free (room);
  odl_aligned_free (matches);
  return filled;
}

bool
odl_bm3d_pass (const OdlBm3dPass *pass)
{
  const OdlBm3dSettings *effort = &odl_bm3d_efforts[pass->effort];
  const OdlBm3dPicture *guide = pass->searched.samples != NULL ? &pass->searched
                                : pass->second                 ? &pass->guide
                                                               : &pass->picture;
  const double mean = (pass->searched.samples != NULL ? ODL_BM3D_FARTHEST_WHITENED
                       : pass->second                 ? ODL_BM3D_FARTHEST
                                                      : ODL_BM3D_FARTHEST_FIRST)
                      * pass->sigma * pass->sigma;
  Work work = {
    .pass = pass,
    .searched = *guide,
    .step = effort->step,
    .reach = effort->reach,
    .most = effort->most[pass->second],
    .wide = (TILE_COLUMNS - 1) * effort->step + 2 * effort->reach + SIDE,
    .tall = (TILE_ROWS - 1) * effort->step + 2 * effort->reach + SIDE,
    .farthest = (float) (mean * SIDE * SIDE),
    .n_rows = count_places (guide->height, effort->step),
    .n_columns = count_places (guide->width, effort->step),
  };

  work.searched.samples += (size_t) pass->centre * guide->frame;
  add_phases (&work.searched, work.step, pass->phases);
  if (pass->second)
    odl_bm3d_cosines (&work.transform);
  else
    odl_bm3d_wavelets (&work.transform);
  for (int n = 1; n <= ODL_BM3D_MOST_TIMES; n++)
    odl_bm3d_cosines_of_times (n, work.along[n]);
  make_window (&work);
  work.follow = (OdlBm3dFollow){
    .picture = guide,
    .ways = &pass->ways,
    .centre = pass->centre,
    .reach = work.reach,
    .most = effort->most_along[pass->second],
    .farthest = work.farthest,
  };
  work.tiles_x = (work.n_columns + TILE_COLUMNS - 1) / TILE_COLUMNS;
  work.tiles_y = (work.n_rows + TILE_ROWS - 1) / TILE_ROWS;
  if (pass->correlations != NULL) {
    work.noise = odl_aligned_alloc_unset (sizeof *work.noise, false);
    if (work.noise == NULL)
      return false;
    odl_bm3d_noise_init (work.noise, pass->correlations, &work.transform,
                         pass->kernels->turned);
  }
  const bool filled = fill (&work);
  odl_aligned_free (work.noise);
  return filled;
}

// ---- means ---------------------------------------------------------------------------

typedef struct {
  const float *sums;
  const float *weights;
  float line[SIDE]; // of the window
  size_t pitch;
  int wide; // of the sums
  int width; // of the result
} Division;

// A row of the result: sums over the weights, which the window spreads over blocks.
// `between` has room for a row and a side.
ODL_ROW_LOOP static void
divide_row (const Division *d, int y, float *restrict between, float *restrict result)
{
  const float *sums = d->sums + (size_t) y * d->pitch;
  float *spread = between + SIDE - 1;

  memset (between, 0, (size_t) (d->wide + SIDE - 1) * sizeof *between);
  for (int v = 0; v < SIDE && v <= y; v++) {
    const float *weights = d->weights + (size_t) (y - v) * d->pitch;
    const float own = d->line[v];
    for (int x = 0; x < d->wide; x++)
      spread[x] += own * weights[x];
  }
  for (int x = 0; x < d->width; x++) {
    float weight = 0;
    for (int u = 0; u < SIDE; u++)
      weight += d->line[u] * spread[x - u];
    result[x] = sums[x] / weight;
  }
}

void
odl_bm3d_divide (const OdlBm3dPicture *picture,
                 const float *sums,
                 const float *weights,
                 int width,
                 int height,
                 float *result,
                 size_t pitch)
{
  Division d = { .sums = sums,
                 .weights = weights,
                 .pitch = picture->pitch,
                 .wide = picture->width,
                 .width = width };
  double line[SIDE];

  odl_bm3d_window (line);
  for (int i = 0; i < SIDE; i++)
    d.line[i] = (float) line[i];
  ODL_PARALLEL_FOR
  for (int first = 0; first < height; first += ROWS_AT_ONCE) {
    g_autofree float *between = g_new (float, (size_t) picture->width + SIDE);
    for (int y = first; y < MIN (first + ROWS_AT_ONCE, height); y++)
      divide_row (&d, y, between, result + (size_t) y * pitch);
  }
}
