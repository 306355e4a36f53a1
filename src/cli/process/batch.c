// SPDX-License-Identifier: MIT
#include "cli/process/batch.h"

#include <glib/gstdio.h>

#include "base/thread.h"
#include "cli/process/still.h"
#include "cli/verb.h"
#include "source/helper/fork_server.h"

// Threads per job: while one waits for its turn or for the disk, another one decodes.
#define THREADS_PER_JOB 2

typedef enum {
  WAITING,
  DECODED,
  FILTERED, // or failed
  DONE, // written, or failed
} State;

typedef struct {
  State state;
  OdlStill still;
  GString *said;
  bool failed;
  gint64 marked;
  double cost; // bytes of the budget that it holds, or will take
} Item;

typedef struct {
  OdlProcess *task;
  GMutex mutex;
  GCond changed;
  Item *items;
  guint n;
  guint next; // to be decoded
  guint oldest; // all before it are done and reported
  double used; // of the budget
  double largest; // cost of a picture so far
} Batch;

bool
odl_batch_is_parallel (const OdlProcess *task)
{
  if (task->n_jobs == 1 || task->jobs->len < 2 || odl_process_is_moving (task)
      || task->work.rendering != NULL || task->work.plane != NULL
      || odl_recipe_is_temporal (&task->run.recipe))
    return false;
  for (guint i = 0; i < task->jobs->len; i++) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i);
    if (!g_file_test (job->input, G_FILE_TEST_IS_REGULAR))
      return false;
  }
  return true;
}

// ---- Memory ----

// The estimated cost, when only the file is known.
static double
expected_cost (const Batch *batch, guint i)
{
  const OdlJob *job = g_ptr_array_index (batch->task->jobs, i);
  GStatBuf status;

  return MAX (batch->largest, g_stat (job->input, &status) == 0
                                  ? odl_still_cost_of_file ((double) status.st_size)
                                  : 0);
}

// Waits until the budget has room for item `i`, or until all items before it are done.
static void
wait_for_room (Batch *batch, guint i, double cost)
{
  while (batch->used + cost > batch->task->budget && batch->oldest < i)
    g_cond_wait (&batch->changed, &batch->mutex);
  batch->used += cost;
  batch->items[i].cost = cost;
}

static void
give_back (Batch *batch, Item *item)
{
  batch->used -= item->cost;
  item->cost = 0;
  g_cond_broadcast (&batch->changed);
}

// Corrects the estimate once the picture is decoded. False: there is no room for it.
static bool
settle (Batch *batch, guint i)
{
  Item *item = &batch->items[i];
  const double cost = odl_still_cost (&item->still);

  give_back (batch, item);
  batch->largest = MAX (batch->largest, cost);
  if (batch->used + cost > batch->task->budget && batch->oldest < i) {
    item->cost = cost;
    return false;
  }
  batch->used += cost;
  item->cost = cost;
  return true;
}

// ---- One picture ----

static void
fail (Batch *batch, guint i, const GError *error)
{
  odl_process_report_failure (batch->task, g_ptr_array_index (batch->task->jobs, i),
                              error);
  batch->items[i].failed = true;
}

// A picture that turns out to be too large is dropped and decoded again when there is
// room; otherwise several threads could exceed the budget at the same time.
static void
decode (Batch *batch, guint i)
{
  Item *item = &batch->items[i];
  const OdlJob *job = g_ptr_array_index (batch->task->jobs, i);
  double cost = -1;

  for (;;) {
    g_autoptr (GError) error = NULL;

    g_mutex_lock (&batch->mutex);
    wait_for_room (batch, i, cost < 0 ? expected_cost (batch, i) : cost);
    g_mutex_unlock (&batch->mutex);
    g_string_truncate (item->said, 0);
    odl_report_hold (item->said);
    if (!odl_process_check_output (batch->task, job->output, &error)
        || !odl_still_read (batch->task, job, &item->still, &error))
      fail (batch, i, error);
    odl_report_hold (NULL);

    g_mutex_lock (&batch->mutex);
    const bool settled = item->failed || settle (batch, i);
    cost = item->cost;
    if (!settled)
      item->cost = 0;
    g_mutex_unlock (&batch->mutex);
    if (settled)
      return;
    odl_still_clear (&item->still);
  }
}

static void
filter (Batch *batch, guint i)
{
  Item *item = &batch->items[i];
  g_autoptr (GError) error = NULL;

  const OdlJob *job = g_ptr_array_index (batch->task->jobs, i);

  odl_report_hold (item->said);
  odl_process_begin (batch->task, job->input);
  odl_runner_begin (batch->task->run.runner);
  odl_runner_expect (batch->task->run.runner, (int) (batch->n - i) - 1);
  if (!odl_still_filter (batch->task, job, &item->still, true, &error))
    fail (batch, i, error);
  odl_report_hold (NULL);
}

static void
write_it (Batch *batch, guint i)
{
  Item *item = &batch->items[i];
  g_autoptr (GError) error = NULL;

  odl_report_hold (item->said);
  if (!odl_still_write (batch->task, g_ptr_array_index (batch->task->jobs, i),
                        &item->still, &item->marked, &error))
    fail (batch, i, error);
  odl_report_hold (NULL);
}

// ---- All of them ----

static void
reach (Batch *batch, guint i, State state)
{
  g_mutex_lock (&batch->mutex);
  batch->items[i].state = state;
  g_cond_broadcast (&batch->changed);
  g_mutex_unlock (&batch->mutex);
}

static void
wait_for (Batch *batch, guint i, State state)
{
  g_mutex_lock (&batch->mutex);
  while (batch->items[i].state < state)
    g_cond_wait (&batch->changed, &batch->mutex);
  g_mutex_unlock (&batch->mutex);
}

// Prints the messages that were held back, up to the first item that is not done.
static void
finish (Batch *batch, guint i)
{
  Item *item = &batch->items[i];

  odl_still_clear (&item->still);
  g_mutex_lock (&batch->mutex);
  item->state = DONE;
  while (batch->oldest < batch->n && batch->items[batch->oldest].state == DONE) {
    odl_process_show_progress (batch->task, batch->oldest);
    g_printerr ("%s", batch->items[batch->oldest].said->str);
    batch->oldest++;
  }
  give_back (batch, item);
  g_mutex_unlock (&batch->mutex);
}

static void
put_away (Batch *batch, guint i)
{
  if (!batch->items[i].failed)
    write_it (batch, i);
  finish (batch, i);
}

static void *
work (void *data)
{
  Batch *batch = data;

  for (;;) {
    g_mutex_lock (&batch->mutex);
    const guint i = batch->next;
    batch->next += i < batch->n ? 1 : 0;
    g_mutex_unlock (&batch->mutex);
    if (i == batch->n)
      return NULL;
    decode (batch, i);
    reach (batch, i, DECODED);
    wait_for (batch, i, FILTERED);
    put_away (batch, i);
  }
}

static guint
add_up (Batch *batch, gint64 *marked)
{
  guint failed = 0;

  for (guint i = 0; i < batch->n; i++) {
    failed += batch->items[i].failed ? 1 : 0;
    *marked += batch->items[i].marked;
    g_string_free (batch->items[i].said, TRUE);
  }
  return failed;
}

guint
odl_batch_run (OdlProcess *task, gint64 *marked)
{
  const guint n = task->jobs->len;
  const guint most_threads = MIN (n, (guint) task->n_jobs * THREADS_PER_JOB);
  g_autofree Item *items = g_new0 (Item, n);
  g_autofree GThread **threads = g_new0 (GThread *, most_threads);
  Batch batch = { .task = task, .items = items, .n = n };
  guint n_threads = 0;

  g_mutex_init (&batch.mutex);
  g_cond_init (&batch.changed);
  for (guint i = 0; i < n; i++)
    items[i].said = g_string_new (NULL);
  odl_fork_server_open ();
  while (n_threads < most_threads
         && (threads[n_threads] = odl_thread_new ("batch", work, &batch, NULL)))
    n_threads++;
  for (guint i = 0; i < n; i++) {
    if (n_threads == 0)
      decode (&batch, i);
    else
      wait_for (&batch, i, DECODED);
    if (!items[i].failed)
      filter (&batch, i);
    reach (&batch, i, FILTERED);
    if (n_threads == 0)
      put_away (&batch, i);
  }
  for (guint i = 0; i < n_threads; i++)
    g_thread_join (threads[i]);
  odl_fork_server_close ();
  g_cond_clear (&batch.changed);
  g_mutex_clear (&batch.mutex);
  return add_up (&batch, marked);
}
