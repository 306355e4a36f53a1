// SPDX-License-Identifier: MIT
#include "bench/case.h"

#include "engine/cpu/stream.h"

bool
odl_bench_is_one_pass (const OdlBenchCase *one)
{
  return g_str_has_prefix (one->row.variant, "streamed");
}

double
odl_bench_resident_ms (const OdlBenchCase *one)
{
  const OdlBenchStats *stats = one->stats;

  if (stats[ODL_BENCH_RESIDENT].n > 0)
    return stats[ODL_BENCH_RESIDENT].median_ms;
  return stats[ODL_BENCH_FORWARD].median_ms + stats[ODL_BENCH_FILTER].median_ms
         + stats[ODL_BENCH_BACKWARD].median_ms;
}

double
odl_bench_least_bytes (const OdlBenchCase *one)
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

int *
odl_bench_case_groups (const OdlBenchCase *one, int *n_groups)
{
  const bool gl = one->stats[ODL_BENCH_OVERLAPPED].n > 0;

  return odl_bench_groups (one->plan, one->step_ms, gl ? ODL_BENCH_GL_IDLE_MS : 0,
                           n_groups);
}

double
odl_bench_group_sum (const OdlPlan *plan, const int *groups, int group)
{
  const OdlBenchBytes moved = odl_bench_group_bytes (plan, groups, group, 1);

  return moved.reads + moved.writes;
}

// True if the group consists of load steps.
static bool
is_load (const OdlPlan *plan, const int *groups, int group)
{
  bool only = true;

  for (int i = 0; i < plan->n_steps; i++)
    only &= groups[i] != group || plan->steps[i].kind == ODL_STEP_LOAD;
  return only;
}

double
odl_bench_moved_bytes (const OdlBenchCase *one, bool with_load)
{
  const OdlPlan *plan = one->plan;
  double bytes = 0;
  int n = 1;

  // A recipe's steps may be fused only in part.
  if (one->row.filter != NULL
      && (one->step_ms == NULL
          || (odl_bench_is_one_pass (one) && !odl_cpu_stream_suits (plan))))
    return 0;
  if (one->step_ms == NULL)
    return odl_bench_least_bytes (one);
  g_autofree int *groups = odl_bench_is_one_pass (one) ? g_new0 (int, plan->n_steps)
                                                       : odl_bench_case_groups (one, &n);
  for (int i = 0; groups != NULL && i < n; i++)
    if (with_load || !is_load (plan, groups, i))
      bytes += odl_bench_group_sum (plan, groups, i);
  return bytes;
}
