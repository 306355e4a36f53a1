// SPDX-License-Identifier: MIT
#include "session/browse/folder.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "source/sequence.h"
#include "source/dicom/series.h"
#include "source/dicom/studies.h"

typedef struct {
  char *key; // "a2" before "a10", whatever the case
  char *path;
} Entry;

// The table of a disc comes first, before pictures that its viewer has beside it.
static char *
sort_key (const char *name)
{
  return odl_studies_is_table (name) ? g_strdup ("") : odl_sequence_sort_key (name);
}

static void
entry_clear (void *data)
{
  Entry *entry = data;
  g_free (entry->key);
  g_free (entry->path);
}

static int
entry_compare (const void *a, const void *b)
{
  return strcmp (((const Entry *) a)->key, ((const Entry *) b)->key);
}

static GStrv
list_folder (const char *folder, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &cause);
  if (!dir)
    return odl_error_null (
        error, ODL_ERROR_IO,
        _ ("The folder “%s” cannot be read: %s. Choose another folder."), folder,
        cause->message);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (entries, entry_clear);
  const char *name;
  while ((name = g_dir_read_name (dir)) && entries->len < ODL_FOLDER_MAX_FILES
         && !g_cancellable_is_cancelled (cancellable)) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    // Folders, pipes and devices are excluded, whatever their names.
    if (name[0] == '.' || !odl_source_is_candidate (path)
        || (g_file_test (path, G_FILE_TEST_EXISTS)
            && !g_file_test (path, G_FILE_TEST_IS_REGULAR)))
      continue;
    Entry entry = { sort_key (name), g_steal_pointer (&path) };
    g_array_append_val (entries, entry);
  }
  g_array_sort (entries, entry_compare);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  for (guint i = 0; i < entries->len; i++)
    g_strv_builder_add (builder, g_array_index (entries, Entry, i).path);
  return g_strv_builder_end (builder);
}

typedef struct {
  char *folder;
  bool finds_dicom;
  GStrv paths; // NULL: not listed yet
  bool has_dicom;
} Listing;

static void
listing_free (void *data)
{
  Listing *listing = data;
  g_free (listing->folder);
  g_strfreev (listing->paths);
  g_free (listing);
}

static bool
has_dicom (const GStrv paths, GCancellable *cancellable)
{
  for (char **path = paths; *path && !g_cancellable_is_cancelled (cancellable); path++)
    if (odl_studies_is_table (*path) || odl_studies_is_dicom (*path))
      return true;
  return false;
}

static void
list_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  Listing *listing = data;
  GError *error = NULL;
  listing->paths = list_folder (listing->folder, cancellable, &error);
  if (!listing->paths) {
    g_task_return_error (task, error);
    return;
  }
  listing->has_dicom = listing->finds_dicom && has_dicom (listing->paths, cancellable);
  g_task_return_boolean (task, TRUE);
}

void
odl_folder_list (const char *folder,
                 bool finds_dicom,
                 GCancellable *cancellable,
                 GAsyncReadyCallback cb,
                 void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  Listing *listing = g_new0 (Listing, 1);
  listing->folder = g_strdup (folder);
  listing->finds_dicom = finds_dicom;
  g_task_set_source_tag (task, odl_folder_list);
  g_task_set_task_data (task, listing, listing_free);
  g_task_run_in_thread (task, list_thread);
}

GStrv
odl_folder_list_finish (GAsyncResult *result, bool *has_dicom, GError **error)
{
  Listing *listing = g_task_get_task_data (G_TASK (result));
  const bool listed = g_task_propagate_boolean (G_TASK (result), error);
  if (has_dicom)
    *has_dicom = listed && listing->has_dicom;
  return listed ? g_steal_pointer (&listing->paths) : NULL;
}

int
odl_folder_compare (const char *path, const char *other)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *other_name = g_path_get_basename (other);
  g_autofree char *key = sort_key (name);
  g_autofree char *other_key = sort_key (other_name);
  return strcmp (key, other_key);
}

char *
odl_folder_sequence_of (const char *path)
{
  return odl_sequence_location (path, 0);
}

char *
odl_folder_series_of (const char *path)
{
  return odl_series_location (path);
}

const char *
odl_folder_file_of_series (const char *location)
{
  return odl_series_path (location);
}
