// SPDX-License-Identifier: MIT
#include "image/quality/regions.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"

static OdlStatistics
statistics_of (const GArray *values)
{
  OdlStatistics found = { .n = values->len, .least = INFINITY, .most = -INFINITY };

  for (guint i = 0; i < values->len; i++) {
    const double value = g_array_index (values, double, i);
    found.mean += value;
    found.least = fmin (found.least, value);
    found.most = fmax (found.most, value);
  }
  // Rounding must not give a flat region a σ.
  found.mean = found.least < found.most ? found.mean / values->len : found.least;
  for (guint i = 0; i < values->len; i++) {
    const double apart = g_array_index (values, double, i) - found.mean;
    found.sigma += apart * apart;
  }
  found.sigma = sqrt (found.sigma / values->len);
  return found;
}

// Shares of the values, in equal bins; the largest value belongs to the last one.
static void
fill_bins (const GArray *values, double least, double most, double bins[ODL_GCNR_BINS])
{
  for (guint i = 0; i < values->len; i++) {
    const double place
        = (g_array_index (values, double, i) - least) / (most - least) * ODL_GCNR_BINS;
    bins[CLAMP ((int) place, 0, ODL_GCNR_BINS - 1)] += 1.0 / values->len;
  }
}

static double
gcnr_of (const GArray *a, const GArray *b, double least, double most)
{
  double bins_a[ODL_GCNR_BINS] = { 0 }, bins_b[ODL_GCNR_BINS] = { 0 };
  double overlap = 0;

  if (!(most > least))
    return 0;
  fill_bins (a, least, most, bins_a);
  fill_bins (b, least, most, bins_b);
  for (int i = 0; i < ODL_GCNR_BINS; i++)
    overlap += fmin (bins_a[i], bins_b[i]);
  return 1 - overlap;
}

static double
quotient (double above, double below)
{
  return below != 0 ? above / below : NAN;
}

bool
odl_contrast_of (const OdlAnnotation *region,
                 const OdlAnnotation *background,
                 const OdlImage *image,
                 const OdlImage *scaled,
                 OdlContrast *contrast,
                 GError **error)
{
  g_autoptr (GArray) inside = odl_annotation_values (region, image, scaled);
  g_autoptr (GArray) outside = odl_annotation_values (background, image, scaled);

  if (inside->len == 0 || outside->len == 0)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--region and --background need pixels of the "
                             "picture; one of them has none."));
  const OdlStatistics r = statistics_of (inside), b = statistics_of (outside);
  *contrast = (OdlContrast){
    .region = r,
    .background = b,
    .snr = quotient (r.mean, b.sigma),
    .cnr
    = quotient (fabs (r.mean - b.mean), sqrt (r.sigma * r.sigma + b.sigma * b.sigma)),
    .gcnr = gcnr_of (inside, outside, fmin (r.least, b.least), fmax (r.most, b.most)),
    .enl = quotient (b.mean * b.mean, b.sigma * b.sigma),
    .speckle_index = quotient (b.sigma, b.mean),
  };
  return true;
}
