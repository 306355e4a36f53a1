// SPDX-License-Identifier: MIT
// Code of the user's own that runs in a process of its own (filter/own/run.h).
#include "filter/own/run.h"
#include "engine/reference/context.h"

// Slices from the context's on.
typedef struct {
  const StepContext *c;
  int count;
} Slices;

static void
put (const void *data, int which, float *samples)
{
  const Slices *slices = data;
  const int slot = slices->c->step->reads[which];
  const OdlSlot *in = &slices->c->plan->slots[slot];
  const size_t area = (size_t) in->width * (size_t) in->height;
  StepContext at = *slices->c;

  for (int z = 0; z < slices->count; z++, at.z++, samples += area * in->channels)
    for (int channel = 0; channel < in->channels; channel++) {
      const double *from = slot_channel (&at, slot, channel);
      for (size_t i = 0; i < area; i++)
        samples[i * (size_t) in->channels + (size_t) channel] = (float) from[i];
    }
}

static void
take (const void *data, const float *samples)
{
  const Slices *slices = data;
  const OdlSlot *out = slices->c->out;
  const size_t area = (size_t) out->width * (size_t) out->height;
  StepContext at = *slices->c;

  for (int z = 0; z < slices->count; z++, at.z++, samples += area * out->channels)
    for (int channel = 0; channel < out->channels; channel++) {
      double *to = slot_channel (&at, slices->c->step->writes, channel);
      for (size_t i = 0; i < area; i++)
        to[i] = (double) odl_own_sample (
            samples[i * (size_t) out->channels + (size_t) channel]);
    }
}

// All slices, when the first one is asked for, or one.
void
odl_reference_python (const StepContext *c)
{
  const bool whole = c->step->rule == 1;
  const int second = c->step->reads[1];
  const Slices slices = { c, whole ? c->out->depth : 1 };
  const OdlOwnRun run
      = { .code = c->step->code,
          .values = c->step->parameters.values,
          .width = c->out->width,
          .height = c->out->height,
          .depth = whole ? c->out->depth : 0,
          .channels = c->out->channels,
          .other_channels
          = second != ODL_PLAN_NO_SLOT ? c->plan->slots[second].channels : 0,
          .progress = c->engine->base.progress,
          .put = put,
          .take = take,
          .data = &slices };

  if (c->engine->base.failure == NULL && !(whole && c->z > 0))
    odl_own_run (&run, &c->engine->base.failure);
}
