// SPDX-License-Identifier: MIT
// The angle at the second of three points, from 0° to 180°, as it is in what is seen: by
// the spacing of each axis.
#include <math.h>

#include "base/text.h"
#include "image/annotation/annotation.h"

static int
measure (const OdlAnnotation *annotation,
         const OdlSubject *subject,
         OdlMeasurement *measures)
{
  const OdlScale *scale = &subject->scale;
  const OdlPoint *points = annotation->points;
  const double ax = (points[0].x - points[1].x) * scale->x;
  const double ay = (points[0].y - points[1].y) * scale->y;
  const double bx = (points[2].x - points[1].x) * scale->x;
  const double by = (points[2].y - points[1].y) * scale->y;
  const double radians = atan2 (fabs (ax * by - ay * bx), ax * bx + ay * by);

  measures[0] = (OdlMeasurement){ .name = "angle",
                                  .unit = "°",
                                  .value = radians * 180 / G_PI,
                                  .after = NAN,
                                  .decimals = 1 };
  return 1;
}

const OdlAnnotationKind odl_annotation_angle = {
  .name = "angle",
  .title = N_ ("Angle"),
  .hint = N_ ("Angle: drag along one side to the corner, then click on the other side."),
  .numbers = "X1,Y1,X2,Y2,X3,Y3",
  .n_points = 3,
  .n_placed = 3,
  .measure = measure,
};
