// SPDX-License-Identifier: MIT
#include "cli/process/at_once.h"

#include <glib/gstdio.h>

#include "base/parallel.h"
#include "base/thread.h"
#include "cli/process/still.h"
#include "cli/verb.h"
#include "source/helper/fork_server.h"

// Of the memory for pictures, in files as large as the largest one: what is read, worked
// on and written at the same time.
#define FILES_IN_MEMORY 2

typedef struct {
  GString *said; // its messages, until those before it are out
  bool failed, done;
  gint64 marked;
} Item;

typedef bool (*Run) (OdlProcess *task, const OdlJob *job, gint64 *marked, GError **error);

typedef struct {
  OdlProcess *task;
  Run run;
  GMutex mutex;
  Item *items;
  guint next; // to be begun
  guint told; // all before it are done, and their messages are out
} AtOnce;

typedef struct {
  AtOnce *all;
  OdlProcess task; // a copy with a runner of its own
  guint first; // input that it begins with
  int n_threads; // of its loops
} Worker;

bool
odl_at_once_is_possible (const OdlProcess *task)
{
  if (!task->work.format->is_dicom || task->n_jobs == 1 || task->jobs->len < 2
      || task->progress || task->tell_what_remains
      || odl_runner_needs_gl (task->run.runner))
    return false;
  for (guint i = 0; i < task->jobs->len; i++) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i);
    if (!g_file_test (job->input, G_FILE_TEST_IS_REGULAR))
      return false;
  }
  return true;
}

static guint
count_workers (const OdlProcess *task)
{
  double largest = 1;

  for (guint i = 0; i < task->jobs->len; i++) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i);
    GStatBuf status;
    if (g_stat (job->input, &status) == 0)
      largest = MAX (largest, (double) status.st_size);
  }
  const double each = FILES_IN_MEMORY * odl_still_cost_of_file (largest);
  const double most = MIN (task->n_jobs, (double) task->jobs->len);
  return (guint) CLAMP (task->budget / each, 1, most);
}

static void
run_one (Worker *worker, guint i)
{
  Item *item = &worker->all->items[i];
  const OdlJob *job = g_ptr_array_index (worker->task.jobs, i);
  g_autoptr (GError) error = NULL;

  odl_report_hold (item->said);
  odl_runner_expect (worker->task.run.runner, (int) (worker->task.jobs->len - i) - 1);
  item->failed = !worker->all->run (&worker->task, job, &item->marked, &error);
  if (item->failed)
    odl_process_report_failure (&worker->task, job, error);
  odl_report_hold (NULL);
}

// What was said by all that are done, up to the first one that is not.
static void
tell (AtOnce *all, guint done)
{
  g_mutex_lock (&all->mutex);
  all->items[done].done = true;
  while (all->told < all->task->jobs->len && all->items[all->told].done) {
    odl_process_show_progress (all->task, all->told);
    g_printerr ("%s", all->items[all->told].said->str);
    all->told++;
  }
  g_mutex_unlock (&all->mutex);
}

static void *
work (void *data)
{
  Worker *worker = data;
  AtOnce *all = worker->all;

  odl_parallel_set_threads (worker->n_threads);
  for (guint i = worker->first; i < all->task->jobs->len;) {
    run_one (worker, i);
    tell (all, i);
    g_mutex_lock (&all->mutex);
    i = all->next++;
    g_mutex_unlock (&all->mutex);
  }
  return NULL;
}

// How many of them have an engine; there is one at least, the task's own.
static guint
prepare (AtOnce *all, Worker *workers, guint n)
{
  for (guint i = 0; i < n; i++) {
    workers[i] = (Worker){ .all = all, .task = *all->task, .first = i };
    workers[i].task.at_once = n > 1;
    if (i == 0)
      continue;
    workers[i].task.run.runner = odl_runner_new_like (all->task->run.runner, NULL);
    if (workers[i].task.run.runner == NULL)
      return i;
  }
  return n;
}

static guint
add_up (const AtOnce *all, gint64 *marked)
{
  guint failed = 0;

  for (guint i = 0; i < all->task->jobs->len; i++) {
    failed += all->items[i].failed ? 1 : 0;
    *marked += all->items[i].marked;
    g_string_free (all->items[i].said, TRUE);
  }
  return failed;
}

guint
odl_at_once_run (OdlProcess *task, Run run, gint64 *marked)
{
  const guint wanted = count_workers (task);
  g_autofree Item *items = g_new0 (Item, task->jobs->len);
  g_autofree Worker *workers = g_new0 (Worker, wanted);
  g_autofree GThread **threads = g_new0 (GThread *, wanted);
  AtOnce all = { .task = task, .run = run, .items = items };

  g_mutex_init (&all.mutex);
  for (guint i = 0; i < task->jobs->len; i++)
    items[i].said = g_string_new (NULL);
  const guint n = prepare (&all, workers, wanted);
  all.next = n;
  odl_fork_server_open ();
  for (guint i = 0; i < n; i++) {
    workers[i].n_threads = MAX (odl_parallel_threads () / (int) n, 1);
    threads[i] = odl_thread_or_here ("at-once", work, &workers[i]);
  }
  for (guint i = 0; i < n; i++)
    odl_thread_join (threads[i]);
  odl_fork_server_close ();
  for (guint i = 1; i < n; i++)
    odl_runner_free (workers[i].task.run.runner);
  g_mutex_clear (&all.mutex);
  return add_up (&all, marked);
}
