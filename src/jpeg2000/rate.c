// SPDX-License-Identifier: MIT
#include "jpeg2000/rate.h"

#include <math.h>

#include "jpeg2000/packets.h"

// Slopes are looked for between these by halving their ratio.
#define LEAST_SLOPE 1e-12
#define MOST_SLOPE 1e18
#define HALVINGS 48

// A slope is near enough when this share of the bytes or of the error is not used.
#define NEAR 0.0002

// How many passes of a block are worth `slope`.
static int
passes_worth (const OdlJ2kBlock *block, double slope)
{
  for (int i = block->n_passes - 1; i >= 0; i--)
    if (block->passes[i].slope > 0 && (double) block->passes[i].slope >= slope)
      return i + 1;
  return 0;
}

static double
error_left (const OdlJ2kBlock *block, int passes)
{
  return passes == 0 ? block->energy : block->passes[passes - 1].error;
}

static void
keep_worth (OdlJ2kTile *tile, double slope)
{
  for (gsize i = 0; i < odl_j2k_tile_blocks (tile); i++)
    tile->kept[i] = passes_worth (&tile->blocks[i], slope);
}

void
odl_j2k_rate_keep_all (OdlJ2kTile *tile)
{
  for (gsize i = 0; i < odl_j2k_tile_blocks (tile); i++)
    tile->kept[i] = tile->blocks[i].n_passes;
}

// ---- the search

typedef struct {
  OdlJ2kTile *tile; // NULL: keep nothing
  const OdlJ2kTile *blocks; // the same tile
  const float *shares; // NULL: each block stands for itself
} Search;

typedef double (*Measure) (const Search *search, double slope);

static double
share_of (const Search *search, gsize i)
{
  return search->shares != NULL ? (double) search->shares[i] : 1;
}

// Falls with the slope, as the next one does.
static double
measure_packets (const Search *search, double slope)
{
  keep_worth (search->tile, slope);
  return (double) odl_j2k_packets_size (search->tile);
}

static double
measure_bytes (const Search *search, double slope)
{
  double sum = 0;

  for (gsize i = 0; i < odl_j2k_tile_blocks (search->blocks); i++) {
    const OdlJ2kBlock *block = &search->blocks->blocks[i];
    sum += share_of (search, i)
           * (double) odl_j2k_block_bytes (block, passes_worth (block, slope));
  }
  return sum;
}

// Grows with the slope.
static double
measure_error (const Search *search, double slope)
{
  double sum = 0;

  for (gsize i = 0; i < odl_j2k_tile_blocks (search->blocks); i++) {
    const OdlJ2kBlock *block = &search->blocks->blocks[i];
    sum += share_of (search, i) * error_left (block, passes_worth (block, slope));
  }
  return sum;
}

// A slope at which `measure` is at most `limit`: the one nearest to `bad`, to which it
// grows. `good` if there is none.
static double
find (const Search *search, Measure measure, double limit, double good, double bad)
{
  if (measure (search, bad) <= limit)
    return bad;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = sqrt (good * bad);
    const double measured = measure (search, middle);
    if (measured > limit) {
      bad = middle;
      continue;
    }
    good = middle;
    if (limit - measured < NEAR * limit)
      break;
  }
  return good;
}

// ---- what is left

// The passes up to the next one at which a block is worth stopping.
typedef struct {
  gsize block;
  int passes;
  float slope;
} Step;

// Packets that are written, at most, to see whether a step fits.
#define TRIES 48

static int
compare_steps (const void *a, const void *b)
{
  const float first = ((const Step *) a)->slope, second = ((const Step *) b)->slope;

  return first < second ? 1 : first > second ? -1 : 0;
}

static GArray *
next_steps (const OdlJ2kTile *tile)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (Step));

  for (gsize i = 0; i < odl_j2k_tile_blocks (tile); i++) {
    const OdlJ2kBlock *block = &tile->blocks[i];
    int pass = tile->kept[i];
    while (pass < block->n_passes && !(block->passes[pass].slope > 0))
      pass++;
    if (pass < block->n_passes) {
      const Step step = { i, pass + 1, block->passes[pass].slope };
      g_array_append_val (steps, step);
    }
  }
  g_array_sort (steps, compare_steps);
  return steps;
}

// Blocks are taken as a whole or not at all: of those that are next in turn, some may
// still fit.
static void
fill_up (OdlJ2kTile *tile, double bytes)
{
  g_autoptr (GArray) steps = next_steps (tile);
  double left = bytes - (double) odl_j2k_packets_size (tile);

  for (guint i = 0, tries = 0; i < steps->len && tries < TRIES; i++) {
    const Step *step = &g_array_index (steps, Step, i);
    const OdlJ2kBlock *block = &tile->blocks[step->block];
    const int before = tile->kept[step->block];
    const double more = (double) odl_j2k_block_bytes (block, step->passes)
                        - (double) odl_j2k_block_bytes (block, before);
    if (more > left)
      continue;
    tries++;
    tile->kept[step->block] = step->passes;
    const double now = bytes - (double) odl_j2k_packets_size (tile);
    if (now < 0)
      tile->kept[step->block] = before;
    else
      left = now;
  }
}

double
odl_j2k_rate_keep_bytes (OdlJ2kTile *tile, double bytes)
{
  const Search search = { tile, tile, NULL };
  const double slope = find (&search, measure_packets, bytes, MOST_SLOPE, LEAST_SLOPE);

  keep_worth (tile, slope);
  fill_up (tile, bytes);
  return slope;
}

double
odl_j2k_rate_keep_error (OdlJ2kTile *tile, double error)
{
  const Search search = { tile, tile, NULL };
  const double slope = find (&search, measure_error, error, LEAST_SLOPE, MOST_SLOPE);

  keep_worth (tile, slope);
  return slope;
}

double
odl_j2k_rate_guess_bytes (const OdlJ2kTile *tile, const float *shares, double bytes)
{
  const Search search = { NULL, tile, shares };

  return find (&search, measure_bytes, bytes, MOST_SLOPE, LEAST_SLOPE);
}

double
odl_j2k_rate_guess_error (const OdlJ2kTile *tile, const float *shares, double error)
{
  const Search search = { NULL, tile, shares };

  return find (&search, measure_error, error, LEAST_SLOPE, MOST_SLOPE);
}
