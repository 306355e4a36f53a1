// SPDX-License-Identifier: MIT
// What people draw over a picture to measure or to point at something: in coordinates of
// its samples, before the view turns or mirrors it. No part of a recipe: engines never
// see it. Any thread.
#pragma once

#include "image/annotation/scale.h"

G_BEGIN_DECLS

typedef enum {
  ODL_ANNOTATION_LENGTH,
  ODL_N_ANNOTATION_KINDS,
} OdlAnnotationKind;

#define ODL_ANNOTATION_MAX_POINTS 2

// Of a source without an end, whose frames do not come back.
#define ODL_EVERY_FRAME INT64_C (-1)

typedef struct {
  OdlAnnotationKind kind;
  unsigned id; // in its set, from 1; 0: in none yet
  int64_t frame; // frame or slice on which it lies, or ODL_EVERY_FRAME
  OdlPoint points[ODL_ANNOTATION_MAX_POINTS]; // (0, 0): corner of the first sample
} OdlAnnotation;

// What of an annotation lies at a place: one of its points from 0 on, or one of these.
#define ODL_PART_LINE (-1)
#define ODL_PART_NONE (-2)

// A kind as a row.
typedef struct {
  const char *name;
  int n_points; // which all can be moved
  // The measured value; transfer full.
  char *(*measure) (const OdlAnnotation *annotation, const OdlScale *scale);
  // How far `at` is from its lines, by `metric`.
  double (*distance) (const OdlAnnotation *annotation,
                      OdlPoint at,
                      const OdlScale *metric);
} OdlAnnotationRow;

const OdlAnnotationRow *odl_annotation_row (OdlAnnotationKind kind);

bool odl_annotation_is_on (const OdlAnnotation *annotation, int64_t frame);

// All its points are one.
bool odl_annotation_is_empty (const OdlAnnotation *annotation);

// Moves one point to `to`, or, with ODL_PART_LINE, all by as much as leads from `from` to
// `to`; the points stay in a picture of that size, and a whole keeps its shape.
void odl_annotation_move (OdlAnnotation *annotation,
                          int part,
                          OdlPoint from,
                          OdlPoint to,
                          int width,
                          int height);

// What of it lies within `reach` of `at`, by `metric`: points first, the nearest one.
int odl_annotation_part_at (const OdlAnnotation *annotation,
                            OdlPoint at,
                            const OdlScale *metric,
                            double reach);

G_END_DECLS
