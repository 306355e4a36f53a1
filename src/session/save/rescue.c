// SPDX-License-Identifier: MIT
#include "session/save/rescue.h"

typedef struct {
  OdlRescueListCb list_cb;
  OdlRescueCb cb;
  void *data;
} Asked;

static Asked *
asked_new (OdlRescueListCb list_cb, OdlRescueCb cb, void *data)
{
  Asked *asked = g_new (Asked, 1);
  *asked = (Asked){ list_cb, cb, data };
  return asked;
}

static void
list_thread (GTask *task, void *source, void *data, GCancellable *cancellable)
{
  g_task_return_pointer (task, odl_unfinished_list (),
                         (GDestroyNotify) g_ptr_array_unref);
}

static void
listed_cb (GObject *source, GAsyncResult *result, void *data)
{
  g_autofree Asked *asked = data;
  g_autoptr (GPtrArray) list = g_task_propagate_pointer (G_TASK (result), NULL);
  asked->list_cb (list, asked->data);
}

void
odl_rescue_list (OdlRescueListCb cb, void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, listed_cb, asked_new (cb, NULL, data));
  g_task_run_in_thread (task, list_thread);
}

static void
finish_thread (GTask *task, void *source, void *data, GCancellable *cancellable)
{
  GError *error = NULL;
  char *path = odl_unfinished_finish (data, &error);
  if (path)
    g_task_return_pointer (task, path, g_free);
  else
    g_task_return_error (task, error);
}

static void
finished_cb (GObject *source, GAsyncResult *result, void *data)
{
  g_autofree Asked *asked = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_task_propagate_pointer (G_TASK (result), &error);
  asked->cb (path, error, asked->data);
}

void
odl_rescue_finish (const OdlUnfinished *unfinished, OdlRescueCb cb, void *data)
{
  g_autoptr (GTask) task
      = g_task_new (NULL, NULL, finished_cb, asked_new (NULL, cb, data));
  g_task_set_task_data (task, odl_unfinished_copy (unfinished),
                        (GDestroyNotify) odl_unfinished_free);
  g_task_run_in_thread (task, finish_thread);
}
