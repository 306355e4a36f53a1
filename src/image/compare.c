// SPDX-License-Identifier: MIT
#include "image/compare.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"

#define RADIUS 5
#define WINDOW (2 * RADIUS + 1)
#define SIGMA 1.5
#define C1 (0.01 * 0.01) // (K1 L)², L = 1
#define C2 (0.03 * 0.03)

// Upper limit of the number of row bands. Each band has its own sums, added in order,
// so that the result does not depend on the number of threads.
#define MOST_BANDS 64

// Weighted sums over a window: of a, b, a², b² and a·b.
typedef enum { SUM_A, SUM_B, SUM_AA, SUM_BB, SUM_AB, N_SUMS } Sum;

typedef struct {
  int width, height;
  float *a, *b; // one channel of each image
  double weights[WINDOW];
} Pair;

static double
similarity (const double s[N_SUMS])
{
  double variance_a = s[SUM_AA] - s[SUM_A] * s[SUM_A];
  double variance_b = s[SUM_BB] - s[SUM_B] * s[SUM_B];
  double covariance = s[SUM_AB] - s[SUM_A] * s[SUM_B];

  return (2 * s[SUM_A] * s[SUM_B] + C1) * (2 * covariance + C2)
         / ((s[SUM_A] * s[SUM_A] + s[SUM_B] * s[SUM_B] + C1)
            * (variance_a + variance_b + C2));
}

static void
fill_weights (double weights[WINDOW])
{
  double total = 0;

  for (int i = 0; i < WINDOW; i++) {
    weights[i] = exp (-0.5 * (i - RADIUS) * (i - RADIUS) / (SIGMA * SIGMA));
    total += weights[i];
  }
  for (int i = 0; i < WINDOW; i++)
    weights[i] /= total;
}

// Vertical sums of the window with top row `y`, for every column.
static void
sum_columns (const Pair *pair, int y, double *lines)
{
  int width = pair->width;
  double *sum[N_SUMS];

  memset (lines, 0, sizeof (double) * N_SUMS * width);
  for (int s = 0; s < N_SUMS; s++)
    sum[s] = lines + (size_t) s * width;
  for (int k = 0; k < WINDOW; k++) {
    const float *a = pair->a + (size_t) (y + k) * width;
    const float *b = pair->b + (size_t) (y + k) * width;
    double w = pair->weights[k];

    for (int x = 0; x < width; x++) {
      double wa = w * a[x], wb = w * b[x];
      sum[SUM_A][x] += wa;
      sum[SUM_B][x] += wb;
      sum[SUM_AA][x] += wa * a[x];
      sum[SUM_BB][x] += wb * b[x];
      sum[SUM_AB][x] += wa * b[x];
    }
  }
}

static double
sum_of_row (const Pair *pair, int y, double *lines)
{
  double total = 0;

  sum_columns (pair, y, lines);
  for (int x = 0; x <= pair->width - WINDOW; x++) {
    double s[N_SUMS] = { 0 };

    for (int i = 0; i < N_SUMS; i++)
      for (int k = 0; k < WINDOW; k++)
        s[i] += pair->weights[k] * lines[(size_t) i * pair->width + x + k];
    total += similarity (s);
  }
  return total;
}

// Mean SSIM over all window positions; NaN when memory is short.
static double
sliding_similarity (const Pair *pair)
{
  int rows = pair->height - WINDOW + 1;
  int bands = MIN (rows, MOST_BANDS);
  size_t line_samples = (size_t) N_SUMS * pair->width;
  double *lines = odl_aligned_alloc (sizeof (double) * line_samples * bands);
  double band_totals[MOST_BANDS] = { 0 };
  double total = 0;

  if (lines == NULL)
    return NAN;

  ODL_PARALLEL_FOR
  for (int band = 0; band < bands; band++) {
    int from = (int) ((int64_t) rows * band / bands);
    int to = (int) ((int64_t) rows * (band + 1) / bands);

    for (int y = from; y < to; y++)
      band_totals[band] += sum_of_row (pair, y, lines + line_samples * band);
  }
  odl_aligned_free (lines);

  for (int band = 0; band < bands; band++)
    total += band_totals[band];
  return total / ((double) rows * (pair->width - WINDOW + 1));
}

static double
whole_similarity (const Pair *pair)
{
  size_t n = (size_t) pair->width * pair->height;
  double s[N_SUMS] = { 0 };

  for (size_t i = 0; i < n; i++) {
    double a = pair->a[i], b = pair->b[i];
    s[SUM_A] += a / n;
    s[SUM_B] += b / n;
    s[SUM_AA] += a * a / n;
    s[SUM_BB] += b * b / n;
    s[SUM_AB] += a * b / n;
  }
  return similarity (s);
}

static double
channel_similarity (const Pair *pair)
{
  if (pair->width < WINDOW || pair->height < WINDOW)
    return whole_similarity (pair);
  return sliding_similarity (pair);
}

// Adds one channel's differences to `result`, whose rms holds the sum of squares.
static void
add_differences (const Pair *pair, int channel, OdlComparison *result)
{
  for (int y = 0; y < pair->height; y++)
    for (int x = 0; x < pair->width; x++) {
      size_t i = (size_t) y * pair->width + x;
      double difference = fabs ((double) pair->a[i] - pair->b[i]);

      result->rms += difference * difference;
      result->differing += difference != 0;
      if (difference > result->max_abs) {
        result->max_abs = difference;
        result->max_x = x;
        result->max_y = y;
        result->max_channel = channel;
      }
    }
}

int
odl_compare_channels (const OdlImage *a, const OdlImage *b)
{
  const int of_a = odl_image_info (a)->channels, of_b = odl_image_info (b)->channels;

  return of_a == of_b ? of_a : MIN (MAX (of_a, of_b), 3);
}

bool
odl_compare_sizes (const OdlImage *a, const OdlImage *b, GError **error)
{
  const OdlExtent of_a = odl_image_info (a)->extent, of_b = odl_image_info (b)->extent;

  if (of_a.x == of_b.x && of_a.y == of_b.y)
    return true;
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("the images differ in size: %d×%d against %d×%d; only images "
                           "of the same size can be compared"),
                        of_a.x, of_a.y, of_b.x, of_b.y);
}

static bool
compare_channels (const OdlImage *a, const OdlImage *b, Pair *pair, OdlComparison *result)
{
  const int of_a = odl_image_info (a)->channels, of_b = odl_image_info (b)->channels;
  const int channels = result->channels;

  for (int c = 0; c < channels; c++) {
    ODL_PARALLEL_FOR
    for (int y = 0; y < pair->height; y++) {
      odl_image_scaled_row (a, of_a == 1 ? 0 : c, y, 0, 0,
                            pair->a + (size_t) y * pair->width);
      odl_image_scaled_row (b, of_b == 1 ? 0 : c, y, 0, 0,
                            pair->b + (size_t) y * pair->width);
    }
    add_differences (pair, c, result);

    double ssim = channel_similarity (pair);
    if (isnan (ssim))
      return false;
    result->ssim += ssim / channels;
  }
  return true;
}

bool
odl_compare (const OdlImage *a, const OdlImage *b, OdlComparison *result, GError **error)
{
  const OdlImageInfo *info = odl_image_info (a);
  Pair pair = { .width = info->extent.x, .height = info->extent.y };
  size_t samples = (size_t) pair.width * pair.height;
  const int channels = odl_compare_channels (a, b);
  OdlComparison found = { .channels = channels, .samples = samples * channels };

  if (!odl_compare_sizes (a, b, error))
    return false;

  fill_weights (pair.weights);
  pair.a = odl_aligned_alloc (samples * sizeof (float));
  pair.b = odl_aligned_alloc (samples * sizeof (float));

  bool done = pair.a != NULL && pair.b != NULL && compare_channels (a, b, &pair, &found);
  odl_aligned_free (pair.a);
  odl_aligned_free (pair.b);
  if (!done)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("not enough memory to compare two images of %d×%d"),
                          pair.width, pair.height);

  found.rms = sqrt (found.rms / found.samples);
  found.psnr_db = found.rms > 0 ? -20 * log10 (found.rms) : INFINITY;
  *result = found;
  return true;
}

char *
odl_comparison_to_text (const OdlComparison *comparison)
{
  if (comparison->differing == 0)
    return g_strdup (_ ("equal to the reference"));
  return g_strdup_printf (_ ("PSNR %.2f dB · SSIM %.4f"), comparison->psnr_db,
                          comparison->ssim);
}
