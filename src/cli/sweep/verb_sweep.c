// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/thread.h"
#include "cli/inputs.h"

#include "cli/sweep/table.h"
#include "cli/verb.h"
#include "image/display/display.h"
#include "output/contact_sheet.h"
#include "output/output.h"
#include "output/picture/png.h"
#include "source/source_files.h"

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

// Results of a sweep side by side, as a PNG.

#define ODL_SHEET_SIDE 12

#define MOST_SIDE 256 // of a picture on the sheet

typedef struct {
  const OdlTable *table;
  OdlContactSheet *sheet;
  OdlRunner *runner;
  OdlDisplay display;
  guint columns, rows;
  double x, y; // centre of the part that is shown
} Sheet;

// The k-th of `shown` values that are evenly chosen among n.
static guint
choose (guint k, guint shown, guint n)
{
  return shown < 2 ? 0
                   : (guint) (((guint64) k * (n - 1) + (shown - 1) / 2) / (shown - 1));
}

static guint
axis_length (const GPtrArray *axes, guint i)
{
  return i < axes->len ? ((const OdlVaried *) g_ptr_array_index (axes, i))->count : 1;
}

// The best point that has these values of the first two parameters; the first one where
// none has a value.
static gint64
best_point (const OdlTable *table, guint first, guint second)
{
  const GPtrArray *axes = table->trial->axes;
  gint64 rest = 1, best = -1;

  for (guint i = 2; i < axes->len; i++)
    rest *= axis_length (axes, i);
  const gint64 from = ((gint64) first * axis_length (axes, 1) + second) * rest;
  for (gint64 point = from; point < from + rest; point++)
    if (best < 0
        || odl_trial_better (table->trial, odl_table_metric (table, point),
                             odl_table_metric (table, best)))
      best = point;
  return best;
}

// "threshold 0.05, levels 3", and the metric on a second line.
static char *
text_of (const OdlTable *table, const guint *indices, const char *name, double metric)
{
  const OdlTrial *trial = table->trial;
  const OdlScoreRow *row = &odl_scores[trial->metric];
  g_autoptr (GString) text = g_string_new (name);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; indices != NULL && i < trial->axes->len; i++) {
    const OdlVaried *axis = g_ptr_array_index (trial->axes, i);
    g_autofree char *value = odl_varied_text (axis, indices[i]);
    g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", axis->parameter->key,
                            value);
  }
  if (isfinite (metric))
    g_string_append_printf (text, "\n%s %s%s%s", _ (row->label),
                            g_ascii_formatd (number, sizeof number, row->format, metric),
                            *row->unit != '\0' ? " " : "", row->unit);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static bool
put (Sheet *self,
     guint column,
     guint row,
     const OdlImage *image,
     const char *text,
     GError **error)
{
  g_autoptr (OdlImage) shown = odl_display_render (image, &self->display, 8, error);

  if (shown == NULL)
    return false;
  odl_contact_sheet_put (self->sheet, (int) column, (int) row, shown, self->x, self->y,
                         text);
  return true;
}

// The picture as it came, and what it is compared with.
static bool
put_first_row (Sheet *self, GError **error)
{
  const OdlTrial *trial = self->table->trial;
  OdlScores scores;

  if (!odl_scores_measure (&scores, trial->image, trial->image, trial->reference,
                           &trial->regions, error))
    return false;
  g_autofree char *before
      = text_of (self->table, NULL, _ ("before"), scores.values[trial->metric]);
  if (!put (self, 0, 0, trial->image, before, error))
    return false;
  return trial->reference == NULL || self->columns < 2
         || put (self, 1, 0, trial->reference, _ ("reference"), error);
}

static bool
put_result (Sheet *self, guint column, guint row, GError **error)
{
  const OdlTable *table = self->table;
  const OdlTrial *trial = table->trial;
  const guint n_x = axis_length (trial->axes, 0), n_y = axis_length (trial->axes, 1);
  const gint64 point = best_point (table, choose (column, MIN (n_x, ODL_SHEET_SIDE), n_x),
                                   choose (row, self->rows, n_y));
  guint indices[ODL_AXES_MOST];
  g_autoptr (OdlImage) result = NULL;
  g_autoptr (GError) refusal = NULL;
  OdlScores scores;

  odl_axes_indices (trial->axes, point, indices);
  const OdlRecipe recipe = odl_axes_recipe (trial->axes, &trial->recipe, indices);
  g_autofree char *text = text_of (table, indices, NULL, odl_table_metric (table, point));
  // What cannot be computed leaves its place empty.
  return !odl_trial_run (trial, self->runner, &recipe, &scores, &result, &refusal)
         || put (self, column, row + 1, result, text, error);
}

static bool
fill (Sheet *self, GError **error)
{
  const guint columns = MIN (axis_length (self->table->trial->axes, 0), ODL_SHEET_SIDE);

  if (!put_first_row (self, error))
    return false;
  for (guint row = 0; row < self->rows; row++)
    for (guint column = 0; column < columns; column++)
      if (!put_result (self, column, row, error))
        return false;
  return true;
}

// The picture as it came and what it is compared with, then the results: a column for
// each value of the first parameter, a row for each of the second, at most
// ODL_SHEET_SIDE of each, evenly chosen; of further parameters the best values. Pixel by
// pixel, of large pictures the part about the region, or the middle. Results are computed
// again.
static bool
odl_sheet_write (OdlOutput *output, const OdlTable *table, GError **error)
{
  const OdlTrial *trial = table->trial;
  const OdlImageInfo *info = odl_image_info (trial->image);
  const OdlWindow window = { .mode = ODL_WINDOW_FILE };
  const OdlPoint *region = trial->regions.region.points;
  const bool named = trial->regions.used;
  Sheet self = { .table = table,
                 .display = odl_display_make (info, &window, ODL_NO_DETAILS),
                 .columns = MAX (MIN (axis_length (trial->axes, 0), ODL_SHEET_SIDE), 2),
                 .rows = MIN (axis_length (trial->axes, 1), ODL_SHEET_SIDE),
                 .x = named ? (region[0].x + region[1].x) / 2 : info->extent.x / 2.0,
                 .y = named ? (region[0].y + region[1].y) / 2 : info->extent.y / 2.0 };
  g_autoptr (OdlRunner) runner = odl_trial_runner (trial, error);
  g_autoptr (OdlContactSheet) sheet
      = runner == NULL ? NULL
                       : odl_contact_sheet_new ((int) self.columns, (int) self.rows + 1,
                                                MIN (info->extent.x, MOST_SIDE),
                                                MIN (info->extent.y, MOST_SIDE), error);

  if (sheet == NULL)
    return false;
  self.sheet = sheet;
  self.runner = runner;
  return fill (&self, error)
         && odl_png_encode (output, odl_contact_sheet_image (sheet),
                            "sweep; processed, not for diagnostic use", NULL, error);
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
has_other_ending (const char *path, const char *ending)
{
  g_autofree char *lower = path != NULL ? g_ascii_strdown (path, -1) : NULL;

  return lower != NULL && !g_str_has_suffix (lower, ending);
}

static bool
parse (Options *options, int argc, char **argv)
{
  GOptionEntry entries[ODL_TRIAL_N_OPTIONS + N_OTHERS] = { 0 };
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
  if (has_other_ending (options->plot, ".svg")
      || has_other_ending (options->sheet, ".png"))
    odl_report_usage (_ ("--plot writes an SVG file and --sheet a PNG. Name files that "
                         "end with .svg and .png."));
  else if (options->csv == NULL)
    odl_report_usage (_ ("Name the table with --csv, such as --csv out.csv."));
  else if (options->params.shards > 1
           && (options->plot != NULL || options->sheet != NULL))
    odl_report_usage (_ ("--plot and --sheet show all points. Join the tables of all "
                         "shards, then call again with that one and without --shard."));
  else
    return true;
  return false;
}

// ---- files ---------------------------------------------------------------------------

// Whether what is to be written may be written there.
static bool
check_outputs (const Options *options, const OdlTrial *trial, GError **error)
{
  const char *const outputs[] = { options->csv, options->plot, options->sheet };
  const OdlProcessOptions *process = &options->trial.process;
  g_autoptr (GHashTable) inputs = odl_source_files_new ();

  odl_source_files_add (inputs, process->inputs[0]);
  if (process->reference != NULL)
    odl_source_files_add (inputs, process->reference);
  if (process->recipe != NULL)
    odl_source_files_add_path (inputs, process->recipe);
  for (int i = 0; i < trial->recipe.n_items; i++)
    if (trial->recipe.items[i].file != NULL)
      odl_source_files_add (inputs, trial->recipe.items[i].file);
  // A table that is there is continued.
  for (gsize i = 0; i < G_N_ELEMENTS (outputs); i++)
    if (outputs[i] != NULL
        && !odl_output_check (inputs, outputs[i], i == 0 || options->force, error))
      return false;
  return true;
}

typedef bool (*Writer) (OdlOutput *output, const OdlTable *table, GError **error);

static bool
write_file (OdlOutputGuard *guard,
            const char *path,
            bool replace,
            Writer writer,
            const OdlTable *table,
            GError **error)
{
  OdlOutput output;

  if (path == NULL)
    return true;
  if (!(replace ? odl_output_open (guard, path, &output, error)
                : odl_output_open_new (guard, path, &output, error)))
    return false;
  return odl_output_end (&output, writer (&output, table, error), error);
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

// The best point, on standard output unless the table goes there.
static void
print_best (const OdlTable *table, bool beside)
{
  const OdlTrial *trial = table->trial;
  const OdlScoreRow *row = &odl_scores[trial->metric];
  guint indices[ODL_AXES_MOST];
  gint64 best = -1;

  for (gint64 i = 0; i < table->points; i++)
    if (table->done[i]
        && odl_trial_better (trial, table->metric[i],
                             best >= 0 ? table->metric[best] : NAN))
      best = i;
  if (best < 0)
    return;
  odl_axes_indices (trial->axes, best, indices);
  const OdlRecipe recipe = odl_axes_recipe (trial->axes, &trial->recipe, indices);
  g_autofree char *words = odl_recipe_to_text (&recipe, " ");
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (number, sizeof number, row->format, table->metric[best]);
  g_autofree char *line = g_strdup_printf (
      // Translators: a metric such as PSNR, its value and unit, and a recipe.
      _ ("best %s: %s%s%s with %s\n"), _ (row->label),
      isinf (table->metric[best]) ? _ ("infinite") : number,
      *row->unit != '\0' ? " " : "", row->unit, words);
  if (beside)
    g_printerr ("%s", line);
  else
    g_print ("%s", line);
}

static bool
run (const Options *options, OdlOutputGuard *guard, bool *refused, GError **error)
{
  g_auto (OdlTrial) trial = { 0 };
  g_auto (OdlTable) table = { .fd = -1 };
  gint64 n_refused = 0;

  if (!odl_trial_init (&trial, &options->trial, 0, error)
      || !check_points (options, &trial, error)
      || (options->plot != NULL && !odl_plot_check (&trial, error))
      || !check_outputs (options, &trial, error)
      || !odl_table_open (&table, &trial, options->csv, error))
    return false;
  if (table.n_done > 0) {
    g_autofree char *text = g_strdup_printf (
        _ ("%" PRId64 " of %" PRId64 " points are there already; the others follow."),
        table.n_done, table.points);
    odl_report_note (options->csv, text);
  }
  if (!odl_grid_run (&trial, &table, &options->params, &n_refused, error)
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
  print_best (&table, g_str_equal (options->csv, STANDARD_OUTPUT));
  return write_file (guard, options->plot, options->force, odl_plot_write, &table, error)
         && write_file (guard, options->sheet, options->force, odl_sheet_write, &table,
                        error);
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
