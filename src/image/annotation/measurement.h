// SPDX-License-Identifier: MIT
// What is measured in a picture: a value with its name and unit, and the statistics of
// samples. Any thread.
#pragma once

#include "image/annotation/scale.h"
#include "image/unit.h"

// The picture that is measured in. Images are borrowed.
typedef struct {
  OdlScale scale;
  const OdlImage *before; // as it came; NULL: values of samples are not measured
  const OdlImage *after; // result of odl_engine_show for it; NULL: none is at hand
  const OdlImage *other; // result of odl_engine_show of other filters, whose values stand
                         // in the place of those of `before`; NULL: these do
  bool filtered; // the picture is shown with filters
  OdlUnit unit; // of values of samples; 0: the file's
  double suv_factor; // by which values become SUVbw, in ODL_UNIT_SUV; 0: they do not
  const char *suv_unknown; // a sentence why values of a PET picture do not; NULL: nothing
} OdlSubject;

// Whose values stand before those of the result, which are told as those of `before`.
static inline const OdlImage *
odl_subject_first (const OdlSubject *subject)
{
  return subject->other != NULL ? subject->other : subject->before;
}

// Standardized uptake values by body weight, in UCUM (DICOM, CID 85), and for people.
#define ODL_UNIT_SUV_SHOWN "g/ml"
#define ODL_UNIT_SUV ODL_UNIT_SUV_SHOWN "{SUVbw}"

// What the details “suv-factor” and “suv-unknown” of a source say; NULL: nothing.
void odl_subject_set_suv (OdlSubject *subject, const char *factor, const char *unknown);

// One value, of the picture as it came and after the filters.
typedef struct {
  const char *name; // in what is written: "mean"
  const char *label; // for people, translated; NULL: the unit says what it is
  const char *unit; // the same in all languages; "": none
  double value;
  double after; // NAN: the same, or not known
  int decimals; // for people; negative: as many as four digits need
  bool joined; // for people, on the line of the one before
} OdlMeasurement;

// "mean 45.2 → 44.9 HU", with the decimal sign of the locale. Transfer full.
char *odl_measurement_to_text (const OdlMeasurement *measure);

// Of grey samples, in the unit of the value map, or of the luma of colours.
typedef struct {
  size_t n;
  double mean, sigma; // σ = √(Σ (value − mean)² / n)
  double least, most;
} OdlStatistics;

// A run of columns of a row.
typedef struct {
  int first, count;
} OdlSpan;

// The runs of row `y`, at most ODL_MOST_SPANS, in `spans`; returns how many.
#define ODL_MOST_SPANS 64
typedef int (*OdlSpansAt) (const void *data, int y, OdlSpan *spans);

// Of those pixels of `scaled` that lie in the spans `spans_at` gives of rows from `top`
// to `bottom` − 1; both are cut at the edges of the picture. `scaled` is `image` itself,
// or a result of odl_engine_show for it, whose values then take the value map of `image`.
// Cost: a pass over the pixels.
OdlStatistics odl_statistics_of (const OdlImage *image,
                                 const OdlImage *scaled,
                                 int top,
                                 int bottom,
                                 OdlSpansAt spans_at,
                                 const void *data);

// The values themselves, row by row, as double. Transfer full.
GArray *odl_values_of (const OdlImage *image,
                       const OdlImage *scaled,
                       int top,
                       int bottom,
                       OdlSpansAt spans_at,
                       const void *data);

// Values at `n` positions, interpolated linearly between the middles of the four pixels
// about each (bilinear); nearer to an edge than half a pixel, those of the edge.
void odl_values_at (const OdlImage *image,
                    const OdlImage *scaled,
                    const OdlPoint *positions,
                    int n,
                    double *values);

// Of the values of several positions; σ as above.
OdlStatistics odl_statistics_of_values (const double *values, int n);

// The measures of odl_statistics_measure for `before`, in the file's unit, and, unless it
// is NULL, for `after`; returns how many.
int odl_statistics_as_measures (const OdlSubject *subject,
                                const OdlStatistics *before,
                                const OdlStatistics *after,
                                OdlMeasurement *measures);

// The unit of these; of colours "luma". `subject` has a picture.
const char *odl_statistics_unit (const OdlSubject *subject);

// Mean, σ, least, most and number, and mean and most as SUVbw where these are known, at
// most ODL_STATISTICS_MEASURES measures; returns how many: none without a picture or a
// sample.
#define ODL_STATISTICS_MEASURES 7
int odl_statistics_measure (const OdlSubject *subject,
                            int top,
                            int bottom,
                            OdlSpansAt spans_at,
                            const void *data,
                            OdlMeasurement *measures);
