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

void
odl_presentation_subject_free (OdlPresentationSubject *subject)
{
  g_free (subject->picture);
  g_free (subject->file);
  g_free (subject);
}

static void
subject_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  g_autofree char *text = odl_presentation_read (data, cancellable, NULL);
  g_autoptr (GPtrArray) pictures = odl_presentation_pictures (text ? text : "");
  OdlPresentationSubject *subject = g_new0 (OdlPresentationSubject, 1);

  subject->n_pictures = (int) pictures->len;
  if (pictures->len > 0) {
    subject->picture = g_strdup (pictures->pdata[0]);
    subject->file = odl_presentation_find_picture (data, subject->picture, cancellable);
  }
  g_task_return_pointer (task, subject, (GDestroyNotify) odl_presentation_subject_free);
}

void
odl_presentation_subject_find (const char *path,
                               GCancellable *cancellable,
                               GAsyncReadyCallback cb,
                               void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  g_task_set_source_tag (task, odl_presentation_subject_find);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, subject_thread);
}

OdlPresentationSubject *
odl_presentation_subject_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
