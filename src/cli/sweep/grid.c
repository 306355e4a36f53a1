// SPDX-License-Identifier: MIT
#include "cli/sweep/grid.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/thread.h"

// Up to so many samples a point for each thread is faster than all threads for a point:
// on two busy cores, in one run, 1.15, 1.13, 0.92 and 1.14 times as fast at 128², 256²,
// 512² and 1024², but 0.87 times at 2048², where the pictures of two points fill the
// cache.
#define SMALL_PICTURE ((size_t) 1 << 20)

#define PROGRESS_NS ((int64_t) 200000000)

// One point on its way from a worker to the table.
typedef struct {
  gint64 order; // among the points of this run
  gint64 point;
  OdlScores scores;
  GError *refusal; // this recipe cannot be computed
  GError *failure; // the run ends
} Result;

typedef struct {
  const OdlTrial *trial;
  const OdlTable *table;
  const OdlGridParams *params;
  GMutex lock; // of what follows
  gint64 next; // point that may be taken
  gint64 taken;
  bool stopped;
  GAsyncQueue *results;
  int jobs;
} Grid;

static void
result_free (void *data)
{
  Result *result = data;

  g_clear_error (&result->refusal);
  g_clear_error (&result->failure);
  g_free (result);
}

static bool
is_ours (const OdlGridParams *params, gint64 point)
{
  return point % params->shards == params->shard;
}

// The next point that has no row; false: there is none. Rows of this run are only of
// points that were taken before, so that `done` is not read while it is written.
static bool
take (Grid *grid, gint64 *order, gint64 *point)
{
  bool found = false;

  g_mutex_lock (&grid->lock);
  for (; !grid->stopped && !found && grid->next < grid->table->points; grid->next++)
    if (is_ours (grid->params, grid->next) && !grid->table->done[grid->next]) {
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
}

static Result *
compute (const Grid *grid, OdlRunner *runner, gint64 order, gint64 point)
{
  const OdlTrial *trial = grid->trial;
  guint indices[ODL_AXES_MOST];
  Result *result = g_new0 (Result, 1);
  g_autoptr (GError) error = NULL;

  result->order = order;
  result->point = point;
  odl_axes_indices (trial->axes, point, indices);
  const OdlRecipe recipe = odl_axes_recipe (trial->axes, &trial->recipe, indices);
  if (odl_trial_run (trial, runner, &recipe, &result->scores, NULL, &error))
    return result;
  result->scores = odl_scores_none ();
  if (g_error_matches (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED)
      || g_error_matches (error, ODL_ERROR, ODL_ERROR_USAGE))
    result->refusal = g_steal_pointer (&error);
  else
    result->failure = g_steal_pointer (&error);
  return result;
}

// Ends with a result without a point, whose order is −1.
static void *
work (void *data)
{
  Grid *grid = data;
  gint64 order, point;
  Result *last = g_new0 (Result, 1);

  last->order = -1;
  if (grid->jobs > 1)
    odl_parallel_set_threads (1);
  g_autoptr (OdlRunner) runner = odl_trial_runner (grid->trial, &last->failure);
  while (runner != NULL && take (grid, &order, &point))
    g_async_queue_push (grid->results, compute (grid, runner, order, point));
  g_async_queue_push (grid->results, last);
  return NULL;
}

// ---- what was found ------------------------------------------------------------------

typedef struct {
  gint64 todo, written;
  int64_t begin_ns, shown_ns;
} Progress;

static void
show_progress (Progress *progress)
{
  const int64_t now = odl_clock_now_ns ();

  if (!odl_process_on_terminal () || now - progress->shown_ns < PROGRESS_NS)
    return;
  progress->shown_ns = now;
  const double per_point
      = (double) (now - progress->begin_ns) / 1e9 / (double) progress->written;
  const int left = (int) fmin (
      per_point * (double) (progress->todo - progress->written) + 0.5, G_MAXINT / 2);
  // Translators: hours, minutes and seconds to go.
  g_autofree char *text
      = g_strdup_printf (_ ("%d:%02d:%02d left"), left / 3600, left / 60 % 60, left % 60);
  g_printerr ("\r\033[K[%" PRId64 "/%" PRId64 "] %s", progress->written, progress->todo,
              text);
}

// The rows that are next in order. `waiting` holds results by their order.
static bool
write_rows (OdlTable *table,
            GHashTable *waiting,
            Progress *progress,
            gint64 *refused,
            GError **error)
{
  Result *result;

  while ((result = g_hash_table_lookup (waiting, &progress->written)) != NULL) {
    if (result->refusal != NULL && (*refused)++ == 0)
      odl_report_note (NULL, result->refusal->message);
    if (!odl_table_add (table, result->point, &result->scores, error))
      return false;
    g_hash_table_remove (waiting, &result->order);
    progress->written++;
    show_progress (progress);
  }
  return true;
}

static bool
collect (Grid *grid, OdlTable *table, Progress *progress, gint64 *refused, GError **error)
{
  g_autoptr (GHashTable) waiting
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, result_free);
  g_autoptr (GError) failure = NULL;

  for (int working = grid->jobs; working > 0;) {
    Result *result = g_async_queue_pop (grid->results);
    if (result->failure != NULL && failure == NULL)
      failure = g_steal_pointer (&result->failure);
    const bool ends = result->order < 0, failed = failure != NULL;
    working -= ends;
    if (ends || failed)
      result_free (result);
    else
      g_hash_table_insert (waiting, &result->order, result);
    if (!failed)
      write_rows (table, waiting, progress, refused, &failure);
    if (failure != NULL)
      stop (grid);
  }
  if (failure != NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  return *error == NULL;
}

static int
jobs_for (const OdlTrial *trial, const OdlGridParams *params, gint64 todo)
{
  const OdlImageInfo *info = odl_image_info (trial->image);
  OdlEngineRequest request;
  const size_t samples
      = (size_t) info->extent.x * (size_t) info->extent.y * (size_t) info->channels;
  // A GPU works on one picture after the other anyway.
  const bool gpu
      = odl_engine_request (trial->options->process.engine, NULL, &request, NULL)
        && request.choice.klass != NULL && request.choice.klass->needs_gl;
  const int jobs = gpu                        ? 1
                   : params->jobs > 0         ? params->jobs
                   : samples <= SMALL_PICTURE ? odl_parallel_threads ()
                                              : 1;

  return (int) CLAMP (todo, 1, jobs);
}

bool
odl_grid_run (const OdlTrial *trial,
              OdlTable *table,
              const OdlGridParams *params,
              gint64 *refused,
              GError **error)
{
  Progress progress = { .begin_ns = odl_clock_now_ns () };
  Grid grid = { .trial = trial, .table = table, .params = params };

  for (gint64 i = 0; i < table->points; i++)
    progress.todo += is_ours (params, i) && !table->done[i];
  if (progress.todo == 0)
    return true;
  grid.jobs = jobs_for (trial, params, progress.todo);
  grid.results = g_async_queue_new_full (result_free);
  g_mutex_init (&grid.lock);
  g_autofree GThread **threads = g_new0 (GThread *, grid.jobs);
  for (int i = 0; i < grid.jobs; i++)
    threads[i] = odl_thread_or_here ("sweep", work, &grid);
  const bool done = collect (&grid, table, &progress, refused, error);
  for (int i = 0; i < grid.jobs; i++)
    odl_thread_join (threads[i]);
  if (odl_process_on_terminal ())
    g_printerr ("\r\033[K");
  g_mutex_clear (&grid.lock);
  g_async_queue_unref (grid.results);
  return done;
}
