// SPDX-License-Identifier: MIT
// Code of the user's own that runs in a process of its own (filter/own/run.h).
#include "filter/own/run.h"
#include "engine/reference/context.h"

static void
put (const void *data, float *samples)
{
  const StepContext *c = data;
  const size_t n = (size_t) c->out->width * (size_t) c->out->height;

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    for (size_t i = 0; i < n; i++)
      samples[i * (size_t) c->out->channels + (size_t) channel] = (float) from[i];
  }
}

static void
take (const void *data, const float *samples)
{
  const StepContext *c = data;
  const size_t n = (size_t) c->out->width * (size_t) c->out->height;

  for (int channel = 0; channel < c->out->channels; channel++) {
    double *to = slot_channel (c, c->step->writes, channel);
    for (size_t i = 0; i < n; i++)
      to[i] = (double) samples[i * (size_t) c->out->channels + (size_t) channel];
  }
}

void
odl_reference_python (const StepContext *c)
{
  const OdlOwnRun run = { .code = c->step->code,
                          .values = c->step->parameters.values,
                          .width = c->out->width,
                          .height = c->out->height,
                          .channels = c->out->channels,
                          .progress = c->engine->base.progress,
                          .put = put,
                          .take = take,
                          .data = c };

  if (c->engine->base.failure == NULL)
    odl_own_run (&run, &c->engine->base.failure);
}
