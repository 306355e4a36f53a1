// SPDX-License-Identifier: MIT
// Tables of the way to the first frame.
#include "engine/bench_published.h"
#include "engine/bench_tables.h"
#include "engine/bench_text.h"

#define NAME_WIDTH 40
#define CELL_WIDTH 12

static double
sum_of (const OdlBenchStart *start)
{
  return start->context_ms + start->engine_ms + start->prepare_ms + start->first_ms
         + start->read_back_ms;
}

// The same engine on the same picture, warm.
static const OdlBenchCase *
warm_case (const OdlBenchResult *result, const OdlBenchStart *start)
{
  for (guint i = 0; i < result->cases->len; i++) {
    const OdlBenchCase *one = g_ptr_array_index (result->cases, i);
    if (g_str_equal (one->row.engine, start->row.engine)
        && g_str_equal (one->row.variant, start->row.variant)
        && one->row.width == start->row.width && one->row.height == start->row.height
        && one->row.channels == start->row.channels
        && one->row.precision == start->row.precision
        && one->row.threads == start->row.threads)
      return one;
  }
  return NULL;
}

static double
warm_ms (const OdlBenchCase *one)
{
  return one != NULL ? one->stats[ODL_BENCH_TOTAL].median_ms
                           + one->stats[ODL_BENCH_READ_BACK].median_ms
                     : 0;
}

static void
append_start (GString *out, const OdlBenchResult *result, const OdlBenchStart *start)
{
  const OdlBenchCase *warm = warm_case (result, start);
  const double numbers[] = {
    start->context_ms,   start->engine_ms,
    start->prepare_ms,   start->first_ms,
    start->read_back_ms, sum_of (start),
    warm_ms (warm),      warm != NULL ? warm->stats[ODL_BENCH_FORWARD].median_ms : 0,
  };
  g_autofree char *name
      = g_strdup_printf ("%d×%d×%d %s:%s-%d, %d thr.", start->row.width,
                         start->row.height, start->row.channels, start->row.engine,
                         start->row.variant, start->row.precision, start->row.threads);

  odl_bench_append_name (out, name, NAME_WIDTH + 12);
  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
    odl_bench_append_number (out, numbers[i], CELL_WIDTH);
  g_string_append_c (out, '\n');
}

static void
append_published (GString *out)
{
  static const char *const headings[]
      = { "software", "total", "context", "buffers", "transform", "rest" };

  odl_bench_append (out, "\n%s; ms\n", odl_bench_published_start_source);
  odl_bench_append_name (out, "", NAME_WIDTH);
  for (size_t i = 0; i < G_N_ELEMENTS (headings); i++)
    odl_bench_append_cell (out, headings[i], CELL_WIDTH);
  g_string_append_c (out, '\n');
  for (size_t i = 0; i < ODL_BENCH_N_PUBLISHED_STARTS; i++) {
    const OdlBenchPublishedStart *row = &odl_bench_published_start[i];
    const double seconds[] = { row->software, row->total,     row->context,
                               row->buffers,  row->transform, row->rest };
    g_autofree char *name = g_strdup_printf ("  2007: %d×%d", row->side, row->side);
    odl_bench_append_name (out, name, NAME_WIDTH);
    for (size_t k = 0; k < G_N_ELEMENTS (seconds); k++)
      odl_bench_append_number (out, 1e3 * seconds[k], CELL_WIDTH);
    g_string_append_c (out, '\n');
  }
}

static bool
is_rival (const OdlBenchRow *a, const OdlBenchRow *b)
{
  return g_str_equal (b->engine, "cpu") && a->width == b->width && a->height == b->height
         && a->channels == b->channels;
}

// Milliseconds of the fastest run of the engine cpu on the same picture; 0: none.
static double
best_cpu_ms (const OdlBenchResult *result, const OdlBenchRow *row, bool cold)
{
  double best = 0;

  for (guint i = 0; i < result->starts->len; i++) {
    const OdlBenchStart *start = &g_array_index (result->starts, OdlBenchStart, i);
    const double ms = cold ? sum_of (start) : warm_ms (warm_case (result, start));
    if (is_rival (row, &start->row) && ms > 0 && (best == 0 || ms < best))
      best = ms;
  }
  return best;
}

// The smallest measured picture from which on the engine of `start` beats cpu.
static void
append_crossover (GString *out,
                  const OdlBenchResult *result,
                  const OdlBenchStart *first,
                  bool cold)
{
  const OdlBenchRow *from = NULL;
  int n = 0;

  for (guint i = 0; i < result->starts->len; i++) {
    const OdlBenchStart *start = &g_array_index (result->starts, OdlBenchStart, i);
    const double own = cold ? sum_of (start) : warm_ms (warm_case (result, start));
    const double cpu = best_cpu_ms (result, &start->row, cold);

    if (!g_str_equal (start->row.engine, first->row.engine)
        || !g_str_equal (start->row.variant, first->row.variant)
        || start->row.precision != first->row.precision || own <= 0 || cpu <= 0)
      continue;
    n++;
    if (own >= cpu)
      from = NULL;
    else if (from == NULL)
      from = &start->row;
  }
  if (n == 0)
    return;
  odl_bench_append (out, "%s:%s-%d, %s: ", first->row.engine, first->row.variant,
                    first->row.precision, cold ? "cold" : "warm");
  if (from != NULL)
    odl_bench_append (out, "faster than cpu from %d×%d on\n", from->width, from->height);
  else
    g_string_append (out, "nowhere faster than cpu among the sizes measured\n");
}

static void
append_crossovers (GString *out, const OdlBenchResult *result)
{
  for (guint i = 0; i < result->starts->len; i++) {
    const OdlBenchStart *start = &g_array_index (result->starts, OdlBenchStart, i);
    bool seen = start->context_ms <= 0;

    for (guint k = 0; k < i; k++) {
      const OdlBenchStart *before = &g_array_index (result->starts, OdlBenchStart, k);
      seen |= g_str_equal (before->row.engine, start->row.engine)
              && g_str_equal (before->row.variant, start->row.variant)
              && before->row.precision == start->row.precision;
    }
    if (seen)
      continue;
    append_crossover (out, result, start, true);
    append_crossover (out, result, start, false);
  }
}

char *
odl_bench_start_tables (const OdlBenchResult *result)
{
  static const char *const headings[]
      = { "context", "engine",    "prepare",     "frame",
          "back",    "cold, sum", "warm, whole", "warm, DWT" };
  GString *out = g_string_new (NULL);

  odl_bench_append_title (out, "From nothing to the first picture, ms");
  odl_bench_append (
      out, "context: OpenGL's, the first with the driver; prepare: programs and buffers; "
           "frame: upload to synthesis;\nback: the picture read back; warm: the same "
           "frame, read back, when all is in place, and its decomposition\nalone. The "
           "driver's caches of programs on disk are switched off.\n");
  odl_bench_append_name (out, "", NAME_WIDTH + 12);
  for (size_t i = 0; i < G_N_ELEMENTS (headings); i++)
    odl_bench_append_cell (out, headings[i], CELL_WIDTH);
  g_string_append_c (out, '\n');
  for (guint i = 0; i < result->starts->len; i++)
    append_start (out, result, &g_array_index (result->starts, OdlBenchStart, i));
  append_published (out);
  odl_bench_append_title (out, "Where the GPU begins to pay, read back included");
  append_crossovers (out, result);
  return g_string_free (out, FALSE);
}
