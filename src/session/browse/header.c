// SPDX-License-Identifier: MIT
#include "session/browse/header.h"

#include "source/header_text.h"

typedef struct {
  char *path;
  char *kind;
} Wanted;

static void
wanted_free (void *data)
{
  Wanted *wanted = data;
  g_free (wanted->path);
  g_free (wanted->kind);
  g_free (wanted);
}

static void
read_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  const Wanted *wanted = data;
  GError *error = NULL;
  char *text = odl_header_text_read (wanted->kind, wanted->path, cancellable, &error);
  if (text)
    g_task_return_pointer (task, text, g_free);
  else
    g_task_return_error (task, error);
}

void
odl_header_read (const char *path,
                 const char *kind,
                 GCancellable *cancellable,
                 GAsyncReadyCallback cb,
                 void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  g_task_set_source_tag (task, odl_header_read);
  Wanted *wanted = g_new (Wanted, 1);
  *wanted = (Wanted){ g_strdup (path), g_strdup (kind) };
  g_task_set_task_data (task, wanted, wanted_free);
  g_task_run_in_thread (task, read_thread);
}

char *
odl_header_read_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
