// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "cli/inputs.h"
#include "cli/sweep/grid.h"
#include "cli/sweep/plot.h"
#include "cli/sweep/sheet.h"
#include "cli/verb.h"
#include "source/source_files.h"

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
