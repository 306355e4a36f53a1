// SPDX-License-Identifier: MIT
// Blocks that look alike, filtered together, as image/bm3d/bm3d.h and time.h say.
#include "engine/reference/context.h"
#include "image/bm3d/time.h"
#include "plan/numbers.h"

static void
to_floats (const double *from, float *to, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] = (float) from[i];
}

// All channels from `channel` on that belong together.
static void
read_channels (const StepContext *c, int slot, int channel, int count, float *to)
{
  const size_t n = (size_t) c->out->width * (size_t) c->out->height;

  for (int i = 0; slot != ODL_PLAN_NO_SLOT && i < count; i++)
    to_floats (slot_channel (c, slot, channel + i), to + (size_t) i * n, n);
}

void
odl_reference_bm3d (const StepContext *c)
{
  const size_t n = (size_t) c->out->width * (size_t) c->out->height;
  const int together = c->step->band == 1 ? 3 : 1; // channels
  const size_t all = (size_t) together * n;
  const int guide = c->step->reads[1];
  const int searched = c->step->reads[2], numbers = c->step->reads[3];
  g_autofree float *floats = g_try_new (float, 3 * all + n);

  if (floats == NULL) {
    g_atomic_int_set (&c->engine->base.short_of_memory, 1);
    return;
  }
  float *guides = floats + all, *result = floats + 2 * all, *whitened = floats + 3 * all;
  const OdlBm3d bm3d = {
    .width = c->out->width,
    .height = c->out->height,
    .samples = floats,
    .pitch = (size_t) c->out->width,
    .guide = guide != ODL_PLAN_NO_SLOT ? guides : NULL,
    .guide_pitch = (size_t) c->out->width,
    .channels = together,
    .plane = n,
    .guide_plane = n,
    .result_plane = n,
    .sigma = numbers != ODL_PLAN_NO_SLOT
                 ? odl_noise_found (slot_channel (c, numbers, 0)[ODL_NOISE_SIGMA])
                 : c->step->parameters.sigma,
    .correlations = c->step->parameters.kernel,
    .searched = searched != ODL_PLAN_NO_SLOT ? whitened : NULL,
    .searched_pitch = (size_t) c->out->width,
    .effort = (OdlBm3dEffort) c->step->rule,
  };

  for (int channel = 0; channel < c->out->channels; channel += together) {
    read_channels (c, c->step->reads[0], channel, together, floats);
    read_channels (c, guide, channel, together, guides);
    read_channels (c, searched, channel, 1, whitened);
    if (!odl_bm3d_run (&bm3d, result, bm3d.pitch))
      g_atomic_int_set (&c->engine->base.short_of_memory, 1);
    for (size_t i = 0; i < all; i++)
      slot_channel (c, c->step->writes, channel + (int) (i / n))[i % n]
          = (double) result[i];
  }
}

void
odl_reference_bm3d_time (const StepContext *c)
{
  const size_t n = (size_t) c->out->width * (size_t) c->out->height;
  const OdlStep *step = c->step;
  const int past = (int) odl_step_value (step, "past");
  const int ahead = (int) odl_step_value (step, "ahead"), n_frames = past + 1 + ahead;
  const int *reads = step->reads + ODL_BM3D_PAST (step->side) - past;
  g_autofree float *floats = g_try_new (float, (size_t) (n_frames + 1) * n);
  float *result = floats + (size_t) n_frames * n;
  OdlBm3dTime time = {
    .frames = step->side,
    .width = c->out->width,
    .height = c->out->height,
    .pitch = (size_t) c->out->width,
    .past = past,
    .ahead = ahead,
    .sigma = step->parameters.sigma,
    .correlations = step->parameters.kernel,
    .effort = (OdlBm3dEffort) step->rule,
  };

  if (floats == NULL) {
    g_atomic_int_set (&c->engine->base.short_of_memory, 1);
    return;
  }
  for (int channel = 0; channel < c->out->channels; channel++) {
    double *to = slot_channel (c, step->writes, channel);
    for (int i = 0; i < n_frames; i++) {
      to_floats (slot_channel (c, reads[i], channel), floats + (size_t) i * n, n);
      time.samples[i] = floats + (size_t) i * n;
    }
    if (!odl_bm3d_time_run (&time, NULL, result, time.pitch))
      g_atomic_int_set (&c->engine->base.short_of_memory, 1);
    for (size_t i = 0; i < n; i++)
      to[i] = (double) result[i];
  }
}
