// SPDX-License-Identifier: MIT
// The distance between two points; where that is no length, such as in a Doppler region,
// what lies between them along each axis.
#include <math.h>

#include "base/text.h"
#include "image/annotation/annotation.h"

// Of a region whose axes are no lengths, such as time and velocity.
static int
measure_axes (const OdlScale *scale, const OdlPoint *ends, OdlMeasurement *measures)
{
  const double steps[] = { ends[1].x - ends[0].x, ends[1].y - ends[0].y };

  for (int i = 0; i < 2; i++) {
    const OdlScaleAxis *axis = odl_scale_axis (scale, i);
    const double delta = fabs (scale->region->delta[i]) * axis->factor;
    measures[i] = (OdlMeasurement){ .name = axis->name,
                                    .label = axis->label,
                                    .unit = axis->unit,
                                    .value = fabs (steps[i]) * delta,
                                    .after = NAN,
                                    .decimals = odl_scale_decimals_of (delta),
                                    .joined = i > 0 };
  }
  return 2;
}

static int
measure (const OdlAnnotation *annotation,
         const OdlSubject *subject,
         OdlMeasurement *measures)
{
  const OdlScale *scale = &subject->scale;
  const OdlPoint *ends = annotation->points;

  if (odl_scale_has_axes (scale))
    return measure_axes (scale, ends, measures);
  measures[0] = (OdlMeasurement){ .name = "length",
                                  .unit = odl_scale_unit (scale),
                                  .value = odl_scale_distance (scale, ends[0], ends[1]),
                                  .after = NAN,
                                  .decimals = odl_scale_decimals (scale) };
  return 1;
}

const OdlAnnotationKind odl_annotation_length = {
  .name = "length",
  .title = N_ ("Length"),
  .hint = N_ ("Length: drag from one end to the other."),
  .numbers = "X1,Y1,X2,Y2",
  .n_points = 2,
  .n_placed = 2,
  .scaled = true,
  .measure = measure,
};
