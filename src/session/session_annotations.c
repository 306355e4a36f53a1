// SPDX-License-Identifier: MIT
// What is drawn over the source in place, and over those before it.
#include "session/session_private.h"

void
odl_session_keep_annotations (OdlSession *self)
{
  OdlAnnotations *annotations = odl_session_annotations (self);
  // The next frame of a camera shows something else.
  if (!self->source || self->source->info.capture)
    return;
  if (!self->annotated)
    self->annotated = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                             (GDestroyNotify) odl_annotations_unref);
  const char *location = self->source->info.location;
  if (odl_annotations_count (annotations) > 0)
    g_hash_table_insert (self->annotated, g_strdup (location),
                         odl_annotations_ref (annotations));
  else
    g_hash_table_remove (self->annotated, location);
}

OdlAnnotations *
odl_session_kept_annotations (OdlSession *self)
{
  return self->annotated && self->source
             ? g_hash_table_lookup (self->annotated, self->source->info.location)
             : NULL;
}

OdlAnnotations *
odl_session_annotations (OdlSession *self)
{
  return odl_history_annotations (&self->history);
}

void
odl_session_tell_annotations (OdlSession *self)
{
  g_signal_emit_by_name (self, "annotations-changed");
}

void
odl_session_annotate (OdlSession *self, const OdlAnnotation *annotation, const char *tag)
{
  if (!self->image)
    return;
  const OdlExtent extent = odl_image_info (self->image)->extent;
  OdlAnnotations *before = odl_session_annotations (self);
  g_autoptr (OdlAnnotations) base = odl_annotations_fit (before, extent.x, extent.y)
                                        ? odl_annotations_ref (before)
                                        : odl_annotations_new (extent.x, extent.y);
  g_autoptr (OdlAnnotations) after = odl_annotations_with (base, annotation);
  odl_history_annotate (&self->history, after, tag, g_get_monotonic_time () / 1000);
  odl_session_tell_annotations (self);
}

void
odl_session_remove_annotation (OdlSession *self, unsigned id)
{
  OdlAnnotations *before = odl_session_annotations (self);
  if (!odl_annotations_find (before, id))
    return;
  g_autoptr (OdlAnnotations) after = odl_annotations_without (before, id);
  odl_history_annotate (&self->history, after, NULL, g_get_monotonic_time () / 1000);
  odl_session_tell_annotations (self);
}
