// SPDX-License-Identifier: MIT
// S. Perreault, P. Hébert, "Median filtering in constant time", IEEE Transactions on
// Image Processing 16 (2007): each column of the window has a histogram, which loses a
// sample and gains one from row to row; the histogram of the window loses a column and
// gains one from sample to sample. Here histograms are cumulative, in three levels of 16
// bins (256 values, 16, one), so that a level is one vector, adding a sample is adding a
// vector, and the bin that holds the median is how many entries do not exceed its rank.
// Of the finer two levels only the 16 bins within that bin are brought up to date, from
// the sample where they were last looked at.
//
// Samples that are not whole, or deeper, are replaced by their ranks in a tile, of which
// there are no more than 12 bits hold: B. Weiss, "Fast median and bilateral filtering",
// ACM SIGGRAPH 2006.
#include "engine/cpu/steps/median_large.h"

#include <string.h>

#include "base/clones.h"
#include "base/memory.h"
#include "wavelet/border.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define LEAST_SIDE 9
#define BINS 16
#define VALUES (BINS * BINS * BINS)

// Columns that are worked on at a time: their histograms stay in the second cache.
#define STRIPE 96
#define MOST_COLUMNS (STRIPE + ODL_PLAN_MAX_SIDE - 1)

#define TILE 64 // TILE · TILE samples are no more than VALUES
#define DIGITS 3
#define DIGIT_BITS 11
#define DIGIT_VALUES (1 << DIGIT_BITS)

typedef uint16_t Bins __attribute__ ((vector_size (BINS * sizeof (uint16_t))));

typedef struct {
  Bins coarse;
  Bins middle[BINS];
  Bins fine[BINS * BINS];
} Histogram;

// Of the window: how far along the row each part of it is.
typedef struct {
  Histogram sum;
  int middle_at[BINS];
  int fine_at[BINS * BINS];
} Window;

// A sample as a whole number in the order of samples, and where it is in its tile.
typedef struct {
  uint32_t key, place;
} Key;

typedef struct {
  Key keys[2][TILE * TILE];
  uint32_t counts[DIGITS][DIGIT_VALUES];
  uint16_t ranks[TILE][TILE];
} Tile;

typedef struct {
  Histogram columns[MOST_COLUMNS];
  Window window;
  Bins from[BINS]; // 1 in bin b and those above
  uint16_t lines[ODL_PLAN_MAX_SIDE][MOST_COLUMNS]; // rows of the window, a ring
  float sample[VALUES]; // of each number that was met
  Tile tile;
} Work;

// Whole samples as they are, or else the ranks in w->tile, whose first row is `top`.
typedef struct {
  bool whole;
  int top;
} Numbers;

// How many entries do not exceed `rank`; they ascend.
static inline __attribute__ ((always_inline)) int
count_up_to (const Bins *bins, int rank)
{
#ifdef __SSE2__
  // The difference of two counts below 2¹⁵ has the sign of their order.
  const __m128i *half = (const __m128i *) bins;
  const __m128i limit = _mm_set1_epi16 ((short) rank);
  const __m128i more = _mm_packs_epi16 (_mm_cmpgt_epi16 (half[0], limit),
                                        _mm_cmpgt_epi16 (half[1], limit));
  return __builtin_ctz ((unsigned) _mm_movemask_epi8 (more) | 1u << BINS);
#else
  int n = 0;

  for (int b = 0; b < BINS; b++)
    n += (*bins)[b] <= rank;
  return n;
#endif
}

static inline __attribute__ ((always_inline)) int
entry_before (const Bins *bins, int bin)
{
  return bin > 0 ? ((const uint16_t *) bins)[bin - 1] : 0;
}

static inline __attribute__ ((always_inline)) void
replace (Histogram *column, const Bins *from, int old, int new)
{
  if (old == new)
    return;
  column->coarse += from[new >> 8] - from[old >> 8];
  column->middle[old >> 8] -= from[old >> 4 & 15];
  column->middle[new >> 8] += from[new >> 4 & 15];
  column->fine[old >> 4] -= from[old & 15];
  column->fine[new >> 4] += from[new & 15];
}

static inline __attribute__ ((always_inline)) void
add (Histogram *column, const Bins *from, int value)
{
  column->coarse += from[value >> 8];
  column->middle[value >> 8] += from[value >> 4 & 15];
  column->fine[value >> 4] += from[value & 15];
}

// Brings the bins at `offset` bytes of a histogram from window `at` to window `x`, which
// has the columns x … x + side − 1.
static inline __attribute__ ((always_inline)) void
bring (Bins *sum, const Histogram *columns, size_t offset, int side, int at, int x)
{
  const char *part = (const char *) columns + offset;
  Bins bins = *sum;

  if (at < 0 || 2 * (x - at) >= side) {
    bins = (Bins){ 0 };
    for (int k = x; k < x + side; k++)
      bins += *(const Bins *) (const void *) (part + (size_t) k * sizeof (Histogram));
  } else {
    for (int k = at; k < x; k++)
      bins += *(const Bins *) (const void *) (part
                                              + (size_t) (k + side) * sizeof (Histogram))
              - *(const Bins *) (const void *) (part + (size_t) k * sizeof (Histogram));
  }
  *sum = bins;
}

ODL_ROW_LOOP
static void
median_row (Work *w, int side, int count, float *out)
{
  Window *window = &w->window;
  const Histogram *columns = w->columns;

  for (int b = 0; b < BINS; b++)
    window->middle_at[b] = -1;
  for (int b = 0; b < BINS * BINS; b++)
    window->fine_at[b] = -1;
  for (int x = 0; x < count; x++) {
    int rank = side * side / 2;
    bring (&window->sum.coarse, columns, 0, side, x - 1, x);
    const int high = count_up_to (&window->sum.coarse, rank);
    rank -= entry_before (&window->sum.coarse, high);
    bring (&window->sum.middle[high], columns,
           offsetof (Histogram, middle) + (size_t) high * sizeof (Bins), side,
           window->middle_at[high], x);
    window->middle_at[high] = x;
    const int low = count_up_to (&window->sum.middle[high], rank);
    rank -= entry_before (&window->sum.middle[high], low);
    const int part = BINS * high + low;
    bring (&window->sum.fine[part], columns,
           offsetof (Histogram, fine) + (size_t) part * sizeof (Bins), side,
           window->fine_at[part], x);
    window->fine_at[part] = x;
    out[x] = w->sample[BINS * part + count_up_to (&window->sum.fine[part], rank)];
  }
}

ODL_ROW_LOOP
static void
replace_row (Work *w, const uint16_t *old, const uint16_t *new, int n)
{
  for (int x = 0; x < n; x++)
    replace (&w->columns[x], w->from, old[x], new[x]);
}

ODL_ROW_LOOP
static void
add_row (Work *w, const uint16_t *line, int n)
{
  for (int x = 0; x < n; x++)
    add (&w->columns[x], w->from, line[x]);
}

// Samples first … first + n − 1 of a row as whole numbers, those beyond its ends
// mirrored. False where one is none.
static bool
read_line (Work *w,
           const float *row,
           int width,
           int first,
           int n,
           double unit,
           uint16_t *line)
{
  const float scale = (float) (1 / unit), most = (float) (int) (1 / unit + 0.5);
  bool good = true;

  for (int i = 0; i < n; i++) {
    const int x = first + i;
    const float sample = row[x >= 0 && x < width ? x : odl_border_fold (x, width)];
    const float value = sample * scale;
    const bool is_inside = value > -0.5f && value < most + 0.5f; // not NaN
    line[i] = is_inside ? (uint16_t) (value + 0.5f) : 0;
    w->sample[line[i]] = sample;
    good &= is_inside;
  }
  return good;
}

static inline uint32_t
key_of (float sample)
{
  uint32_t bits;

  memcpy (&bits, &sample, sizeof bits);
  return bits >> 31 ? ~bits : bits | 1u << 31;
}

static inline float
sample_of (uint32_t key)
{
  const uint32_t bits = key >> 31 ? key & ~(1u << 31) : ~key;
  float sample;

  memcpy (&sample, &bits, sizeof sample);
  return sample;
}

// Sorts w->tile.keys[0] by digits, the lowest first; the array that has the result.
static const Key *
sort_keys (Tile *tile, int n)
{
  Key *from = tile->keys[0], *to = tile->keys[1];

  for (int d = 0; d < DIGITS; d++) {
    uint32_t *counts = tile->counts[d], sum = 0;
    const int shift = d * DIGIT_BITS;
    if (counts[from[0].key >> shift & (DIGIT_VALUES - 1)] == (uint32_t) n)
      continue;
    for (int v = 0; v < DIGIT_VALUES; v++) {
      const uint32_t count = counts[v];
      counts[v] = sum;
      sum += count;
    }
    for (int i = 0; i < n; i++)
      to[counts[from[i].key >> shift & (DIGIT_VALUES - 1)]++] = from[i];
    Key *const other = from;
    from = to;
    to = other;
  }
  return from;
}

// The ranks of columns first … first + n − 1 and rows top … top + rows − 1, those beyond
// the picture mirrored. Equal samples have one rank.
static void
rank_tile (Work *w,
           const OdlCpuWork *work,
           int channel,
           int first,
           int n,
           int top,
           int rows)
{
  const int width = work->out->width, height = work->out->height;
  Tile *tile = &w->tile;
  int i = 0;

  memset (tile->counts, 0, sizeof tile->counts);
  for (int y = 0; y < rows; y++) {
    const float *row
        = odl_cpu_row (work->in[0], channel, odl_border_fold (top + y, height));
    for (int x = 0; x < n; x++, i++) {
      const int at = first + x;
      const uint32_t key
          = key_of (row[at >= 0 && at < width ? at : odl_border_fold (at, width)]);
      tile->keys[0][i] = (Key){ key, (uint32_t) (y * TILE + x) };
      for (int d = 0; d < DIGITS; d++)
        tile->counts[d][key >> d * DIGIT_BITS & (DIGIT_VALUES - 1)]++;
    }
  }
  const Key *sorted = sort_keys (tile, i);
  uint16_t *ranks = tile->ranks[0], rank = 0;
  for (int k = 0; k < i; k++) {
    if (k == 0 || sorted[k].key != sorted[k - 1].key) {
      rank = (uint16_t) k;
      w->sample[rank] = sample_of (sorted[k].key);
    }
    ranks[sorted[k].place] = rank;
  }
}

// `count` columns of the result from column x on. False where a sample is no whole number
// after all.
static bool
run_stripe (Work *w,
            const OdlCpuWork *work,
            int channel,
            const Numbers *numbers,
            int x,
            int count,
            int from,
            int to)
{
  const int side = work->step->side, radius = side / 2, n = count + side - 1;
  const int width = work->out->width, height = work->out->height;
  uint16_t old[MOST_COLUMNS];

  memset (w->columns, 0, (size_t) n * sizeof w->columns[0]);
  for (int y = from - 2 * radius; y < to; y++) { // the result's row, once all are there
    const int ahead = y + radius;
    uint16_t *line = w->lines[(ahead % side + side) % side];
    memcpy (old, line, (size_t) n * sizeof *old);
    if (!numbers->whole)
      memcpy (line, w->tile.ranks[ahead - numbers->top], (size_t) n * sizeof *line);
    else if (!read_line (
                 w, odl_cpu_row (work->in[0], channel, odl_border_fold (ahead, height)),
                 width, x - radius, n, work->step->parameters.unit, line))
      return false;
    if (y <= from)
      add_row (w, line, n);
    else
      replace_row (w, old, line, n);
    if (y >= from)
      median_row (w, side, count, odl_cpu_row (work->out, channel, y) + x);
  }
  return true;
}

static bool
is_whole (const OdlStep *step)
{
  return step->parameters.unit > 0 && step->parameters.unit > 0.999 / (VALUES - 1);
}

static bool
run_whole (Work *w, const OdlCpuWork *work, int channel, int from, int to)
{
  const Numbers numbers = { .whole = true };
  bool ok = is_whole (work->step);

  for (int x = 0; ok && x < work->out->width; x += STRIPE)
    ok = run_stripe (w, work, channel, &numbers, x, MIN (STRIPE, work->out->width - x),
                     from, to);
  return ok;
}

static void
run_ranks (Work *w, const OdlCpuWork *work, int channel, int from, int to)
{
  const int side = work->step->side, radius = side / 2, most = TILE - side + 1;

  for (int x = 0; x < work->out->width; x += most)
    for (int y = from; y < to; y += most) {
      const int count = MIN (most, work->out->width - x), end = MIN (y + most, to);
      const Numbers numbers = { .top = y - radius };
      rank_tile (w, work, channel, x - radius, count + side - 1, numbers.top,
                 end - y + side - 1);
      run_stripe (w, work, channel, &numbers, x, count, y, end);
    }
}

bool
odl_cpu_median_is_large (const OdlStep *step)
{
  return step->kind == ODL_STEP_MEDIAN && step->side >= LEAST_SIDE;
}

bool
odl_cpu_median_large_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  Work *w = odl_aligned_alloc (sizeof *w);

  G_STATIC_ASSERT (TILE * TILE <= VALUES && TILE <= MOST_COLUMNS);
  G_STATIC_ASSERT (DIGITS * DIGIT_BITS >= 32);
  if (w == NULL)
    return false;
  for (int b = 0; b < BINS; b++)
    for (int k = 0; k < BINS; k++)
      ((uint16_t *) &w->from[b])[k] = k >= b;
  if (!run_whole (w, work, channel, from, to))
    run_ranks (w, work, channel, from, to);
  odl_aligned_free (w);
  return true;
}
