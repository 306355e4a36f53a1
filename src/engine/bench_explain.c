// SPDX-License-Identifier: MIT
// The bounds that bytes and a plain copy set.
#include "engine/bench_bytes.h"
#include "engine/bench_tables.h"
#include "engine/bench_text.h"
#include "engine/cpu/stream.h"

#include <string.h>

#define MOST_POINTS 64

static const char *const axis_names[]
    = { [ODL_AXIS_NONE] = "", [ODL_AXIS_X] = " x", [ODL_AXIS_Y] = " y" };

// "forward x 1"; "forward 1" for a step and the next, along the other axis.
static char *
step_text (const OdlPlan *plan, int step, bool both_axes)
{
  const OdlStep *s = &plan->steps[step];
  g_autofree char *level
      = s->level > 0 ? g_strdup_printf (" %d", s->level) : g_strdup ("");

  return g_strdup_printf ("%s%s%s", odl_step_name (s->kind),
                          both_axes ? "" : axis_names[s->axis], level);
}

// True when `step` and the next, of the same group, are one level along both axes.
static bool
takes_both_axes (const OdlPlan *plan, const int *groups, int step)
{
  const OdlStep *s = &plan->steps[step];

  return step + 1 < plan->n_steps && groups[step + 1] == groups[step]
         && s->axis != ODL_AXIS_NONE && s[1].kind == s->kind && s[1].level == s->level
         && s[1].axis != s->axis;
}

static bool
runs_as_one_pass (const OdlBenchCase *one)
{
  return g_str_has_prefix (one->row.variant, "streamed");
}

// One fused pass for each level and direction, of 8-bit input: s_i + s_o + 2 s + 4 s R
// with R the sum of 4^-l below the number of levels.
static double
pass_of_each_level (const OdlBenchCase *one)
{
  const double s = one->row.precision / 8.0;
  const double samples = (double) one->row.width * one->row.height * one->row.channels;
  double rest = 0, share = 1;

  for (int level = 1; level < one->row.levels; level++) {
    share /= 4;
    rest += share;
  }
  return samples * (1 + s + 2 * s + 4 * s * rest);
}

static double
idle_ms (const OdlBenchCase *one)
{
  return one->stats[ODL_BENCH_OVERLAPPED].n > 0 ? ODL_BENCH_GL_IDLE_MS : 0;
}

static double
bytes_of_group (const OdlPlan *plan, const int *groups, int group)
{
  const OdlBenchBytes moved = odl_bench_group_bytes (plan, groups, group, 1);

  return moved.reads + moved.writes;
}

// True when the group only loads.
static bool
is_load (const OdlPlan *plan, const int *groups, int group)
{
  bool only = true;

  for (int i = 0; i < plan->n_steps; i++)
    only &= groups[i] != group || plan->steps[i].kind == ODL_STEP_LOAD;
  return only;
}

// What the engine moves, with or without a load of its own; 0: unknown.
static double
moved_bytes (const OdlBenchCase *one, bool with_load)
{
  const OdlPlan *plan = one->plan;
  double bytes = 0;
  int n = 1;

  // Some steps of the recipe may run as one pass, and others not.
  if (one->row.filter != NULL
      && (one->step_ms == NULL
          || (runs_as_one_pass (one) && !odl_cpu_stream_suits (plan))))
    return 0;
  if (one->step_ms == NULL)
    return pass_of_each_level (one);
  g_autofree int *groups = runs_as_one_pass (one)
                               ? g_new0 (int, plan->n_steps)
                               : odl_bench_groups (plan, one->step_ms, idle_ms (one), &n);
  for (int i = 0; groups != NULL && i < n; i++)
    if (with_load || !is_load (plan, groups, i))
      bytes += bytes_of_group (plan, groups, i);
  return bytes;
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
  g_autofree int *groups = odl_bench_groups (plan, one->step_ms, idle_ms (one), &n);

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
    append_bound (out, one, name->str, bytes_of_group (plan, groups, i), ms);
    g_string_free (name, TRUE);
  }
}

// The whole chain, and what it could be. On a GPU, of what lies there already.
static void
append_chain (GString *out, const OdlBenchCase *one)
{
  const double samples = (double) one->row.width * one->row.height * one->row.channels;
  const double s = one->row.precision / 8.0;
  const bool resident = one->stats[ODL_BENCH_OVERLAPPED].n > 0;
  const double ms = resident ? 1e-3 * odl_bench_resident_us (one)
                             : one->stats[ODL_BENCH_TOTAL].median_ms;
  const double more = resident ? samples * (s - 1) : 0; // input of s bytes instead of 1

  const double moved = moved_bytes (one, !resident);

  if (moved > 0)
    append_bound (out, one, "chain, as this engine divides it", moved, ms);
  if (one->row.filter == NULL)
    append_bound (out, one, "chain (a), a pass per level and direction",
                  pass_of_each_level (one) + more, ms);
  append_bound (out, one, "chain (e), everything fused", samples * (1 + s) + more, ms);
}

static void
append_case (GString *out, const OdlBenchCase *one)
{
  g_autofree char *name = odl_bench_case_name (one);

  odl_bench_append (out, "\n%s, %d×%d, %d levels; ", name, one->row.width,
                    one->row.height, one->row.levels);
  if (one->copy_gb_per_s > 0)
    odl_bench_append (out, "a copy of that size moves %.1f GB/s\n", one->copy_gb_per_s);
  else
    odl_bench_append (out, "no copy of that size was measured\n");
  if (one->step_ms != NULL && runs_as_one_pass (one))
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

// All cases of an engine that differ in size, channels and precision alone.
static bool
is_same_engine (const OdlBenchCase *a, const OdlBenchCase *b)
{
  return g_str_equal (a->row.engine, b->row.engine)
         && g_str_equal (a->row.variant, b->row.variant)
         && a->row.threads == b->row.threads;
}

static OdlBenchPoint
point_of (const OdlBenchCase *one)
{
  const bool bus = one->stats[ODL_BENCH_OVERLAPPED].n > 0;
  const double total_ms = one->stats[ODL_BENCH_TOTAL].median_ms;
  OdlBenchPoint point = {
    .moved = moved_bytes (one, true),
    .operations = odl_bench_operations (one->plan),
    .rest_ms = total_ms,
  };

  if (bus && one->stats[ODL_BENCH_UPLOAD].median_ms < 0.9 * total_ms) {
    point.uploaded = (double) one->row.width * one->row.height * one->row.channels;
    point.upload_ms = one->stats[ODL_BENCH_UPLOAD].median_ms;
    point.rest_ms = total_ms - point.upload_ms;
  }
  return point;
}

static void
append_rate (GString *out, const char *what, double value, const char *unit)
{
  odl_bench_append (out, ", %s ", what);
  if (value > 0)
    odl_bench_append (out, "%.3g %s", value, unit);
  else
    g_string_append (out, "not seen to limit");
}

static void
append_model (GString *out, const OdlBenchResult *result, guint first)
{
  const OdlBenchCase *engine = g_ptr_array_index (result->cases, first);
  const OdlBenchCase *cases[MOST_POINTS];
  OdlBenchPoint points[MOST_POINTS];
  OdlBenchModel model;
  double copy = 0;
  int n = 0;

  for (guint i = first; i < result->cases->len && n < MOST_POINTS; i++) {
    const OdlBenchCase *one = g_ptr_array_index (result->cases, i);
    if (!is_same_engine (one, engine))
      continue;
    if (one->copy_gb_per_s > 0 && (copy == 0 || one->copy_gb_per_s < copy))
      copy = one->copy_gb_per_s;
    cases[n] = one;
    points[n++] = point_of (one);
  }
  if (!odl_bench_model_fit (points, n, copy, &model))
    return;
  odl_bench_append (out, "\n%s:%s, %d thread(s): overhead %.3g ms", engine->row.engine,
                    engine->row.variant, engine->row.threads, model.overhead_ms);
  append_rate (out, "bus", model.bus_gb_per_s, "GB/s");
  append_rate (out, "memory", model.memory_gb_per_s, "GB/s");
  append_rate (out, "arithmetic", model.arithmetic_gop_per_s, "Gop/s");
  odl_bench_append (out, "\n%20s%6s%6s%12s%12s%9s\n", "size", "ch", "bits", "measured",
                    "model", "error");
  for (int i = 0; i < n; i++) {
    const double ms = cases[i]->stats[ODL_BENCH_TOTAL].median_ms;
    const double model_ms = odl_bench_model_ms (&model, &points[i]);
    g_autofree char *size
        = g_strdup_printf ("%d×%d", cases[i]->row.width, cases[i]->row.height);
    odl_bench_append_cell (out, size, 20);
    odl_bench_append (out, "%6d%6d", cases[i]->row.channels, cases[i]->row.precision);
    odl_bench_append_number (out, ms, 12);
    odl_bench_append_number (out, model_ms, 12);
    odl_bench_append (out, "%+7.0f %%\n", 100 * (model_ms / ms - 1));
  }
}

// A larger picture of the same line.
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

char *
odl_bench_model_table (const OdlBenchResult *result)
{
  GString *out = g_string_new (NULL);

  // Of other recipes it is not known what passes move.
  for (guint i = 0; i < result->cases->len && result->filter == NULL; i++) {
    const OdlBenchCase *one = g_ptr_array_index (result->cases, i);
    bool seen = false;
    for (guint k = 0; k < i; k++)
      seen |= is_same_engine (one, g_ptr_array_index (result->cases, k));
    if (!seen)
      append_model (out, result, i);
  }
  if (out->len > 0) {
    GString *title = g_string_new (NULL);
    odl_bench_append_title (title,
                            "Model: overhead + upload / bus + max (moved / memory, "
                            "operations / arithmetic)");
    g_string_prepend (out, title->str);
    g_string_free (title, TRUE);
  }
  return g_string_free (out, FALSE);
}
