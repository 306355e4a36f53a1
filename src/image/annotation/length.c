// SPDX-License-Identifier: MIT
// The distance between two points.
#include <math.h>

#include "base/text.h"
#include "image/annotation/annotation.h"

static int
measure (const OdlAnnotation *annotation,
         const OdlSubject *subject,
         OdlMeasurement *measures)
{
  const OdlScale *scale = &subject->scale;
  const OdlPoint *ends = annotation->points;

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
