// SPDX-License-Identifier: MIT
// Which blocks look like those of a picture (image/bm3d/groups.h). Lane i has block i of
// a row of blocks, so that a vector has the samples of one phase of the picture; an
// offset of the search window is taken for all of them at once. Squares are summed over
// `step` columns and rows, which neighbouring blocks have in common, then over blocks.
#pragma once

#include <math.h>

#include "engine/cpu/kernels/lanes.h"
#include "image/bm3d/groups.h"

#define SIDE ODL_BM3D_SIDE
#define MATCH_LANES 16
#define MATCH_VECTORS (MATCH_LANES / ODL_LANES)
#define MATCH_ROWS 8 // of blocks, at a time
#define MATCH_MOST_STEP 4

typedef struct {
  Lanes v[MATCH_VECTORS];
} MatchLanes;

// The nearest places, sorted; what is beyond `most` − 1 of them is of no account. One
// before the first is nearer than all.
typedef struct {
  float distances[MATCH_LANES + ODL_BM3D_MOST];
  int32_t offsets[MATCH_LANES + ODL_BM3D_MOST]; // MATCH_OFFSET
} MatchList;

#define MATCH_OFFSET(dx, dy) ((int32_t) ((uint32_t) (dy) << 16 | ((dx) &0xffff)))

typedef struct {
  const OdlBm3dSearch *search;
  int x; // of the block of lane 0
  MatchList *lists; // MATCH_LANES of each row of blocks
  float *limits; // likewise: below them a block is wanted
} MatchWork;

// In registers, since compilers would load them again for each of their uses.
INLINE MatchLanes
match_load (const float *from)
{
  MatchLanes wide;

  for (int i = 0; i < MATCH_VECTORS; i++)
    wide.v[i] = lanes_rounded (lanes_load (from + i * ODL_LANES));
  return wide;
}

INLINE MatchLanes
match_sum (MatchLanes a, MatchLanes b)
{
  for (int i = 0; i < MATCH_VECTORS; i++)
    a.v[i] += b.v[i];
  return a;
}

// The lanes one to the right; the last one is of no account.
INLINE MatchLanes
match_next (MatchLanes wide)
{
  for (int i = 0; i < MATCH_VECTORS; i++)
    wide.v[i] = lanes_next (wide.v[i], wide.v[i + 1 < MATCH_VECTORS ? i + 1 : i]);
  return wide;
}

INLINE void
match_add_square (MatchLanes *sum, MatchLanes a, MatchLanes b)
{
  for (int i = 0; i < MATCH_VECTORS; i++) {
    const Lanes difference = a.v[i] - b.v[i];
    sum->v[i] += difference * difference;
  }
}

// Bit i: lane i is below limits[i].
INLINE uint32_t
match_below (MatchLanes wide, const float *limits)
{
  uint32_t bits = 0;

  for (int i = 0; i < MATCH_VECTORS; i++) {
    const Lanes limit = lanes_load (limits + i * ODL_LANES);
#if defined __AVX512F__
    bits |= (uint32_t) _mm512_cmp_ps_mask ((__m512) wide.v[i], (__m512) limit, _CMP_LT_OQ)
            << i * ODL_LANES;
#else
    bits |= (uint32_t) _mm256_movemask_ps (
                _mm256_cmp_ps ((__m256) wide.v[i], (__m256) limit, _CMP_LT_OQ))
            << i * ODL_LANES;
#endif
  }
  return bits;
}

// ---- the nearest ---------------------------------------------------------------------

// Sorts a place in: behind those that are as near.
INLINE void
match_insert (MatchList *list, float distance, int32_t offset, int room)
{
  const Lanes own = lanes_all (distance);
  const IntLanes own_offset = offset - (IntLanes){ 0 };
  float *distances = list->distances + MATCH_LANES;
  int32_t *offsets = list->offsets + MATCH_LANES;

  for (int i = room - ODL_LANES; i >= 0; i -= ODL_LANES) {
    typedef int32_t Unaligned
        __attribute__ ((vector_size (ODL_LANES * 4), aligned (4), may_alias));
    const Lanes here = lanes_load (distances + i),
                before = lanes_load (distances + i - 1);
    const IntLanes here_at = *(const Unaligned *) (offsets + i);
    const IntLanes before_at = *(const Unaligned *) (offsets + i - 1);
    const IntLanes goes_before = before > own, goes_here = here > own;
    lanes_store (distances + i, lanes_max (before, lanes_min (here, own)));
    *(Unaligned *) (offsets + i) = (IntLanes) lanes_select (
        goes_before, (Lanes) before_at,
        lanes_select (goes_here, (Lanes) own_offset, (Lanes) here_at));
  }
}

static __attribute__ ((noinline)) void
match_keep (const MatchWork *w,
            int row,
            const float distances[MATCH_LANES],
            uint32_t bits,
            int32_t offset)
{
  const int most = w->search->most;
  float *limits = w->limits + row * MATCH_LANES;

  for (; bits != 0; bits &= bits - 1) {
    const int lane = __builtin_ctz (bits);
    MatchList *list = &w->lists[row * MATCH_LANES + lane];
    if (!(distances[lane] < limits[lane]))
      continue;
    if (most > MATCH_LANES)
      match_insert (list, distances[lane], offset, ODL_BM3D_MOST);
    else
      match_insert (list, distances[lane], offset, MATCH_LANES);
    const float farthest = list->distances[MATCH_LANES + most - 2];
    limits[lane] = farthest < limits[lane] ? farthest : limits[lane];
  }
}

// ---- distances -----------------------------------------------------------------------

INLINE int
match_floor (int a, int step)
{
  return a >= 0 ? a / step : -((step - 1 - a) / step);
}

// The sums of `full` neighbours of `whole`, and behind them one of `part`.
INLINE MatchLanes
match_along (MatchLanes whole, MatchLanes part, int step)
{
  MatchLanes sum = whole;

  if (step == 2) {
    sum = match_sum (sum, match_next (sum));
    return match_sum (sum, match_next (match_next (sum)));
  }
  for (int i = 1; i < SIDE / step; i++) {
    whole = match_next (whole);
    sum = match_sum (sum, whole);
  }
  for (int i = 0; SIDE % step > 0 && i < SIDE / step; i++)
    part = match_next (part);
  return SIDE % step > 0 ? match_sum (sum, part) : sum;
}

// Sums over the rows of a block: of all columns of a step, and of the first ones.
typedef struct {
  MatchLanes whole[MATCH_MOST_STEP], part[MATCH_MOST_STEP];
} MatchBand;

INLINE void
match_ready (const MatchWork *w,
             int row,
             const MatchBand *bands,
             const MatchBand *last,
             const uint32_t *valid,
             const int32_t *offsets,
             int step)
{
  const int full = SIDE / step, rest = SIDE % step;
  MatchLanes sums[MATCH_MOST_STEP];
  uint32_t bits[MATCH_MOST_STEP], any = 0;

  for (int d = 0; d < step; d++) {
    MatchLanes whole = bands[0].whole[d], part = bands[0].part[d];
    for (int k = 1; k < full; k++) {
      whole = match_sum (whole, bands[k].whole[d]);
      part = match_sum (part, bands[k].part[d]);
    }
    if (rest > 0) {
      whole = match_sum (whole, match_sum (last->whole[d], last->part[d]));
      part = match_sum (part, last->part[d]);
    }
    sums[d] = match_along (whole, part, step);
    bits[d] = match_below (sums[d], w->limits + row * MATCH_LANES) & valid[d];
    any |= bits[d];
  }
  if (__builtin_expect (any == 0, true))
    return;
  for (int d = 0; d < step; d++)
    if (bits[d] != 0) {
      float distances[MATCH_LANES];
      for (int i = 0; i < MATCH_VECTORS; i++)
        lanes_store (distances + i * ODL_LANES, sums[d].v[i]);
      match_keep (w, row, distances, bits[d], offsets[d]);
    }
}

// Adds what a row of the picture has, `other` rows and columns farther on.
INLINE void
match_add_row (MatchBand *band,
               const float *own,
               const float *const other[2 * MATCH_MOST_STEP],
               ptrdiff_t line,
               ptrdiff_t pitch,
               int step)
{
  MatchLanes ones[MATCH_MOST_STEP], others[2 * MATCH_MOST_STEP];

  for (int p = 0; p < step; p++)
    ones[p] = match_load (own + line + p * pitch);
  for (int q = 0; q < 2 * step - 1; q++)
    others[q] = match_load (other[q] + line);
#pragma GCC unroll 4
  for (int d = 0; d < step; d++)
#pragma GCC unroll 4
    for (int p = 0; p < step; p++)
      match_add_square (p < SIDE % step ? &band->part[d] : &band->whole[d], ones[p],
                        others[p + d]);
}

// Offsets (dx, dy) … (dx + step − 1, dy), for blocks of rows `first` … `last`; valid[d]:
// which lanes have one.
INLINE void
match_offsets (const MatchWork *w,
               int dx,
               int dy,
               int first,
               int last,
               const uint32_t *valid,
               int step)
{
  const int full = SIDE / step, rest = SIDE % step;
  const OdlBm3dPicture *picture = w->search->picture;
  const ptrdiff_t pitch = (ptrdiff_t) picture->phase_pitch, line = step * pitch;
  const float *own = picture->phases + (w->search->y + first * step) * line + w->x / step;
  const float *other[2 * MATCH_MOST_STEP];
  int32_t offsets[MATCH_MOST_STEP];
  MatchBand bands[SIDE] = { 0 };

  for (int q = 0; q < 2 * step - 1; q++) {
    const int places = match_floor (dx + q, step);
    other[q] = own + dy * line + (dx + q - places * step) * pitch + places;
  }
  for (int d = 0; d < step; d++)
    offsets[d] = MATCH_OFFSET (dx + d, dy);
  for (int row = first - full;; row++) {
    MatchBand band = { 0 };
#pragma GCC unroll 4
    for (int v = 0; v < step; v++) {
      if (rest > 0 && v == rest) {
        if (row >= first)
          match_ready (w, row, bands, &band, valid, offsets, step);
        if (row == last)
          return;
      }
      match_add_row (&band, own, other, v * line, pitch, step);
    }
    own += step * line;
    for (int q = 0; q < 2 * step - 1; q++)
      other[q] += step * line;
    for (int k = 0; k + 1 < full; k++)
      bands[k] = bands[k + 1];
    for (int d = 0; d < step; d++) {
      bands[full - 1].whole[d]
          = rest > 0 ? match_sum (band.whole[d], band.part[d]) : band.whole[d];
      bands[full - 1].part[d] = band.part[d];
    }
    if (rest == 0 && row + 1 >= first) {
      match_ready (w, row + 1, bands, &band, valid, offsets, step);
      if (row + 1 == last)
        return;
    }
  }
}

// Lanes whose block lies within the picture when it is moved by dx.
INLINE uint32_t
match_valid (const MatchWork *w, int dx, int step)
{
  const int first = -match_floor (w->x + dx, step);
  const int last = match_floor (w->search->picture->width - SIDE - w->x - dx, step);
  const uint32_t from = first <= 0 ? ~0u : first < 32 ? ~0u << first : 0;
  const uint32_t to = last < 0 ? 0 : last < 31 ? (2u << last) - 1 : ~0u;

  return from & to & ((1u << MATCH_LANES) - 1);
}

// Rows of blocks that lie within the picture when they are moved by dy.
INLINE void
match_window (const MatchWork *w, int rows, int step)
{
  const OdlBm3dSearch *search = w->search;
  const int reach = search->reach, height = search->picture->height;

  for (int dy = -reach; dy <= reach; dy++) {
    const int above = -match_floor (search->y + dy, step);
    const int below = match_floor (height - SIDE - search->y - dy, step);
    const int first = above > 0 ? above : 0, last = below < rows - 1 ? below : rows - 1;
    for (int dx = -reach; dx <= reach && first <= last; dx += step) {
      uint32_t valid[MATCH_MOST_STEP], any = 0;
      for (int d = 0; d < step; d++) {
        const bool counts = dx + d <= reach && (dx + d != 0 || dy != 0);
        valid[d] = counts ? match_valid (w, dx + d, step) : 0;
        any |= valid[d];
      }
      if (any != 0)
        match_offsets (w, dx, dy, first, last, valid, step);
    }
  }
}

// ---- blocks --------------------------------------------------------------------------

static void
match_take (const MatchList *list, int x, int y, int most, OdlBm3dMatches *matches)
{
  const float *distances = list->distances + MATCH_LANES;
  const int32_t *offsets = list->offsets + MATCH_LANES;
  int n = 1;

  matches->places[0] = (OdlBm3dPlace){ x, y };
  while (n < most && distances[n - 1] < INFINITY)
    n++;
  while ((n & (n - 1)) != 0)
    n &= n - 1;
  for (int i = 1; i < n; i++)
    matches->places[i] = (OdlBm3dPlace){ x + (int16_t) (offsets[i - 1] & 0xffff),
                                         y + (offsets[i - 1] >> 16) };
  matches->n = n;
}

// At most MATCH_ROWS rows of as many blocks as have their own lanes.
static void
match_blocks (const OdlBm3dSearch *search, OdlBm3dMatches *matches, size_t pitch)
{
  MatchList lists[MATCH_ROWS * MATCH_LANES];
  float limits[MATCH_ROWS * MATCH_LANES];
  const MatchWork work = { search, search->x, lists, limits };

  for (int row = 0; row < search->rows; row++)
    for (int lane = 0; lane < MATCH_LANES; lane++) {
      MatchList *list = &lists[row * MATCH_LANES + lane];
      for (int i = 0; i < ODL_BM3D_MOST; i++)
        list->distances[MATCH_LANES + i] = INFINITY;
      list->distances[MATCH_LANES - 1] = -INFINITY;
      list->offsets[MATCH_LANES - 1] = 0;
      limits[row * MATCH_LANES + lane]
          = lane < search->columns ? nextafterf (search->farthest, INFINITY) : -INFINITY;
    }
  if (search->step == 2)
    match_window (&work, search->rows, 2);
  else if (search->step == 3)
    match_window (&work, search->rows, 3);
  else
    match_window (&work, search->rows, 4);
  for (int row = 0; row < search->rows; row++)
    for (int column = 0; column < search->columns; column++)
      match_take (&lists[row * MATCH_LANES + column], search->x + column * search->step,
                  search->y + row * search->step, search->most,
                  &matches[row * pitch + column]);
}

// One or two columns are sooner looked at block by block.
static void
bm3d_find (const OdlBm3dSearch *search, OdlBm3dMatches *matches, size_t pitch)
{
  const int room = MATCH_LANES - (SIDE - 1) / search->step;

  for (int row = 0; row < search->rows; row += MATCH_ROWS)
    for (int column = 0; column < search->columns; column += room) {
      OdlBm3dSearch part = *search;
      OdlBm3dMatches *to = matches + row * pitch + column;
      part.x += column * search->step;
      part.y += row * search->step;
      part.columns = search->columns - column < room ? search->columns - column : room;
      part.rows = search->rows - row < MATCH_ROWS ? search->rows - row : MATCH_ROWS;
      if (part.columns <= 2 || search->step < 2)
        odl_bm3d_find (&part, to, pitch);
      else
        match_blocks (&part, to, pitch);
    }
}
