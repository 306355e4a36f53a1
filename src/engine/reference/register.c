// SPDX-License-Identifier: MIT
// A picture registered to another one, as image/morphon/morphon.h says.
#include "engine/register.h"
#include "engine/reference/context.h"

static void
add_channel (const StepContext *c, int slot, int channel, double share, float *mean)
{
  const size_t n = (size_t) c->out->width * (size_t) c->out->height;
  const double *samples = slot_channel (c, slot, channel);

  for (size_t i = 0; i < n; i++)
    mean[i] += (float) (share * samples[i]);
}

// All slices, when the first one is asked for.
static void
run_volume (const StepContext *c)
{
  const size_t area = (size_t) c->out->width * (size_t) c->out->height;
  const size_t n = area * (size_t) c->out->depth;
  const int own = c->step->reads[0], other = c->step->reads[1];
  const int channels = c->out->channels, n_other = c->plan->slots[other].channels;
  g_autofree float *floats = g_try_new0 (float, (size_t) (2 + channels) * n);
  g_autofree float **volumes = g_new (float *, channels);
  StepContext at = *c;
  const OdlRegisterVolume run
      = { .step = c->step,
          .size = { c->out->width, c->out->height, c->out->depth },
          .moving = floats,
          .reference = floats + n };

  if (floats == NULL) {
    g_atomic_int_set (&c->engine->base.short_of_memory, 1);
    return;
  }
  for (at.z = 0; at.z < c->out->depth; at.z++) {
    for (int k = 0; k < channels; k++)
      add_channel (&at, own, k, 1.0 / channels, floats + (size_t) at.z * area);
    for (int k = 0; k < n_other; k++)
      add_channel (&at, other, k, 1.0 / n_other, floats + n + (size_t) at.z * area);
    for (int k = 0; k < channels; k++) {
      volumes[k] = floats + (size_t) (2 + k) * n;
      add_channel (&at, own, k, 1, volumes[k] + (size_t) at.z * area);
    }
  }
  if (!odl_register_run_volume (&run, volumes, channels))
    g_atomic_int_set (&c->engine->base.short_of_memory, 1);
  for (at.z = 0; at.z < c->out->depth; at.z++)
    for (int k = 0; k < channels; k++) {
      double *to = slot_channel (&at, c->step->writes, k);
      for (size_t i = 0; i < area; i++)
        to[i] = (double) volumes[k][(size_t) at.z * area + i];
    }
}

void
odl_reference_register (const StepContext *c)
{
  if (c->out->depth > 1) {
    if (c->z == 0)
      run_volume (c);
    return;
  }
  const size_t n = (size_t) c->out->width * (size_t) c->out->height;
  const int own = c->step->reads[0], other = c->step->reads[1];
  const int n_other = c->plan->slots[other].channels;
  g_autofree float *floats = g_try_new0 (float, 4 * n);
  if (floats == NULL) {
    g_atomic_int_set (&c->engine->base.short_of_memory, 1);
    return;
  }
  float *picture = floats + 2 * n, *result = floats + 3 * n;
  const OdlRegister run = { .step = c->step,
                            .width = c->out->width,
                            .height = c->out->height,
                            .moving = floats,
                            .reference = floats + n,
                            .picture = picture };

  for (int channel = 0; channel < c->out->channels; channel++)
    add_channel (c, own, channel, 1.0 / c->out->channels, floats);
  for (int channel = 0; channel < n_other; channel++)
    add_channel (c, other, channel, 1.0 / n_other, floats + n);
  for (int channel = 0; channel < c->out->channels; channel++) {
    double *to = slot_channel (c, c->step->writes, channel);
    const double *from = slot_channel (c, own, channel);
    for (size_t i = 0; i < n; i++)
      picture[i] = (float) from[i];
    if (!odl_register_run (&run, result))
      g_atomic_int_set (&c->engine->base.short_of_memory, 1);
    for (size_t i = 0; i < n; i++)
      to[i] = (double) result[i];
  }
}
