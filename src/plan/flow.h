// SPDX-License-Identifier: MIT
// Which step reads what another one wrote: questions that several engines ask.
#pragma once

#include "plan/plan.h"

G_BEGIN_DECLS

// The step before `before` that wrote `slot` last; −1 for none. Any thread, as for all of
// these.
int odl_plan_last_writer (const OdlPlan *plan, int slot, int before);

// Whether what `slot` holds before step `from` is read by that step or a later one, or is
// the result.
bool odl_plan_is_needed (const OdlPlan *plan, int slot, int from);

// True when `step` is a THRESHOLD that only INVERSE y reads, of bands that last as long
// as those that it writes: synthesis can shrink the details as it reads them.
bool odl_plan_is_fused_threshold (const OdlPlan *plan, int step);

// Of the numbers that are observed, all slots one after the other: how many there are,
// and where those of `slot` begin; −1 for a slot that is not observed.
int odl_plan_count_observed (const OdlPlan *plan);
int odl_plan_observed_at (const OdlPlan *plan, int slot);

// The slot of numbers from which a THRESHOLD takes its thresholds; ODL_PLAN_NO_SLOT: they
// are parameters.
static inline int
odl_step_numbers (const OdlStep *step)
{
  return step->kind == ODL_STEP_THRESHOLD ? step->reads[1] : ODL_PLAN_NO_SLOT;
}

// True for the steps that write halves: FORWARD x and INVERSE y.
bool odl_step_writes_half (const OdlStep *step);

G_END_DECLS
