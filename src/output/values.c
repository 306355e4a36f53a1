// SPDX-License-Identifier: MIT
#include "output/values.h"

#include <math.h>

void
odl_values_ends (const OdlImage *source, double ends[2])
{
  const OdlImageInfo *info = odl_image_info (source);
  const OdlValueMap *map = &info->value_map;

  ends[0] = map->slope * info->stored_min + map->intercept;
  ends[1] = ends[0] + map->slope * (info->stored_max - info->stored_min);
}

// Columns from there on are detail coefficients.
static int
details_from (const OdlValues *values, int y, int width)
{
  if (values->details.levels == 0)
    return width;
  return y < values->details.height ? values->details.width : 0;
}

// Samples as fractions have seven digits, of which values of 16 bits take five; so those
// that are still whole numbers of a file's, but for the rounding of two products, are
// written as these.
static double
exact_share (const OdlImageInfo *source, const OdlImageInfo *result, float sample)
{
  const bool is_stored = result->type != ODL_SAMPLE_F32;
  const OdlImageInfo *whole = is_stored ? result : source;
  const double steps = whole->stored_max - whole->stored_min;
  const double place = (double) sample * steps, nearest = rint (place);

  if (whole->type == ODL_SAMPLE_F32
      || (!is_stored && fabs (place - nearest) > fabs (place) * 1.3e-7))
    return (double) sample;
  return nearest / steps;
}

void
odl_values_row (const OdlValues *values, int y, float *line, float *row)
{
  const OdlImageInfo *source = odl_image_info (values->source);
  const OdlImageInfo *result = odl_image_info (values->rows->image);
  const int details = details_from (values, y, result->extent.x);
  double ends[2];

  odl_values_ends (values->source, ends);
  for (int c = 0; c < result->channels; c++) {
    const double gain
        = c == 3 ? source->stored_max - source->stored_min : ends[1] - ends[0];
    const double zero = c == 3 ? source->stored_min : ends[0];

    odl_image_scaled_row (values->rows->image, c, y - values->rows->top, 0, 0, line);
    for (int x = 0; x < result->extent.x; x++) {
      const double offset = c < 3 && x >= details ? 0.0 : zero;
      row[(gsize) x * result->channels + c]
          = values->damaged
                ? NAN
                : (float) (exact_share (source, result, line[x]) * gain + offset);
    }
  }
}
