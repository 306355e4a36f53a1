// SPDX-License-Identifier: MIT
#include "bench/bytes.h"

#include "plan/flow.h"

static double
slot_samples (const OdlPlan *plan, int slot)
{
  const OdlSlot *s = &plan->slots[slot];

  return (double) s->width * s->height * s->channels;
}

static double
approximation_samples (const OdlPlan *plan, int slot)
{
  const OdlSlot *s = &plan->slots[slot];

  return (double) odl_low_count (s->width) * odl_low_count (s->height) * s->channels;
}

// Part of a slot that a step accesses.
typedef enum { WHOLE, APPROXIMATION, DETAILS } Share;

static Share
share_read (const OdlPlan *plan, const OdlStep *step, int read)
{
  if (plan->slots[step->reads[read]].kind != ODL_SLOT_BANDS)
    return WHOLE;
  switch (step->kind) {
  case ODL_STEP_FORWARD:
    return step->axis == ODL_AXIS_X ? APPROXIMATION : WHOLE;
  case ODL_STEP_THRESHOLD:
  case ODL_STEP_BIVARIATE:
    return DETAILS;
  case ODL_STEP_INVERSE:
  case ODL_STEP_LAYOUT:
    return read == 0 ? APPROXIMATION : DETAILS;
  default:
    return WHOLE;
  }
}

static double
shared_samples (const OdlPlan *plan, int slot, Share share)
{
  if (share == WHOLE)
    return slot_samples (plan, slot);

  const double approximation = approximation_samples (plan, slot);
  return share == APPROXIMATION ? approximation
                                : slot_samples (plan, slot) - approximation;
}

static double
sample_size (const OdlPlan *plan)
{
  return plan->precision / 8.0;
}

static double
read_bytes (const OdlPlan *plan, const OdlStep *step, int read)
{
  return sample_size (plan)
         * shared_samples (plan, step->reads[read], share_read (plan, step, read));
}

static double
written_bytes (const OdlPlan *plan, const OdlStep *step)
{
  double samples = shared_samples (
      plan, step->writes,
      step->kind == ODL_STEP_THRESHOLD || step->kind == ODL_STEP_BIVARIATE ? DETAILS
                                                                           : WHOLE);

  // Layout copies the details of a level, and LL of the coarsest.
  if (step->kind == ODL_STEP_LAYOUT) {
    samples = 0;
    for (int r = 0; r < 3; r++)
      if (step->reads[r] != ODL_PLAN_NO_SLOT)
        samples += shared_samples (plan, step->reads[r], share_read (plan, step, r));
  }
  return sample_size (plan) * samples;
}

// True if the slot was written by a step of the same group.
static bool
is_group_internal (const OdlPlan *plan, const int *groups, int step, int slot)
{
  const int writer = odl_plan_last_writer (plan, slot, step);

  return writer >= 0 && groups[writer] == groups[step];
}

// True if a step of another group reads the output of `step`, or if it is the result.
static bool
is_read_outside (const OdlPlan *plan, const int *groups, int step)
{
  const int slot = plan->steps[step].writes;

  // Until the slot is overwritten.
  for (int i = step + 1; i < plan->n_steps; i++) {
    if (groups[i] != groups[step] && odl_step_reads (&plan->steps[i], slot))
      return true;
    if (plan->steps[i].writes == slot)
      return false;
  }
  return slot == plan->result;
}

OdlBenchBytes
odl_bench_group_bytes (const OdlPlan *plan,
                       const int *groups,
                       int group,
                       double sample_bytes)
{
  const OdlGeometry *geometry = &plan->geometry;
  OdlBenchBytes bytes = { 0, 0 };

  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];

    if (groups[i] != group)
      continue;
    if (step->kind == ODL_STEP_LOAD)
      bytes.reads
          += sample_bytes * geometry->width * geometry->height * geometry->channels;
    for (int r = 0; r < 3; r++)
      if (step->reads[r] != ODL_PLAN_NO_SLOT
          && !is_group_internal (plan, groups, i, step->reads[r]))
        bytes.reads += read_bytes (plan, step, r);
    if (is_read_outside (plan, groups, i))
      bytes.writes += written_bytes (plan, step);
  }
  return bytes;
}

OdlBenchBytes
odl_bench_step_bytes (const OdlPlan *plan, int step, double sample_bytes)
{
  g_autofree int *groups = g_new (int, plan->n_steps);

  for (int i = 0; i < plan->n_steps; i++)
    groups[i] = i;
  return odl_bench_group_bytes (plan, groups, step, sample_bytes);
}

// The step in which an untimed `step` is fused; −1: none.
static int
finisher_of (const OdlPlan *plan, const double *step_ms, double idle_ms, int step)
{
  const int slot = plan->steps[step].writes;

  if (plan->steps[step].kind == ODL_STEP_THRESHOLD)
    for (int i = step + 1; i < plan->n_steps; i++)
      if (odl_step_reads (&plan->steps[i], slot))
        return step_ms[i] > idle_ms ? i : finisher_of (plan, step_ms, idle_ms, i);
  for (int i = step + 1; i < plan->n_steps; i++)
    if (step_ms[i] > idle_ms)
      return i;
  return -1;
}

int *
odl_bench_groups (const OdlPlan *plan,
                  const double *step_ms,
                  double idle_ms,
                  int *n_groups)
{
  g_autofree int *groups = g_new (int, plan->n_steps);

  *n_groups = 0;
  for (int i = 0; i < plan->n_steps; i++)
    groups[i] = step_ms[i] > idle_ms ? (*n_groups)++ : -1;
  if (*n_groups == 0)
    return NULL;
  for (int i = 0; i < plan->n_steps; i++)
    if (step_ms[i] <= idle_ms) {
      const int finisher = finisher_of (plan, step_ms, idle_ms, i);
      groups[i] = finisher >= 0 ? groups[finisher] : *n_groups - 1;
    }
  return g_steal_pointer (&groups);
}

double
odl_bench_slot_bytes (const OdlPlan *plan)
{
  double bytes = 0;

  for (int i = 0; i < plan->n_slots; i++)
    bytes += sample_size (plan) * slot_samples (plan, i);
  return bytes;
}
