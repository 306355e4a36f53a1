// SPDX-License-Identifier: MIT
#include "base/stages.h"

#include "base/error.h"
#include "base/thread.h"

// A bounded queue between two stages.
typedef struct {
  void *items[ODL_STAGES_WAITING];
  int first, n;
  bool ended; // no more items will be put
} Queue;

typedef struct {
  const OdlStages *stages;
  GMutex mutex; // guards all that follows
  GCond changed;
  Queue read;
  Queue worked;
  bool stopping; // stop all stages
  GError *error; // the first one
} Run;

// ---- With the mutex held ----

static void
stop (Run *run, GError *error)
{
  run->stopping = true;
  if (run->error != NULL)
    g_clear_error (&error);
  else
    run->error = error;
  g_cond_broadcast (&run->changed);
}

// False when the run is stopping: the caller keeps the item.
static bool
put (Run *run, Queue *queue, void *item)
{
  while (!run->stopping && queue->n == ODL_STAGES_WAITING)
    g_cond_wait (&run->changed, &run->mutex);
  if (run->stopping)
    return false;
  queue->items[(queue->first + queue->n++) % ODL_STAGES_WAITING] = item;
  g_cond_broadcast (&run->changed);
  return true;
}

static void
end (Run *run, Queue *queue)
{
  queue->ended = true;
  g_cond_broadcast (&run->changed);
}

// NULL at the end.
static void *
take (Run *run, Queue *queue)
{
  while (!run->stopping && queue->n == 0 && !queue->ended)
    g_cond_wait (&run->changed, &run->mutex);
  if (run->stopping || queue->n == 0)
    return NULL;
  void *item = queue->items[queue->first];
  queue->first = (queue->first + 1) % ODL_STAGES_WAITING;
  queue->n--;
  g_cond_broadcast (&run->changed);
  return item;
}

static void
empty (Queue *queue, GDestroyNotify free_item)
{
  for (; queue->n > 0; queue->n--) {
    free_item (queue->items[queue->first]);
    queue->first = (queue->first + 1) % ODL_STAGES_WAITING;
  }
}

// ---- The threads ----

static void *
read_thread (void *data)
{
  Run *run = data;
  const OdlStages *stages = run->stages;
  GError *error = NULL;
  bool wanted = true;

  while (wanted) {
    void *item = stages->read (stages->data, &error);
    if (item == NULL)
      break;
    g_mutex_lock (&run->mutex);
    wanted = put (run, &run->read, item);
    g_mutex_unlock (&run->mutex);
    if (!wanted)
      stages->free_read (item);
  }
  g_mutex_lock (&run->mutex);
  // Items read before the error are still written; then it is reported.
  if (error != NULL && run->error == NULL)
    run->error = error;
  else
    g_clear_error (&error);
  end (run, &run->read);
  g_mutex_unlock (&run->mutex);
  return NULL;
}

static void *
write_thread (void *data)
{
  Run *run = data;
  const OdlStages *stages = run->stages;
  void *item;

  g_mutex_lock (&run->mutex);
  while ((item = take (run, &run->worked)) != NULL) {
    GError *error = NULL;
    g_mutex_unlock (&run->mutex);
    bool done = stages->write (stages->data, item, &error);
    g_mutex_lock (&run->mutex);
    if (!done)
      stop (run, error);
  }
  g_mutex_unlock (&run->mutex);
  return NULL;
}

static void
work (Run *run)
{
  const OdlStages *stages = run->stages;
  void *item;

  g_mutex_lock (&run->mutex);
  while ((item = take (run, &run->read)) != NULL) {
    GError *error = NULL;
    g_mutex_unlock (&run->mutex);
    void *worked = stages->work (stages->data, item, &error);
    g_mutex_lock (&run->mutex);
    if (worked == NULL)
      stop (run, error);
    else if (!put (run, &run->worked, worked))
      stages->free_worked (worked);
  }
  end (run, &run->worked);
  g_mutex_unlock (&run->mutex);
}

static void
cancelled_cb (GCancellable *cancellable, void *data)
{
  Run *run = data;

  g_mutex_lock (&run->mutex);
  stop (run, g_error_new_literal (ODL_ERROR, ODL_ERROR_CANCELLED, "cancelled"));
  g_mutex_unlock (&run->mutex);
}

// NULL: there is none, and all stages stop.
static GThread *
new_thread (Run *run, const char *name, GThreadFunc function)
{
  GError *error = NULL;
  GThread *thread = odl_thread_new (name, function, run, &error);

  if (thread != NULL)
    return thread;
  g_mutex_lock (&run->mutex);
  stop (run, error);
  g_mutex_unlock (&run->mutex);
  return NULL;
}

bool
odl_stages_run (const OdlStages *stages, GCancellable *cancellable, GError **error)
{
  Run run = { .stages = stages };

  g_mutex_init (&run.mutex);
  g_cond_init (&run.changed);
  gulong handler
      = cancellable != NULL
            ? g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), &run, NULL)
            : 0;
  GThread *reader = new_thread (&run, "stage-read", read_thread);
  GThread *writer = new_thread (&run, "stage-write", write_thread);
  work (&run);
  odl_thread_join (writer);
  odl_thread_join (reader);
  if (handler != 0)
    g_cancellable_disconnect (cancellable, handler);
  empty (&run.read, stages->free_read);
  empty (&run.worked, stages->free_worked);
  g_mutex_clear (&run.mutex);
  g_cond_clear (&run.changed);
  if (run.error == NULL)
    return true;
  g_propagate_error (error, run.error);
  return false;
}
