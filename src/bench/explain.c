// SPDX-License-Identifier: MIT
// Bounds from bytes moved and the speed of a plain copy.
#include "bench/case.h"
#include "bench/report.h"
#include "bench/text.h"

static const char *const axis_names[]
    = { [ODL_AXIS_NONE] = "", [ODL_AXIS_X] = " x", [ODL_AXIS_Y] = " y" };

// "forward x 1"; "forward 1" for a pair of steps along both axes.
static char *
step_text (const OdlPlan *plan, int step, bool both_axes)
{
  const OdlStep *s = &plan->steps[step];
  g_autofree char *level
      = s->level > 0 ? g_strdup_printf (" %d", s->level) : g_strdup ("");

  return g_strdup_printf ("%s%s%s", odl_step_row (s->kind)->name,
                          both_axes ? "" : axis_names[s->axis], level);
}

// True if `step` and the next are the two axes of one level, in the same group.
static bool
takes_both_axes (const OdlPlan *plan, const int *groups, int step)
{
  const OdlStep *s = &plan->steps[step];

  return step + 1 < plan->n_steps && groups[step + 1] == groups[step]
         && s->axis != ODL_AXIS_NONE && s[1].kind == s->kind && s[1].level == s->level
         && s[1].axis != s->axis;
}

static void
append_bound (GString *out,
              const OdlBenchCase *one,
              const char *what,
              double bytes,
              double ms)
{
  const double bound_ms = one->copy_gb_per_s > 0 ? bytes * 1e-6 / one->copy_gb_per_s : 0;

  odl_bench_append_name (out, what, 44);
  odl_bench_append (out, "%14.0f", bytes);
  odl_bench_append_number (out, bound_ms, 10);
  odl_bench_append_number (out, ms, 10);
  if (ms > 0 && bound_ms > 0)
    odl_bench_append (out, "%8.0f %%", 100 * bound_ms / ms);
  g_string_append_c (out, '\n');
}

static void
append_steps (GString *out, const OdlBenchCase *one)
{
  const OdlPlan *plan = one->plan;
  int n;
  g_autofree int *groups = odl_bench_case_groups (one, &n);

  for (int i = 0; groups != NULL && i < n; i++) {
    GString *name = g_string_new (NULL);
    double ms = 0;

    for (int s = 0; s < plan->n_steps; s++) {
      if (groups[s] != i)
        continue;
      const bool both = takes_both_axes (plan, groups, s);
      g_autofree char *text = step_text (plan, s, both);
      g_string_append_printf (name, "%s%s", name->len > 0 ? " + " : "", text);
      ms += one->step_ms[s];
      if (both)
        ms += one->step_ms[++s];
    }
    append_bound (out, one, name->str, odl_bench_group_sum (plan, groups, i), ms);
    g_string_free (name, TRUE);
  }
}

// The whole plan and its bound; on GPUs from resident samples.
static void
append_chain (GString *out, const OdlBenchCase *one)
{
  const double samples = (double) one->row.width * one->row.height * one->row.channels;
  const double s = one->row.precision / 8.0;
  const bool resident = one->stats[ODL_BENCH_OVERLAPPED].n > 0;
  const double ms
      = resident ? odl_bench_resident_ms (one) : one->stats[ODL_BENCH_TOTAL].median_ms;
  const double more = resident ? samples * (s - 1) : 0; // input of s bytes instead of 1

  const double moved = odl_bench_moved_bytes (one, !resident);

  if (moved > 0)
    append_bound (out, one, "chain, as this engine divides it", moved, ms);
  if (one->row.filter == NULL)
    append_bound (out, one, "chain (a), a pass per level and direction",
                  odl_bench_least_bytes (one) + more, ms);
  append_bound (out, one, "chain (e), everything fused", samples * (1 + s) + more, ms);
}

// "gl-compute mono-32", "cpu:streamed-avx512 mono-32, 2 threads". Transfer full.
static char *
case_name (const OdlBenchCase *one)
{
  const OdlBenchRow *row = &one->row;
  const bool named = !g_str_equal (row->variant, "default");
  g_autofree char *threads
      = g_strdup_printf (", %d thread%s", row->threads, row->threads == 1 ? "" : "s");

  return g_strdup_printf ("%s%s%s %s-%d%s", row->engine, named ? ":" : "",
                          named ? row->variant : "",
                          row->channels == 1 ? "mono" : "colour", row->precision,
                          one->stats[ODL_BENCH_OVERLAPPED].n == 0 ? threads : "");
}

static void
append_case (GString *out, const OdlBenchCase *one)
{
  g_autofree char *name = case_name (one);

  odl_bench_append (out, "\n%s, %d×%d, %d levels; ", name, one->row.width,
                    one->row.height, one->row.levels);
  if (one->copy_gb_per_s > 0)
    odl_bench_append (out, "a copy of that size moves %.1f GB/s\n", one->copy_gb_per_s);
  else
    odl_bench_append (out, "no copy of that size was measured\n");
  if (one->step_ms != NULL && odl_bench_is_one_pass (one))
    odl_bench_append (out, "the steps as timed one by one (%s); the chain as one pass\n",
                      one->parts_variant);
  odl_bench_append_name (out, "step", 44);
  odl_bench_append_cell (out, "bytes", 14);
  odl_bench_append_cell (out, "bound ms", 10);
  odl_bench_append_cell (out, "ms", 10);
  odl_bench_append_cell (out, "reached", 10);
  g_string_append_c (out, '\n');
  if (one->step_ms != NULL)
    append_steps (out, one);
  append_chain (out, one);
}

// Same engine, variant and threads; sizes, channels and precisions may differ.
static bool
is_same_engine (const OdlBenchCase *a, const OdlBenchCase *b)
{
  return g_str_equal (a->row.engine, b->row.engine)
         && g_str_equal (a->row.variant, b->row.variant)
         && a->row.threads == b->row.threads;
}

// True if the same engine was measured with a larger picture.
static bool
has_larger (const OdlBenchResult *result, guint index)
{
  const OdlBenchCase *one = g_ptr_array_index (result->cases, index);

  for (guint i = 0; i < result->cases->len; i++) {
    const OdlBenchCase *other = g_ptr_array_index (result->cases, i);
    if (is_same_engine (one, other) && one->row.channels == other->row.channels
        && one->row.precision == other->row.precision
        && (double) other->row.width * other->row.height
               > (double) one->row.width * one->row.height)
      return true;
  }
  return false;
}

char *
odl_bench_explain (const OdlBenchResult *result)
{
  GString *out = g_string_new (NULL);

  odl_bench_append_title (out,
                          "Bytes, bounds and the share of the bound that was reached");
  odl_bench_append (out, "bytes: what each step must read and write, once; bound: these "
                         "at the speed of a plain copy\nof the same size in the same "
                         "API and run. Steps joined by + ran as one.\n");
  for (guint i = 0; i < result->cases->len; i++)
    if (!has_larger (result, i))
      append_case (out, g_ptr_array_index (result->cases, i));
  return g_string_free (out, FALSE);
}
