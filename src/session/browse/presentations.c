// SPDX-License-Identifier: MIT
#include "session/browse/presentations.h"

static void
list_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  g_task_return_pointer (task, odl_presentations_find (data, cancellable),
                         (GDestroyNotify) g_ptr_array_unref);
}

void
odl_presentations_list (const char *path,
                        GCancellable *cancellable,
                        GAsyncReadyCallback cb,
                        void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  g_task_set_source_tag (task, odl_presentations_list);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, list_thread);
}

GPtrArray *
odl_presentations_list_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
