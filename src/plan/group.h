// SPDX-License-Identifier: MIT
// Groups: the steps that the planner made for one filter of wavelet coefficients. Engines
// match fused programs against groups and look the steps of a level up here; they never
// count steps.
#pragma once

#include "plan/plan.h"

// The steps of one level of the decimated transform; −1 where the group has none. Views
// of coefficients have no synthesis.
typedef struct {
  int forward_x, forward_y;
  int threshold;
  int inverse_y, inverse_x;
} OdlGroupLevel;

typedef struct {
  int first, last; // steps of the plan
  int n_steps; // of the group, between these two
  int levels; // of the decimated transform; 0 for others
  OdlGroupLevel level[ODL_MAX_LEVELS]; // the finest first
} OdlGroup;

// Group 0 … plan->n_groups − 1 of a plan, as `group` of its steps says. Any thread, as
// for all of these.
OdlGroup odl_plan_group (const OdlPlan *plan, int index);

// True when every level has all five steps, and no other step stands among them: neither
// one that measures nor one along z. Then only steps of the group read what lies
// between the first and the last one, and a fused program need not store it.
bool odl_group_is_plain (const OdlGroup *group);

// Likewise, but steps that measure stand among the five, and nothing else.
bool odl_group_is_measured (const OdlPlan *plan, const OdlGroup *group);

// The level that `step`, one of the five of OdlGroupLevel, belongs to; all −1 for a step
// of no group.
OdlGroupLevel odl_plan_group_level (const OdlPlan *plan, int step);

// The step that reads what `step` made for it alone: FORWARD y for the half of FORWARD x,
// INVERSE x for that of INVERSE y, and INVERSE y of the next finer level for the coarser
// result of INVERSE x. −1 for other steps.
int odl_plan_group_reader (const OdlPlan *plan, int step);
