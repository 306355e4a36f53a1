// SPDX-License-Identifier: MIT
#include "bench/copy.h"

#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "bench/task.h"
#include "engine/gl/platform/copies.h"

#define BUDGET_NS 60000000
#define MOST_RUNS 100
#define LEAST_RUNS 3

// The baseline for each engine: the first variant measured, or the faster of two.
static const struct {
  const char *engine;
  const char *variants[2];
} yardsticks[] = {
  { "gl-compute", { "gl-buffer", "gl-image" } },
  { "gl-fragment", { "gl-fragment", NULL } },
  { "gl-lookup", { "gl-fragment", NULL } },
};

static void
copy_in_parts (char *to, const char *from, size_t size, int parts)
{
  const size_t part = (size / parts + 63) & ~(size_t) 63;

  ODL_PARALLEL_FOR
  for (int i = 0; i < parts; i++)
    if (i * part < size)
      memcpy (to + i * part, from + i * part, MIN (part, size - i * part));
}

static void
copy_in_memory (char *to, const char *from, size_t size, int threads)
{
  if (threads == 1)
    memcpy (to, from, size);
  else
    copy_in_parts (to, from, size, threads);
}

static void
add_copy (OdlBenchResult *result,
          OdlBenchRow row,
          const char *variant,
          const OdlBenchSeries *series)
{
  const OdlBenchStats stats = odl_bench_series_stats (series);

  g_strlcpy (row.variant, variant, sizeof row.variant);
  odl_bench_add_row (result, row, &stats, 8.0 * row.width * row.height * row.channels);
}

static void
measure_memory (OdlBenchResult *result, OdlBenchRow row)
{
  const size_t size = (size_t) row.width * row.height * row.channels * sizeof (float);
  g_autofree OdlBenchSeries *series = g_new0 (OdlBenchSeries, 1);

  if (odl_bench_free_memory () > 0 && 3 * size > odl_bench_free_memory ())
    return;
  char *from = odl_aligned_alloc_huge (size), *to = odl_aligned_alloc_huge (size);
  if (from != NULL && to != NULL) {
    memset (from, 1, size);
    odl_parallel_set_threads (row.threads);
    copy_in_memory (to, from, size, row.threads);
    const int64_t start_ns = odl_clock_now_ns ();
    while (series->n < LEAST_RUNS
           || (series->n < MOST_RUNS && odl_clock_now_ns () - start_ns < BUDGET_NS)) {
      const int64_t run_ns = odl_clock_now_ns ();
      copy_in_memory (to, from, size, row.threads);
      odl_bench_series_add (series, odl_clock_now_ns () - run_ns);
    }
  }
  odl_aligned_free (from);
  odl_aligned_free (to);
  add_copy (result, row, "memory", series);
}

static void
measure_gl (OdlBenchResult *result, OdlBenchRow row, OdlGlCopy copy)
{
  g_autofree OdlBenchSeries *series = g_new0 (OdlBenchSeries, 1);
  g_autofree char *variant = g_strdup_printf ("gl-%s", odl_gl_copy_name (copy));
  g_autofree OdlGlTimes *times = g_new0 (OdlGlTimes, 1);
  g_autoptr (GError) error = NULL;

  if (!odl_gl_copy_time (copy, row.width, row.height * row.channels, BUDGET_NS, times,
                         &error)) {
    g_ptr_array_add (result->notes,
                     g_strdup_printf ("copy, %s, %d×%d: %s", variant, row.width,
                                      row.height, error->message));
    return;
  }
  for (int i = 0; i < times->n; i++)
    odl_bench_series_add (series, times->ns[i]);
  add_copy (result, row, variant, series);
}

void
odl_bench_copy (OdlBenchResult *result,
                OdlBenchSize size,
                int channels,
                const int *threads,
                int n_threads,
                bool gl)
{
  OdlBenchRow row = { .engine = ODL_BENCH_COPY,
                      .width = size.width,
                      .height = size.height,
                      .channels = channels,
                      .precision = 32,
                      .part = ODL_BENCH_TOTAL };

  for (int i = 0; i < n_threads; i++) {
    row.threads = threads[i];
    measure_memory (result, row);
  }
  row.threads = result->machine.threads;
  odl_parallel_set_threads (result->machine.threads);
  for (int copy = 0; gl && copy < ODL_GL_N_COPIES; copy++)
    measure_gl (result, row, copy);
}

static bool
is_yardstick (const OdlBenchRow *copy, const OdlBenchRow *row)
{
  if (!g_str_equal (copy->engine, ODL_BENCH_COPY) || copy->width != row->width
      || copy->height != row->height || copy->channels != row->channels)
    return false;
  for (size_t i = 0; i < G_N_ELEMENTS (yardsticks); i++)
    if (g_str_equal (yardsticks[i].engine, row->engine))
      return g_strcmp0 (copy->variant, yardsticks[i].variants[0]) == 0
             || g_strcmp0 (copy->variant, yardsticks[i].variants[1]) == 0;
  return g_str_equal (copy->variant, "memory") && copy->threads == row->threads;
}

double
odl_bench_copy_speed (const OdlBenchResult *result, const OdlBenchRow *row)
{
  double best = 0;

  for (guint i = 0; i < result->rows->len; i++) {
    const OdlBenchRow *copy = &g_array_index (result->rows, OdlBenchRow, i);
    if (is_yardstick (copy, row))
      best = MAX (best, copy->gb_per_s);
  }
  return best;
}
