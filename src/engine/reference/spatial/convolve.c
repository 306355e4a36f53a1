// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"

double
odl_reference_convolve (const StepContext *c, int x, int y)
{
  const OdlStep *step = c->step;
  const float *kernel = step->parameters.kernel;
  const int width = c->out->width, height = c->out->height;
  double sum = 0;

  for (int ky = 0; ky < step->kernel_height; ky++)
    for (int kx = 0; kx < step->kernel_width; kx++) {
      const int sx
          = odl_border_index (step->border, x + step->kernel_width / 2 - kx, width);
      const int sy
          = odl_border_index (step->border, y + step->kernel_height / 2 - ky, height);
      if (sx >= 0 && sy >= 0)
        sum += (double) kernel[ky * step->kernel_width + kx]
               * c->first[(size_t) sy * width + sx];
    }
  return sum;
}
