// SPDX-License-Identifier: MIT
#include "session/browse/keys.h"

#include <string.h>

#include "session/annotation_store.h"
#include "source/dicom/headers.h"
#include "source/dicom/report_text.h"
#include "source/dicom/said.h"

// ---- one file ------------------------------------------------------------------------

// Of a file that has `n_frames`. `named`: what key objects name (odl_report_key).
static int
count_of (const char *instance, int n_frames, GHashTable *named, bool has_stored)
{
  g_autofree char *identity = odl_annotation_identity_of_instance (instance);
  g_autoptr (OdlAnnotations) stored
      = has_stored ? odl_annotation_store_load (identity) : NULL;
  const bool is_named = g_hash_table_contains (named, instance);
  int n = 0;

  if (!stored && g_hash_table_size (named) == 0)
    return 0;
  for (int frame = 0; frame < n_frames; frame++) {
    g_autofree char *key = odl_report_key (instance, frame + 1);
    n += g_hash_table_contains (named, key) || odl_annotations_key (stored, frame);
  }
  return n == 0 && is_named ? 1 : n;
}

// ---- series --------------------------------------------------------------------------

static GHashTable *
names_of (const GPtrArray *list)
{
  GHashTable *named = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < list->len; i++) {
    const OdlSeries *one = list->pdata[i];
    for (guint k = 0;
         one->kind == ODL_SERIES_KEYS && one->instances && k < one->instances->len; k++)
      g_hash_table_add (named, one->instances->pdata[k]);
  }
  return named;
}

void
odl_keys_count (GPtrArray *series)
{
  g_autoptr (GHashTable) named = names_of (series);
  const bool has_stored = !odl_annotation_store_is_empty ();

  for (guint i = 0; i < series->len; i++) {
    OdlSeries *one = series->pdata[i];
    one->n_keys = 0;
    if (one->kind != ODL_SERIES_PICTURES || !one->instances
        || (!has_stored && g_hash_table_size (named) == 0))
      continue;
    for (guint k = 0; k < one->instances->len; k++)
      one->n_keys
          += count_of (one->instances->pdata[k], one->n_frames, named, has_stored);
  }
}

// ---- files ---------------------------------------------------------------------------

static void *
read_header (const char *path, OdlHeaderHelper *helper, GCancellable *cancellable)
{
  return odl_picture_header_read (path, helper, cancellable);
}

static void
list_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  char **paths = data;
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  GHashTable *found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const bool has_stored = !odl_annotation_store_is_empty ();

  for (int i = 0; paths[i]; i++)
    if (odl_studies_is_dicom (paths[i]))
      g_ptr_array_add (all, paths[i]);
  g_autoptr (GHashTable) named = all->len > 0
                                     ? odl_keys_find (all->pdata[0], cancellable)
                                     : g_hash_table_new (g_str_hash, g_str_equal);
  if (!has_stored && g_hash_table_size (named) == 0)
    g_ptr_array_set_size (all, 0);
  g_autoptr (GPtrArray) headers = odl_headers_read (all, read_header, cancellable);
  for (guint i = 0; i < headers->len; i++) {
    OdlPictureHeader *header = headers->pdata[i];
    const char *instance
        = header ? odl_picture_header_text (header, "sop-instance") : NULL;
    const int n = instance ? count_of (instance, odl_picture_header_n_frames (header),
                                       named, has_stored)
                           : 0;
    if (n > 0)
      g_hash_table_insert (found, g_strdup (all->pdata[i]), GINT_TO_POINTER (n));
    g_clear_pointer (&header, odl_picture_header_unref);
  }
  g_task_return_pointer (task, found, (GDestroyNotify) g_hash_table_unref);
}

void
odl_keys_list (char **paths,
               GCancellable *cancellable,
               GAsyncReadyCallback cb,
               void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);

  g_task_set_source_tag (task, odl_keys_list);
  g_task_set_task_data (task, g_strdupv (paths), (GDestroyNotify) g_strfreev);
  g_task_run_in_thread (task, list_thread);
}

GHashTable *
odl_keys_list_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
