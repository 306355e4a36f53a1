// SPDX-License-Identifier: MIT
#include "plan/kernel.h"

#include <complex.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"

// Frequencies of an axis that quadrature filters are sampled at.
#define FREQUENCIES 64

// What single precision leaves of a product, as a share of the largest coefficient.
#define ROUNDING 4e-7

static float
value_at (const OdlImageInfo *info, int x, int y, int z)
{
  const OdlPlane *plane = &info->planes[0];
  const void *at = (const char *) plane->data + z * plane->slice_stride_bytes
                   + y * plane->row_stride_bytes + x * plane->sample_stride_bytes;

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

static size_t
count (const OdlKernel *kernel)
{
  return (size_t) kernel->width * kernel->height * kernel->depth;
}

static OdlKernel
make (int width, int height, int depth)
{
  OdlKernel kernel = { width, height, depth, NULL };

  kernel.value = g_new0 (float, count (&kernel));
  return kernel;
}

static OdlKernel
make_cube (int dimensions, int side)
{
  return make (side, side, dimensions == 3 ? side : 1);
}

void
odl_kernel_clear (OdlKernel *kernel)
{
  g_clear_pointer (&kernel->value, g_free);
}

static bool
is_side (int n)
{
  return n % 2 == 1 && n <= ODL_PLAN_MAX_KERNEL;
}

// That of a picture.
static OdlKernel
read_kernel (const OdlImageInfo *info)
{
  OdlKernel kernel = make (info->extent.x, info->extent.y, info->extent.z);
  float *value = kernel.value;

  for (int z = 0; z < kernel.depth; z++)
    for (int y = 0; y < kernel.height; y++)
      for (int x = 0; x < kernel.width; x++)
        *value++ = value_at (info, x, y, z);
  return kernel;
}

static bool
check_shape (const OdlImageInfo *info, int dimensions, const char *name, GError **error)
{
  const OdlExtent extent = info->extent;

  if (info->channels != 1 || !is_side (extent.x) || !is_side (extent.y)
      || !is_side (extent.z)) {
    g_autofree char *slices
        = extent.z > 1 ? g_strdup_printf (" × %d", extent.z) : g_strdup ("");
    g_set_error (
        error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
        _ ("%s: this is no kernel: it has %d × %d%s coefficients (channels: %d). A "
           "kernel has one channel, and odd sides of at most %d."),
        name, extent.x, extent.y, slices, info->channels, ODL_PLAN_MAX_KERNEL);
    return false;
  }
  if (extent.z == 1 || dimensions == 3)
    return true;
  g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
               _ ("%s: this kernel has %d slices; it needs “dimensions=3”, which filters "
                  "volumes"),
               name, extent.z);
  return false;
}

bool
odl_kernel_check (const OdlImage *image, int dimensions, const char *name, GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);

  if (!check_shape (info, dimensions, name, error))
    return false;
  g_auto (OdlKernel) kernel = read_kernel (info);
  for (size_t k = 0; k < count (&kernel); k++)
    if (kernel.value[k] != 0)
      return true;
  g_set_error (
      error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
      _ ("%s: all coefficients of this kernel are 0, which leaves nothing of any "
         "picture. Choose another one."),
      name);
  return false;
}

OdlKernel
odl_kernel_of_image (const OdlImage *image)
{
  return read_kernel (odl_image_info (image));
}

// ---- shapes ----

OdlKernel
odl_kernel_of_factors (const double *const along[3], int dimensions, int side)
{
  OdlKernel kernel = make_cube (dimensions, side);
  const int area = side * side;

  for (int k = 0; k < (int) count (&kernel); k++)
    kernel.value[k] = (float) (along[0][k % side] * along[1][k % area / side]
                               * (dimensions == 3 ? along[2][k / area] : 1));
  return kernel;
}

OdlKernel
odl_kernel_laplace (int dimensions, int side)
{
  OdlKernel kernel = make_cube (dimensions, side);
  const int n = (int) count (&kernel), middle = n / 2;

  for (int k = 0; k < n && side > 3; k++)
    kernel.value[k] = 1;
  for (int axis = 0, step = 1; axis < dimensions && side == 3; axis++, step *= side)
    kernel.value[middle - step] = kernel.value[middle + step] = 1;
  kernel.value[middle] = (float) (side > 3 ? 1 - n : -2 * dimensions);
  return kernel;
}

OdlKernel
odl_kernel_gaussian (int dimensions, int side, double sigma)
{
  const int radius = side / 2;
  double taps[ODL_PLAN_MAX_KERNEL], sum = 0;
  const double *const along[3] = { taps, taps, taps };

  for (int k = 0; k < side; k++)
    sum += taps[k] = exp (-(k - radius) * (k - radius) / (2 * sigma * sigma));
  for (int k = 0; k < side; k++)
    taps[k] /= sum;
  return odl_kernel_of_factors (along, dimensions, side);
}

// ---- quadrature filters ----

static double
transfer (const void *data, const double u[3])
{
  const OdlQuadrature *shape = data;
  const double angle = shape->direction * G_PI / 180;
  const double rise = shape->elevation * G_PI / 180;
  const double rho = sqrt (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const double part
      = (u[0] * cos (angle) + u[1] * sin (angle)) * cos (rise) + u[2] * sin (rise);

  if (part <= 0)
    return 0;
  const double octaves = log (rho / shape->frequency);
  return part * part / (rho * rho)
         * exp (-4 * octaves * octaves / (shape->bandwidth * shape->bandwidth * G_LN2));
}

typedef struct {
  double cutoff;
  const double *direction;
} HighPass;

static double
transfer_high (const void *data, const double u[3])
{
  const HighPass *shape = data;
  const double *n = shape->direction;
  const double rho = sqrt (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const double along = u[0] * n[0] + u[1] * n[1] + u[2] * n[2];
  const double low = rho < shape->cutoff ? cos (G_PI / 2 * rho / shape->cutoff) : 0;

  return rho > 0 ? (1 - low * low) * along * along / (rho * rho) : 0;
}

// At frequencies of radians per sample.
typedef double (*Transfer) (const void *data, const double u[3]);

// Half a wave of a cosine, k samples from the middle, which is 0 one sample beyond the
// kernel. At 9³ it leaves 0.6 % of the energy in the wrong half-space, Hann's window 1.1.
static double
window_at (int k, int radius)
{
  return cos (G_PI / 2 * k / (radius + 1));
}

static double
frequency_at (int i)
{
  return G_PI * (2.0 * i / FREQUENCIES - 1);
}

// The inverse transform along an axis of FREQUENCIES, whose entries stand `inner` apart:
// `side` take their place. Takes `values` of so many such axes.
static double complex *
transform_back (double complex *values, size_t outer, size_t inner, int side)
{
  double complex *out = g_new (double complex, outer *side *inner);
  double complex turn[FREQUENCIES];

  for (int k = 0; k < side; k++) {
    for (int i = 0; i < FREQUENCIES; i++)
      turn[i] = cexp (I * frequency_at (i) * (k - side / 2)) / FREQUENCIES;
    for (size_t o = 0; o < outer; o++)
      for (size_t at = 0; at < inner; at++) {
        double complex sum = 0;
        for (int i = 0; i < FREQUENCIES; i++)
          sum += values[(o * FREQUENCIES + i) * inner + at] * turn[i];
        out[(o * side + k) * inner + at] = sum;
      }
  }
  g_free (values);
  return out;
}

static double complex *
sample_transfer (int dimensions, int side, Transfer function, const void *shape)
{
  const int n = FREQUENCIES, depth = dimensions == 3 ? n : 1;
  double complex *values = g_new (double complex, (size_t) depth *n *n);

  for (int z = 0; z < depth; z++)
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++) {
        const double u[3]
            = { frequency_at (x), frequency_at (y), depth > 1 ? frequency_at (z) : 0 };
        values[(z * n + y) * n + x] = function (shape, u);
      }
  if (depth > 1)
    values = transform_back (values, 1, n * n, side);
  values = transform_back (values, depth > 1 ? side : 1, n, side);
  return transform_back (values, (size_t) (depth > 1 ? side : 1) * side, 1, side);
}

// The inverse transform, windowed; what the window leaves of the mean is taken out of the
// even part, the odd one has none.
static OdlKernel
make_windowed (int dimensions,
               int side,
               Transfer function,
               const void *shape,
               bool imaginary)
{
  OdlKernel kernel = make_cube (dimensions, side), window;
  g_autofree double complex *values = sample_transfer (dimensions, side, function, shape);
  double along[ODL_PLAN_MAX_KERNEL], sum = 0, weight = 0;
  const int n = (int) count (&kernel);

  for (int k = 0; k < side; k++)
    along[k] = window_at (k - side / 2, side / 2);
  window = odl_kernel_of_factors ((const double *const[]){ along, along, along },
                                  dimensions, side);
  for (int k = 0; k < n; k++) {
    values[k] = window.value[k] * (imaginary ? cimag (values[k]) : creal (values[k]));
    sum += creal (values[k]);
    weight += window.value[k];
  }
  for (int k = 0; k < n; k++)
    kernel.value[k] = (float) (creal (values[k]) - sum / weight * window.value[k]);
  odl_kernel_clear (&window);
  return kernel;
}

OdlKernel
odl_kernel_quadrature (int dimensions, int side, const OdlQuadrature *shape)
{
  return make_windowed (dimensions, side, transfer, shape, shape->imaginary);
}

OdlKernel
odl_kernel_high_pass (int dimensions, int side, double cutoff, const double direction[3])
{
  const HighPass shape = { cutoff, direction };

  return make_windowed (dimensions, side, transfer_high, &shape, false);
}

// ---- other forms ----

OdlKernel
odl_kernel_flatten (const OdlKernel *kernel, OdlBorder border)
{
  OdlKernel flat = make (kernel->width, kernel->height, 1);
  const size_t area = count (&flat);

  for (int z = 0; z < kernel->depth; z++)
    if (border != ODL_BORDER_ZERO || z == kernel->depth / 2)
      for (size_t k = 0; k < area; k++)
        flat.value[k] += kernel->value[z * area + k];
  return flat;
}

// The coefficients along `axis` through entry `at`, over `pivot`.
static OdlKernel
line_through (const OdlKernel *kernel, int axis, int at, double pivot)
{
  const int sides[] = { kernel->width, kernel->height, kernel->depth };
  const int step = axis == 0 ? 1 : axis == 1 ? sides[0] : sides[0] * sides[1];
  OdlKernel line = make (axis == 0 ? sides[0] : 1, axis == 1 ? sides[1] : 1,
                         axis == 2 ? sides[2] : 1);
  const int first = at - at / step % sides[axis] * step;

  for (int k = 0; k < sides[axis]; k++)
    line.value[k] = (float) (kernel->value[first + k * step] / pivot);
  return line;
}

int
odl_kernel_split (const OdlKernel *kernel, OdlKernel factors[3])
{
  const int width = kernel->width, area = width * kernel->height;
  const int n = (int) count (kernel);
  int most = 0, n_factors = 0;

  for (int k = 1; k < n; k++)
    if (fabsf (kernel->value[k]) > fabsf (kernel->value[most]))
      most = k;
  const double pivot = kernel->value[most];
  g_auto (OdlKernel) x = line_through (kernel, 0, most, 1);
  g_auto (OdlKernel) y = line_through (kernel, 1, most, pivot);
  g_auto (OdlKernel) z = line_through (kernel, 2, most, pivot);
  for (int k = 0; k < n; k++)
    if (!(fabs ((double) x.value[k % width] * y.value[k % area / width]
                    * z.value[k / area]
                - kernel->value[k])
          <= ROUNDING * fabs (pivot)))
      return 0;
  factors[n_factors++] = x;
  x.value = NULL;
  if (kernel->height > 1)
    factors[n_factors++] = y, y.value = NULL;
  if (kernel->depth > 1)
    factors[n_factors++] = z, z.value = NULL;
  return n_factors;
}
