// SPDX-License-Identifier: MIT
// A closed line through points, placed one by one or drawn freely: its area and length,
// and what its pixels hold. A pixel belongs to it if its middle does, by the even-odd
// rule. Of a line that crosses itself the area is left out, since it has no single one.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "image/annotation/annotation.h"

G_STATIC_ASSERT (ODL_ANNOTATION_MAX_POINTS / 2 <= ODL_MOST_SPANS);
G_STATIC_ASSERT (ODL_ANNOTATION_MAX_POINTS < ODL_ANNOTATION_MAX_OUTLINE);
G_STATIC_ASSERT (2 + ODL_STATISTICS_MEASURES <= ODL_ANNOTATION_MAX_MEASURES);

static int
outline (const OdlAnnotation *annotation, OdlPoint *line)
{
  const int n = annotation->n_points;

  for (int i = 0; i <= n; i++)
    line[i] = annotation->points[i % n];
  return n + 1;
}

static int
by_place (const void *a, const void *b)
{
  const double left = *(const double *) a, right = *(const double *) b;

  return (left > right) - (left < right);
}

// Between one crossing with the line and the next one, in the middle of row `y`.
static int
spans_at (const void *data, int y, OdlSpan *spans)
{
  const OdlAnnotation *annotation = data;
  const OdlPoint *points = annotation->points;
  const double at = y + 0.5;
  double crossings[ODL_ANNOTATION_MAX_POINTS] = { 0 };
  int n = 0, n_spans = 0;

  for (int i = 0; i < annotation->n_points; i++) {
    const OdlPoint a = points[i], b = points[(i + 1) % annotation->n_points];
    if ((a.y <= at) != (b.y <= at))
      crossings[n++] = a.x + (at - a.y) / (b.y - a.y) * (b.x - a.x);
  }
  qsort (crossings, (size_t) n, sizeof *crossings, by_place);
  for (int i = 0; i + 1 < n; i += 2) {
    const int first = (int) ceil (crossings[i] - 0.5);
    const int end = (int) ceil (crossings[i + 1] - 0.5);
    if (end > first)
      spans[n_spans++] = (OdlSpan){ first, end - first };
  }
  return n_spans;
}

// Twice the area of a triangle, by the way it turns.
static double
turn_of (OdlPoint a, OdlPoint b, OdlPoint c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool
lines_cross (OdlPoint a, OdlPoint b, OdlPoint c, OdlPoint d)
{
  return turn_of (a, b, c) * turn_of (a, b, d) < 0
         && turn_of (c, d, a) * turn_of (c, d, b) < 0;
}

static bool
crosses_itself (const OdlAnnotation *annotation)
{
  const OdlPoint *points = annotation->points;
  const int n = annotation->n_points;

  for (int i = 0; i < n; i++)
    for (int j = i + 2; j < n; j++)
      if (lines_cross (points[i], points[i + 1], points[j], points[(j + 1) % n]))
        return true;
  return false;
}

static double
area_of (const OdlAnnotation *annotation)
{
  const OdlPoint *points = annotation->points;
  double twice = 0;

  for (int i = 2; i < annotation->n_points; i++)
    twice += turn_of (points[0], points[i - 1], points[i]);
  return fabs (twice) / 2;
}

static double
length_of (const OdlAnnotation *annotation, const OdlScale *scale)
{
  const int n = annotation->n_points;
  double length = 0;

  for (int i = 0; i < n; i++)
    length += odl_scale_distance (scale, annotation->points[i],
                                  annotation->points[(i + 1) % n]);
  return length;
}

// Those that it reaches into; the last one is not among them.
typedef struct {
  int top, bottom;
} Rows;

static Rows
rows_of (const OdlAnnotation *annotation)
{
  const OdlPoint *points = annotation->points;
  double top = points[0].y, bottom = top;

  for (int i = 1; i < annotation->n_points; i++) {
    top = fmin (top, points[i].y);
    bottom = fmax (bottom, points[i].y);
  }
  return (Rows){ (int) floor (top), (int) ceil (bottom) };
}

static GArray *
values_of (const OdlAnnotation *annotation, const OdlImage *image, const OdlImage *scaled)
{
  const Rows rows = rows_of (annotation);

  return odl_values_of (image, scaled, rows.top, rows.bottom, spans_at, annotation);
}

static int
measure (const OdlAnnotation *annotation,
         const OdlSubject *subject,
         OdlMeasurement *measures)
{
  const OdlScale *scale = &subject->scale;
  const Rows rows = rows_of (annotation);
  int n = 0;

  if (!crosses_itself (annotation))
    measures[n++] = (OdlMeasurement){ .name = "area",
                                      .unit = odl_scale_area_unit (scale),
                                      .value = area_of (annotation) * scale->x * scale->y,
                                      .after = NAN,
                                      .decimals = odl_scale_decimals (scale) };
  measures[n++] = (OdlMeasurement){ .name = "perimeter",
                                    // Translators: the length of a closed line.
                                    .label = _ ("perimeter"),
                                    .unit = odl_scale_unit (scale),
                                    .value = length_of (annotation, scale),
                                    .after = NAN,
                                    .decimals = odl_scale_decimals (scale) };
  return n
         + odl_statistics_measure (subject, rows.top, rows.bottom, spans_at, annotation,
                                   measures + n);
}

const OdlAnnotationKind odl_annotation_polygon = {
  .name = "polygon",
  .title = N_ ("Polygon"),
  .hint = N_ ("Polygon: drag along the first side, click for each corner; a double "
              "click, or a click on the first corner, closes it."),
  .numbers = "X1,Y1,X2,Y2,X3,Y3…",
  .n_points = 3,
  .n_placed = 3,
  .many = true,
  .samples = true,
  .scaled = true,
  .outline = outline,
  .values = values_of,
  .measure = measure,
};

const OdlAnnotationKind odl_annotation_freehand = {
  .name = "freehand",
  .title = N_ ("Freehand"),
  .hint
  = N_ ("Freehand: drag around the region; it closes where the button is released."),
  .numbers = "X1,Y1,X2,Y2,X3,Y3…",
  .n_points = 3,
  .n_placed = 3,
  .many = true,
  .freehand = true,
  .samples = true,
  .scaled = true,
  .outline = outline,
  .values = values_of,
  .measure = measure,
};
