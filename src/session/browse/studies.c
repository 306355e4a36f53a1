// SPDX-License-Identifier: MIT
#include "session/browse/studies.h"

static void
list_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  GError *error = NULL;
  char *note = NULL;
  GPtrArray *list = odl_studies_read (data, &note, cancellable, &error);
  g_object_set_data_full (G_OBJECT (task), "odl-note", note, g_free);
  if (list)
    g_task_return_pointer (task, list, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
odl_studies_list (const char *path,
                  GCancellable *cancellable,
                  GAsyncReadyCallback cb,
                  void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  g_task_set_source_tag (task, odl_studies_list);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, list_thread);
}

GPtrArray *
odl_studies_list_finish (GAsyncResult *result, const char **note, GError **error)
{
  *note = g_object_get_data (G_OBJECT (result), "odl-note");
  return g_task_propagate_pointer (G_TASK (result), error);
}
