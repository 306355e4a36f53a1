// SPDX-License-Identifier: MIT
// Which steps of a plan run as one pass.
#include "engine/cpu/stream.h"
#include "plan/flow.h"

// With more levels a strip's border is two thousand rows high, and the steps' rounding
// adds up to 2e-6: such a plan goes level by level.
#define MOST_LEVELS 7

// Checks that steps `at` … are those of one filter on `levels` levels; returns the step
// after them, 0 when they are not.
static int
match_filter (const OdlPlan *plan, int at, int levels)
{
  const OdlStep *steps = plan->steps + at;

  if (at + 5 * levels > plan->n_steps)
    return 0;
  for (int i = 0; i < 2 * levels; i++)
    if (steps[i].kind != ODL_STEP_FORWARD || steps[i].level != i / 2 + 1
        || steps[3 * levels + i].kind != ODL_STEP_INVERSE
        || steps[3 * levels + i].level != levels - i / 2)
      return 0;
  for (int i = 0; i < levels; i++)
    if (steps[2 * levels + i].kind != ODL_STEP_THRESHOLD)
      return 0;
  return at + 5 * levels;
}

// Levels of the filter that begins at step `at` and runs as one pass; 0: none does.
static int
levels_at (const OdlPlan *plan, int at)
{
  const OdlStep *steps = plan->steps + at;
  int n = 0;

  while (at + n < plan->n_steps && steps[n].kind == ODL_STEP_FORWARD)
    n++;
  const int levels = n / 2;
  if (levels == 0 || levels > MOST_LEVELS || match_filter (plan, at, levels) == 0
      || steps->wavelet->lifting.count == 0 || steps->wavelet->reversible
      || steps->border != ODL_BORDER_WHOLE_SAMPLE)
    return 0;
  return odl_level_size (plan->geometry.width, levels - 1) >= 2
                 && odl_level_size (plan->geometry.height, levels - 1) >= 2
             ? levels
             : 0;
}

static bool
is_step (const OdlPlan *plan, int at, OdlStepKind kind)
{
  return at < plan->n_steps && plan->steps[at].kind == kind;
}

OdlCpuSpan
odl_cpu_stream_span (const OdlPlan *plan, int first)
{
  const bool loads = is_step (plan, first, ODL_STEP_LOAD);
  OdlCpuSpan span = { .first = first, .filter = first + loads };

  if (loads && is_step (plan, first + 1, ODL_STEP_LUMA)) {
    const int levels = levels_at (plan, first + 2);
    span.luma = levels > 0 && plan->n_steps == 5 * levels + 3
                && is_step (plan, plan->n_steps - 1, ODL_STEP_RECOMBINE);
    span.filter = first + 2;
    span.levels = levels;
    span.n_steps = span.luma ? plan->n_steps : 0;
    return span;
  }
  const OdlStep *before = span.filter > 0 ? &plan->steps[span.filter - 1] : NULL;
  span.levels = span.filter < plan->n_steps ? levels_at (plan, span.filter) : 0;
  if (span.levels == 0 || before == NULL
      || plan->steps[span.filter].reads[0] != before->writes
      || (loads && odl_plan_is_needed (plan, before->writes, span.filter + 1)))
    return span;
  span.n_steps = 5 * span.levels + loads;
  return span;
}

bool
odl_cpu_stream_suits (const OdlPlan *plan)
{
  return odl_cpu_stream_span (plan, 0).n_steps == plan->n_steps;
}
