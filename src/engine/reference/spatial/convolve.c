// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"

// What one slice of the kernel makes of one slice of the picture.
static double
convolve_slice (const StepContext *c, const double *picture, int kz, int x, int y)
{
  const OdlStep *step = c->step;
  const int width = c->out->width, height = c->out->height;
  const float *kernel
      = step->parameters.kernel + kz * step->kernel_width * step->kernel_height;
  double sum = 0;

  for (int ky = 0; ky < step->kernel_height; ky++)
    for (int kx = 0; kx < step->kernel_width; kx++) {
      const int sx
          = odl_border_index (step->border, x + step->kernel_width / 2 - kx, width);
      const int sy
          = odl_border_index (step->border, y + step->kernel_height / 2 - ky, height);
      if (sx >= 0 && sy >= 0)
        sum += (double) kernel[ky * step->kernel_width + kx]
               * picture[(size_t) sy * width + sx];
    }
  return sum;
}

double
odl_reference_convolve (const StepContext *c, int x, int y)
{
  const ptrdiff_t slice = (ptrdiff_t) c->out->width * c->out->height * c->out->channels;
  const int depth = c->step->kernel_depth;
  double sum = 0;

  for (int kz = 0; kz < depth; kz++) {
    const int z
        = odl_border_index (c->step->border, c->z + depth / 2 - kz, c->out->depth);
    if (z >= 0)
      sum += convolve_slice (c, c->first + (z - c->z) * slice, kz, x, y);
  }
  return sum;
}
