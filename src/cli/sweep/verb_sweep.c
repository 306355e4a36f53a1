// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/thread.h"
#include "cli/inputs.h"
#include "cli/shard.h"
#include "cli/sweep/outcome.h"
#include "cli/sweep/table.h"
#include "cli/verb.h"
#include "output/output.h"

// Computes the points of a sweep that its table lacks.

typedef struct {
  gint64 shard, shards; // only points whose number modulo `shards` is `shard`; 0, 1: all
  int jobs; // points that are computed at the same time; 0: as many as are worth it
} OdlGridParams;

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
  // Also where somebody asked for one job, as each of several shards on one machine does.
  if (grid->jobs > 1 || grid->params->jobs > 0)
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

// Rows are appended in the order of the points. Points that this recipe cannot be
// computed for get a row without scores, and are counted in *refused. Shows progress on a
// terminal. ODL_ERROR: nothing of what was written is lost.
static bool
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

#define STANDARD_OUTPUT "/dev/stdout"
#define MANY_POINTS 1e6
#define MOST_POINTS 1e9
#define MOST_JOBS 1024
#define N_OTHERS 8

typedef struct {
  OdlTrialOptions trial;
  char *csv, *plot, *sheet, *shard, *jobs;
  gboolean yes, force;
  OdlGridParams params;
  GOptionEntry entries[ODL_TRIAL_N_OPTIONS + N_OTHERS];
} Options;

static void
clear_options (Options *options)
{
  odl_trial_options_clear (&options->trial);
  g_free (options->csv);
  g_free (options->plot);
  g_free (options->sheet);
  g_free (options->shard);
  g_free (options->jobs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, clear_options)

// ---- what was typed ------------------------------------------------------------------

static bool
parse_shard (const char *text, OdlGridParams *params)
{
  guint64 number = 1, of = 1;

  params->shards = 1;
  if (text == NULL)
    return true;
  g_auto (GStrv) parts = g_strsplit (text, "/", 2);
  if (g_strv_length (parts) != 2
      || !g_ascii_string_to_unsigned (parts[1], 10, 1, G_MAXINT32, &of, NULL)
      || !g_ascii_string_to_unsigned (parts[0], 10, 1, of, &number, NULL)) {
    odl_report_usage (
        _ ("--shard “%s” is no part of a sweep. Write I/N, such as 1/8 to 8/8."), text);
    return false;
  }
  params->shard = (gint64) number - 1;
  params->shards = (gint64) of;
  return true;
}

static bool
parse_jobs (const char *text, OdlGridParams *params)
{
  guint64 jobs = 0;

  if (text != NULL && !g_ascii_string_to_unsigned (text, 10, 1, MOST_JOBS, &jobs, NULL)) {
    // Translators: an option such as --jobs, what was typed, and the greatest number.
    odl_report_usage (_ ("%s “%s” is not a number from 1 to %" PRIu64 "."), "--jobs",
                      text, (guint64) MOST_JOBS);
    return false;
  }
  params->jobs = (int) jobs;
  return true;
}

static bool
parse (Options *options, int argc, char **argv)
{
  GOptionEntry *entries = options->entries;
  const GOptionEntry ours[] = {
    { "csv", 'o', 0, G_OPTION_ARG_FILENAME, &options->csv,
      N_ ("The table, a row for each point. If it is there already, what it lacks is "
          "added; - is standard output"),
      "FILE.csv" },
    { "plot", 0, 0, G_OPTION_ARG_FILENAME, &options->plot,
      N_ ("Draw the metric over the first parameter, with a line for each value of the "
          "second"),
      "FILE.svg" },
    { "sheet", 0, 0, G_OPTION_ARG_FILENAME, &options->sheet,
      N_ ("Show the results side by side, with their values, at most 12 × 12"),
      "FILE.png" },
    { "shard", 0, 0, G_OPTION_ARG_STRING, &options->shard,
      N_ ("Only the I-th of N parts of the points, for several computers"), "I/N" },
    { "jobs", 'j', 0, G_OPTION_ARG_STRING, &options->jobs,
      N_ ("Points that are computed at the same time; default: one for each processor, "
          "one of pictures of more than a million samples"),
      "N" },
    { "yes", 0, 0, G_OPTION_ARG_NONE, &options->yes,
      N_ ("Do it even if there are more than a million points"), NULL },
    { "force", 0, 0, G_OPTION_ARG_NONE, &options->force,
      N_ ("Replace a plot and a sheet that are there already"), NULL },
  };
  const char *description = _ (
      "Every value of each --vary is combined with every value of the others. Rows hold "
      "the parameters, the metrics and the recipe as text, which “process --filter” "
      "takes. A sweep that was stopped continues when it is called again in the same "
      "way. Formulas: “compare --formulas”.");

  G_STATIC_ASSERT (G_N_ELEMENTS (ours) < N_OTHERS);
  odl_trial_options_fill (&options->trial, entries);
  for (gsize i = 0; i < G_N_ELEMENTS (ours); i++)
    entries[ODL_TRIAL_N_OPTIONS + i] = ours[i];
  if (!odl_verb_parse (&odl_verb_sweep, entries, description, argc, argv)
      || !parse_shard (options->shard, &options->params)
      || !parse_jobs (options->jobs, &options->params))
    return false;
  if (g_strcmp0 (options->csv, "-") == 0) {
    g_free (options->csv);
    options->csv = g_strdup (STANDARD_OUTPUT);
  }
  const OdlOutcomeParams outcome = { NULL, options->plot, options->sheet, false };
  if (!odl_outcome_check_names (&outcome))
    return false;
  if (options->csv == NULL)
    odl_report_usage (_ ("Name the table with --csv, such as --csv out.csv."));
  else if (options->params.shards > 1
           && (options->plot != NULL || options->sheet != NULL))
    odl_report_usage (_ ("--plot and --sheet show all points. Leave them to “merge”, "
                         "which joins the tables of all shards."));
  else
    return true;
  return false;
}

// ---- the sweep -----------------------------------------------------------------------

static bool
check_points (const Options *options, const OdlTrial *trial, GError **error)
{
  const double points = odl_axes_points (trial->axes);

  if (points <= MANY_POINTS || (options->yes && points <= MOST_POINTS))
    return true;
  return odl_usage_error (
      error,
      points <= MOST_POINTS
          ? _ ("This grid has %.0f points, more than a million. Vary less, or add --yes.")
          : _ ("This grid has %.3g points, more than can be computed. Vary less."),
      points);
}

// For `merge`; a table that goes elsewhere as it is made can be no part.
static bool
write_note (const Options *options,
            const OdlTable *table,
            OdlOutputGuard *guard,
            GError **error)
{
  GOptionEntry entries[ODL_TRIAL_N_OPTIONS + 2] = { 0 };
  gboolean yes = options->yes;

  if (options->shard == NULL || !table->regular)
    return true;
  memcpy (entries, options->entries, sizeof (GOptionEntry) * ODL_TRIAL_N_OPTIONS);
  entries[ODL_TRIAL_N_OPTIONS]
      = (GOptionEntry){ "yes", 0, 0, G_OPTION_ARG_NONE, &yes, NULL, NULL };
  g_auto (GStrv) words = odl_shard_words (entries);
  const OdlShardNote note = { .verb = (char *) odl_verb_sweep.name,
                              .shard = options->params.shard + 1,
                              .shards = options->params.shards,
                              .points = table->points,
                              .frames = table->trial->pictures.range,
                              .words = words };
  return odl_shard_note_write (&note, options->csv, guard, error);
}

static bool
open_files (const Options *options,
            OdlOutcomeParams *outcome,
            OdlTable *table,
            const OdlTrial *trial,
            GError **error)
{
  g_autoptr (GHashTable) inputs = odl_trial_files (trial);

  // A table that is there is continued.
  if (!odl_output_check (inputs, options->csv, true, error)
      || !odl_outcome_check (outcome, trial, inputs, error)
      || !odl_table_open (table, trial, options->csv, error)
      || !write_note (options, table, outcome->guard, error))
    return false;
  if (table->n_done > 0) {
    g_autofree char *text = g_strdup_printf (
        _ ("%" PRId64 " of %" PRId64 " points are there already; the others follow."),
        table->n_done, table->points);
    odl_report_note (options->csv, text);
  }
  return true;
}

static bool
run (const Options *options, OdlOutputGuard *guard, bool *refused, GError **error)
{
  OdlOutcomeParams outcome = { guard, options->plot, options->sheet, options->force };
  g_auto (OdlTrial) trial = { 0 };
  g_auto (OdlTable) table = { .fd = -1 };
  gint64 n_refused = 0;

  if (!odl_trial_init (&trial, &options->trial, 0, error)
      || !check_points (options, &trial, error)
      || !open_files (options, &outcome, &table, &trial, error)
      || !odl_grid_run (&trial, &table, &options->params, &n_refused, error)
      || !odl_table_sync (&table, error))
    return false;
  if (n_refused > 0)
    odl_report_usage (
        g_dngettext (GETTEXT_PACKAGE,
                     "%" PRId64 " point cannot be computed; its row has no metrics.",
                     "%" PRId64 " points cannot be computed; their rows have no metrics.",
                     (gulong) n_refused),
        n_refused);
  *refused = n_refused > 0;
  odl_outcome_print_best (&table, g_str_equal (options->csv, STANDARD_OUTPUT));
  return odl_outcome_write (&outcome, &table, error);
}

static int
sweep (int argc, char **argv)
{
  // Before any thread of OpenMP, OpenGL or GLib.
  g_autofree char *farewell = g_strdup_printf (
      "%s: %s", g_get_prgname (),
      _ ("Stopped. The rows that are written stay; the same call goes on from there."));
  g_autoptr (OdlOutputGuard) guard = odl_output_guard_new (farewell);
  g_auto (Options) options = { 0 };
  g_autoptr (GError) error = NULL;
  bool refused = false;

  if (!parse (&options, argc, argv))
    return ODL_EXIT_USAGE;
  if (run (&options, guard, &refused, &error))
    return refused ? ODL_EXIT_FAILED : ODL_EXIT_DONE;
  odl_report_error (NULL, error);
  return odl_report_status (error);
}

const OdlVerb odl_verb_sweep = {
  .name = "sweep",
  .arguments = N_ ("INPUT --vary FILTER.PARAMETER=VALUES… --csv OUT"),
  .summary = N_ ("Filter a picture with every combination of parameters, and measure "
                 "each."),
  .run = sweep,
};
