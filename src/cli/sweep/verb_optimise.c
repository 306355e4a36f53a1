// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cli/json.h"
#include "cli/sweep/trial.h"
#include "cli/verb.h"
#include "output/output.h"

// Finds the best point of a grid without computing all of it.

typedef struct {
  guint indices[ODL_AXES_MOST];
  OdlScores scores;
  gint64 evaluated; // points that were computed
} OdlSearchResult;

#define COARSE 5 // values of a range
#define COARSE_LEAST 2
#define MOST_COARSE_POINTS 4096.0
#define MOST_STARTS 8
#define MOST_ROUNDS 50
#define GOLDEN 0.6180339887498949

typedef struct {
  const OdlTrial *trial;
  OdlRunner *runner;
  GHashTable *known; // metric of each point that was computed
  OdlSearchResult best;
  double metric; // of the best one
  guint here[ODL_AXES_MOST]; // where the descent is
  double metric_here;
  guint coarse[ODL_AXES_MOST]; // how many values of each axis the coarse grid has
  GError *refusal; // the last one
  GError *failure; // ends the search
} Search;

static guint
length_of (const Search *search, guint axis)
{
  return ((const OdlVaried *) g_ptr_array_index (search->trial->axes, axis))->count;
}

static bool
is_of_words (const OdlVaried *axis)
{
  return isnan (odl_varied_number (axis, 0));
}

// The metric at a point; NaN where there is none, and after a failure.
static double
metric_at (Search *search, const guint *indices)
{
  const OdlTrial *trial = search->trial;
  const gint64 point = odl_axes_point (trial->axes, indices);
  const double *known = g_hash_table_lookup (search->known, &point);
  g_autoptr (GError) error = NULL;
  OdlScores scores;
  double metric = NAN;

  if (known != NULL || search->failure != NULL)
    return known != NULL ? *known : NAN;
  const OdlRecipe recipe = odl_axes_recipe (trial->axes, &trial->recipe, indices);
  if (odl_trial_run (trial, search->runner, &recipe, &scores, NULL, &error)) {
    metric = scores.values[trial->metric];
  } else if (g_error_matches (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED)
             || g_error_matches (error, ODL_ERROR, ODL_ERROR_USAGE)) {
    g_clear_error (&search->refusal);
    search->refusal = g_steal_pointer (&error);
  } else {
    search->failure = g_steal_pointer (&error);
  }
  g_hash_table_insert (search->known, g_memdup2 (&point, sizeof point),
                       g_memdup2 (&metric, sizeof metric));
  search->best.evaluated++;
  if (odl_process_on_terminal ())
    g_printerr ("\r\033[K[%" PRId64 "]", search->best.evaluated);
  if (odl_trial_better (trial, metric, search->metric)) {
    search->metric = metric;
    search->best.scores = scores;
    memcpy (search->best.indices, indices, sizeof search->best.indices);
  }
  return metric;
}

// A point of the coarse grid.
typedef struct {
  guint indices[ODL_AXES_MOST];
  double metric;
} Start;

// ---- the coarse grid -----------------------------------------------------------------

static double
coarse_points (const Search *search)
{
  double points = 1;

  for (guint i = 0; i < search->trial->axes->len; i++)
    points *= search->coarse[i];
  return points;
}

// Fewer values of ranges where there are many parameters.
static void
choose_coarse (Search *search)
{
  for (guint values = COARSE; values >= COARSE_LEAST; values--) {
    for (guint i = 0; i < search->trial->axes->len; i++)
      search->coarse[i] = is_of_words (g_ptr_array_index (search->trial->axes, i))
                              ? length_of (search, i)
                              : MIN (length_of (search, i), values);
    if (coarse_points (search) <= MOST_COARSE_POINTS)
      return;
  }
}

static guint
coarse_index (const Search *search, guint axis, guint k)
{
  const guint n = search->coarse[axis];

  return n < 2 ? 0
               : (guint) (((guint64) k * (length_of (search, axis) - 1) + (n - 1) / 2)
                          / (n - 1));
}

// Elements are Start.
static GArray *
try_coarse (Search *search)
{
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (Start));
  const gint64 points = (gint64) coarse_points (search);

  for (gint64 point = 0; point < points && search->failure == NULL; point++) {
    Start start = { .metric = NAN };
    gint64 rest = point;
    for (guint i = search->trial->axes->len; i-- > 0;) {
      start.indices[i] = coarse_index (search, i, (guint) (rest % search->coarse[i]));
      rest /= search->coarse[i];
    }
    start.metric = metric_at (search, start.indices);
    g_array_append_val (starts, start);
  }
  return starts;
}

static int
compare_starts (const void *a, const void *b, void *trial)
{
  const double first = ((const Start *) a)->metric, second = ((const Start *) b)->metric;

  return (int) odl_trial_better (trial, second, first)
         - (int) odl_trial_better (trial, first, second);
}

// Whether the descent from one would soon pass the other.
static bool
are_on_a_line (const Search *search, const Start *a, const Start *b)
{
  const GPtrArray *axes = search->trial->axes;
  guint words = 0, ranges = 0;

  for (guint i = 0; i < axes->len; i++)
    if (a->indices[i] != b->indices[i])
      *(is_of_words (g_ptr_array_index (axes, i)) || length_of (search, i) <= COARSE
            ? &words
            : &ranges)
          += 1;
  return words == 0 && ranges <= 1;
}

// Leaves the best ones, apart from each other.
static void
choose_starts (const Search *search, GArray *starts)
{
  guint n = 0;

  g_array_sort_with_data (starts, compare_starts, (void *) search->trial);
  for (guint i = 0; i < starts->len && n < MOST_STARTS; i++) {
    const Start start = g_array_index (starts, Start, i);
    bool apart = !isnan (start.metric);
    for (guint k = 0; k < n && apart; k++)
      apart = !are_on_a_line (search, &g_array_index (starts, Start, k), &start);
    if (apart)
      g_array_index (starts, Start, n++) = start;
  }
  g_array_set_size (starts, n);
}

// ---- along one parameter -------------------------------------------------------------

static double
metric_along (Search *search, guint *indices, guint axis, guint value)
{
  indices[axis] = value;
  const double metric = metric_at (search, indices);
  if (odl_trial_better (search->trial, metric, search->metric_here)) {
    search->metric_here = metric;
    memcpy (search->here, indices, sizeof search->here);
  }
  return metric;
}

// Between the neighbours in the coarse grid.
static void
try_range (Search *search, guint axis)
{
  const guint last = length_of (search, axis) - 1;
  const guint gap = MAX (last / MAX (search->coarse[axis] - 1, 1) + 1, 1);
  guint indices[ODL_AXES_MOST];

  memcpy (indices, search->here, sizeof indices);
  const guint centre = indices[axis];
  guint from = centre > gap ? centre - gap : 0, to = MIN (last, centre + gap);
  while (to - from > 3 && search->failure == NULL) {
    const guint inner = (guint) ((to - from) * GOLDEN + 0.5);
    const guint low = to - inner, high = from + inner;
    if (odl_trial_better (search->trial, metric_along (search, indices, axis, low),
                          metric_along (search, indices, axis, high)))
      to = high;
    else
      from = low;
  }
  for (guint value = from; value <= to && search->failure == NULL; value++)
    metric_along (search, indices, axis, value);
  // No neighbour of the best one shall be better.
  const guint found = search->here[axis];
  if (found > 0)
    metric_along (search, indices, axis, found - 1);
  if (found < last)
    metric_along (search, indices, axis, found + 1);
}

static void
try_words (Search *search, guint axis)
{
  guint indices[ODL_AXES_MOST];

  memcpy (indices, search->here, sizeof indices);
  for (guint i = 0; i < length_of (search, axis) && search->failure == NULL; i++)
    metric_along (search, indices, axis, i);
}

static void
descend (Search *search, const Start *start)
{
  const GPtrArray *axes = search->trial->axes;

  memcpy (search->here, start->indices, sizeof search->here);
  search->metric_here = start->metric;
  for (int round = 0; round < MOST_ROUNDS && search->failure == NULL; round++) {
    const double before = search->metric_here;
    for (guint i = 0; i < axes->len; i++)
      if (is_of_words (g_ptr_array_index (axes, i)))
        try_words (search, i);
      else
        try_range (search, i);
    if (!odl_trial_better (search->trial, search->metric_here, before))
      return;
  }
}

// First a coarse grid: of each range at most five values, ends included, and every word.
// Then coordinate descent from the best of these, and from up to seven more, no two of
// which differ in one range alone: along one parameter after the other, by golden-section
// search (Kiefer, Proc. AMS 4, 1953) between the neighbours in the coarse grid, until a
// round changes nothing. The result is a point that no neighbour along a parameter
// betters; a better one may lie elsewhere. ODL_ERROR: no point can be computed, or a
// picture failed.
static bool
odl_search_run (const OdlTrial *trial,
                OdlRunner *runner,
                OdlSearchResult *result,
                GError **error)
{
  Search search = { .trial = trial, .runner = runner, .metric = NAN };

  choose_coarse (&search);
  if (coarse_points (&search) > 1e6)
    return odl_usage_error (
        error, _ ("These are too many parameters and words to search. Vary less."));
  search.known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_autoptr (GArray) starts = try_coarse (&search);
  choose_starts (&search, starts);
  for (guint i = 0; i < starts->len; i++)
    descend (&search, &g_array_index (starts, Start, i));
  if (odl_process_on_terminal ())
    g_printerr ("\r\033[K");
  g_hash_table_unref (search.known);
  *result = search.best;
  if (search.failure != NULL)
    g_propagate_error (error, g_steal_pointer (&search.failure));
  else if (isnan (search.metric) && search.refusal != NULL)
    g_propagate_error (error, g_steal_pointer (&search.refusal));
  else if (isnan (search.metric))
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("The metric has no value for any of the results."));
  g_clear_error (&search.refusal);
  return *error == NULL;
}

// Of ranges without a step.
#define DIVISIONS 1000

#define MOST_POINTS 1e15 // are told apart

typedef struct {
  OdlTrialOptions trial;
  gboolean as_json;
  char *shard; // somebody hopes for it
} Options;

static void
clear_options (Options *options)
{
  odl_trial_options_clear (&options->trial);
  g_free (options->shard);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, clear_options)

static bool
parse (Options *options, int argc, char **argv)
{
  GOptionEntry entries[ODL_TRIAL_N_OPTIONS + 3] = { 0 };
  const GOptionEntry json
      = { "json", 0, 0, G_OPTION_ARG_NONE, &options->as_json, N_ ("Write JSON"), NULL };
  const GOptionEntry shard
      = { "shard", 0,   G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &options->shard,
          NULL,    NULL };
  const char *description = _ (
      "Writes the recipe of the best point on standard output, which “process --filter” "
      "takes. First a coarse grid is tried: at most five values of each range, and all "
      "words. From the best of these, and from up to seven others, one parameter after "
      "the other is improved by golden-section search, until none gets better. A range "
      "without a step is divided into 1000 parts. One search is not shared out among "
      "machines, since each result says where to look next; share out a sweep, or call "
      "this for several pictures side by side. Formulas: “compare --formulas”.");

  odl_trial_options_fill (&options->trial, entries);
  entries[ODL_TRIAL_N_OPTIONS] = json;
  entries[ODL_TRIAL_N_OPTIONS + 1] = shard;
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
print_text (const OdlTrial *trial,
            const OdlSearchResult *result,
            const OdlScores *before,
            const char *recipe)
{
  g_autofree char *then = number_text (trial, before->values[trial->metric]);
  g_autofree char *now = number_text (trial, result->scores.values[trial->metric]);
  g_autofree char *text = g_strdup_printf (
      // Translators: a metric such as PSNR, its value before and after the filters, and
      // how many results were measured.
      _ ("%s: %s → %s, the best of %" PRId64 " results"),
      _ (odl_scores[trial->metric].label), then, now, result->evaluated);

  odl_report_note (trial->options->process.inputs[0], text);
  g_print ("%s\n", recipe);
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
print_json (const OdlTrial *trial,
            const OdlSearchResult *result,
            const OdlScores *before,
            const char *recipe)
{
  g_autofree char *noise = odl_noise_model_to_text (&trial->noise);
  OdlJson json;

  odl_json_init (&json);
  odl_json_begin_object (&json, NULL);
  odl_json_string (&json, "input", trial->options->process.inputs[0]);
  odl_json_string (&json, "noise", noise);
  odl_json_string (&json, "metric", odl_scores[trial->metric].name);
  odl_json_string (&json, "recipe", recipe);
  odl_json_begin_object (&json, "parameters");
  for (guint i = 0; i < trial->axes->len; i++) {
    const OdlVaried *axis = g_ptr_array_index (trial->axes, i);
    g_autofree char *value = odl_varied_text (axis, result->indices[i]);
    odl_json_string (&json, axis->name, value);
  }
  odl_json_end_object (&json);
  write_scores (&json, trial, "before", before);
  write_scores (&json, trial, "after", &result->scores);
  odl_json_integer (&json, "evaluated", result->evaluated);
  odl_json_end_object (&json);
  odl_json_print (&json);
}

static bool
run (const Options *options, GError **error)
{
  g_auto (OdlTrial) trial = { 0 };
  OdlSearchResult result;
  OdlScores before;

  if (!odl_trial_init (&trial, &options->trial, DIVISIONS, error))
    return false;
  if (odl_axes_points (trial.axes) > MOST_POINTS)
    return odl_usage_error (
        error, _ ("This grid has %.3g points, more than can be computed. Vary less."),
        odl_axes_points (trial.axes));
  g_autoptr (OdlRunner) runner = odl_trial_runner (&trial, error);
  if (runner == NULL || !odl_search_run (&trial, runner, &result, error)
      || !odl_scores_measure (&before, trial.image, trial.image, trial.reference,
                              &trial.regions, error))
    return false;
  const OdlRecipe recipe = odl_axes_recipe (trial.axes, &trial.recipe, result.indices);
  g_autofree char *words = odl_recipe_to_text (&recipe, " ");
  if (options->as_json)
    print_json (&trial, &result, &before, words);
  else
    print_text (&trial, &result, &before, words);
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
