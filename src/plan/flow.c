// SPDX-License-Identifier: MIT
#include "plan/flow.h"

#include "plan/group.h"

int
odl_plan_last_writer (const OdlPlan *plan, int slot, int before)
{
  for (int i = before - 1; i >= 0; i--)
    if (plan->steps[i].writes == slot)
      return i;
  return -1;
}

bool
odl_plan_is_needed (const OdlPlan *plan, int slot, int from)
{
  for (int i = from; i < plan->n_steps; i++) {
    if (odl_step_reads (&plan->steps[i], slot))
      return true;
    if (plan->steps[i].writes == slot)
      return false;
  }
  return slot == plan->result;
}

bool
odl_plan_is_fused_threshold (const OdlPlan *plan, int step)
{
  const OdlStep *own = &plan->steps[step];
  const int inverse = own->kind == ODL_STEP_THRESHOLD
                          ? odl_plan_group_level (plan, step).inverse_y
                          : -1;

  if (inverse < 0 || own->rule != ODL_SHRINK_SOFT
      || plan->steps[inverse].reads[1] != own->writes
      || odl_plan_last_writer (plan, own->writes, inverse) != step)
    return false;
  for (int i = step + 1; i < plan->n_steps; i++)
    if (plan->steps[i].writes == own->reads[0])
      return false;
  return true;
}

bool
odl_step_writes_half (const OdlStep *step)
{
  const bool forward
      = step->kind == ODL_STEP_FORWARD || step->kind == ODL_STEP_DUAL_FORWARD;
  const bool inverse
      = step->kind == ODL_STEP_INVERSE || step->kind == ODL_STEP_DUAL_INVERSE;

  return (forward && step->axis == ODL_AXIS_X) || (inverse && step->axis == ODL_AXIS_Y);
}

int
odl_steps_last_of_level (const OdlStep *steps, int n_steps, int index)
{
  const OdlStep *own = &steps[index];
  int last = index;

  if (own->kind != ODL_STEP_DUAL_FORWARD && own->kind != ODL_STEP_DUAL_INVERSE)
    return index;
  while (last + 1 < n_steps && steps[last + 1].kind == own->kind
         && steps[last + 1].level == own->level && steps[last + 1].item == own->item)
    last++;
  return last;
}

int
odl_plan_observed_at (const OdlPlan *plan, int slot)
{
  int n = 0;

  for (int i = 0; i < plan->n_slots; i++) {
    if (i == slot)
      return plan->slots[i].observed ? n : -1;
    n += plan->slots[i].observed ? plan->slots[i].width : 0;
  }
  return -1;
}

int
odl_plan_count_observed (const OdlPlan *plan)
{
  int n = 0;

  for (int i = 0; i < plan->n_slots; i++)
    n += plan->slots[i].observed ? plan->slots[i].width : 0;
  return n;
}
