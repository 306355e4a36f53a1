// SPDX-License-Identifier: MIT
// Line-based: a ring holds as many lines as the vertical filters are long. When it is
// full, each band gets a line and the two oldest lines are replaced; lines of LL go to
// the ring of the next level, lines of samples to that of the level above.
//
// Mirrored lines are in the ring when they are needed. Periodic ones are not: the ring
// begins with the first pair that needs no line from before the first one, and at the end
// gets again the lines that came first, so that a level's pairs come in cyclic order.
#include <string.h>

#include "coder/private.h"
#include "wavelet/border.h"

// Pair `pair` of the phases; y1 is NULL for a line that is copied.
typedef void (*Give) (void *data, int pair, const float *y0, const float *y1);

typedef struct {
  const OdlCoderPass *pass;
  int columns;
  int rows; // that come
  int length; // of them that are transformed; another one is copied
  int start; // the row that comes first
  int window; // lines of the ring
  int kept; // lines that come again
  float *lines, *first_lines, *rest, *y[2];
  float *state[ODL_CODER_STEPS];
  int received, given;
  bool has_rest, rest_is_next; // it goes between the last pair and the first one
  Give give;
  void *data;
} Ring;

static size_t
line_floats (const Ring *ring)
{
  return ((size_t) ring->columns + 15) / 16 * 16;
}

static int
count_lines (const Ring *ring)
{
  return ring->window + ring->kept + 3 + ODL_CODER_STEPS;
}

static void
open_ring (Ring *ring, const OdlCoderPass *pass, int columns, int rows, int start)
{
  const bool periodic = pass->border == ODL_BORDER_PERIODIC;

  *ring = (Ring){
    .pass = pass,
    .columns = columns,
    .rows = rows,
    .length = odl_border_length (pass->border, rows),
    .window = pass->after - pass->before + 1,
    .kept = periodic ? pass->after - pass->before : 0,
  };
  ring->start = start < ring->length ? start : 0;
  const size_t pitch = line_floats (ring);
  float *line = g_new0 (float, count_lines (ring) * pitch);
  ring->lines = line;
  line += ring->window * pitch;
  ring->first_lines = line;
  line += ring->kept * pitch;
  ring->rest = line;
  ring->y[0] = line + pitch;
  ring->y[1] = line + 2 * pitch;
  for (int i = 0; i < ODL_CODER_STEPS; i++)
    ring->state[i] = line + (3 + i) * pitch;
}

static void
close_ring (Ring *ring)
{
  g_free (ring->lines);
}

static int
pairs_of (const Ring *ring)
{
  return (ring->length + 1) / 2;
}

// The first pair that the ring can give.
static int
first_pair (const Ring *ring)
{
  return ring->pass->border == ODL_BORDER_PERIODIC
             ? (ring->start - ring->pass->before + 1) / 2
             : 0;
}

// The row after which the ring sends on its first pair.
static int
first_given (const Ring *ring)
{
  return ring->length == 1 ? 0 : first_pair (ring) % pairs_of (ring);
}

static const float *
line_at (const Ring *ring, int row)
{
  const int place = ring->pass->border == ODL_BORDER_PERIODIC
                        ? row - ring->start
                        : odl_border_fold (row, ring->length);

  return ring->lines + MAX (place, 0) % ring->window * line_floats (ring);
}

static void
filter_lines (const Ring *ring, int pair, int phase)
{
  const OdlCoderTaps *taps = &ring->pass->taps[phase];
  float *restrict y = ring->y[phase];

  memset (y, 0, ring->columns * sizeof (float));
  for (int k = 0; k < taps->count; k++) {
    const float *line = line_at (ring, 2 * pair + taps->first + k);
    for (int x = 0; x < ring->columns; x++)
      y[x] += taps->value[k] * line[x];
  }
}

// Before its first pair the ring brings the state to where it would be.
static void
lift_lines (const Ring *ring, int pair)
{
  const int last = pair + odl_coder_delay (ring->pass);

  for (int p = ring->given == 0 ? pair - 2 : last; p <= last; p++) {
    const int next = MIN (2 * p + 2, 2 * pair + ring->pass->after);
    odl_coder_pair (ring->pass, ring->state, line_at (ring, 2 * p),
                    line_at (ring, 2 * p + 1), line_at (ring, next), ring->y[0],
                    ring->y[1], ring->columns);
  }
}

static bool
is_ready (const Ring *ring, int pair)
{
  const int needed = 2 * pair + ring->pass->after;

  if (ring->pass->border == ODL_BORDER_PERIODIC)
    return ring->received > needed - ring->start;
  return ring->received > MIN (needed, ring->length - 1);
}

static void
give_rest (Ring *ring)
{
  if (!ring->has_rest || !ring->rest_is_next)
    return;
  ring->rest_is_next = false;
  ring->give (ring->data, pairs_of (ring), ring->rest, NULL);
}

static void
give_pairs (Ring *ring)
{
  const int n = pairs_of (ring);

  for (; ring->given < n && is_ready (ring, first_pair (ring) + ring->given);
       ring->given++) {
    const int pair = first_pair (ring) + ring->given;
    if (ring->pass->method == ODL_CODER_FILTERING) {
      filter_lines (ring, pair, 0);
      filter_lines (ring, pair, 1);
    } else {
      lift_lines (ring, pair);
    }
    ring->give (ring->data, pair % n, ring->y[0],
                2 * (pair % n) + 1 < ring->length ? ring->y[1] : NULL);
    ring->rest_is_next = pair % n == n - 1;
    give_rest (ring);
  }
}

static void
copy_line (const Ring *ring, float *to, const float *from, float gain)
{
  for (int x = 0; x < ring->columns; x++)
    to[x] = gain * from[x];
}

static void
push (Ring *ring, int row, const float *line)
{
  const size_t pitch = line_floats (ring);

  if (ring->rows == 1) {
    copy_line (ring, ring->rest, line, ring->pass->alone);
    ring->give (ring->data, 0, ring->rest, NULL);
  } else if (row == ring->length) {
    copy_line (ring, ring->rest, line, ring->pass->alone);
    ring->has_rest = true;
    give_rest (ring);
  } else {
    copy_line (ring, ring->lines + ring->received % ring->window * pitch, line, 1);
    if (ring->received < ring->kept)
      copy_line (ring, ring->first_lines + ring->received * pitch, line, 1);
    ring->received++;
    give_pairs (ring);
  }
}

static void
finish (Ring *ring)
{
  if (ring->rows == 1)
    return;
  for (int i = 0; i < ring->kept; i++)
    push (ring, 0, ring->first_lines + i % ring->length * line_floats (ring));
}

// ---- levels
// ----------------------------------------------------------------------------

typedef struct _Lines Lines;

typedef struct {
  Lines *lines;
  int level;
  OdlCoderLevel size;
  Ring ring;
  float *line, *scratch;
} Level;

struct _Lines {
  OdlCoder *coder;
  const OdlCoderPass *pass;
  int channel;
  int from, to; // planes
  Level levels[ODL_MAX_LEVELS];
};

static float *
target (const Lines *lines, int y)
{
  return odl_coder_row_at (lines->coder, lines->to, lines->channel, y);
}

static const float *
origin (const Lines *lines, int y)
{
  return odl_coder_row_at (lines->coder, lines->from, lines->channel, y);
}

static void
forward_row (Level *level, int row, const float *samples)
{
  memcpy (level->line, samples, level->size.width * sizeof (float));
  odl_coder_line (level->lines->pass, level->line, 1, level->size.width, 1,
                  level->scratch);
  push (&level->ring, row, level->line);
}

// y0 is a line of LL and HL, y1 of LH and HH.
static void
give_bands (void *data, int pair, const float *y0, const float *y1)
{
  Level *level = data;
  const OdlCoderLevel *size = &level->size;
  const Lines *lines = level->lines;

  memcpy (target (lines, pair) + size->n_low, y0 + size->n_low,
          size->n_high * sizeof (float));
  if (y1 != NULL)
    memcpy (target (lines, size->rows_low + pair), y1, size->width * sizeof (float));
  if (level->level == lines->coder->params.levels - 1)
    memcpy (target (lines, pair), y0, size->n_low * sizeof (float));
  else
    forward_row (level + 1, pair, y0);
}

// Line `row` of LL with what the bands hold beside and below it.
static void
backward_row (Level *level, int row, const float *low)
{
  const OdlCoderLevel *size = &level->size;

  memcpy (level->line, low, size->n_low * sizeof (float));
  memcpy (level->line + size->n_low, origin (level->lines, row) + size->n_low,
          size->n_high * sizeof (float));
  push (&level->ring, 2 * row, level->line);
  if (2 * row + 1 < size->height)
    push (&level->ring, 2 * row + 1, origin (level->lines, size->rows_low + row));
}

static void
give_samples (void *data, int pair, const float *y0, const float *y1)
{
  Level *level = data;
  const float *phases[] = { y0, y1 };

  for (int i = 0; i < 2 && phases[i] != NULL; i++) {
    const int row = 2 * pair + i;
    float *line = (float *) phases[i];
    odl_coder_line (level->lines->pass, line, 1, level->size.width, 1, level->scratch);
    if (level->level == 0)
      memcpy (target (level->lines, row), line, level->size.width * sizeof (float));
    else
      backward_row (level - 1, row, line);
  }
}

static void
open_levels (Lines *lines, bool forward)
{
  const int levels = lines->coder->params.levels;
  int start = 0;

  for (int i = 0; i < levels; i++) {
    const int l = forward ? i : levels - 1 - i;
    Level *level = &lines->levels[l];
    level->lines = lines;
    level->level = l;
    level->size = odl_coder_level (lines->coder, l);
    level->line = g_new (float, level->size.width);
    level->scratch = g_new (float, odl_coder_scratch (lines->pass, level->size.width, 1));
    open_ring (&level->ring, lines->pass, level->size.width, level->size.height, start);
    level->ring.give = forward ? give_bands : give_samples;
    level->ring.data = level;
    start = first_given (&level->ring) * (forward ? 1 : 4);
  }
}

void
odl_coder_by_lines (OdlCoder *coder, int channel, bool forward)
{
  const int levels = coder->params.levels;
  g_autofree Lines *lines = g_new0 (Lines, 1);

  *lines = (Lines){ .coder = coder,
                    .pass = &coder->pass[forward],
                    .channel = channel,
                    .from = coder->at,
                    .to = 1 - coder->at };
  open_levels (lines, forward);
  if (forward)
    for (int y = 0; y < coder->height; y++)
      forward_row (&lines->levels[0], y, origin (lines, y));
  else
    for (int y = 0; y < odl_level_size (coder->height, levels); y++)
      backward_row (&lines->levels[levels - 1], y, origin (lines, y));
  for (int i = 0; i < levels; i++)
    finish (&lines->levels[forward ? i : levels - 1 - i].ring);
  for (int l = 0; l < levels; l++) {
    close_ring (&lines->levels[l].ring);
    g_free (lines->levels[l].line);
    g_free (lines->levels[l].scratch);
  }
}

double
odl_coder_line_bytes (const OdlCoder *coder)
{
  double bytes = 0;

  for (int l = 0; l < coder->params.levels; l++) {
    Ring ring;
    open_ring (&ring, &coder->pass[1], odl_level_size (coder->width, l),
               odl_level_size (coder->height, l), 0);
    bytes += (double) ((ring.window + ring.kept) * line_floats (&ring)) * sizeof (float);
    close_ring (&ring);
  }
  return bytes;
}
