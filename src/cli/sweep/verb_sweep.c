// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "cli/inputs.h"
#include "cli/process/process.h"
#include "cli/shard.h"
#include "cli/sweep/options.h"
#include "cli/sweep/outcome.h"
#include "cli/verb.h"
#include "output/output.h"
#include "work/sweep/grid.h"

#define PROGRESS_NS ((int64_t) 200000000)

// ---- what was found ------------------------------------------------------------------

typedef struct {
  OdlTable *table;
  gint64 todo, written, refused;
  int64_t begin_ns, shown_ns;
} Rows;

static void
show_progress (Rows *rows)
{
  const int64_t now = odl_clock_now_ns ();

  if (!odl_process_on_terminal () || now - rows->shown_ns < PROGRESS_NS)
    return;
  rows->shown_ns = now;
  const double per_point = (double) (now - rows->begin_ns) / 1e9 / (double) rows->written;
  const int left = (int) fmin (per_point * (double) (rows->todo - rows->written) + 0.5,
                               G_MAXINT / 2);
  // Translators: hours, minutes and seconds to go.
  g_autofree char *text
      = g_strdup_printf (_ ("%d:%02d:%02d left"), left / 3600, left / 60 % 60, left % 60);
  g_printerr ("\r\033[K[%" PRId64 "/%" PRId64 "] %s", rows->written, rows->todo, text);
}

// Rows of this run are only of points that were asked for before, so that `done` is not
// read while it is written.
static bool
is_lacking (gint64 point, void *data)
{
  return !((const Rows *) data)->table->done[point];
}

static bool
take_row (const OdlGridResult *result, void *data, GError **error)
{
  Rows *rows = data;

  if (result->refusal != NULL && rows->refused++ == 0)
    odl_report_note (NULL, result->refusal);
  if (!odl_table_add (rows->table, result->point, &result->scores, error))
    return false;
  rows->written++;
  show_progress (rows);
  return true;
}

// Rows are appended in the order of the points. Points that this recipe cannot be
// computed for get a row without scores, and are counted in *refused. Shows progress on a
// terminal. ODL_ERROR: nothing of what was written is lost.
static bool
fill (OdlTable *table, const OdlGridParams *asked, gint64 *refused, GError **error)
{
  Rows rows = { .table = table, .begin_ns = odl_clock_now_ns () };
  OdlGridParams params = *asked;

  params.trial = table->trial;
  params.wants = is_lacking;
  params.take = take_row;
  params.data = &rows;
  rows.todo = odl_grid_count (&params);
  const bool done = odl_grid_run (&params, error);
  if (odl_process_on_terminal () && rows.todo > 0)
    g_printerr ("\r\033[K");
  *refused = rows.refused;
  return done;
}

#define STANDARD_OUTPUT "/dev/stdout"
#define MANY_POINTS 1e6
#define MOST_POINTS 1e9
#define MOST_JOBS 1024
#define N_OTHERS 8

typedef struct {
  OdlSweepOptions sweep;
  char *csv, *plot, *sheet, *shard, *jobs;
  gboolean yes, force;
  OdlGridParams params;
  GOptionEntry entries[ODL_SWEEP_N_OPTIONS + N_OTHERS];
} Options;

static void
clear_options (Options *options)
{
  odl_sweep_options_clear (&options->sweep);
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
          "second, or for each filter: SVG, PNG or PDF"),
      N_ ("FILE") },
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
  odl_sweep_options_fill (&options->sweep, entries);
  for (gsize i = 0; i < G_N_ELEMENTS (ours); i++)
    entries[ODL_SWEEP_N_OPTIONS + i] = ours[i];
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
  GOptionEntry entries[ODL_SWEEP_N_OPTIONS + 2] = { 0 };
  gboolean yes = options->yes;

  if (options->shard == NULL || !table->regular)
    return true;
  memcpy (entries, options->entries, sizeof (GOptionEntry) * ODL_SWEEP_N_OPTIONS);
  entries[ODL_SWEEP_N_OPTIONS]
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
  g_autoptr (GHashTable) inputs = odl_sweep_options_files (&options->sweep, trial);

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
  OdlTrialParams params;
  g_auto (OdlTrial) trial = { 0 };
  g_auto (OdlTable) table = { .fd = -1 };
  gint64 n_refused = 0;

  if (!odl_sweep_options_read (&options->sweep, 0, &params, error)
      || !odl_trial_init (&trial, &params, error)
      || !check_points (options, &trial, error)
      || !open_files (options, &outcome, &table, &trial, error)
      || !fill (&table, &options->params, &n_refused, error)
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
