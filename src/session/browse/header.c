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

typedef struct {
  char *path;
  bool hides_names;
} Job;

static void
job_free (void *data)
{
  Job *job = data;

  g_free (job->path);
  g_free (job);
}

static void
load_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  OdlReport *report = odl_report_read (job->path, job->hides_names, cancellable, &error);

  if (report)
    g_task_return_pointer (task, report, (GDestroyNotify) odl_report_free);
  else
    g_task_return_error (task, error);
}

void
odl_report_load (const char *path,
                 bool hides_names,
                 GCancellable *cancellable,
                 GAsyncReadyCallback cb,
                 void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  Job *job = g_new (Job, 1);

  *job = (Job){ g_strdup (path), hides_names };
  g_task_set_source_tag (task, odl_report_load);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, load_thread);
}

OdlReport *
odl_report_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
