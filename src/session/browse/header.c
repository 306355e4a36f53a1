// SPDX-License-Identifier: MIT
#include "session/browse/header.h"

#include <string.h>

#include "base/text.h"
#include "source/header_text.h"
#include "source/source_file.h"

extern const OdlSourceClass odl_hdf5_source;

#define MAX_ARRAYS 64

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

static bool
is_hdf5 (const char *path)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n = 0;

  return odl_source_file_read_head (path, head, &n, NULL)
         && odl_hdf5_source.probe (path, head, n);
}

// "12×160×128 float": at least two sides of more than one number.
static bool
can_be_picture (const char *what)
{
  int n_long = 0;

  for (const char *at = what; g_ascii_isdigit (*at);) {
    char *end = NULL;
    n_long += g_ascii_strtoull (at, &end, 10) > 1;
    at = g_str_has_prefix (end, "×") ? end + strlen ("×") : end;
  }
  return n_long >= 2;
}

// Of the lines of its text (depth, …, name, what it is).
static GStrv
find_arrays (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GPtrArray *found = g_ptr_array_new ();

  for (char **line = lines; *line && found->len < 2 * MAX_ARRAYS; line++) {
    g_auto (GStrv) parts = g_strsplit (*line, "\t", 5);
    if (g_strv_length (parts) < 5 || parts[3][0] != '/' || !can_be_picture (parts[4]))
      continue;
    g_ptr_array_add (found, g_strdup (parts[3]));
    g_ptr_array_add (found, g_strdup (parts[4]));
  }
  g_ptr_array_add (found, NULL);
  return (GStrv) g_ptr_array_free (found, FALSE);
}

static void
arrays_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  g_autofree char *text
      = is_hdf5 (data) ? odl_header_text_read ("hdf5", data, cancellable, NULL) : NULL;

  g_task_return_pointer (task, text ? find_arrays (text) : NULL,
                         (GDestroyNotify) g_strfreev);
}

void
odl_arrays_load (const char *location,
                 GCancellable *cancellable,
                 GAsyncReadyCallback cb,
                 void *data)
{
  const size_t inner
      = g_file_test (location, G_FILE_TEST_EXISTS) ? 0 : odl_text_before_inner (location);
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);

  g_task_set_source_tag (task, odl_arrays_load);
  g_task_set_task_data (
      task, inner > 0 ? g_strndup (location, inner) : g_strdup (location), g_free);
  g_task_run_in_thread (task, arrays_thread);
}

GStrv
odl_arrays_load_finish (GAsyncResult *result)
{
  GStrv arrays = g_task_propagate_pointer (G_TASK (result), NULL);

  if (arrays && !arrays[0])
    g_clear_pointer (&arrays, g_strfreev);
  return arrays;
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
