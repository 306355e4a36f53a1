// SPDX-License-Identifier: MIT
// Block-based: four masks, the outer products of the vertical and the horizontal filters,
// are laid over every second sample of every second row; each gives a coefficient, or on
// the way back one of four samples. Reads one plane and writes the other.
#include <string.h>

#include "base/parallel.h"
#include "coder/private.h"
#include "wavelet/border.h"

#define MOST_SIDE 32

// The four masks of a level, in a window that holds every tap of both filters.
typedef struct {
  int first, side;
  float value[2][2][MOST_SIDE * MOST_SIDE]; // [vertical phase][horizontal phase]
} Masks;

static float
tap_at (const OdlCoderTaps *taps, int place)
{
  const int i = place - taps->first;

  return i >= 0 && i < taps->count ? taps->value[i] : 0;
}

static void
make_masks (Masks *masks, const OdlCoderPass *rows, const OdlCoderPass *columns)
{
  masks->first = rows->before;
  masks->side = rows->after - rows->before + 1;
  g_assert (masks->side <= MOST_SIDE);
  for (int v = 0; v < 2; v++)
    for (int h = 0; h < 2; h++)
      for (int y = 0; y < masks->side; y++)
        for (int x = 0; x < masks->side; x++)
          masks->value[v][h][y * masks->side + x]
              = tap_at (&columns->taps[v], masks->first + y)
                * tap_at (&rows->taps[h], masks->first + x);
}

typedef struct {
  const OdlCoder *coder;
  const OdlCoderPass *pass;
  const Masks *masks;
  OdlCoderLevel size;
  int channel;
  int from, to; // planes
} Work;

// Row `y` of the interleaved samples or coefficients, with what lies beyond its ends:
// places masks->first … width + side − 1.
static void
extend_row (const Work *work, int y, float *row)
{
  const OdlCoderLevel *size = &work->size;
  const OdlBorder border = work->pass->border;
  const int inside = odl_border_index (border, y, size->height);
  const int at = work->pass->forward ? inside
                 : inside % 2 == 0   ? inside / 2
                                     : size->rows_low + inside / 2;
  const float *from = odl_coder_row_at (work->coder, work->from, work->channel, at);

  for (int i = work->masks->first; i < size->width + work->masks->side; i++) {
    const int x
        = i >= 0 && i < size->width ? i : odl_border_index (border, i, size->width);
    row[i - work->masks->first] = from[work->pass->forward ? x
                                       : x % 2 == 0        ? x / 2
                                                           : size->n_low + x / 2];
  }
}

static inline __attribute__ ((always_inline)) float
lay_mask (const float *mask, const float *const rows[], int x, int side)
{
  float sum = 0;

  for (int i = 0; i < side; i++)
    for (int k = 0; k < side; k++)
      sum += mask[i * side + k] * rows[i][x + k];
  return sum;
}

static void
lay_masks (const Work *work, int pair, const float *const rows[])
{
  const OdlCoderLevel *size = &work->size;
  const Masks *masks = work->masks;

  for (int v = 0; v < 2 && 2 * pair + v < size->height; v++) {
    const int y = !work->pass->forward ? 2 * pair + v
                  : v == 0             ? pair
                                       : size->rows_low + pair;
    float *to = odl_coder_row_at (work->coder, work->to, work->channel, y);
    for (int x = 0; x < size->width; x++) {
      const float *mask = masks->value[v][x % 2];
      const int place = !work->pass->forward ? x
                        : x % 2 == 0         ? x / 2
                                             : size->n_low + x / 2;
      // The usual side lets the compiler unroll the loops.
      to[place] = masks->side == 9 ? lay_mask (mask, rows, x / 2 * 2, 9)
                                   : lay_mask (mask, rows, x / 2 * 2, masks->side);
    }
  }
}

static void
transform_level (const Work *work)
{
  const int side = work->masks->side;
  const size_t pitch = (size_t) work->size.width + 2 * side;

  ODL_PARALLEL_FOR
  for (int pair = 0; pair < work->size.rows_low; pair++) {
    g_autofree float *lines = g_new (float, side *pitch);
    const float *rows[MOST_SIDE];
    for (int i = 0; i < side; i++) {
      rows[i] = lines + i * pitch;
      extend_row (work, 2 * pair + work->masks->first + i, lines + i * pitch);
    }
    lay_masks (work, pair, rows);
  }
}

static void
copy_area (const OdlCoder *coder, int channel, int from, int width, int height)
{
  for (int y = 0; y < height; y++)
    memcpy (odl_coder_row_at (coder, 1 - from, channel, y),
            odl_coder_row_at (coder, from, channel, y), width * sizeof (float));
}

void
odl_coder_by_blocks (OdlCoder *coder, int channel, bool forward)
{
  g_autofree Masks *masks = g_new (Masks, 1);
  const int levels = coder->params.levels;
  Work work = {
    .coder = coder, .pass = &coder->pass[forward], .masks = masks, .channel = channel
  };

  for (int i = 0; i < levels; i++) {
    const int level = forward ? i : levels - 1 - i;
    OdlCoderPass rows = *work.pass, columns = *work.pass;
    work.size = odl_coder_level (coder, level);
    if (work.size.width == 1)
      odl_coder_pass_alone (&rows);
    if (work.size.height == 1)
      odl_coder_pass_alone (&columns);
    make_masks (masks, &rows, &columns);
    work.from = forward && level > 0 ? 1 - coder->at : coder->at;
    work.to = 1 - work.from;
    transform_level (&work);
    // What the next level reads, or what belongs to the others, goes to the same plane.
    if (level > 0)
      copy_area (coder, channel, work.to, work.size.width, work.size.height);
  }
}
