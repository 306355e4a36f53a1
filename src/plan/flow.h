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

// True for the steps that write halves: FORWARD x and INVERSE y.
bool odl_step_writes_half (const OdlStep *step);

G_END_DECLS
