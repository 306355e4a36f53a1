// SPDX-License-Identifier: MIT
#include "image/quality/edges.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "image/compare.h"

#define SIGMA 2.0
#define RADIUS 8 // 4 σ
#define TAPS (2 * RADIUS + 1)

// Rows are summed in so many bands, added in order, whatever the number of threads.
#define BANDS 64

typedef struct {
  int width, height;
  double weights[TAPS];
} Blur;

// Sums over pixels of a, b, a², b² and a·b.
typedef struct {
  double a, b, aa, bb, ab;
} Sums;

static void
fill_weights (double weights[TAPS])
{
  double total = 0;

  for (int i = 0; i < TAPS; i++) {
    weights[i] = exp (-0.5 * (i - RADIUS) * (i - RADIUS) / (SIGMA * SIGMA));
    total += weights[i];
  }
  for (int i = 0; i < TAPS; i++)
    weights[i] /= total;
}

// d c b a | a b c d | d c b a, however short.
static int
mirror (int i, int n)
{
  const int period = 2 * n;

  i %= period;
  if (i < 0)
    i += period;
  return i < n ? i : period - 1 - i;
}

// Row `y` less its blurred self; `line` has room for the width and both borders.
static void
fine_row (const Blur *blur, const float *image, int y, double *line, double *fine)
{
  const int width = blur->width;
  double *middle = line + RADIUS;

  for (int x = 0; x < width; x++)
    middle[x] = 0;
  for (int k = 0; k < TAPS; k++) {
    const float *row
        = image + (size_t) mirror (y + k - RADIUS, blur->height) * (size_t) width;
    for (int x = 0; x < width; x++)
      middle[x] += blur->weights[k] * (double) row[x];
  }
  for (int x = 1; x <= RADIUS; x++) {
    line[RADIUS - x] = middle[mirror (-x, width)];
    middle[width - 1 + x] = middle[mirror (width - 1 + x, width)];
  }
  const float *own = image + (size_t) y * (size_t) width;
  for (int x = 0; x < width; x++) {
    double sum = 0;
    for (int k = 0; k < TAPS; k++)
      sum += blur->weights[k] * line[x + k];
    fine[x] = (double) own[x] - sum;
  }
}

// Of rows from … to − 1; `lines` has room for three of them with borders.
static Sums
sum_rows (const Blur *blur,
          const float *a,
          const float *b,
          int from,
          int to,
          double *lines)
{
  const size_t stride = (size_t) blur->width + 2 * RADIUS;
  double *fine_a = lines + stride, *fine_b = lines + 2 * stride;
  Sums sums = { 0 };

  for (int y = from; y < to; y++) {
    fine_row (blur, a, y, lines, fine_a);
    fine_row (blur, b, y, lines, fine_b);
    for (int x = 0; x < blur->width; x++) {
      sums.a += fine_a[x];
      sums.b += fine_b[x];
      sums.aa += fine_a[x] * fine_a[x];
      sums.bb += fine_b[x] * fine_b[x];
      sums.ab += fine_a[x] * fine_b[x];
    }
  }
  return sums;
}

// Rounding errors of a flat picture are no detail.
#define NOTHING 1e-14

static double
correlation_of (const Blur *blur, const float *a, const float *b, double *lines)
{
  const size_t room = 3 * ((size_t) blur->width + 2 * RADIUS);
  const double n = (double) blur->width * blur->height;
  Sums of_band[BANDS] = { 0 }, all = { 0 };

  ODL_PARALLEL_FOR
  for (int band = 0; band < BANDS; band++)
    of_band[band] = sum_rows (blur, a, b, (int) ((int64_t) blur->height * band / BANDS),
                              (int) ((int64_t) blur->height * (band + 1) / BANDS),
                              lines + room * (size_t) band);
  for (int band = 0; band < BANDS; band++) {
    all.a += of_band[band].a;
    all.b += of_band[band].b;
    all.aa += of_band[band].aa;
    all.bb += of_band[band].bb;
    all.ab += of_band[band].ab;
  }
  const double variance_a = all.aa / n - all.a / n * (all.a / n);
  const double variance_b = all.bb / n - all.b / n * (all.b / n);
  if (!(variance_a > NOTHING) || !(variance_b > NOTHING))
    return NAN;
  return (all.ab / n - all.a / n * (all.b / n)) / sqrt (variance_a * variance_b);
}

static void
read_channel (const OdlImage *image, int channel, float *samples)
{
  const OdlImageInfo *info = odl_image_info (image);
  const size_t width = (size_t) info->extent.x;

  ODL_PARALLEL_FOR
  for (int y = 0; y < info->extent.y; y++)
    odl_image_scaled_row (image, info->channels == 1 ? 0 : channel, y, 0, 0,
                          samples + width * (size_t) y);
}

bool
odl_edge_correlation (const OdlImage *a,
                      const OdlImage *b,
                      double *correlation,
                      GError **error)
{
  const OdlExtent extent = odl_image_info (a)->extent;
  const int channels = odl_compare_channels (a, b);
  Blur blur = { .width = extent.x, .height = extent.y };
  const size_t samples = (size_t) extent.x * (size_t) extent.y;

  if (!odl_compare_sizes (a, b, error))
    return false;
  fill_weights (blur.weights);
  float *of_a = odl_aligned_alloc (samples * sizeof (float));
  float *of_b = odl_aligned_alloc (samples * sizeof (float));
  double *lines = odl_aligned_alloc (3 * ((size_t) extent.x + 2 * RADIUS) * BANDS
                                     * sizeof (double));
  const bool done = of_a != NULL && of_b != NULL && lines != NULL;

  *correlation = 0;
  for (int c = 0; done && c < channels; c++) {
    read_channel (a, c, of_a);
    read_channel (b, c, of_b);
    *correlation += correlation_of (&blur, of_a, of_b, lines) / channels;
  }
  odl_aligned_free (of_a);
  odl_aligned_free (of_b);
  odl_aligned_free (lines);
  if (!done)
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("not enough memory to compare two images of %d×%d"), extent.x,
                 extent.y);
  return done;
}
