// SPDX-License-Identifier: MIT
#include "source/holder.h"

#include "source/volume.h"

int64_t
odl_holder_of (const OdlSource *source, const OdlAnnotation *annotation)
{
  const int64_t frame = annotation->frame;

  return annotation->on.used || frame < 0 || frame >= odl_holder_count (source)
                 || odl_source_lacks_frame (source, frame)
             ? ODL_HOLDER_SOURCE
             : frame;
}

int64_t
odl_holder_count (const OdlSource *source)
{
  return source->info.files != NULL ? source->info.n_frames : 0;
}

// With `annotation` as a new one. Takes `all`, which may be NULL.
static OdlAnnotations *
add (OdlAnnotations *all, const OdlAnnotation *annotation, const OdlAnnotations *like)
{
  OdlAnnotation added = *annotation;
  int width, height;

  odl_annotations_get_size (like, &width, &height);
  g_autoptr (OdlAnnotations) before
      = all != NULL ? all : odl_annotations_new (width, height);
  added.id = 0;
  return odl_annotations_with (before, &added);
}

OdlAnnotations *
odl_held_by (const OdlSource *source, const OdlAnnotations *all, int64_t holder)
{
  OdlAnnotations *held = NULL;

  for (int i = 0; i < odl_annotations_count (all); i++) {
    OdlAnnotation annotation = *odl_annotations_at (all, i);
    if (odl_holder_of (source, &annotation) != holder)
      continue;
    if (holder != ODL_HOLDER_SOURCE)
      annotation.frame = 0;
    held = add (held, &annotation, all);
  }
  return held;
}

static bool
has (const OdlAnnotations *all, const OdlAnnotation *annotation)
{
  for (int i = 0; i < odl_annotations_count (all); i++)
    if (odl_annotation_is_same (odl_annotations_at (all, i), annotation))
      return true;
  return false;
}

// Of those that a file has alone, a stack shows what lies on its first frame.
static bool
is_hidden (const OdlAnnotation *annotation)
{
  return annotation->frame != 0 || annotation->on.used;
}

OdlAnnotations *
odl_held_join (OdlAnnotations *all, OdlAnnotations *held, int64_t holder)
{
  int width, height;

  if (held == NULL)
    return all;
  if (all == NULL && holder == ODL_HOLDER_SOURCE)
    return odl_annotations_ref (held);
  g_autoptr (OdlAnnotations) others = odl_annotations_ref (all);
  odl_annotations_get_size (held, &width, &height);
  if (all != NULL && !odl_annotations_fit (all, width, height))
    return all;
  for (int i = 0; i < odl_annotations_count (held); i++) {
    OdlAnnotation annotation = *odl_annotations_at (held, i);
    if (holder != ODL_HOLDER_SOURCE) {
      if (is_hidden (&annotation))
        continue;
      annotation.frame = holder;
    }
    if (!has (others, &annotation))
      all = add (all, &annotation, held);
  }
  return all;
}

OdlAnnotations *
odl_held_with_hidden (OdlAnnotations *held, OdlAnnotations *before)
{
  for (int i = 0; i < odl_annotations_count (before); i++) {
    const OdlAnnotation *annotation = odl_annotations_at (before, i);
    if (is_hidden (annotation))
      held = add (held, annotation, before);
  }
  return held;
}
