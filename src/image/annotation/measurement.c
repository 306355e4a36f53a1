// SPDX-License-Identifier: MIT
#include "image/annotation/measurement.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/text.h"
#include "image/numbers.h"

#define COLOUR_LEVELS 255 // of luma converted from YCbCr
#define MOST_DECIMALS 6

// ---- one value -----------------------------------------------------------------------

static char *
number (double value, int decimals)
{
  if (isnan (value)) // there is none
    return g_strdup ("–");
  return odl_text_with_minus (decimals >= 0 ? g_strdup_printf ("%.*f", decimals, value)
                                            : g_strdup_printf ("%.4g", value));
}

// Lengths and areas of small things in a unit that people read, with four digits. False:
// it is none.
static bool
to_micrometres (const OdlMeasurement *measure, OdlMeasurement *shown)
{
  static const struct {
    const char *unit, *small;
    double most, factor;
  } rows[] = { { "mm", "µm", 0.1, 1e3 }, { "mm²", "µm²", 0.01, 1e6 } };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    if (!measure->unit || !g_str_equal (measure->unit, rows[i].unit)
        || !(fabs (measure->value) < rows[i].most) || measure->value == 0)
      continue;
    *shown = *measure;
    shown->unit = rows[i].small;
    shown->value *= rows[i].factor;
    shown->after *= rows[i].factor;
    shown->decimals = -1;
    return true;
  }
  return false;
}

// What people read says by its name which uptake it is. False: it is none.
static bool
without_annotation (const OdlMeasurement *measure, OdlMeasurement *shown)
{
  if (g_strcmp0 (measure->unit, ODL_UNIT_SUV) != 0)
    return false;
  *shown = *measure;
  shown->unit = ODL_UNIT_SUV_SHOWN;
  return true;
}

char *
odl_measurement_to_text (const OdlMeasurement *measure)
{
  g_return_val_if_fail (measure != NULL, NULL);

  OdlMeasurement shown;
  if (to_micrometres (measure, &shown) || without_annotation (measure, &shown))
    measure = &shown;
  GString *text = g_string_new (measure->label);
  g_autofree char *before = number (measure->value, measure->decimals);
  if (measure->label)
    g_string_append_c (text, ' ');
  g_string_append (text, before);
  if (isfinite (measure->after)) {
    g_autofree char *after = number (measure->after, measure->decimals);
    g_string_append_printf (text, " → %s", after);
  }
  if (measure->unit && *measure->unit)
    g_string_append_printf (text, g_str_equal (measure->unit, "°") ? "%s" : " %s",
                            measure->unit);
  return g_string_free (text, FALSE);
}

// ---- samples -------------------------------------------------------------------------

// How samples become values.
typedef struct {
  const OdlImageInfo *info; // of what came
  const OdlImage *scaled;
  double least, range; // of stored values
  double slope, intercept;
  double weights[3]; // of red, green and blue in luma
  const OdlImage *numbers; // of the file, in the place of samples; NULL: these
  const OdlImage *padded; // whose padding counts not; NULL: there is none
  OdlPadding padding;
  const OdlOverlay *beyond; // covers what are no samples; NULL: nothing
} Reading;

static Reading
reading_of (const OdlImage *image, const OdlImage *scaled)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlYcbcr *ycbcr = &info->ycbcr;
  const bool grey = odl_image_info (scaled)->channels == 1;
  const OdlPadding padding = odl_image_numbers (image).padding;
  const double kr = ycbcr->used ? ycbcr->kr : 0.299, kb = ycbcr->used ? ycbcr->kb : 0.114;

  return (Reading){
    .info = info,
    .scaled = scaled,
    .least = ycbcr->used ? 0 : info->stored_min,
    .range = ycbcr->used ? COLOUR_LEVELS : info->stored_max - info->stored_min,
    .slope = grey ? info->value_map.slope : 1,
    .intercept = grey ? info->value_map.intercept : 0,
    .weights = { kr, 1 - kr - kb, kb },
    .numbers = grey && scaled == image && !ycbcr->used ? image : NULL,
    .padded = padding.used && info->channels == 1 ? image : NULL,
    .padding = padding,
    .beyond = info->shutter_covers_none ? info->shutter : NULL,
  };
}

static void
read_luma (const Reading *reading, OdlSpan span, int y, float *row)
{
  const OdlImageInfo *shown = odl_image_info (reading->scaled);
  g_autofree float *lines = g_new (float, (size_t) 3 * span.count);
  float *rgb[3];

  for (int c = 0; c < 3; c++)
    rgb[c] = lines + (size_t) c * span.count;
  if (shown->ycbcr.used)
    odl_image_rgb_span (reading->scaled, span.first, span.count, y, rgb);
  else
    for (int c = 0; c < 3; c++)
      odl_image_scaled_span (reading->scaled, c, span.first, span.count, y, 0, 0, rgb[c]);
  for (int x = 0; x < span.count; x++)
    row[x] = (float) (reading->weights[0] * (double) rgb[0][x]
                      + reading->weights[1] * (double) rgb[1][x]
                      + reading->weights[2] * (double) rgb[2][x]);
}

static void
read_values (const Reading *reading, OdlSpan span, int y, double *values)
{
  g_autofree float *row = g_new (float, span.count);

  if (reading->numbers != NULL)
    odl_image_numbers_span (reading->numbers, 0, span.first, span.count, y, 0, values);
  else if (odl_image_info (reading->scaled)->channels == 1)
    odl_image_scaled_span (reading->scaled, 0, span.first, span.count, y, 0, 0, row);
  else
    read_luma (reading, span, y, row);
  for (int x = 0; x < span.count; x++) {
    const double stored = reading->numbers != NULL
                              ? values[x]
                              : reading->least + reading->range * (double) row[x];
    values[x] = reading->slope * stored + reading->intercept;
  }
}

// Without those that stand for no value: what is no number, and padding of the file, also
// after filters. Returns how many are left.
static int
read_counting (const Reading *reading, OdlSpan span, int y, double *values)
{
  const OdlPadding *padding = &reading->padding;
  g_autofree double *own = reading->padded != NULL ? g_new (double, span.count) : NULL;
  int n = 0;

  read_values (reading, span, y, values);
  if (own != NULL)
    odl_image_numbers_span (reading->padded, 0, span.first, span.count, y, 0, own);
  for (int x = 0; x < span.count; x++)
    if (!odl_number_is_missing (values[x])
        && (own == NULL || !odl_padding_holds (padding, own[x]))
        && (reading->beyond == NULL
            || !odl_overlay_has (reading->beyond, span.first + x, y)))
      values[n++] = values[x];
  return n;
}

// Mean, and Σ (value − mean)² in the place of σ, of a row.
static OdlStatistics
measure_row (const Reading *reading, OdlSpan span, int y)
{
  OdlStatistics found = { .least = INFINITY, .most = -INFINITY };
  g_autofree double *values = g_new (double, span.count);
  const int n = read_counting (reading, span, y, values);
  double sum = 0;

  found.n = (size_t) n;
  for (int x = 0; x < n; x++) {
    sum += values[x];
    found.least = fmin (found.least, values[x]);
    found.most = fmax (found.most, values[x]);
  }
  found.mean = n > 0 ? sum / n : 0;
  for (int x = 0; x < n; x++)
    found.sigma += (values[x] - found.mean) * (values[x] - found.mean);
  return found;
}

// Chan, Golub and LeVeque, 1979: of two sets the mean and Σ (value − mean)² of both.
static void
join (OdlStatistics *all, const OdlStatistics *more)
{
  if (more->n == 0)
    return;
  const double n = (double) (all->n + more->n), share = (double) more->n / n;
  const double apart = more->mean - all->mean;

  all->sigma += more->sigma + apart * apart * (double) all->n * share;
  all->mean += apart * share;
  all->n += more->n;
  all->least = fmin (all->least, more->least);
  all->most = fmax (all->most, more->most);
}

static OdlSpan
cut (OdlSpan span, int width)
{
  const int first = CLAMP (span.first, 0, width);
  const int end = CLAMP (span.first + span.count, first, width);

  return (OdlSpan){ first, end - first };
}

OdlStatistics
odl_statistics_of (const OdlImage *image,
                   const OdlImage *scaled,
                   int top,
                   int bottom,
                   OdlSpansAt spans_at,
                   const void *data)
{
  const Reading reading = reading_of (image, scaled);
  const OdlExtent own = reading.info->extent, extent = odl_image_info (scaled)->extent;
  const int width = MIN (own.x, extent.x), height = MIN (own.y, extent.y);
  OdlStatistics all = { .least = INFINITY, .most = -INFINITY };

  top = CLAMP (top, 0, height);
  bottom = CLAMP (bottom, top, height);
  g_autofree OdlStatistics *rows = g_new (OdlStatistics, MAX (bottom - top, 1));
  for (int i = 0; i < bottom - top; i++)
    rows[i] = (OdlStatistics){ .least = INFINITY, .most = -INFINITY };
  ODL_PARALLEL_FOR
  for (int y = top; y < bottom; y++) {
    OdlSpan spans[ODL_MOST_SPANS];
    const int n = spans_at (data, y, spans);
    for (int i = 0; i < n; i++) {
      const OdlSpan span = cut (spans[i], width);
      if (span.count == 0)
        continue;
      const OdlStatistics found = measure_row (&reading, span, y);
      join (&rows[y - top], &found);
    }
  }
  for (int i = 0; i < bottom - top; i++)
    join (&all, &rows[i]);
  all.sigma = all.n > 0 ? sqrt (all.sigma / (double) all.n) : 0;
  return all;
}

GArray *
odl_values_of (const OdlImage *image,
               const OdlImage *scaled,
               int top,
               int bottom,
               OdlSpansAt spans_at,
               const void *data)
{
  const Reading reading = reading_of (image, scaled);
  const OdlExtent own = reading.info->extent, extent = odl_image_info (scaled)->extent;
  const int width = MIN (own.x, extent.x), height = MIN (own.y, extent.y);
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));

  for (int y = CLAMP (top, 0, height); y < MIN (bottom, height); y++) {
    OdlSpan spans[ODL_MOST_SPANS];
    const int n = spans_at (data, y, spans);
    for (int i = 0; i < n; i++) {
      const OdlSpan span = cut (spans[i], width);
      const guint before = values->len;
      if (span.count == 0)
        continue;
      g_array_set_size (values, before + (guint) span.count);
      const int counting
          = read_counting (&reading, span, y, &g_array_index (values, double, before));
      g_array_set_size (values, before + (guint) counting);
    }
  }
  return values;
}

// ---- between samples -----------------------------------------------------------------

// The value at `at`, between the middles of pixels.
static double
value_at (const Reading *reading, OdlExtent extent, OdlPoint at)
{
  const double x = CLAMP (at.x - 0.5, 0, extent.x - 1);
  const double y = CLAMP (at.y - 0.5, 0, extent.y - 1);
  const int left = MAX (MIN ((int) x, extent.x - 2), 0);
  const int top = MAX (MIN ((int) y, extent.y - 2), 0);
  const OdlSpan span = { left, MIN (2, extent.x) };
  double rows[2][2];

  for (int i = 0; i < 2; i++) {
    read_values (reading, span, MIN (top + i, extent.y - 1), rows[i]);
    if (span.count == 1)
      rows[i][1] = rows[i][0];
  }
  const double above = rows[0][0] + (x - left) * (rows[0][1] - rows[0][0]);
  const double below = rows[1][0] + (x - left) * (rows[1][1] - rows[1][0]);
  return above + (y - top) * (below - above);
}

void
odl_values_at (const OdlImage *image,
               const OdlImage *scaled,
               const OdlPoint *positions,
               int n,
               double *values)
{
  const Reading reading = reading_of (image, scaled);
  const OdlExtent own = reading.info->extent, extent = odl_image_info (scaled)->extent;
  const OdlExtent both = { .x = MIN (own.x, extent.x), .y = MIN (own.y, extent.y) };

  for (int i = 0; i < n; i++)
    values[i] = value_at (&reading, both, positions[i]);
}

OdlStatistics
odl_statistics_of_values (const double *values, int n)
{
  OdlStatistics all = { .least = INFINITY, .most = -INFINITY };

  for (int i = 0; i < n; i++) {
    const OdlStatistics one = { 1, values[i], 0, values[i], values[i] };
    join (&all, &one);
  }
  all.sigma = n > 0 ? sqrt (all.sigma / n) : 0;
  return all;
}

// ---- as measures ---------------------------------------------------------------------

// Four digits of the largest value, and more than one unit of a mean of whole values.
static int
decimals_for (const OdlStatistics *statistics)
{
  const double most = fmax (fabs (statistics->least), fabs (statistics->most));
  const int decimals = most > 0 ? 3 - (int) floor (log10 (most)) : 1;

  return decimals > MOST_DECIMALS ? -1 : MAX (decimals, 1);
}

// Whole values, as files have them, are shown as such.
static int
decimals_of (double before, double after, int decimals)
{
  return before == round (before) && (!isfinite (after) || after == round (after))
             ? 0
             : decimals;
}

static OdlStatistics
in_unit (const OdlSubject *subject, const OdlStatistics *statistics)
{
  const OdlImageInfo *info = odl_image_info (subject->before);
  const bool grey = info->channels == 1;
  OdlStatistics told = *statistics;

  told.mean = odl_unit_value (info, grey, subject->unit, told.mean);
  told.least = odl_unit_value (info, grey, subject->unit, told.least);
  told.most = odl_unit_value (info, grey, subject->unit, told.most);
  told.sigma = fabs (odl_unit_difference (info, grey, subject->unit, told.sigma));
  return told;
}

const char *
odl_statistics_unit (const OdlSubject *subject)
{
  const OdlImageInfo *info = odl_image_info (subject->before);

  return info->channels > 1 && subject->unit == ODL_UNIT_FILE
             ? "luma"
             : odl_unit_name (info, info->channels == 1, subject->unit);
}

void
odl_subject_set_suv (OdlSubject *subject, const char *factor, const char *unknown)
{
  double number = 0;

  subject->suv_unknown = unknown;
  if (factor && odl_number_from_text (factor, &number) && isfinite (number) && number > 0)
    subject->suv_factor = number;
}

int
odl_statistics_as_measures (const OdlSubject *subject,
                            const OdlStatistics *before,
                            const OdlStatistics *after,
                            OdlMeasurement *measures)
{
  static const OdlStatistics unknown
      = { .mean = NAN, .sigma = NAN, .least = NAN, .most = NAN };
  const char *unit = odl_statistics_unit (subject);
  const OdlStatistics told[]
      = { in_unit (subject, before), in_unit (subject, after ? after : &unknown) };
  const int decimals = decimals_for (&told[0]);
  // In the unit of the file.
  const OdlStatistics *const uptake[] = { before, after ? after : &unknown };
  const double factor
      = odl_image_info (subject->before)->channels == 1 ? subject->suv_factor : 0;

  before = &told[0];
  after = &told[1];
  const OdlMeasurement all[] = {
    // Translators: the mean of the values in a region; a number follows.
    { "mean", _ ("mean"), unit, before->mean, after->mean, decimals, false },
    { "sigma", "σ", unit, before->sigma, after->sigma, decimals, false },
    // Translators: the smallest value in a region; a number follows.
    { "min", _ ("min"), unit, before->least, after->least,
      decimals_of (before->least, after->least, decimals), false },
    // Translators: the largest value in a region; a number follows.
    { "max", _ ("max"), unit, before->most, after->most,
      decimals_of (before->most, after->most, decimals), true },
    { "n", "n", "", (double) before->n, NAN, 0, false },
    // Translators: mean of the standardized uptake values of a region by body weight.
    { "suv-mean", _ ("SUVbw mean"), ODL_UNIT_SUV, factor * uptake[0]->mean,
      factor * uptake[1]->mean, -1, false },
    // Translators: the largest of these values; the mean stands before it.
    { "suv-max", _ ("SUVbw max"), ODL_UNIT_SUV, factor * uptake[0]->most,
      factor * uptake[1]->most, -1, true },
  };
  const size_t n = G_N_ELEMENTS (all) - (factor > 0 ? 0 : 2);
  G_STATIC_ASSERT (G_N_ELEMENTS (all) <= ODL_STATISTICS_MEASURES);
  memcpy (measures, all, n * sizeof *all);
  return (int) n;
}

int
odl_statistics_measure (const OdlSubject *subject,
                        int top,
                        int bottom,
                        OdlSpansAt spans_at,
                        const void *data,
                        OdlMeasurement *measures)
{
  const bool both = subject->filtered && subject->after;

  if (!subject->before)
    return 0;
  const OdlStatistics before = odl_statistics_of (
      subject->before, odl_subject_first (subject), top, bottom, spans_at, data);
  if (before.n == 0)
    return 0;
  const OdlStatistics after = both ? odl_statistics_of (subject->before, subject->after,
                                                        top, bottom, spans_at, data)
                                   : before;
  return odl_statistics_as_measures (subject, &before, both ? &after : NULL, measures);
}
