// SPDX-License-Identifier: MIT
#include "work/sweep/grid.h"

#include <glib/gi18n-lib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/thread.h"
#include "engine/choice.h"

// Up to so many samples a point for each thread is faster than all threads for a point:
// on two busy cores, in one run, 1.15, 1.13, 0.92 and 1.14 times as fast at 128², 256²,
// 512² and 1024², but 0.87 times at 2048², where the pictures of two points fill the
// cache.
#define SMALL_PICTURE ((size_t) 1 << 20)

// One point on its way from a worker to whoever takes it.
typedef struct {
  gint64 order; // among the points of this run
  OdlGridResult result;
  GError *refusal; // this recipe cannot be computed
  GError *failure; // the run ends
} Computed;

typedef struct {
  const OdlTrial *trial;
  const OdlGridParams *params;
  gint64 points;
  GMutex lock; // of what follows
  gint64 next; // point that may be taken
  gint64 taken;
  bool stopped;
  OdlProgress progress; // of all workers; only whether they are stopped
  GAsyncQueue *results;
  int jobs;
} Grid;

static void
computed_free (void *data)
{
  Computed *computed = data;

  g_clear_error (&computed->refusal);
  g_clear_error (&computed->failure);
  g_free (computed);
}

static bool
is_wanted (const OdlGridParams *params, gint64 point)
{
  return point % params->shards == params->shard
         && (params->wants == NULL || params->wants (point, params->data));
}

static gint64
points_of (const OdlGridParams *params)
{
  return (gint64) odl_axes_points (params->trial->axes);
}

gint64
odl_grid_count (const OdlGridParams *params)
{
  gint64 count = 0;

  for (gint64 point = 0; point < points_of (params); point++)
    count += is_wanted (params, point) ? 1 : 0;
  return count;
}

// The next point that is wanted; false: there is none.
static bool
take (Grid *grid, gint64 *order, gint64 *point)
{
  bool found = false;

  g_mutex_lock (&grid->lock);
  for (; !grid->stopped && !found && grid->next < grid->points; grid->next++)
    if (is_wanted (grid->params, grid->next)) {
      *point = grid->next;
      *order = grid->taken++;
      found = true;
    }
  g_mutex_unlock (&grid->lock);
  return found;
}

static void
stop (Grid *grid)
{
  g_mutex_lock (&grid->lock);
  grid->stopped = true;
  g_mutex_unlock (&grid->lock);
  odl_progress_stop (&grid->progress);
}

static Computed *
compute (const Grid *grid, OdlRunner *runner, gint64 order, gint64 point)
{
  const OdlTrial *trial = grid->trial;
  guint indices[ODL_AXES_MOST];
  Computed *computed = g_new0 (Computed, 1);
  OdlGridResult *result = &computed->result;
  const int64_t begin_ns = odl_clock_now_ns ();
  g_autoptr (GError) error = NULL;

  computed->order = order;
  result->point = point;
  odl_axes_indices (trial->axes, point, indices);
  const OdlRecipe recipe = odl_trial_recipe (trial, indices);
  const bool done = odl_trial_run (trial, runner, &recipe, &result->scores, NULL, &error);
  result->seconds = (double) (odl_clock_now_ns () - begin_ns) / 1e9;
  if (done)
    return computed;
  result->scores = odl_scores_none ();
  if (g_error_matches (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED)
      || g_error_matches (error, ODL_ERROR, ODL_ERROR_USAGE)) {
    computed->refusal = g_steal_pointer (&error);
    result->refusal = computed->refusal->message;
  } else {
    computed->failure = g_steal_pointer (&error);
  }
  return computed;
}

// Ends with a result without a point, whose order is −1.
static void *
work (void *data)
{
  Grid *grid = data;
  gint64 order, point;
  Computed *last = g_new0 (Computed, 1);

  last->order = -1;
  // Also where somebody asked for one job, as each of several shards on one machine does.
  if (grid->jobs > 1 || grid->params->jobs > 0)
    odl_parallel_set_threads (1);
  g_autoptr (OdlRunner) runner = odl_trial_runner (grid->trial, &last->failure);
  if (runner != NULL && grid->trial->params->cancellable != NULL)
    odl_runner_set_progress (runner, &grid->progress);
  while (runner != NULL && take (grid, &order, &point))
    g_async_queue_push (grid->results, compute (grid, runner, order, point));
  g_async_queue_push (grid->results, last);
  return NULL;
}

// ---- what was found ------------------------------------------------------------------

// Those that are next in order. `waiting` holds results by their order.
static bool
hand_over (const OdlGridParams *params,
           GHashTable *waiting,
           gint64 *handed,
           GError **error)
{
  Computed *computed;

  while ((computed = g_hash_table_lookup (waiting, handed)) != NULL) {
    if (!params->take (&computed->result, params->data, error))
      return false;
    g_hash_table_remove (waiting, &computed->order);
    (*handed)++;
  }
  return true;
}

static bool
collect (Grid *grid, GError **error)
{
  g_autoptr (GHashTable) waiting
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, computed_free);
  g_autoptr (GError) failure = NULL;
  gint64 handed = 0;

  for (int working = grid->jobs; working > 0;) {
    Computed *computed = g_async_queue_pop (grid->results);
    if (computed->failure != NULL && failure == NULL)
      failure = g_steal_pointer (&computed->failure);
    const bool ends = computed->order < 0, failed = failure != NULL;
    working -= ends;
    if (ends || failed)
      computed_free (computed);
    else
      g_hash_table_insert (waiting, &computed->order, computed);
    if (!failed)
      hand_over (grid->params, waiting, &handed, &failure);
    if (failure != NULL)
      stop (grid);
  }
  if (failure == NULL)
    return true;
  g_propagate_error (error, g_steal_pointer (&failure));
  return false;
}

static int
jobs_for (const OdlTrial *trial, const OdlGridParams *params, gint64 todo)
{
  const OdlImageInfo *info = odl_image_info (trial->image);
  OdlEngineRequest request;
  const size_t samples
      = (size_t) info->extent.x * (size_t) info->extent.y * (size_t) info->channels;
  // A GPU works on one picture after the other anyway.
  const bool gpu = odl_engine_request (trial->params->engine, NULL, &request, NULL)
                   && request.choice.klass != NULL && request.choice.klass->needs_gl;
  const int jobs = gpu                        ? 1
                   : params->jobs > 0         ? params->jobs
                   : samples <= SMALL_PICTURE ? odl_parallel_threads ()
                                              : 1;

  return (int) CLAMP (todo, 1, jobs);
}

static void
cancelled_cb (GCancellable *cancellable, void *data)
{
  stop (data);
}

static bool
run (Grid *grid, GError **error)
{
  GCancellable *cancellable = grid->trial->params->cancellable;
  g_autofree GThread **threads = g_new0 (GThread *, grid->jobs);
  const gulong id
      = cancellable != NULL
            ? g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), grid, NULL)
            : 0;

  for (int i = 0; i < grid->jobs; i++)
    threads[i] = odl_thread_or_here ("sweep", work, grid);
  const bool done = collect (grid, error);
  for (int i = 0; i < grid->jobs; i++)
    odl_thread_join (threads[i]);
  // Waits for a call that is under way.
  if (cancellable != NULL)
    g_cancellable_disconnect (cancellable, id);
  if (!done || !g_cancellable_is_cancelled (cancellable))
    return done;
  return odl_error_set (error, ODL_ERROR_CANCELLED, _ ("cancelled"));
}

bool
odl_grid_run (const OdlGridParams *params, GError **error)
{
  const gint64 todo = odl_grid_count (params);
  Grid grid = { .trial = params->trial, .params = params, .points = points_of (params) };

  if (todo == 0)
    return true;
  grid.jobs = jobs_for (params->trial, params, todo);
  grid.results = g_async_queue_new_full (computed_free);
  odl_progress_begin (&grid.progress);
  g_mutex_init (&grid.lock);
  const bool done = run (&grid, error);
  g_mutex_clear (&grid.lock);
  g_async_queue_unref (grid.results);
  return done;
}
