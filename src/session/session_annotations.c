// SPDX-License-Identifier: MIT
// What is drawn over the source in place, and over those before it.
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "session/annotation_store.h"
#include "session/save/beside.h"
#include "session/session_private.h"
#include "source/beside.h"
#include "source/volume.h"

static GHashTable *
annotated (OdlSession *self)
{
  if (!self->annotated)
    self->annotated = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                             (GDestroyNotify) odl_annotations_unref);
  return self->annotated;
}

// A camera has none, since it shows something else next time.
void
odl_session_identify (OdlSession *self)
{
  g_free (self->identity);
  self->identity
      = self->source->info.capture ? NULL : odl_annotation_identity (self->source);
}

const char *
odl_session_identity (OdlSession *self)
{
  return self->identity;
}

void
odl_session_keep_annotations (OdlSession *self)
{
  if (self->identity)
    g_hash_table_insert (annotated (self), g_strdup (self->identity),
                         odl_annotations_ref (odl_session_annotations (self)));
}

OdlAnnotations *
odl_session_kept_annotations (OdlSession *self)
{
  if (!self->identity)
    return NULL;
  if (!g_hash_table_contains (annotated (self), self->identity)
      && odl_annotation_identity_is_file (self->identity)) {
    OdlAnnotations *kept
        = self->stores_annotations ? odl_annotation_store_load (self->identity) : NULL;
    if (!kept)
      kept = odl_beside_load (self->source);
    const OdlImageInfo volume = odl_source_volume_info (self->source, self->image);
    kept = odl_annotations_settle (kept, &volume);
    if (kept)
      g_hash_table_insert (annotated (self), g_strdup (self->identity), kept);
  }
  return g_hash_table_lookup (annotated (self), self->identity);
}

void
odl_session_set_stores_annotations (OdlSession *self, bool stores)
{
  self->stores_annotations = stores;
}

void
odl_session_store_annotations (OdlSession *self)
{
  g_autoptr (GError) error = NULL;
  if (self->stores_annotations && self->identity
      && odl_annotation_identity_is_file (self->identity)
      && !odl_annotation_store_save (self->identity, odl_session_annotations (self),
                                     &error))
    odl_session_say (self, error->message);
  odl_session_tell_annotations (self);
}

bool
odl_session_save_annotations_beside (OdlSession *self, char **path, GError **error)
{
  g_autofree char *now = self->source ? odl_annotation_identity (self->source) : NULL;
  if (now && g_strcmp0 (now, self->identity) == 0)
    return odl_beside_save (self->source, odl_session_annotations (self), path, error);
  return odl_error_set (error, ODL_ERROR_IO,
                        _ ("The picture has changed since it was opened. Open it again, "
                           "and measure what it shows now."));
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
odl_session_annotate (OdlSession *self, const OdlAnnotation *annotation)
{
  g_return_if_fail (annotation != NULL && annotation->kind != NULL);
  if (!self->image)
    return;
  const OdlExtent extent = odl_image_info (self->image)->extent;
  OdlAnnotations *before = odl_session_annotations (self);
  g_autoptr (OdlAnnotations) base = odl_annotations_fit (before, extent.x, extent.y)
                                        ? odl_annotations_ref (before)
                                        : odl_annotations_new (extent.x, extent.y);
  g_autoptr (OdlAnnotations) after = odl_annotations_with (base, annotation);
  odl_history_annotate (&self->history, after, g_get_monotonic_time () / 1000);
  odl_session_store_annotations (self);
}

void
odl_session_remove_annotation (OdlSession *self, unsigned id)
{
  OdlAnnotations *before = odl_session_annotations (self);
  if (!odl_annotations_find (before, id))
    return;
  g_autoptr (OdlAnnotations) after = odl_annotations_without (before, id);
  odl_history_annotate (&self->history, after, g_get_monotonic_time () / 1000);
  odl_session_store_annotations (self);
}
