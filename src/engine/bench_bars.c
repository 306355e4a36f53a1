// SPDX-License-Identifier: MIT
// What the project demands of its engines, beside what was measured.
#include "engine/bench_bytes.h"
#include "engine/bench_copy.h"
#include "engine/bench_published.h"
#include "engine/bench_tables.h"
#include "engine/bench_text.h"

typedef struct _Bar Bar;

// A value of the result; 0: not measured.
typedef double (*Measure) (const OdlBenchResult *result, const Bar *bar);

struct _Bar {
  const char *what; // with the unit
  Measure measure;
  int side; // of grey squares
  int precision;
  double limit;
  bool at_least; // else at most
  bool gpu; // means nothing on a software rasteriser
};

// The grey square of an engine in its own choice of variant: the first that was measured.
static const OdlBenchCase *
find (const OdlBenchResult *result,
      const char *engine,
      int side,
      int precision,
      int threads)
{
  for (guint i = 0; i < result->cases->len; i++) {
    const OdlBenchCase *one = g_ptr_array_index (result->cases, i);
    const OdlBenchRow *row = &one->row;
    if (g_str_equal (row->engine, engine) && row->width == side && row->height == side
        && row->channels == 1 && row->precision == precision && row->levels == 3
        && (threads == 0 || row->threads == threads))
      return one;
  }
  return NULL;
}

static double
ratio (double above, double below)
{
  return above > 0 && below > 0 ? above / below : 0;
}

static double
median (const OdlBenchCase *one, OdlBenchPart measure)
{
  return one != NULL ? one->stats[measure].median_ms : 0;
}

static double
two_threads (const OdlBenchResult *result, const Bar *bar)
{
  return ratio (median (find (result, "cpu", bar->side, 32, 1), ODL_BENCH_TOTAL),
                median (find (result, "cpu", bar->side, 32, 2), ODL_BENCH_TOTAL));
}

static double
in_copies (const OdlBenchResult *result, const Bar *bar)
{
  const OdlBenchCase *one = find (result, "cpu", bar->side, 32, 1);

  if (one == NULL || one->copy_gb_per_s <= 0)
    return 0;
  return median (one, ODL_BENCH_TOTAL)
         / (8e-6 * bar->side * bar->side / one->copy_gb_per_s);
}

static double
compute_us (const OdlBenchResult *result, const Bar *bar)
{
  const OdlBenchCase *one = find (result, "gl-compute", bar->side, bar->precision, 0);

  return one != NULL ? odl_bench_resident_us (one) : 0;
}

static double
over_pdwt (const OdlBenchResult *result, const Bar *bar)
{
  double pdwt_us = 0;

  for (int p = 0; p < ODL_BENCH_PUBLISHED_SIZES; p++)
    if (odl_bench_published_sides[p] == bar->side)
      pdwt_us = 1e3 * odl_bench_peers[0].values[p];
  return ratio (pdwt_us, compute_us (result, bar));
}

static double
slider_share (const OdlBenchResult *result, const Bar *bar)
{
  const OdlBenchCase *one = find (result, "gl-compute", bar->side, bar->precision, 0);

  return 100 * ratio (median (one, ODL_BENCH_SLIDER), median (one, ODL_BENCH_RESIDENT));
}

static double
overlap (const OdlBenchResult *result, const Bar *bar)
{
  const OdlBenchCase *one = find (result, "gl-compute", bar->side, bar->precision, 0);

  return one != NULL ? ratio (
             median (one, ODL_BENCH_OVERLAPPED),
             MAX (median (one, ODL_BENCH_UPLOAD), 1e-3 * odl_bench_resident_us (one)))
                     : 0;
}

static double
fragment_over_lookup (const OdlBenchResult *result, const Bar *bar)
{
  const OdlBenchCase *fragment = find (result, "gl-fragment", bar->side, 32, 0);
  const OdlBenchCase *lookup = find (result, "gl-lookup", bar->side, 32, 0);

  if (fragment == NULL || lookup == NULL)
    return 0;
  return ratio (odl_bench_resident_us (lookup), odl_bench_resident_us (fragment));
}

// Against copies of as many texels as its passes read and write.
static double
fragment_in_copies (const OdlBenchResult *result, const Bar *bar)
{
  const OdlBenchCase *one = find (result, "gl-fragment", bar->side, 32, 0);
  double bytes = 0;
  int n = 0;

  if (one == NULL || one->copy_gb_per_s <= 0 || one->step_ms == NULL)
    return 0;
  g_autofree int *groups
      = odl_bench_groups (one->plan, one->step_ms, ODL_BENCH_GL_IDLE_MS, &n);
  // The load is a step, and a group, of its own.
  for (int i = 1; i < n; i++) {
    const OdlBenchBytes moved = odl_bench_group_bytes (one->plan, groups, i, 1);
    bytes += moved.reads + moved.writes;
  }
  return ratio (odl_bench_resident_us (one), 1e-3 * bytes / one->copy_gb_per_s);
}

static const Bar bars[] = {
  { "cpu, 2048²: one thread / two threads", two_threads, 2048, 32, 1.7, true, false },
  { "cpu, 4096², one thread: plain copies of the picture", in_copies, 4096, 32, 2.7,
    false, false },
  { "gl-compute, 2048², 32 bit: µs", compute_us, 2048, 32, 50, false, true },
  { "gl-compute, 8192², 32 bit: µs", compute_us, 8192, 32, 500, false, true },
  { "gl-compute, 8192², 16 bit: µs", compute_us, 8192, 16, 300, false, true },
  { "gl-compute, 512²: PDWT on an H200 / ours", over_pdwt, 512, 32, 1, true, true },
  { "gl-compute, 1024²: PDWT on an H200 / ours", over_pdwt, 1024, 32, 1, true, true },
  { "gl-compute, 2048²: PDWT on an H200 / ours", over_pdwt, 2048, 32, 1, true, true },
  { "gl-compute, 4096²: PDWT on an H200 / ours", over_pdwt, 4096, 32, 1, true, true },
  { "gl-compute, 8192²: PDWT on an H200 / ours", over_pdwt, 8192, 32, 1, true, true },
  { "gl-compute, 2048²: moved slider, % of a frame", slider_share, 2048, 32, 60, false,
    true },
  { "gl-compute, 8192²: moved slider, % of a frame", slider_share, 8192, 32, 60, false,
    true },
  { "gl-compute, 512²: frame with upload / larger of both", overlap, 512, 32, 1.1, false,
    true },
  { "gl-compute, 2048²: frame with upload / larger of both", overlap, 2048, 32, 1.1,
    false, true },
  { "gl-lookup / gl-fragment, 512²", fragment_over_lookup, 512, 32, 3, true, true },
  { "gl-lookup / gl-fragment, 1024²", fragment_over_lookup, 1024, 32, 3, true, true },
  { "gl-lookup / gl-fragment, 2048²", fragment_over_lookup, 2048, 32, 3, true, true },
  { "gl-fragment, 2048²: fragment copies of its texels", fragment_in_copies, 2048, 32, 3,
    false, true },
};

char *
odl_bench_bars_table (const OdlBenchResult *result)
{
  GString *out = g_string_new (NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (bars); i++) {
    const Bar *bar = &bars[i];
    const double value
        = bar->gpu && result->machine.gl_software ? 0 : bar->measure (result, bar);

    if (value <= 0)
      continue;
    odl_bench_append_name (out, bar->what, 60);
    odl_bench_append_number (out, value, 10);
    odl_bench_append (out, "  %s %-7g %s\n", bar->at_least ? "≥" : "≤", bar->limit,
                      (bar->at_least ? value >= bar->limit : value <= bar->limit)
                          ? "reached"
                          : "not reached");
  }
  if (out->len > 0) {
    GString *title = g_string_new (NULL);
    odl_bench_append_title (title, "What this project demands (grey, three levels, 9/7; "
                                   "GPU: an H200's figures)");
    g_string_prepend (out, title->str);
    g_string_free (title, TRUE);
  }
  return g_string_free (out, FALSE);
}
