// SPDX-License-Identifier: MIT
// Blocks that look alike, filtered together, as image/bm3d/bm3d.h says.
#include "engine/reference/context.h"
#include "image/bm3d/bm3d.h"

static void
to_floats (const double *from, float *to, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] = (float) from[i];
}

void
odl_reference_bm3d (const StepContext *c)
{
  const size_t n = (size_t) c->out->width * (size_t) c->out->height;
  const int guide = c->step->reads[1];
  g_autofree float *floats = g_try_new (float, 3 * n);

  if (floats == NULL) {
    g_atomic_int_set (&c->engine->base.short_of_memory, 1);
    return;
  }
  float *guides = floats + n, *result = floats + 2 * n;
  const OdlBm3d bm3d = {
    .width = c->out->width,
    .height = c->out->height,
    .samples = floats,
    .pitch = (size_t) c->out->width,
    .guide = guide != ODL_PLAN_NO_SLOT ? guides : NULL,
    .guide_pitch = (size_t) c->out->width,
    .sigma = c->step->parameters.sigma,
    .effort = (OdlBm3dEffort) c->step->rule,
  };

  for (int channel = 0; channel < c->out->channels; channel++) {
    double *to = slot_channel (c, c->step->writes, channel);
    to_floats (slot_channel (c, c->step->reads[0], channel), floats, n);
    if (guide != ODL_PLAN_NO_SLOT)
      to_floats (slot_channel (c, guide, channel), guides, n);
    if (!odl_bm3d_run (&bm3d, result, bm3d.pitch))
      g_atomic_int_set (&c->engine->base.short_of_memory, 1);
    for (size_t i = 0; i < n; i++)
      to[i] = (double) result[i];
  }
}
