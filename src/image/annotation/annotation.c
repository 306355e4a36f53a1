// SPDX-License-Identifier: MIT
#include "image/annotation/annotation.h"

#include <math.h>

// ---- lengths -------------------------------------------------------------------------

static char *
measure_length (const OdlAnnotation *annotation, const OdlScale *scale)
{
  return odl_scale_to_text (
      scale, odl_scale_distance (scale, annotation->points[0], annotation->points[1]));
}

static double
distance_from_line (const OdlAnnotation *annotation, OdlPoint at, const OdlScale *metric)
{
  const OdlPoint *ends = annotation->points;
  const double dx = (ends[1].x - ends[0].x) * metric->x;
  const double dy = (ends[1].y - ends[0].y) * metric->y;
  const double px = (at.x - ends[0].x) * metric->x;
  const double py = (at.y - ends[0].y) * metric->y;
  const double square = dx * dx + dy * dy;
  const double along = square > 0 ? CLAMP ((px * dx + py * dy) / square, 0, 1) : 0;

  return hypot (px - along * dx, py - along * dy);
}

// ---- all kinds -----------------------------------------------------------------------

static const OdlAnnotationRow rows[ODL_N_ANNOTATION_KINDS] = {
  [ODL_ANNOTATION_LENGTH] = { .name = "length",
                              .n_points = 2,
                              .measure = measure_length,
                              .distance = distance_from_line },
};

const OdlAnnotationRow *
odl_annotation_row (OdlAnnotationKind kind)
{
  g_return_val_if_fail (kind < ODL_N_ANNOTATION_KINDS, NULL);

  return &rows[kind];
}

bool
odl_annotation_is_on (const OdlAnnotation *annotation, int64_t frame)
{
  return annotation->frame == ODL_EVERY_FRAME || annotation->frame == frame;
}

bool
odl_annotation_is_empty (const OdlAnnotation *annotation)
{
  const OdlPoint *points = annotation->points;

  for (int i = 1; i < rows[annotation->kind].n_points; i++)
    if (points[i].x != points[0].x || points[i].y != points[0].y)
      return false;
  return true;
}

// How far [first, last] can go by `step` inside of [0, size].
static double
step_inside (double first, double last, double step, double size)
{
  return fmax (fmin (step, size - last), -first);
}

static void
move_all (OdlAnnotation *annotation, OdlPoint by, int width, int height)
{
  const int n = rows[annotation->kind].n_points;
  OdlPoint *points = annotation->points;
  OdlPoint first = points[0], last = points[0];

  for (int i = 1; i < n; i++) {
    first = (OdlPoint){ fmin (first.x, points[i].x), fmin (first.y, points[i].y) };
    last = (OdlPoint){ fmax (last.x, points[i].x), fmax (last.y, points[i].y) };
  }
  by.x = step_inside (first.x, last.x, by.x, width);
  by.y = step_inside (first.y, last.y, by.y, height);
  for (int i = 0; i < n; i++) {
    points[i].x += by.x;
    points[i].y += by.y;
  }
}

void
odl_annotation_move (OdlAnnotation *annotation,
                     int part,
                     OdlPoint from,
                     OdlPoint to,
                     int width,
                     int height)
{
  g_return_if_fail (part >= ODL_PART_LINE && part < rows[annotation->kind].n_points);

  if (part == ODL_PART_LINE)
    move_all (annotation, (OdlPoint){ to.x - from.x, to.y - from.y }, width, height);
  else
    annotation->points[part]
        = (OdlPoint){ CLAMP (to.x, 0, width), CLAMP (to.y, 0, height) };
}

int
odl_annotation_part_at (const OdlAnnotation *annotation,
                        OdlPoint at,
                        const OdlScale *metric,
                        double reach)
{
  const OdlAnnotationRow *row = &rows[annotation->kind];
  int nearest = ODL_PART_NONE;
  double least = reach;

  for (int i = 0; i < row->n_points; i++) {
    const double distance = odl_scale_distance (metric, annotation->points[i], at);
    if (distance <= least) {
      least = distance;
      nearest = i;
    }
  }
  return nearest == ODL_PART_NONE && row->distance (annotation, at, metric) <= reach
             ? ODL_PART_LINE
             : nearest;
}
