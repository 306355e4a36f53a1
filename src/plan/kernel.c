// SPDX-License-Identifier: MIT
#include "plan/kernel.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"

// Frequencies of an axis that quadrature filters are sampled at.
#define FREQUENCIES 64

// What single precision leaves of a product, as a share of the largest coefficient.
#define ROUNDING 4e-7

static float
value_at (const OdlImageInfo *info, int x, int y)
{
  const OdlPlane *plane = &info->planes[0];
  const void *at = (const char *) plane->data + y * plane->row_stride_bytes
                   + x * plane->sample_stride_bytes;

  switch (info->type) {
  case ODL_SAMPLE_U8:
    return *(const uint8_t *) at;
  case ODL_SAMPLE_U16:
    return *(const uint16_t *) at;
  case ODL_SAMPLE_S16:
    return *(const int16_t *) at;
  case ODL_SAMPLE_F32:
    return *(const float *) at;
  }
  g_return_val_if_reached (0);
}

static bool
is_side (int n)
{
  return n % 2 == 1 && n <= ODL_PLAN_MAX_KERNEL;
}

bool
odl_kernel_check (const OdlImage *image, const char *name, GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlExtent extent = info->extent;
  bool acts = false;

  if (info->channels != 1 || !is_side (extent.x) || !is_side (extent.y)) {
    g_set_error (
        error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
        _ ("%s: this is no kernel: it has %d × %d coefficients (channels: %d). A "
           "kernel has one channel, and odd sides of at most %d."),
        name, extent.x, extent.y, info->channels, ODL_PLAN_MAX_KERNEL);
    return false;
  }
  for (int y = 0; y < extent.y; y++)
    for (int x = 0; x < extent.x; x++)
      acts |= value_at (info, x, y) != 0;
  if (acts)
    return true;
  g_set_error (
      error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
      _ ("%s: all coefficients of this kernel are 0, which leaves nothing of any "
         "picture. Choose another one."),
      name);
  return false;
}

void
odl_kernel_init_image (OdlKernel *kernel, const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);

  *kernel = (OdlKernel){ info->extent.x, info->extent.y };
  for (int y = 0; y < kernel->height; y++)
    for (int x = 0; x < kernel->width; x++)
      kernel->value[y * kernel->width + x] = value_at (info, x, y);
}

void
odl_kernel_init_gaussian (OdlKernel *kernel, int side, double sigma)
{
  const int radius = side / 2;
  double taps[ODL_PLAN_MAX_KERNEL], sum = 0;

  *kernel = (OdlKernel){ side, side };
  for (int k = 0; k < side; k++)
    sum += taps[k] = exp (-(k - radius) * (k - radius) / (2 * sigma * sigma));
  for (int k = 0; k < side * side; k++)
    kernel->value[k] = (float) (taps[k / side] * taps[k % side] / (sum * sum));
}

// At u, v radians per sample.
static double
transfer (const OdlQuadrature *shape, double u, double v)
{
  const double angle = shape->direction * G_PI / 180, rho = hypot (u, v);
  const double along = rho > 0 ? (u * cos (angle) + v * sin (angle)) / rho : 0;
  const double octaves = along > 0 ? log (rho / shape->frequency) : 0;

  return along > 0 ? along * along
                         * exp (-4 * octaves * octaves
                                / (shape->bandwidth * shape->bandwidth * G_LN2))
                   : 0;
}

// Hann's window, which is 0 one sample beyond the kernel.
static double
window_at (int k, int radius)
{
  const double c = cos (G_PI / 2 * k / (radius + 1));

  return c * c;
}

// The inverse transform, windowed; what the window leaves of the mean is taken out of the
// even part, the odd one has none.
void
odl_kernel_init_quadrature (OdlKernel *kernel, int side, const OdlQuadrature *shape)
{
  const int radius = side / 2;
  double sum = 0, weight = 0;
  double values[ODL_PLAN_MAX_KERNEL * ODL_PLAN_MAX_KERNEL];

  *kernel = (OdlKernel){ side, side };
  memset (values, 0, sizeof values);
  for (int i = 0; i < FREQUENCIES; i++)
    for (int j = 0; j < FREQUENCIES; j++) {
      const double u = G_PI * (2.0 * i / FREQUENCIES - 1);
      const double v = G_PI * (2.0 * j / FREQUENCIES - 1);
      const double share = transfer (shape, u, v);
      for (int k = 0; share > 0 && k < side * side; k++) {
        const double phase = u * (k % side - radius) + v * (k / side - radius);
        values[k] += share * (shape->imaginary ? sin (phase) : cos (phase));
      }
    }
  for (int k = 0; k < side * side; k++) {
    const double window
        = window_at (k % side - radius, radius) * window_at (k / side - radius, radius);
    values[k] *= window;
    sum += values[k];
    weight += window;
  }
  for (int k = 0; k < side * side; k++) {
    const double window
        = window_at (k % side - radius, radius) * window_at (k / side - radius, radius);
    values[k] -= sum / weight * window;
    kernel->value[k] = (float) (values[k] / (FREQUENCIES * FREQUENCIES));
  }
}

bool
odl_kernel_split (const OdlKernel *kernel, OdlKernel *row, OdlKernel *column)
{
  const int width = kernel->width, n = width * kernel->height;
  int most = 0;

  for (int k = 1; k < n; k++)
    if (fabsf (kernel->value[k]) > fabsf (kernel->value[most]))
      most = k;
  const double pivot = kernel->value[most];
  *row = (OdlKernel){ width, 1 };
  *column = (OdlKernel){ 1, kernel->height };
  for (int x = 0; x < width; x++)
    row->value[x] = kernel->value[most / width * width + x];
  for (int y = 0; y < kernel->height; y++)
    column->value[y] = (float) (kernel->value[y * width + most % width] / pivot);
  for (int k = 0; k < n; k++)
    if (!(fabs ((double) row->value[k % width] * column->value[k / width]
                - kernel->value[k])
          <= ROUNDING * fabs (pivot)))
      return false;
  return true;
}
