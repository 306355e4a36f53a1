// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "cli/json.h"
#include "cli/process/process.h"
#include "cli/sweep/options.h"
#include "cli/sweep/outcome.h"
#include "cli/verb.h"
#include "output/output.h"
#include "work/sweep/search.h"

// Of ranges without a step.
#define DIVISIONS 1000

typedef struct {
  OdlSweepOptions sweep;
  gboolean as_json;
  char *shard; // somebody hopes for it
} Options;

static void
clear_options (Options *options)
{
  odl_sweep_options_clear (&options->sweep);
  g_free (options->shard);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, clear_options)

static bool
parse (Options *options, int argc, char **argv)
{
  GOptionEntry entries[ODL_SWEEP_N_OPTIONS + 3] = { 0 };
  const GOptionEntry json
      = { "json", 0, 0, G_OPTION_ARG_NONE, &options->as_json, N_ ("Write JSON"), NULL };
  const GOptionEntry shard
      = { "shard", 0,   G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &options->shard,
          NULL,    NULL };
  const char *description = _ (
      "Writes the recipe of the best point on standard output, which “process --filter” "
      "takes. First a coarse grid is tried, of each filter that stands in the place of "
      "another by itself: at most five values of each range, and all words. From the "
      "best of these, and from up to seven others, one parameter after "
      "the other is improved by golden-section search, until none gets better. A range "
      "without a step is divided into 1000 parts. One search is not shared out among "
      "machines, since each result says where to look next; share out a sweep, or call "
      "this for several pictures side by side. Formulas: “compare --formulas”.");

  odl_sweep_options_fill (&options->sweep, entries);
  entries[ODL_SWEEP_N_OPTIONS] = json;
  entries[ODL_SWEEP_N_OPTIONS + 1] = shard;
  if (!odl_verb_parse (&odl_verb_optimise, entries, description, argc, argv))
    return false;
  if (options->shard != NULL)
    odl_report_usage (
        _ ("--shard: a search cannot be shared out, since each result says where to look "
           "next. Share out “sweep --shard” and join it with “merge”, or search several "
           "pictures side by side."));
  return options->shard == NULL;
}

// ---- what is written -----------------------------------------------------------------

static char *
number_text (const OdlTrial *trial, double value)
{
  const OdlScoreRow *row = &odl_scores[trial->metric];
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    return g_strdup (isnan (value) ? _ ("not defined") : _ ("infinite"));
  g_ascii_formatd (number, sizeof number, row->format, value);
  return g_strconcat (number, *row->unit != '\0' ? " " : "", row->unit, NULL);
}

static void
print_text (const OdlTrial *trial, const OdlSearchResult *result, const char *recipe)
{
  g_autofree char *then = number_text (trial, trial->before.values[trial->metric]);
  g_autofree char *now = number_text (trial, result->scores.values[trial->metric]);
  g_autofree char *text = g_strdup_printf (
      // Translators: a metric such as PSNR, its value before and after the filters, and
      // how many results were measured.
      _ ("%s: %s → %s, the best of %" PRId64 " results"),
      _ (odl_scores[trial->metric].label), then, now, result->evaluated);

  odl_report_note (trial->params->input, text);
  g_print ("%s\n", recipe);
  odl_outcome_report_ends (trial, result->indices);
}

static void
write_scores (OdlJson *json,
              const OdlTrial *trial,
              const char *key,
              const OdlScores *scores)
{
  odl_json_begin_object (json, key);
  for (int i = 0; i < ODL_N_SCORES; i++)
    if (odl_trial_has (trial, i))
      odl_json_number (json, odl_scores[i].name, scores->values[i]);
  odl_json_end_object (json);
}

static void
print_json (const OdlTrial *trial, const OdlSearchResult *result, const char *recipe)
{
  g_autofree char *noise = odl_noise_model_to_text (&trial->noise);
  OdlJson json;

  odl_json_init (&json);
  odl_json_begin_object (&json, NULL);
  odl_json_string (&json, "input", trial->params->input);
  odl_json_string (&json, "noise", noise);
  odl_json_string (&json, "metric", odl_scores[trial->metric].name);
  odl_json_string (&json, "recipe", recipe);
  odl_json_begin_object (&json, "parameters");
  for (guint i = 0; i < trial->axes->varied->len; i++) {
    const OdlVaried *axis = odl_axes_at (trial->axes, i);
    if (!odl_axes_has (trial->axes, result->indices, i))
      continue;
    g_autofree char *value = odl_varied_text (axis, result->indices[i]);
    odl_json_string (&json, axis->name, value);
  }
  odl_json_end_object (&json);
  odl_json_begin_array (&json, "at_end_of_range");
  for (guint i = 0; i < trial->axes->varied->len; i++)
    if (odl_axes_goes_on (trial->axes, result->indices, i))
      odl_json_string (&json, NULL, odl_axes_at (trial->axes, i)->name);
  odl_json_end_array (&json);
  write_scores (&json, trial, "before", &trial->before);
  write_scores (&json, trial, "after", &result->scores);
  odl_json_integer (&json, "evaluated", result->evaluated);
  odl_json_end_object (&json);
  odl_json_print (&json);
  odl_outcome_report_ends (trial, result->indices);
}

static void
show_progress (const OdlGridResult *result, void *data)
{
  gint64 *computed = data;

  (*computed)++;
  if (odl_process_on_terminal ())
    g_printerr ("\r\033[K[%" PRId64 "]", *computed);
}

static bool
search (const OdlTrial *trial, OdlSearchResult *result, GError **error)
{
  g_autoptr (OdlRunner) runner = odl_trial_runner (trial, error);
  gint64 computed = 0;
  const OdlSearchParams params = { trial, runner, show_progress, &computed };

  const bool done = runner != NULL && odl_search_run (&params, result, error);
  if (odl_process_on_terminal () && computed > 0)
    g_printerr ("\r\033[K");
  return done;
}

static bool
run (const Options *options, GError **error)
{
  OdlTrialParams params;
  g_auto (OdlTrial) trial = { 0 };
  OdlSearchResult result;

  if (!odl_sweep_options_read (&options->sweep, DIVISIONS, &params, error)
      || !odl_trial_init (&trial, &params, error) || !search (&trial, &result, error))
    return false;
  const OdlRecipe recipe = odl_trial_recipe (&trial, result.indices);
  g_autofree char *words = odl_recipe_to_text (&recipe, " ");
  if (options->as_json)
    print_json (&trial, &result, words);
  else
    print_text (&trial, &result, words);
  return true;
}

static int
optimise (int argc, char **argv)
{
  // Before any thread of OpenMP, OpenGL or GLib.
  g_autofree char *farewell
      = g_strdup_printf ("%s: %s", g_get_prgname (),
                         _ ("Stopped before the best point was found. Vary less, or call "
                            "“sweep”, which goes on where it stopped."));
  g_autoptr (OdlOutputGuard) guard = odl_output_guard_new (farewell);
  g_auto (Options) options = { 0 };
  g_autoptr (GError) error = NULL;

  if (!parse (&options, argc, argv))
    return ODL_EXIT_USAGE;
  if (run (&options, &error))
    return ODL_EXIT_DONE;
  odl_report_error (NULL, error);
  return odl_report_status (error);
}

const OdlVerb odl_verb_optimise = {
  .name = "optimise",
  .arguments = N_ ("INPUT --vary FILTER.PARAMETER=VALUES…"),
  .summary = N_ ("Find the parameters of filters that a metric likes best."),
  .run = optimise,
};
