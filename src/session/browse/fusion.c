// SPDX-License-Identifier: MIT
#include "session/browse/fusion.h"

static void
read_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  GError *error = NULL;
  OdlFusion *fusion = odl_fusion_read (data, cancellable, &error);

  if (fusion)
    g_task_return_pointer (task, fusion, (GDestroyNotify) odl_fusion_unref);
  else
    g_task_return_error (task, error);
}

void
odl_fusion_load (const char *location,
                 GCancellable *cancellable,
                 GAsyncReadyCallback cb,
                 void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);

  g_task_set_source_tag (task, odl_fusion_load);
  g_task_set_task_data (task, g_strdup (location), g_free);
  g_task_run_in_thread (task, read_thread);
}

OdlFusion *
odl_fusion_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
