// SPDX-License-Identifier: MIT
#include "engine/bench_bytes.h"

#define THRESHOLD_OPERATIONS 3 // magnitude, difference, maximum

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

// Which part of a slot one side of a step needs.
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
  double samples = shared_samples (plan, step->writes,
                                   step->kind == ODL_STEP_THRESHOLD ? DETAILS : WHOLE);

  // A level's details alone go to their place, and LL of the coarsest.
  if (step->kind == ODL_STEP_LAYOUT) {
    samples = 0;
    for (int r = 0; r < 3; r++)
      if (step->reads[r] != ODL_PLAN_NO_SLOT)
        samples += shared_samples (plan, step->reads[r], share_read (plan, step, r));
  }
  return sample_size (plan) * samples;
}

// True when a step of the span wrote what `step` reads there.
static bool
is_written_before (const OdlPlan *plan, OdlBenchSpan span, int step, int slot)
{
  for (int i = span.first; i < step; i++)
    if (plan->steps[i].writes == slot)
      return true;
  return false;
}

static bool
is_read_after (const OdlPlan *plan, OdlBenchSpan span, int slot)
{
  // Until the slot serves another step.
  for (int i = span.last + 1; i < plan->n_steps; i++) {
    for (int r = 0; r < 3; r++)
      if (plan->steps[i].reads[r] == slot)
        return true;
    if (plan->steps[i].writes == slot)
      return false;
  }
  return slot == plan->result;
}

OdlBenchBytes
odl_bench_span_bytes (const OdlPlan *plan, OdlBenchSpan span, double sample_bytes)
{
  const OdlGeometry *geometry = &plan->geometry;
  OdlBenchBytes bytes = { 0, 0 };

  for (int i = span.first; i <= span.last; i++) {
    const OdlStep *step = &plan->steps[i];

    if (step->kind == ODL_STEP_LOAD)
      bytes.reads
          += sample_bytes * geometry->width * geometry->height * geometry->channels;
    for (int r = 0; r < 3; r++)
      if (step->reads[r] != ODL_PLAN_NO_SLOT
          && !is_written_before (plan, span, i, step->reads[r]))
        bytes.reads += read_bytes (plan, step, r);
    if (span.first == span.last || is_read_after (plan, span, step->writes))
      bytes.writes += written_bytes (plan, step);
  }
  return bytes;
}

OdlBenchBytes
odl_bench_step_bytes (const OdlPlan *plan, int step, double sample_bytes)
{
  return odl_bench_span_bytes (plan, (OdlBenchSpan){ step, step }, sample_bytes);
}

double
odl_bench_operations (const OdlPlan *plan)
{
  double operations = 0;

  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const double samples = slot_samples (plan, step->writes);

    if (step->kind == ODL_STEP_FORWARD || step->kind == ODL_STEP_INVERSE)
      // A multiplication and an addition for each tap; half of the samples each filter.
      operations
          += samples
             * (step->wavelet->analysis_low.count + step->wavelet->analysis_high.count);
    else if (step->kind == ODL_STEP_THRESHOLD)
      operations += THRESHOLD_OPERATIONS * shared_samples (plan, step->writes, DETAILS);
  }
  return operations;
}

double
odl_bench_slot_bytes (const OdlPlan *plan)
{
  double bytes = 0;

  for (int i = 0; i < plan->n_slots; i++)
    bytes += sample_size (plan) * slot_samples (plan, i);
  return bytes;
}
