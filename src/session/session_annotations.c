// SPDX-License-Identifier: MIT
// What is drawn over the source in place, and over those before it.
#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "image/annotation/annotations.h"
#include "image/annotation/kept.h"
#include "output/output.h"
#include "session/archive/spool.h"
#include "session/annotation_store.h"

#include "session/session_private.h"
#include "source/beside.h"
#include "source/source.h"
#include "source/source_file.h"
#include "source/volume.h"

// Writes what was measured in a file beside it (source/beside.h).

typedef enum { FREE, OURS, FOREIGN } Place;

// A link leads elsewhere, and is nobody's.
static Place
look_at (const char *path, const char *identity)
{
  GStatBuf status;

  if (g_lstat (path, &status) != 0)
    return errno == ENOENT ? FREE : FOREIGN;
  return S_ISREG (status.st_mode) && odl_annotations_read_file (path, identity, NULL)
             ? OURS
             : FOREIGN;
}

static bool
write_text (const char *path, Place place, const char *text, GError **error)
{
  OdlOutput output;
  const bool open = place == OURS ? odl_output_open (NULL, path, &output, error)
                                  : odl_output_open_new (NULL, path, &output, error);

  if (!open)
    return false;
  return odl_output_end (&output, odl_output_write (&output, text, strlen (text), error),
                         error);
}

static bool
take_away (const char *path, Place place, GError **error)
{
  if (place == FREE || g_unlink (path) == 0)
    return true;
  g_autofree char *shown = odl_source_file_display_path (path);
  return odl_error_set (error, ODL_ERROR_IO, _ ("%s cannot be removed: %s"), shown,
                        g_strerror (errno));
}

// What one holder keeps.
typedef struct {
  char *path;
  char *text; // NULL: nothing
  Place place;
} Kept;

static void
kept_clear (void *data)
{
  Kept *kept = data;

  g_free (kept->path);
  g_free (kept->text);
}

static bool
prepare (const OdlSource *source,
         const OdlAnnotations *annotations,
         int64_t holder,
         GArray *all,
         GError **error)
{
  g_autofree char *path = odl_beside_path (source, holder);
  g_autofree char *identity = path ? odl_beside_identity (source, holder) : NULL;
  g_autoptr (OdlAnnotations) before = NULL;

  if (!identity)
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("This picture is no file, or can no longer be read: nothing "
                             "can be kept beside it."));
  OdlAnnotations *now = odl_held_by (source, annotations, holder);
  const Place place = look_at (path, identity);
  if (holder != ODL_HOLDER_SOURCE && place == OURS
      && odl_annotations_read_file (path, identity, &before))
    now = odl_held_with_hidden (now, before);
  g_autoptr (OdlAnnotations) held = now;
  const bool any = odl_annotations_count (held) > 0;
  if (place == FOREIGN && (any || odl_holder_count (source) == 0)) {
    g_autofree char *shown = odl_source_file_display_path (path);
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("%s is there already and does not belong to this picture. "
                             "It stays as it is; move it elsewhere first."),
                          shown);
  }
  const Kept kept = { g_steal_pointer (&path),
                      any ? odl_annotations_to_file_text (held, identity) : NULL, place };
  g_array_append_val (all, kept);
  return true;
}

// Those that hold some of `annotations`, and those that something is kept beside already;
// of a source of one file always itself.
static GHashTable *
find_holders (const OdlSource *source, const OdlAnnotations *annotations)
{
  g_autoptr (GArray) there = odl_beside_holders (source);
  GHashTable *holders = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  const int64_t own = ODL_HOLDER_SOURCE;

  for (int i = 0; i < odl_annotations_count (annotations); i++) {
    const int64_t holder = odl_holder_of (source, odl_annotations_at (annotations, i));
    g_hash_table_add (holders, g_memdup2 (&holder, sizeof holder));
  }
  for (guint i = 0; i < there->len; i++)
    g_hash_table_add (holders,
                      g_memdup2 (&g_array_index (there, int64_t, i), sizeof (int64_t)));
  if (g_hash_table_size (holders) == 0)
    g_hash_table_add (holders, g_memdup2 (&own, sizeof own));
  return holders;
}

// Replaces what was kept there of the same source, of a stack by each of its files
// (source/holder.h); without annotations that is removed. Anything else at a place that
// is needed stays, and then nothing is written: ODL_ERROR_IO, as where one cannot be
// written. *path is a file of those. Transfer full. Blocks.
static bool
odl_beside_save (const OdlSource *source,
                 const OdlAnnotations *annotations,
                 char **path,
                 GError **error)
{
  g_autoptr (GHashTable) holders = find_holders (source, annotations);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Kept));
  GHashTableIter iter;
  void *holder;

  g_array_set_clear_func (all, kept_clear);
  g_hash_table_iter_init (&iter, holders);
  while (g_hash_table_iter_next (&iter, &holder, NULL))
    if (!prepare (source, annotations, *(int64_t *) holder, all, error))
      return false;
  for (guint i = 0; i < all->len; i++) {
    const Kept *kept = &g_array_index (all, Kept, i);
    const bool foreign = kept->place == FOREIGN; // and nothing to be kept there
    if (kept->text ? !write_text (kept->path, kept->place, kept->text, error)
                   : !foreign && !take_away (kept->path, kept->place, error))
      return false;
  }
  *path = g_strdup (g_array_index (all, Kept, 0).path);
  return true;
}

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
  self->identity = self->source->info.capture
                       ? NULL
                       : odl_annotation_identity (self->source, ODL_HOLDER_SOURCE);
}

const char *
odl_session_identity (OdlSession *self)
{
  return self->identity;
}

// What the holder has, from before or from the data folder. False: nothing is known.
static bool
recall (OdlSession *self, int64_t holder, bool from_folder, OdlAnnotations **held)
{
  g_autofree char *identity = holder == ODL_HOLDER_SOURCE
                                  ? g_strdup (self->identity)
                                  : odl_annotation_identity (self->source, holder);

  *held = NULL;
  if (g_hash_table_lookup_extended (annotated (self), identity, NULL, (void **) held)) {
    odl_annotations_ref (*held);
    return true;
  }
  if (from_folder && odl_annotation_identity_is_file (identity))
    *held = odl_annotation_store_load (identity);
  return *held != NULL;
}

// Gives the holder `held`, which may be NULL, in the place of what it has.
static void
hand_over (OdlSession *self, int64_t holder, OdlAnnotations *held)
{
  g_autofree char *identity = holder == ODL_HOLDER_SOURCE
                                  ? g_strdup (self->identity)
                                  : odl_annotation_identity (self->source, holder);
  g_autoptr (OdlAnnotations) before = NULL;
  g_autoptr (GError) error = NULL;

  odl_annotations_ref (held);
  if (holder != ODL_HOLDER_SOURCE
      && recall (self, holder, self->stores_annotations, &before))
    held = odl_held_with_hidden (held, before);
  if (self->stores_annotations && odl_annotation_identity_is_file (identity)
      && !odl_annotation_store_save (identity, held, &error))
    odl_session_say (self, error->message);
  g_hash_table_insert (annotated (self), g_steal_pointer (&identity), held);
}

// Hands over what `holder` holds of `now`, if that differs from what it holds of
// `before`.
static void
hand_over_change (OdlSession *self,
                  int64_t holder,
                  const OdlAnnotations *before,
                  const OdlAnnotations *now)
{
  g_autoptr (OdlAnnotations) old = odl_held_by (self->source, before, holder);
  g_autoptr (OdlAnnotations) held = odl_held_by (self->source, now, holder);
  g_autofree char *old_text = odl_annotations_to_file_text (old, "");
  g_autofree char *text = odl_annotations_to_file_text (held, "");

  if (!g_str_equal (old_text, text))
    hand_over (self, holder, held);
}

static void
hand_over_changes (OdlSession *self, const OdlAnnotations *before, OdlAnnotations *now)
{
  const OdlAnnotations *const sets[] = { before, now };
  g_autoptr (GHashTable) seen
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (size_t s = 0; s < G_N_ELEMENTS (sets); s++)
    for (int i = 0; i < odl_annotations_count (sets[s]); i++) {
      const int64_t holder
          = odl_holder_of (self->source, odl_annotations_at (sets[s], i));
      if (g_hash_table_add (seen, g_memdup2 (&holder, sizeof holder)))
        hand_over_change (self, holder, before, now);
    }
}

void
odl_session_keep_annotations (OdlSession *self)
{
  OdlAnnotations *now = odl_session_annotations (self);

  if (!self->identity || now == self->held)
    return;
  hand_over_changes (self, self->held, now);
  odl_annotations_unref (self->held);
  self->held = odl_annotations_ref (now);
}

// Stacks once kept all of their frames themselves.
static bool
is_of_old (const OdlSession *self, const OdlAnnotations *own)
{
  for (int i = 0; i < odl_annotations_count (own); i++)
    if (odl_holder_of (self->source, odl_annotations_at (own, i)) != ODL_HOLDER_SOURCE)
      return true;
  return false;
}

// What the holders have, else what lies beside their files.
static OdlAnnotations *
gather (OdlSession *self)
{
  const bool from_folder = self->stores_annotations && !odl_annotation_store_is_empty ();
  const bool is_file = odl_annotation_identity_is_file (self->identity)
                       || odl_holder_count (self->source) > 0;
  g_autoptr (OdlAnnotations) own = NULL;
  const bool is_known = recall (self, ODL_HOLDER_SOURCE, from_folder, &own);
  const bool is_old = is_of_old (self, own);
  g_autoptr (OdlAnnotations) beside
      = is_file && !is_old ? odl_beside_load (self->source) : NULL;
  g_autoptr (OdlAnnotations) own_beside
      = odl_held_by (self->source, beside, ODL_HOLDER_SOURCE);
  OdlAnnotations *all
      = odl_held_join (NULL, is_known ? own : own_beside, ODL_HOLDER_SOURCE);

  for (int64_t i = 0; i < odl_holder_count (self->source); i++) {
    g_autoptr (OdlAnnotations) held = NULL;
    if (odl_source_lacks_frame (self->source, i))
      continue;
    if (!recall (self, i, from_folder, &held))
      held = odl_held_by (self->source, beside, i);
    all = odl_held_join (all, held, i);
  }
  if (is_old) {
    g_autoptr (OdlAnnotations) left = odl_held_by (self->source, all, ODL_HOLDER_SOURCE);
    hand_over_changes (self, NULL, all);
    hand_over (self, ODL_HOLDER_SOURCE, left);
  }
  return all;
}

OdlAnnotations *
odl_session_kept_annotations (OdlSession *self)
{
  g_clear_pointer (&self->held, odl_annotations_unref);
  if (!self->identity)
    return NULL;
  const OdlImageInfo volume = odl_source_volume_info (self->source, self->image);
  self->held = odl_annotations_settle (gather (self), &volume);
  return self->held;
}

void
odl_session_set_stores_annotations (OdlSession *self, bool stores)
{
  const bool begins = stores && !self->stores_annotations;

  self->stores_annotations = stores;
  if (begins && self->identity)
    hand_over_changes (self, NULL, odl_session_annotations (self));
}

void
odl_session_store_annotations (OdlSession *self)
{
  odl_session_keep_annotations (self);
  odl_session_tell_annotations (self);
}

bool
odl_session_save_annotations_beside (OdlSession *self, char **path, GError **error)
{
  g_autofree char *now
      = self->source ? odl_annotation_identity (self->source, ODL_HOLDER_SOURCE) : NULL;
  if (odl_spool_holds (odl_session_file (self)))
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("What came from an archive is removed after some days, and "
                             "all beside it. Save the picture elsewhere first."));
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

// The picture that is annotated: that which filters made of beams, where they do.
static const OdlImage *
annotated_picture (const OdlSession *self)
{
  const OdlFrame *seen = self->painted ? self->painted : self->frame;

  return seen && seen->came && seen->source_serial == self->source_serial ? seen->input
                                                                          : self->image;
}

void
odl_session_annotate (OdlSession *self, const OdlAnnotation *annotation)
{
  g_return_if_fail (annotation != NULL && annotation->kind != NULL);
  if (!self->image)
    return;
  const OdlExtent extent = odl_image_info (annotated_picture (self))->extent;
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
