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

OdlLoaded
odl_plan_loaded_at (const OdlPlan *plan, int slot, int before, const OdlImage *input)
{
  int at = odl_plan_last_writer (plan, slot, before);
  OdlLoaded loaded = { 0 };

  if (at >= 0 && plan->steps[at].kind == ODL_STEP_RAISE) {
    loaded.level = odl_step_value (&plan->steps[at], "level");
    at = odl_plan_last_writer (plan, plan->steps[at].reads[0], at);
  }
  if (at >= 0 && plan->steps[at].kind == ODL_STEP_LOAD)
    loaded.image = odl_step_image (&plan->steps[at], (OdlImage *) input);
  return loaded;
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
odl_plan_outlives (const OdlPlan *plan, int slot, int from)
{
  const int writer = odl_plan_last_writer (plan, slot, from);

  if (writer < 0)
    return false;
  if (odl_plan_is_needed (plan, slot, from))
    return true;
  for (int i = writer + 1; i < from; i++) {
    const OdlStep *step = &plan->steps[i];
    if (step->kind == ODL_STEP_THRESHOLD && step->reads[0] == slot
        && odl_plan_last_writer (plan, step->writes, from) == i
        && odl_plan_is_needed (plan, step->writes, from))
      return true;
  }
  return false;
}

bool
odl_plan_is_fused_threshold (const OdlPlan *plan, int step)
{
  const OdlStep *own = &plan->steps[step];
  int inverse = own->kind == ODL_STEP_THRESHOLD
                    ? odl_plan_group_level (plan, step).inverse_y
                    : -1;

  // Of octants the synthesis along z, which comes before that along y.
  if (inverse > 0 && plan->slots[own->writes].kind == ODL_SLOT_OCTANTS)
    inverse = odl_plan_last_writer (plan, plan->steps[inverse].reads[1], inverse);
  if (inverse < 0 || own->side > 0 || own->rule != ODL_SHRINK_SOFT
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

static bool
are_of_one_bank (const OdlPlan *plan, int before, int index)
{
  const OdlStep *a = &plan->steps[before], *b = &plan->steps[index];

  return a->kind == ODL_STEP_CONVOLVE && b->kind == ODL_STEP_CONVOLVE
         && a->reads[0] == b->reads[0] && a->writes != b->reads[0]
         && a->kernel_width == b->kernel_width && a->kernel_height == b->kernel_height
         && a->kernel_depth == b->kernel_depth && a->border == b->border
         && plan->slots[a->writes].channels == plan->slots[b->writes].channels
         && plan->slots[a->writes].precision == plan->slots[b->writes].precision;
}

OdlBank
odl_plan_bank_at (const OdlPlan *plan, int index, int most)
{
  int first = index, end = index + 1;

  if (plan->steps[index].kind != ODL_STEP_CONVOLVE)
    return (OdlBank){ index, 0 };
  while (first > 0 && are_of_one_bank (plan, first - 1, first))
    first--;
  while (end < plan->n_steps && are_of_one_bank (plan, end - 1, end))
    end++;
  const int n = end - first, parts = (n + most - 1) / most,
            each = (n + parts - 1) / parts;
  first += (index - first) / each * each;
  return (OdlBank){ first, MIN (each, end - first) };
}

// Whether the steps from `index` on add `parts` steps back to the sums that `before`
// steps back wrote, and nothing else reads either.
static bool
adds_up (const OdlPlan *plan, const OdlBankSum *sum, int index, int before, int parts)
{
  bool ok = index + sum->count <= plan->n_steps;

  for (int k = 0; k < sum->count && ok; k++) {
    const OdlStep *add = &plan->steps[index + k];
    const int old = plan->steps[before + k].writes, part = plan->steps[parts + k].writes;
    ok = add->kind == ODL_STEP_ADD && add->reads[0] == old && add->reads[1] == part
         && (add->writes == old || !odl_plan_is_needed (plan, old, index + k + 1))
         && (add->writes == part || !odl_plan_is_needed (plan, part, index + k + 1));
  }
  return ok;
}

static bool
brings_picture (const OdlPlan *plan, int index)
{
  const OdlStep *step = &plan->steps[index];

  return step->kind == ODL_STEP_LOAD
         || (step->kind == ODL_STEP_RAISE
             && odl_plan_loaded_at (plan, step->writes, index + 1, NULL).image != NULL);
}

OdlBankSum
odl_plan_bank_sum_at (const OdlPlan *plan, int index)
{
  const OdlBank bank = odl_plan_bank_at (plan, index, plan->n_steps);
  OdlBankSum sum = { bank.first, index, bank.count, 1, { bank.first } };
  int before = bank.first, next = bank.first + bank.count;

  if (bank.count == 0 || bank.first != index)
    return (OdlBankSum){ 0 };
  while (sum.terms < ODL_PLAN_MAX_KERNEL) {
    while (next < plan->n_steps && brings_picture (plan, next))
      next++;
    const OdlStep *first = &plan->steps[index];
    const OdlStep *step = next < plan->n_steps ? &plan->steps[next] : first;
    const OdlBank other
        = odl_plan_bank_at (plan, MIN (next, plan->n_steps - 1), plan->n_steps);
    if (other.count != bank.count || other.first != next
        || step->kernel_width != first->kernel_width
        || step->kernel_height != first->kernel_height
        || step->kernel_depth != first->kernel_depth || step->border != first->border
        || !adds_up (plan, &sum, next + bank.count, before, next))
      break;
    sum.at[sum.terms++] = next;
    before = next + bank.count;
    next = before + bank.count;
    sum.last = next - 1;
  }
  return sum.terms > 1 ? sum : (OdlBankSum){ 0 };
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

bool
odl_plan_shrinks_again (const OdlPlan *plan, int step)
{
  g_return_val_if_fail (plan != NULL && step >= 0 && step < plan->n_steps, false);

  if (plan->steps[step].kind != ODL_STEP_THRESHOLD)
    return false;
  const int writer = odl_plan_last_writer (plan, plan->steps[step].reads[0], step);
  return writer >= 0 && plan->steps[writer].kind == ODL_STEP_THRESHOLD;
}

int
odl_plan_count_observed (const OdlPlan *plan)
{
  int n = 0;

  for (int i = 0; i < plan->n_slots; i++)
    n += plan->slots[i].observed ? plan->slots[i].width : 0;
  return n;
}
