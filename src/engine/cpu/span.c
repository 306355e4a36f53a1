// SPDX-License-Identifier: MIT
// Which steps of a plan run as one pass.
#include "engine/cpu/stream.h"
#include "plan/flow.h"
#include "plan/group.h"

// Whether the pass has the rules by which the filter shrinks.
static bool
has_rules (const OdlPlan *plan, const OdlGroup *group)
{
  for (int level = 0; level < group->levels; level++)
    if (plan->steps[group->level[level].threshold].rule != ODL_SHRINK_SOFT)
      return false;
  return true;
}

// The pass has rows of the picture's length; filters of moved pictures have others.
static bool
is_whole (const OdlPlan *plan, const OdlStep *step)
{
  return plan->slots[step->writes].width == plan->geometry.width
         && plan->slots[step->writes].height == plan->geometry.height;
}

// Takes the filter that begins at step `at` into the span, if it runs as one pass.
static bool
take_filter (const OdlPlan *plan, int at, OdlCpuSpan *span)
{
  const OdlStep *step = &plan->steps[at];

  span->filter = at;
  if (at >= plan->n_steps || step->group < 0)
    return false;
  const OdlGroup group = odl_plan_group (plan, step->group);
  span->measured = odl_group_is_measured (plan, &group);
  if (group.first != at || !(odl_group_is_plain (&group) || span->measured)
      || !has_rules (plan, &group) || !is_whole (plan, step)
      || group.levels > ODL_CPU_STREAM_LEVELS || step->wavelet->lifting.count == 0
      || step->wavelet->reversible || step->border != ODL_BORDER_WHOLE_SAMPLE
      || odl_level_size (plan->geometry.width, group.levels - 1) < 2
      || odl_level_size (plan->geometry.height, group.levels - 1) < 2)
    return false;
  span->levels = group.levels;
  span->n_steps = group.last + 1 - span->first;
  for (int level = 0; level < group.levels; level++) {
    span->thresholds[level] = group.level[level].threshold;
    span->bands[level] = plan->steps[group.level[level].forward_y].writes;
  }
  return true;
}

static bool
is_step (const OdlPlan *plan, int at, OdlStepKind kind)
{
  return at < plan->n_steps && plan->steps[at].kind == kind;
}

OdlCpuSpan
odl_cpu_stream_span (const OdlPlan *plan, int first)
{
  const OdlCpuSpan none = { .first = first };
  const bool loads = is_step (plan, first, ODL_STEP_LOAD);
  OdlCpuSpan span = none;

  if (loads && is_step (plan, first + 1, ODL_STEP_LUMA)) {
    if (!take_filter (plan, first + 2, &span) || span.measured
        || first + span.n_steps + 1 != plan->n_steps
        || !is_step (plan, plan->n_steps - 1, ODL_STEP_RECOMBINE))
      return none;
    span.luma = true;
    span.weights = first + 1;
    span.n_steps++;
    return span;
  }
  if (first + loads == 0 || !take_filter (plan, first + loads, &span))
    return none;
  const int loaded = plan->steps[span.filter - 1].writes;
  if (plan->steps[span.filter].reads[0] != loaded
      || (loads && odl_plan_is_needed (plan, loaded, span.filter + 1)))
    return none;
  return span;
}

bool
odl_cpu_stream_suits (const OdlPlan *plan)
{
  return odl_cpu_stream_span (plan, 0).n_steps == plan->n_steps;
}
