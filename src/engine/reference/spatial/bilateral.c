// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"

double
odl_reference_bilateral (const StepContext *c, int x, int y)
{
  const int radius = c->step->side / 2;
  const double range = odl_step_value (c->step, "range");
  const double space = odl_step_value (c->step, "space");
  const double f = at (c, x, y);
  const ptrdiff_t slice = (ptrdiff_t) c->out->width * c->out->height * c->out->channels;
  const int deep = c->step->kernel_depth / 2;
  double sum = 0, weights = 0;

  for (int dz = -deep; dz <= deep; dz++) {
    const int z = odl_border_fold (c->z + dz, c->out->depth);
    const double *picture = c->first + (z - c->z) * slice;
    for (int dy = -radius; dy <= radius; dy++)
      for (int dx = -radius; dx <= radius; dx++) {
        const double g = fetch (picture, c->out, x + dx, y + dy);
        const double weight
            = exp (-space * (dx * dx + dy * dy + dz * dz) - range * (g - f) * (g - f));
        sum += weight * g;
        weights += weight;
      }
  }
  return sum / weights;
}
