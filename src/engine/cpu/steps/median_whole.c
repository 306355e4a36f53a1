// SPDX-License-Identifier: MIT
// S. Perreault, P. Hébert, "Median filtering in constant time", IEEE Transactions on
// Image Processing 16 (2007): each column of the window has a histogram, which loses a
// sample and gains one from row to row; the histogram of the window loses a column and
// gains one from sample to sample. Here histograms are cumulative, in three levels of 16
// bins (256 values, 16, one), so that a level is one vector, adding a sample is adding a
// vector, and the bin that holds the median is how many entries do not exceed its rank.
// Of the finer two levels only the 16 bins within that bin are brought up to date, from
// the sample where they were last looked at.
#include "engine/cpu/steps/median_whole.h"

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

typedef struct {
  Histogram columns[MOST_COLUMNS];
  Window window;
  Bins from[BINS]; // 1 in bin b and those above
  uint16_t lines[ODL_PLAN_MAX_SIDE][MOST_COLUMNS]; // rows of the window, a ring
  float sample[VALUES]; // of each whole number that was met
} Work;

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

// `count` columns of the result from column x on.
static bool
run_stripe (Work *w,
            const OdlCpuWork *work,
            int channel,
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
    if (!read_line (w,
                    odl_cpu_row (work->in[0], channel, odl_border_fold (ahead, height)),
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

bool
odl_cpu_median_is_whole (const OdlStep *step)
{
  return step->kind == ODL_STEP_MEDIAN && step->side >= LEAST_SIDE
         && step->parameters.unit > 0 && step->parameters.unit > 0.999 / (VALUES - 1);
}

bool
odl_cpu_median_whole_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  Work *w = odl_aligned_alloc (sizeof *w);
  bool ok = w != NULL;

  for (int b = 0; ok && b < BINS; b++)
    for (int k = 0; k < BINS; k++)
      ((uint16_t *) &w->from[b])[k] = k >= b;
  for (int x = 0; ok && x < work->out->width; x += STRIPE)
    ok = run_stripe (w, work, channel, x, MIN (STRIPE, work->out->width - x), from, to);
  odl_aligned_free (w);
  return ok;
}
