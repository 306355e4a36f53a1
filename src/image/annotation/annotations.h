// SPDX-License-Identifier: MIT
// OdlAnnotations: those of one source, in the order in which they were made. Immutable
// and counted by reference, so that a history of them costs little. Any thread; NULL is
// an empty set everywhere.
#pragma once

#include "image/annotation/annotation.h"

typedef struct _OdlAnnotations OdlAnnotations;

// Of pictures of that size.
OdlAnnotations *odl_annotations_new (int width, int height);
OdlAnnotations *odl_annotations_ref (OdlAnnotations *annotations);
void odl_annotations_unref (OdlAnnotations *annotations);

int odl_annotations_count (const OdlAnnotations *annotations);
// Borrowed, as is what odl_annotations_find gives; NULL: no such id.
const OdlAnnotation *odl_annotations_at (const OdlAnnotations *annotations, int i);
const OdlAnnotation *odl_annotations_find (const OdlAnnotations *annotations,
                                           unsigned id);

// Of the pictures that they were made on. `annotations` is not NULL.
void
odl_annotations_get_size (const OdlAnnotations *annotations, int *width, int *height);

// Whether they were made on pictures of that size.
bool odl_annotations_fit (const OdlAnnotations *annotations, int width, int height);

// A set with `annotation` in the place of the one of its id, or, if it has none, added
// with a new id, which is that of the last element then. Transfer full.
OdlAnnotations *odl_annotations_with (const OdlAnnotations *annotations,
                                      const OdlAnnotation *annotation);
OdlAnnotations *odl_annotations_without (const OdlAnnotations *annotations, unsigned id);

// The number of the next one of a kind that is counted: after the highest one of the set.
unsigned odl_annotations_next_number (const OdlAnnotations *annotations,
                                      const OdlAnnotationKind *kind);

// The mark of `frame` as a key picture; NULL: it has none. Borrowed.
const OdlAnnotation *odl_annotations_key (const OdlAnnotations *annotations,
                                          int64_t frame);

// All on planes by the patient's axes (odl_on_plane_settle). Takes `annotations`, which
// may be NULL; transfer full.
OdlAnnotations *odl_annotations_settle (OdlAnnotations *annotations,
                                        const OdlImageInfo *volume);

// The one on `frame`, or on plane `on` of its volume (odl_annotation_is_on), of which a
// part lies within `reach` of `at`: points come before lines, what was made later before
// the rest. NULL: none, and *part is ODL_PART_NONE.
const OdlAnnotation *odl_annotations_pick (const OdlAnnotations *annotations,
                                           int64_t frame,
                                           const OdlOnPlane *on,
                                           OdlPoint at,
                                           const OdlScale *metric,
                                           double reach,
                                           int *part);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlAnnotations, odl_annotations_unref)
