// SPDX-License-Identifier: MIT
#include "image/annotation/annotations.h"

struct _OdlAnnotations {
  gatomicrefcount ref_count;
  int width, height;
  unsigned last_id; // that was given
  GArray *items; // OdlAnnotation
};

OdlAnnotations *
odl_annotations_new (int width, int height)
{
  OdlAnnotations *annotations = g_new0 (OdlAnnotations, 1);

  g_atomic_ref_count_init (&annotations->ref_count);
  annotations->width = width;
  annotations->height = height;
  annotations->items = g_array_new (FALSE, FALSE, sizeof (OdlAnnotation));
  return annotations;
}

OdlAnnotations *
odl_annotations_ref (OdlAnnotations *annotations)
{
  if (annotations)
    g_atomic_ref_count_inc (&annotations->ref_count);
  return annotations;
}

void
odl_annotations_unref (OdlAnnotations *annotations)
{
  if (!annotations || !g_atomic_ref_count_dec (&annotations->ref_count))
    return;
  g_array_unref (annotations->items);
  g_free (annotations);
}

int
odl_annotations_count (const OdlAnnotations *annotations)
{
  return annotations ? (int) annotations->items->len : 0;
}

const OdlAnnotation *
odl_annotations_at (const OdlAnnotations *annotations, int i)
{
  g_return_val_if_fail (i >= 0 && i < odl_annotations_count (annotations), NULL);

  return &g_array_index (annotations->items, OdlAnnotation, i);
}

// −1: none.
static int
index_of (const OdlAnnotations *annotations, unsigned id)
{
  int i = odl_annotations_count (annotations) - 1;

  while (i >= 0 && odl_annotations_at (annotations, i)->id != id)
    i--;
  return i;
}

const OdlAnnotation *
odl_annotations_find (const OdlAnnotations *annotations, unsigned id)
{
  const int i = index_of (annotations, id);

  return i >= 0 ? odl_annotations_at (annotations, i) : NULL;
}

void
odl_annotations_get_size (const OdlAnnotations *annotations, int *width, int *height)
{
  *width = annotations->width;
  *height = annotations->height;
}

bool
odl_annotations_fit (const OdlAnnotations *annotations, int width, int height)
{
  return annotations && annotations->width == width && annotations->height == height;
}

static OdlAnnotations *
copy (const OdlAnnotations *annotations)
{
  OdlAnnotations *made = odl_annotations_new (annotations->width, annotations->height);

  made->last_id = annotations->last_id;
  g_array_append_vals (made->items, annotations->items->data, annotations->items->len);
  return made;
}

OdlAnnotations *
odl_annotations_with (const OdlAnnotations *annotations, const OdlAnnotation *annotation)
{
  g_return_val_if_fail (annotations != NULL && annotation != NULL, NULL);

  OdlAnnotations *made = copy (annotations);
  const int i = annotation->id != 0 ? index_of (made, annotation->id) : -1;
  if (i >= 0) {
    g_array_index (made->items, OdlAnnotation, i) = *annotation;
    return made;
  }
  OdlAnnotation added = *annotation;
  added.id = ++made->last_id;
  g_array_append_val (made->items, added);
  return made;
}

OdlAnnotations *
odl_annotations_without (const OdlAnnotations *annotations, unsigned id)
{
  g_return_val_if_fail (annotations != NULL, NULL);

  OdlAnnotations *made = copy (annotations);
  const int i = index_of (made, id);
  if (i >= 0)
    g_array_remove_index (made->items, (guint) i);
  return made;
}

unsigned
odl_annotations_next_number (const OdlAnnotations *annotations,
                             const OdlAnnotationKind *kind)
{
  guint64 highest = 0, number;

  for (int i = 0; i < odl_annotations_count (annotations); i++) {
    const OdlAnnotation *annotation = odl_annotations_at (annotations, i);
    if (annotation->kind == kind
        && g_ascii_string_to_unsigned (annotation->words, 10, 0, G_MAXINT, &number, NULL))
      highest = MAX (highest, number);
  }
  return (unsigned) highest + 1;
}

const OdlAnnotation *
odl_annotations_key (const OdlAnnotations *annotations, int64_t frame)
{
  for (int i = 0; i < odl_annotations_count (annotations); i++) {
    const OdlAnnotation *annotation = odl_annotations_at (annotations, i);
    if (annotation->kind == &odl_annotation_key
        && odl_annotation_is_on (annotation, frame, NULL))
      return annotation;
  }
  return NULL;
}

OdlAnnotations *
odl_annotations_settle (OdlAnnotations *annotations, const OdlImageInfo *volume)
{
  for (int i = 0; i < odl_annotations_count (annotations); i++) {
    OdlAnnotation annotation = *odl_annotations_at (annotations, i);
    if (!annotation.on.as_stored)
      continue;
    g_autoptr (OdlAnnotations) before = annotations;
    odl_on_plane_settle (&annotation.on, volume, annotation.points, annotation.n_points);
    if (annotation.kind->settle) // across may have become down
      annotation.kind->settle (&annotation, 1);
    annotations = odl_annotations_with (before, &annotation);
  }
  return annotations;
}

const OdlAnnotation *
odl_annotations_pick (const OdlAnnotations *annotations,
                      int64_t frame,
                      const OdlOnPlane *on,
                      OdlPoint at,
                      const OdlScale *metric,
                      double reach,
                      int *part)
{
  const OdlAnnotation *picked = NULL;

  *part = ODL_PART_NONE;
  for (int i = odl_annotations_count (annotations) - 1; i >= 0; i--) {
    const OdlAnnotation *annotation = odl_annotations_at (annotations, i);
    if (!odl_annotation_is_on (annotation, frame, on))
      continue;
    const int here = odl_annotation_part_at (annotation, at, metric, reach);
    if (here == ODL_PART_NONE || (here == ODL_PART_LINE && picked))
      continue;
    picked = annotation;
    *part = here;
    if (here != ODL_PART_LINE)
      break;
  }
  return picked;
}
