// SPDX-License-Identifier: MIT
#include "session/browse/header.h"

#include "source/dicom/dicom.h"

static void
read_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  GError *error = NULL;
  char *text = odl_dicom_read_header (data, cancellable, &error);
  if (text)
    g_task_return_pointer (task, text, g_free);
  else
    g_task_return_error (task, error);
}

void
odl_header_read (const char *path,
                 GCancellable *cancellable,
                 GAsyncReadyCallback cb,
                 void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  g_task_set_source_tag (task, odl_header_read);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, read_thread);
}

char *
odl_header_read_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
