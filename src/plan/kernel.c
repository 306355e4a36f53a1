// SPDX-License-Identifier: MIT
#include "plan/kernel.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"

// Frequencies of an axis that quadrature filters are sampled at: in four dimensions as
// many as time allows.
#define FREQUENCIES 64
#define FREQUENCIES_4 32
#define FEW_FREQUENCIES_4 16
#define SMALL_SIDE_4 11

// What single precision leaves of a product, as a share of the largest coefficient.
#define ROUNDING 4e-7

static float
value_at (const OdlImageInfo *info, int x, int y, int z, int t)
{
  const OdlPlane *plane = &info->planes[0];
  const void *at = (const char *) plane->data + t * plane->frame_stride_bytes
                   + z * plane->slice_stride_bytes + y * plane->row_stride_bytes
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

// Of one time step.
static size_t
volume (const OdlKernel *kernel)
{
  return (size_t) kernel->width * kernel->height * kernel->depth;
}

static size_t
count (const OdlKernel *kernel)
{
  return volume (kernel) * MAX (kernel->duration, 1);
}

static OdlKernel
make (int width, int height, int depth, int duration)
{
  OdlKernel kernel = { width, height, depth, NULL, duration };

  kernel.value = g_new0 (float, count (&kernel));
  return kernel;
}

// `duration` counts in four dimensions alone.
static OdlKernel
make_cube (int dimensions, int side, int duration)
{
  return make (side, side, dimensions > 2 ? side : 1, dimensions > 3 ? duration : 1);
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
  const OdlExtent extent = info->extent;
  OdlKernel kernel = make (extent.x, extent.y, extent.z, extent.t);
  float *value = kernel.value;

  for (int t = 0; t < extent.t; t++)
    for (int z = 0; z < extent.z; z++)
      for (int y = 0; y < extent.y; y++)
        for (int x = 0; x < extent.x; x++)
          *value++ = value_at (info, x, y, z, t);
  return kernel;
}

static bool
check_shape (const OdlImageInfo *info, int dimensions, const char *name, GError **error)
{
  const OdlExtent extent = info->extent;

  if (info->channels != 1 || !is_side (extent.x) || !is_side (extent.y)
      || !is_side (extent.z) || !is_side (extent.t)) {
    g_autofree char *slices = extent.t > 1
                                  ? g_strdup_printf (" × %d × %d", extent.z, extent.t)
                              : extent.z > 1 ? g_strdup_printf (" × %d", extent.z)
                                             : g_strdup ("");
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("%s: this is no kernel: it has %d × %d%s coefficients (channels: %d). A "
           "kernel has one channel, and odd sides of at most %d."),
        name, extent.x, extent.y, slices, info->channels, ODL_PLAN_MAX_KERNEL);
  }
  if (extent.t > 1 && dimensions < 4)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("%s: this kernel has %d time steps; it needs "
                             "“dimensions=4”, which filters along time"),
                          name, extent.t);
  if (extent.z == 1 || dimensions > 2)
    return true;
  return odl_error_set (
      error, ODL_ERROR_UNSUPPORTED,
      _ ("%s: this kernel has %d slices; it needs “dimensions=3”, which filters volumes"),
      name, extent.z);
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
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("%s: all coefficients of this kernel are 0, which leaves "
                           "nothing of any picture. Choose another one."),
                        name);
}

OdlKernel
odl_kernel_of_image (const OdlImage *image)
{
  return read_kernel (odl_image_info (image));
}

// ---- shapes ----

OdlKernel
odl_kernel_of_factors (const double *const along[4],
                       int dimensions,
                       int side,
                       int duration)
{
  OdlKernel kernel = make_cube (dimensions, side, duration);
  const int area = side * side, space = (int) volume (&kernel);

  for (int k = 0; k < (int) count (&kernel); k++)
    kernel.value[k] = (float) (along[0][k % side] * along[1][k % area / side]
                               * (dimensions > 2 ? along[2][k % space / area] : 1)
                               * (dimensions > 3 ? along[3][k / space] : 1));
  return kernel;
}

OdlKernel
odl_kernel_laplace (int dimensions, int side)
{
  OdlKernel kernel = make_cube (dimensions, side, side);
  const int n = (int) count (&kernel), middle = n / 2;

  for (int k = 0; k < n && side > 3; k++)
    kernel.value[k] = 1;
  for (int axis = 0, step = 1; axis < dimensions && side == 3; axis++, step *= side)
    kernel.value[middle - step] = kernel.value[middle + step] = 1;
  kernel.value[middle] = (float) (side > 3 ? 1 - n : -2 * dimensions);
  return kernel;
}

static void
sample_gaussian (int side, double sigma, double taps[ODL_PLAN_MAX_KERNEL])
{
  const int radius = side / 2;
  double sum = 0;

  for (int k = 0; k < side; k++)
    sum += taps[k] = exp (-(k - radius) * (k - radius) / (2 * sigma * sigma));
  for (int k = 0; k < side; k++)
    taps[k] /= sum;
}

OdlKernel
odl_kernel_gaussian (int dimensions, int side, double sigma, const OdlKernelTime *time)
{
  double taps[ODL_PLAN_MAX_KERNEL], later[ODL_PLAN_MAX_KERNEL];
  const double *const along[4] = { taps, taps, taps, later };

  sample_gaussian (side, sigma, taps);
  sample_gaussian (time->duration, time->sigma, later);
  return odl_kernel_of_factors (along, dimensions, side, time->duration);
}

// ---- quadrature filters ----

static double
product (const double a[4], const double b[4])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

typedef struct {
  const OdlQuadrature *shape;
  double direction[4];
} Quadrature;

static double
transfer (const void *data, const double u[4])
{
  const Quadrature *filter = data;
  const OdlQuadrature *shape = filter->shape;
  const double part = product (u, filter->direction);

  if (part <= 0)
    return 0;
  const double square = product (u, u);
  const double octaves = log (sqrt (square) / shape->frequency);
  return part * part / square
         * exp (-4 * octaves * octaves / (shape->bandwidth * shape->bandwidth * G_LN2));
}

typedef struct {
  double cutoff;
  const double *direction;
} HighPass;

static double
transfer_high (const void *data, const double u[4])
{
  const HighPass *shape = data;
  const double square = product (u, u), rho = sqrt (square);
  const double along = product (u, shape->direction);
  const double low = rho < shape->cutoff ? cos (G_PI / 2 * rho / shape->cutoff) : 0;

  return rho > 0 ? (1 - low * low) * along * along / square : 0;
}

// At frequencies of radians per sample.
typedef double (*Transfer) (const void *data, const double u[4]);

// Half a wave of a cosine, k samples from the middle, which is 0 one sample beyond the
// kernel. At 9³ it leaves 0.6 % of the energy in the wrong half-space, Hann's window 1.1.
static double
window_at (int k, int radius)
{
  return cos (G_PI / 2 * k / (radius + 1));
}

// In the middle of each of `n` parts of a turn, so that for every frequency there is its
// negative: with one at −π alone filters of opposite directions were not conjugates, and
// mirrored samples did not give mirrored results.
static double
frequency_at (int i, int n)
{
  return G_PI * ((2.0 * i + 1) / n - 1);
}

// The inverse transform along an axis of `n` entries, which stand `inner` apart: `side`
// take their place. Takes `values` of `outer` such axes.
static double complex *
transform_back (double complex *values, int n, size_t outer, size_t inner, int side)
{
  double complex *out = g_new (double complex, outer *side *inner);
  double complex turn[FREQUENCIES];

  for (int k = 0; k < side; k++) {
    for (int i = 0; i < n; i++)
      turn[i] = cexp (I * frequency_at (i, n) * (k - side / 2)) / n;
    for (size_t o = 0; o < outer; o++) {
      double complex *to = out + (o * side + k) * inner;
      memset (to, 0, inner * sizeof *to);
      for (int i = 0; i < n; i++)
        for (size_t at = 0; at < inner; at++)
          to[at] += values[(o * n + i) * inner + at] * turn[i];
    }
  }
  g_free (values);
  return out;
}

// In the shape of `kernel`.
static double complex *
sample_transfer (int dimensions,
                 const OdlKernel *kernel,
                 Transfer function,
                 const void *shape)
{
  const int sides[] = { kernel->duration, kernel->depth, kernel->height, kernel->width };
  const int most = MAX (kernel->width, kernel->duration);
  const int n = dimensions < 4         ? FREQUENCIES
                : most <= SMALL_SIDE_4 ? FEW_FREQUENCIES_4
                                       : FREQUENCIES_4;
  const int depth = dimensions > 2 ? n : 1, duration = dimensions > 3 ? n : 1;
  size_t inner = (size_t) duration * depth * n * n, outer = 1;
  double complex *values = g_new (double complex, inner);

  for (size_t i = 0; i < inner; i++) {
    const int x = (int) (i % n), y = (int) (i / n % n);
    const int z = (int) (i / n / n % depth), t = (int) (i / n / n / depth);
    const double u[4]
        = { frequency_at (x, n), frequency_at (y, n), depth > 1 ? frequency_at (z, n) : 0,
            duration > 1 ? frequency_at (t, n) : 0 };
    values[i] = function (shape, u);
  }
  for (int axis = 4 - dimensions; axis < 4; axis++) {
    inner /= n;
    values = transform_back (values, n, outer, inner, sides[axis]);
    outer *= sides[axis];
  }
  return values;
}

static void
sample_window (int side, double taps[ODL_PLAN_MAX_KERNEL])
{
  for (int k = 0; k < side; k++)
    taps[k] = window_at (k - side / 2, side / 2);
}

// The inverse transform, windowed; what the window leaves of the mean is taken out of the
// even part, the odd one has none.
static OdlKernel
make_windowed (int dimensions,
               int side,
               int duration,
               Transfer function,
               const void *shape,
               bool imaginary)
{
  OdlKernel kernel = make_cube (dimensions, side, duration), window;
  g_autofree double complex *values
      = sample_transfer (dimensions, &kernel, function, shape);
  double along[ODL_PLAN_MAX_KERNEL], later[ODL_PLAN_MAX_KERNEL], sum = 0, weight = 0;
  const int n = (int) count (&kernel);

  sample_window (side, along);
  sample_window (duration, later);
  window = odl_kernel_of_factors ((const double *const[]){ along, along, along, later },
                                  dimensions, side, duration);
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

void
odl_quadrature_direction (const OdlQuadrature *shape, double n[4])
{
  const double angle = shape->direction * G_PI / 180;
  const double rise = shape->elevation * G_PI / 180;
  const double tempo = shape->tempo * G_PI / 180;

  n[0] = cos (angle) * cos (rise) * cos (tempo);
  n[1] = sin (angle) * cos (rise) * cos (tempo);
  n[2] = sin (rise) * cos (tempo);
  n[3] = sin (tempo);
}

OdlKernel
odl_kernel_quadrature (int dimensions, int side, int duration, const OdlQuadrature *shape)
{
  Quadrature filter = { .shape = shape };

  odl_quadrature_direction (shape, filter.direction);
  return make_windowed (dimensions, side, duration, transfer, &filter, shape->imaginary);
}

OdlKernel
odl_kernel_high_pass (int dimensions, int side, double cutoff, const double direction[4])
{
  const HighPass shape = { cutoff, direction };

  return make_windowed (dimensions, side, side, transfer_high, &shape, false);
}

// ---- other forms ----

OdlKernel
odl_kernel_flatten (const OdlKernel *kernel, OdlBorder border)
{
  OdlKernel flat = make (kernel->width, kernel->height, 1, kernel->duration);
  const size_t area = volume (&flat);

  for (int k = 0; k < (int) (count (kernel) / area); k++)
    if (border != ODL_BORDER_ZERO || k % kernel->depth == kernel->depth / 2)
      for (size_t i = 0; i < area; i++)
        flat.value[k / kernel->depth * area + i] += kernel->value[k * area + i];
  return flat;
}

OdlKernel
odl_kernel_at (const OdlKernel *kernel, int t)
{
  OdlKernel step = make (kernel->width, kernel->height, kernel->depth, 1);

  memcpy (step.value, kernel->value + t * volume (kernel),
          volume (kernel) * sizeof (float));
  return step;
}

void
odl_kernel_erase (OdlKernel *kernel)
{
  memset (kernel->value, 0, count (kernel) * sizeof *kernel->value);
}

static int
find_largest (const OdlKernel *kernel)
{
  int most = 0;

  for (int k = 1; k < (int) count (kernel); k++)
    if (fabsf (kernel->value[k]) > fabsf (kernel->value[most]))
      most = k;
  return most;
}

bool
odl_kernel_split_time (const OdlKernel *kernel, double *weights, OdlKernel *space)
{
  const int n = (int) volume (kernel), most = find_largest (kernel);
  const double pivot = kernel->value[most];
  const float *largest = kernel->value + most / n * n;

  for (int t = 0; t < kernel->duration; t++)
    weights[t] = kernel->value[t * n + most % n] / pivot;
  for (int k = 0; k < (int) count (kernel); k++)
    if (!(fabs (weights[k / n] * largest[k % n] - kernel->value[k])
          <= ROUNDING * fabs (pivot)))
      return false;
  *space = odl_kernel_at (kernel, most / n);
  return true;
}

// The coefficients along `axis` through entry `at`, over `pivot`.
static OdlKernel
line_through (const OdlKernel *kernel, int axis, int at, double pivot)
{
  const int sides[] = { kernel->width, kernel->height, kernel->depth };
  const int step = axis == 0 ? 1 : axis == 1 ? sides[0] : sides[0] * sides[1];
  OdlKernel line = make (axis == 0 ? sides[0] : 1, axis == 1 ? sides[1] : 1,
                         axis == 2 ? sides[2] : 1, 1);
  const int first = at - at / step % sides[axis] * step;

  for (int k = 0; k < sides[axis]; k++)
    line.value[k] = (float) (kernel->value[first + k * step] / pivot);
  return line;
}

int
odl_kernel_split (const OdlKernel *kernel, OdlKernel factors[3])
{
  const int width = kernel->width, area = width * kernel->height;
  const int n = (int) volume (kernel), most = find_largest (kernel);
  int n_factors = 0;
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
