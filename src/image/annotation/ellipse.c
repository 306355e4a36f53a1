// SPDX-License-Identifier: MIT
// An ellipse with axes along those of the picture: its area and length, and what its
// pixels hold. Points 0 and 1 are opposite corners of the rectangle around it, 2 and 3
// the others. A pixel belongs to it if its middle does.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/text.h"
#include "image/annotation/annotation.h"

#define SEGMENTS (ODL_ANNOTATION_MAX_OUTLINE - 1)

typedef struct {
  OdlPoint centre;
  double a, b; // half its width and height
} Ellipse;

static Ellipse
ellipse_of (const OdlAnnotation *annotation)
{
  const OdlPoint *corners = annotation->points;

  return (Ellipse){ .centre = { (corners[0].x + corners[1].x) / 2,
                                (corners[0].y + corners[1].y) / 2 },
                    .a = fabs (corners[1].x - corners[0].x) / 2,
                    .b = fabs (corners[1].y - corners[0].y) / 2 };
}

// Corner 2 has the column of 1 and the row of 0, 3 that of 0 and the row of 1.
static void
settle (OdlAnnotation *annotation, int part)
{
  OdlPoint *corners = annotation->points;

  if (part == 2) {
    corners[1].x = corners[2].x;
    corners[0].y = corners[2].y;
  } else if (part == 3) {
    corners[0].x = corners[3].x;
    corners[1].y = corners[3].y;
  }
  corners[2] = (OdlPoint){ corners[1].x, corners[0].y };
  corners[3] = (OdlPoint){ corners[0].x, corners[1].y };
}

static int
outline (const OdlAnnotation *annotation, OdlPoint *line)
{
  const Ellipse ellipse = ellipse_of (annotation);

  for (int i = 0; i <= SEGMENTS; i++) {
    const double turn = 2 * G_PI * (i % SEGMENTS) / SEGMENTS;
    line[i] = (OdlPoint){ ellipse.centre.x + ellipse.a * cos (turn),
                          ellipse.centre.y + ellipse.b * sin (turn) };
  }
  return SEGMENTS + 1;
}

static int
spans_at (const void *data, int y, OdlSpan *spans)
{
  const Ellipse *ellipse = data;
  const double up = (y + 0.5 - ellipse->centre.y) / ellipse->b;

  if (!(fabs (up) <= 1)) // nor of an ellipse that is flat
    return 0;
  const double reach = ellipse->a * sqrt (1 - up * up);
  const int first = (int) ceil (ellipse->centre.x - reach - 0.5);
  const int last = (int) floor (ellipse->centre.x + reach - 0.5);

  spans[0] = (OdlSpan){ first, last - first + 1 };
  return last >= first ? 1 : 0;
}

static GArray *
values_of (const OdlAnnotation *annotation, const OdlImage *image, const OdlImage *scaled)
{
  const Ellipse ellipse = ellipse_of (annotation);

  return odl_values_of (image, scaled, (int) floor (ellipse.centre.y - ellipse.b),
                        (int) ceil (ellipse.centre.y + ellipse.b), spans_at, &ellipse);
}

// Ramanujan, 1914, the second of his formulas: 0.04 % off where it is flat.
static double
around (double a, double b)
{
  const double h = (a - b) * (a - b) / ((a + b) * (a + b));

  return a + b > 0 ? G_PI * (a + b) * (1 + 3 * h / (10 + sqrt (4 - 3 * h))) : 0;
}

static int
measure (const OdlAnnotation *annotation,
         const OdlSubject *subject,
         OdlMeasurement *measures)
{
  const OdlScale *scale = &subject->scale;
  const Ellipse ellipse = ellipse_of (annotation);

  measures[0]
      = (OdlMeasurement){ .name = "area",
                          .unit = odl_scale_area_unit (scale),
                          .value = G_PI * ellipse.a * scale->x * ellipse.b * scale->y,
                          .after = NAN,
                          .decimals = odl_scale_decimals (scale) };
  measures[1]
      = (OdlMeasurement){ .name = "perimeter",
                          .label = _ ("perimeter"),
                          .unit = odl_scale_unit (scale),
                          .value = around (ellipse.a * scale->x, ellipse.b * scale->y),
                          .after = NAN,
                          .decimals = odl_scale_decimals (scale) };
  return 2
         + odl_statistics_measure (subject, (int) floor (ellipse.centre.y - ellipse.b),
                                   (int) ceil (ellipse.centre.y + ellipse.b), spans_at,
                                   &ellipse, measures + 2);
}

const OdlAnnotationKind odl_annotation_ellipse = {
  .name = "ellipse",
  .title = N_ ("Ellipse"),
  .hint = N_ ("Ellipse: drag from one corner of the region to the other."),
  .numbers = "X,Y,WIDTH,HEIGHT",
  .n_points = 4,
  .n_placed = 2,
  .sized = true,
  .samples = true,
  .scaled = true,
  .settle = settle,
  .outline = outline,
  .values = values_of,
  .measure = measure,
};
G_STATIC_ASSERT (2 + ODL_STATISTICS_MEASURES <= ODL_ANNOTATION_MAX_MEASURES);
