// SPDX-License-Identifier: MIT
#include "source/dicom/headers.h"

#include <glib/gstdio.h>

#include "base/parallel.h"
#include "base/thread.h"
#include "source/helper/fork_server.h"

// More than processors, since a thread waits while its process is started and ended.
#define PER_PROCESSOR 2
#define MOST_THREADS 16

typedef struct {
  const GPtrArray *paths;
  OdlHeaderFunc read;
  GCancellable *cancellable;
  int next; // path that no thread has taken; atomic
  void **results; // each written by one thread
} Reading;

static void *
read_thread (void *data)
{
  Reading *reading = data;
  int i;

  while (!g_cancellable_is_cancelled (reading->cancellable)
         && (i = g_atomic_int_add (&reading->next, 1)) < (int) reading->paths->len)
    reading->results[i]
        = reading->read (g_ptr_array_index (reading->paths, i), reading->cancellable);
  return NULL;
}

GPtrArray *
odl_headers_read (const GPtrArray *paths, OdlHeaderFunc read, GCancellable *cancellable)
{
  GPtrArray *results = g_ptr_array_new ();
  GThread *threads[MOST_THREADS];
  const guint wanted = (guint) CLAMP (PER_PROCESSOR * odl_parallel_threads (), 1,
                                      MIN (MOST_THREADS, (int) MAX (paths->len, 1)));

  g_ptr_array_set_size (results, (int) paths->len);
  Reading reading = { paths, read, cancellable, 0, results->pdata };
  odl_fork_server_open ();
  for (guint i = 0; i < wanted; i++)
    threads[i] = odl_thread_or_here ("header", read_thread, &reading);
  for (guint i = 0; i < wanted; i++)
    odl_thread_join (threads[i]);
  odl_fork_server_close ();
  return results;
}

char *
odl_header_detail (const OdlSource *source, const char *key)
{
  const char *text = odl_source_detail (source, key);

  return g_strdup (text != NULL ? text : "");
}

bool
odl_header_path_is (const char *path, mode_t kind)
{
  GStatBuf status;

  return g_lstat (path, &status) == 0 && (status.st_mode & S_IFMT) == kind;
}
