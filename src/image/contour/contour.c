// SPDX-License-Identifier: MIT
#include "image/contour/contour.h"

#include <math.h>
#include <string.h>

#include "base/order.h"
#include "base/parallel.h"

int
odl_contour_numbers (int height)
{
  return ODL_CONTOUR_ROWS + height * ODL_CONTOUR_ROW;
}

static const float *
point_at (const float *numbers, int k)
{
  return numbers + ODL_CONTOUR_POINTS + 2 * k;
}

// The next point of a closed line.
static int
after (int k, int first, int end)
{
  return k + 1 < end ? k + 1 : first;
}

double
odl_contour_area (const float *numbers, int i)
{
  const int first = odl_contour_first (numbers, i), end = odl_contour_end (numbers, i);
  double twice = 0;

  for (int k = first; k < end; k++) {
    const float *a = point_at (numbers, k);
    const float *b = point_at (numbers, after (k, first, end));
    twice += (double) a[0] * (double) b[1] - (double) b[0] * (double) a[1];
  }
  return twice / 2;
}

// Ends that lie on the line count to what is below it, so that no crossing is counted
// twice.
static void
cross_row (const float *numbers, int y, float *row)
{
  const double at = y + 0.5;
  float found[ODL_CONTOUR_MOST_POINTS];
  int n = 0;

  found[0] = 0;
  for (int i = 0; i < odl_contour_count (numbers); i++) {
    const int first = odl_contour_first (numbers, i), end = odl_contour_end (numbers, i);
    for (int k = first; k < end; k++) {
      const float *a = point_at (numbers, k);
      const float *b = point_at (numbers, after (k, first, end));
      const double ay = (double) a[1] - at, by = (double) b[1] - at;
      if ((ay >= 0) == (by >= 0))
        continue;
      found[n++]
          = (float) ((double) a[0] + ay / (ay - by) * ((double) b[0] - (double) a[0]));
    }
  }
  memset (row, 0, ODL_CONTOUR_ROW * sizeof *row);
  if (n == 0)
    return;
  qsort (found, (size_t) n, sizeof *found, odl_order_floats);
  n = MIN (n, ODL_CONTOUR_CROSSINGS);
  row[0] = (float) n;
  memcpy (row + 1, found, (size_t) n * sizeof *found);
}

// The first sample whose centre is at or beyond x.
static int
sample_from (float x, int width)
{
  return (int) CLAMP (ceil ((double) x - 0.5), 0, width);
}

void
odl_contour_mask_row (const float *numbers, int width, int y, uint8_t *row)
{
  const float *crossings = numbers + ODL_CONTOUR_ROWS + (size_t) y * ODL_CONTOUR_ROW;

  memset (row, 0, (size_t) width);
  for (int k = 0; k + 1 < (int) crossings[0]; k += 2) {
    const int from = sample_from (crossings[1 + k], width);
    const int to = sample_from (crossings[2 + k], width);
    memset (row + from, 1, (size_t) (to - from));
  }
}

static int64_t
count_inside (const float *crossings, int width)
{
  int64_t n = 0;

  for (int k = 0; k + 1 < (int) crossings[0]; k += 2)
    n += sample_from (crossings[2 + k], width) - sample_from (crossings[1 + k], width);
  return n;
}

void
odl_contour_complete (float *numbers, int width, int height)
{
  float *rows = numbers + ODL_CONTOUR_ROWS;
  int64_t inside = 0;

  ODL_PARALLEL_FOR
  for (int y = 0; y < height; y++)
    cross_row (numbers, y, rows + (size_t) y * ODL_CONTOUR_ROW);
  for (int y = 0; y < height; y++)
    inside += count_inside (rows + (size_t) y * ODL_CONTOUR_ROW, width);
  numbers[ODL_CONTOUR_SHARE]
      = (float) ((double) inside / ((double) width * (double) height));
}
