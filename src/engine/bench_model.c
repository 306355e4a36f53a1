// SPDX-License-Identifier: MIT
#include "engine/bench_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWNS 3 // overhead, milliseconds of a byte, of an operation
#define CLEARLY 0.9
#define NEGLIGIBLE 1e-6 // of a point
#define GIGA_PER_MS 1e-6 // 1 / ms in 10^9 / s

typedef double Row[UNKNOWNS]; // factors of the unknowns; the right side is 1

typedef struct {
  double value[UNKNOWNS]; // not negative
  double error; // sum of squares
} Solution;

// Solves the n × n system by elimination with pivots. False when it is singular.
static bool
solve (double a[UNKNOWNS][UNKNOWNS + 1], int n)
{
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs (a[i][k]) > fabs (a[pivot][k]))
        pivot = i;
    if (fabs (a[pivot][k]) < 1e-12)
      return false;
    for (int j = 0; j <= n; j++) {
      const double swapped = a[k][j];
      a[k][j] = a[pivot][j];
      a[pivot][j] = swapped;
    }
    for (int i = 0; i < n; i++)
      for (int j = n; i != k && j >= k; j--)
        a[i][j] -= a[i][k] / a[k][k] * a[k][j];
  }
  return true;
}

// The unknowns that `used` marks; columns are scaled, since bytes are many.
static bool
solve_subset (const Row *rows, int n, unsigned used, Solution *solution)
{
  double scale[UNKNOWNS], a[UNKNOWNS][UNKNOWNS + 1] = { { 0 } };
  int column[UNKNOWNS], m = 0;

  for (int u = 0; u < UNKNOWNS; u++) {
    scale[u] = 0;
    for (int i = 0; i < n; i++)
      scale[u] = fmax (scale[u], fabs (rows[i][u]));
    if ((used & 1u << u) != 0 && scale[u] == 0)
      return false;
    if ((used & 1u << u) != 0)
      column[m++] = u;
  }
  // Every row is divided by its time already: the right side is 1.
  for (int i = 0; i < n; i++)
    for (int r = 0; r < m; r++) {
      const double left = rows[i][column[r]] / scale[column[r]];
      for (int c = 0; c < m; c++)
        a[r][c] += left * rows[i][column[c]] / scale[column[c]];
      a[r][m] += left;
    }
  if (!solve (a, m))
    return false;

  *solution = (Solution){ .error = 0 };
  for (int r = 0; r < m; r++) {
    solution->value[column[r]] = a[r][m] / a[r][r] / scale[column[r]];
    if (solution->value[column[r]] < 0)
      return false;
  }
  for (int i = 0; i < n; i++) {
    double sum = -1;
    for (int u = 0; u < UNKNOWNS; u++)
      sum += rows[i][u] * solution->value[u];
    solution->error += sum * sum;
  }
  return true;
}

// The best solution without negative values: there are few enough subsets to try all.
static Solution
solve_not_negative (const Row *rows, int n)
{
  Solution best = { .error = INFINITY };

  for (unsigned used = 1; used < 1u << UNKNOWNS; used++) {
    Solution one;
    if (solve_subset (rows, n, used, &one) && one.error < best.error)
      best = one;
  }
  return best;
}

static double
rate (double ms_per_unit)
{
  return ms_per_unit > 0 ? GIGA_PER_MS / ms_per_unit : 0;
}

static double
intensity (const OdlBenchPoint *point)
{
  return point->operations > 0 ? point->moved / point->operations : INFINITY;
}

static int
compare_points (const void *a, const void *b)
{
  const double left = intensity (a), right = intensity (b);

  return left < right ? -1 : left > right;
}

static double
square (double value)
{
  return value * value;
}

// Points from `split` on, those with more bytes to an operation, wait for memory.
static Solution
solve_split (const OdlBenchPoint *points, int n, int split)
{
  Row *rows = g_new0 (Row, n);

  for (int i = 0; i < n; i++) {
    rows[i][0] = 1 / points[i].rest_ms;
    if (i >= split)
      rows[i][1] = points[i].moved / points[i].rest_ms;
    else
      rows[i][2] = points[i].operations / points[i].rest_ms;
  }
  Solution solution = solve_not_negative (rows, n);
  g_free (rows);
  // What counts is the model itself, which takes the larger of both for every point.
  solution.error = 0;
  for (int i = 0; i < n; i++)
    solution.error += square ((solution.value[0]
                               + fmax (points[i].moved * solution.value[1],
                                       points[i].operations * solution.value[2]))
                                  / points[i].rest_ms
                              - 1);
  return solution;
}

static void
fit_upload (const OdlBenchPoint *points, int n, OdlBenchModel *model)
{
  Row *rows = g_new0 (Row, n);
  int m = 0;

  for (int i = 0; i < n; i++)
    if (points[i].uploaded > 0 && points[i].upload_ms > 0) {
      rows[m][0] = 1 / points[i].upload_ms;
      rows[m++][1] = points[i].uploaded / points[i].upload_ms;
    }
  if (m > 0) {
    const Solution solution = solve_not_negative (rows, m);
    model->overhead_ms += solution.value[0];
    model->bus_gb_per_s = rate (solution.value[1]);
  }
  g_free (rows);
}

bool
odl_bench_model_fit (const OdlBenchPoint *points,
                     int n,
                     double copy_gb_per_s,
                     OdlBenchModel *model)
{
  *model = (OdlBenchModel){ .overhead_ms = 0 };
  if (n < 2)
    return false;

  g_autofree OdlBenchPoint *sorted = g_memdup2 (points, n * sizeof *points);
  Solution best = { .error = INFINITY };
  qsort (sorted, n, sizeof *sorted, compare_points);
  // One cause for all points first; two must explain them clearly better.
  for (int i = 0; i <= n; i++) {
    const int split = i == 0 ? 0 : i == 1 ? n : i - 1;
    // Points of one intensity belong together.
    if (split > 0 && split < n
        && intensity (&sorted[split]) <= intensity (&sorted[split - 1]) * (1 + 1e-6))
      continue;
    const Solution one = solve_split (sorted, n, split);
    // Only all to arithmetic is always possible.
    if (split < n && one.value[1] > 0 && rate (one.value[1]) < copy_gb_per_s / 3)
      continue;
    if (one.error < CLEARLY * best.error - NEGLIGIBLE * n)
      best = one;
  }
  fit_upload (points, n, model);
  model->overhead_ms += best.value[0];
  model->memory_gb_per_s = rate (best.value[1]);
  model->arithmetic_gop_per_s = rate (best.value[2]);
  return true;
}

static double
time_of (double amount, double giga_per_s)
{
  return giga_per_s > 0 ? amount * GIGA_PER_MS / giga_per_s : 0;
}

double
odl_bench_model_ms (const OdlBenchModel *model, const OdlBenchPoint *point)
{
  return model->overhead_ms + time_of (point->uploaded, model->bus_gb_per_s)
         + fmax (time_of (point->moved, model->memory_gb_per_s),
                 time_of (point->operations, model->arithmetic_gop_per_s));
}
