// SPDX-License-Identifier: MIT
#include "session/save/beside.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "image/annotation/kept.h"
#include "output/output.h"
#include "source/beside.h"
#include "source/source_file.h"

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

bool
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
