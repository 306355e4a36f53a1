// SPDX-License-Identifier: MIT
#include "cli/verb.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/inputs.h"
#include "cli/json.h"
#include "work/runner.h"
#include "engine/received.h"
#include "filter/strength.h"
#include "image/compare.h"

#define USUAL_INPUT "phantom:512x512"
// What neutral settings may change, as a fraction of full scale.
#define BOUND 2e-6

enum { EXIT_NEUTRAL = 0, EXIT_CHANGED = 1 };

typedef struct {
  OdlRunner *runner;
  OdlImage *input;
  OdlJson *json; // NULL: text
  double largest;
} Check;

// What is measured in every frame is no setting: a usual number is in its place.
static void
set_measured (OdlRecipeItem *item)
{
  for (size_t p = 0; p < item->filter->n_parameters; p++) {
    const OdlParameter *parameter = &item->filter->parameters[p];
    for (int i = 0; i < parameter->count; i++) {
      double *value = &item->values[parameter->offset + i];
      *value = odl_parameter_usual (parameter, i, *value);
    }
  }
}

static bool
check_recipe (Check *check, const OdlRecipe *recipe, const char *name, GError **error)
{
  g_autofree char *note = NULL;
  g_autoptr (OdlPlan) plan = NULL;
  OdlComparison found;

  odl_runner_begin (check->runner);
  g_autoptr (OdlImage) result
      = odl_runner_process (check->runner, recipe, check->input, &plan, &note, error);
  if (result == NULL && g_error_matches (*error, ODL_ERROR, ODL_ERROR_UNSUPPORTED)) {
    g_autofree char *text = g_strdup_printf ("%s: %s", name, (*error)->message);
    odl_report_note (NULL, text);
    g_clear_error (error);
    return true;
  }
  if (result == NULL || !odl_compare (result, check->input, &found, error))
    return false;
  check->largest = MAX (check->largest, found.max_abs);
  if (check->json == NULL) {
    g_print ("%-22s %.2g\n", name, found.max_abs);
    return true;
  }
  odl_json_begin_object (check->json, NULL);
  odl_json_string (check->json, "filter", name);
  odl_json_number (check->json, "largest", found.max_abs);
  odl_json_end_object (check->json);
  return true;
}

// The filter with its defaults, which do something, and then with a strength of 0.
static bool
check_filter (Check *check, const OdlFilter *filter, GError **error)
{
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  odl_recipe_append (&recipe, filter);
  odl_measure_recipe (&recipe, &(OdlMeasured){ .image = check->input });
  set_measured (&recipe.items[0]);
  recipe.strength = 0;
  return check_recipe (check, &recipe, filter->name, error);
}

// Settings without an effect that no strength makes.
static const char *const settings[] = {
  "tone-curve",
  "weighted-median:size=3,centre=9",
  "bivariate:sigma=0,transform=decimated",
  "soft-threshold:transform=stationary,threshold=0",
  "soft-threshold:transform=dual-tree,threshold=0",
  "scale-bands:transform=dual-tree,gains=1",
  "scale-bands:transform=dual-tree,gains=1,falling-gains=1",
  "scale-bands:limiter=on,gains=1",
  "transform inverse",
  "transform:transform=stationary inverse",
  "stabilise:method=anscombe restore:return=algebraic",
  "stabilise:method=log restore:return=algebraic",
  "stabilise:method=box-cox restore:return=algebraic",
};

static bool
check_words (Check *check, const char *words, GError **error)
{
  g_auto (GStrv) filters = g_strsplit (words, " ", -1);
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  for (int i = 0; filters[i] != NULL; i++)
    if (!odl_recipe_parse (&recipe, filters[i], error))
      return false;
  return check_recipe (check, &recipe, words, error);
}

// Those that have values which strength scales, once each, but for filters that have no
// effect without another picture.
static bool
check_all (Check *check, GError **error)
{
  const OdlStrengthRow *row;
  const char *before = "";

  for (size_t i = 0; (row = odl_strength_row (i)) != NULL; before = row->filter, i++) {
    const OdlFilter *filter = odl_filter_find (row->filter);
    if (g_str_equal (row->filter, before) || odl_filter_file (filter) != NULL)
      continue;
    if (!check_filter (check, filter, error))
      return false;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (settings); i++)
    if (!check_words (check, settings[i], error))
      return false;
  return true;
}

static int
run_check (const char *input, const char *engine, bool as_json)
{
  g_autoptr (GError) error = NULL;
  OdlJson json = { 0 };
  Check check = { .json = as_json ? &json : NULL };

  check.input = odl_input_read (input, 0, NULL, NULL, &error);
  check.runner = check.input != NULL ? odl_runner_new (engine, &error) : NULL;
  if (as_json) {
    odl_json_init (&json);
    odl_json_begin_array (&json, NULL);
  }
  const bool done = check.runner != NULL && check_all (&check, &error);
  if (as_json && done) {
    odl_json_end_array (&json);
    odl_json_print (&json);
  } else if (done) {
    g_print (_ ("Neutral settings of all filters on “%s” by “%s” change at most %.2g of "
                "full scale (bound: %.2g).\n"),
             input, odl_runner_engine (check.runner), check.largest, BOUND);
  } else {
    odl_report_error (input, error);
  }
  if (check.runner != NULL)
    odl_runner_free (check.runner);
  g_clear_pointer (&check.input, odl_image_unref);
  if (!done)
    return odl_report_status (error);
  return check.largest <= BOUND ? EXIT_NEUTRAL : EXIT_CHANGED;
}

static int
neutral (int argc, char **argv)
{
  gboolean as_json = FALSE;
  g_autofree char *engine = NULL;
  g_auto (GStrv) inputs = NULL;
  const GOptionEntry entries[] = {
    { "engine", 'e', 0, G_OPTION_ARG_STRING, &engine,
      N_ ("One of “list engines”, with :VARIANT if you like, or auto; default: "
          "ODL_ENGINE, else auto"),
      "ENGINE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("Write JSON"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &inputs, NULL, NULL },
    { NULL },
  };

  if (!odl_verb_parse (&odl_verb_neutral, entries, NULL, argc, argv))
    return ODL_EXIT_USAGE;
  if (inputs != NULL && inputs[0] != NULL && inputs[1] != NULL) {
    odl_report_usage (_ ("Name one picture, or none for a phantom."));
    return ODL_EXIT_USAGE;
  }
  return run_check (inputs != NULL ? inputs[0] : USUAL_INPUT, engine, as_json);
}

const OdlVerb odl_verb_neutral = {
  .name = "neutral",
  .arguments = "[INPUT]",
  .summary = N_ ("Show how much each filter changes a picture at strength 0: nothing, "
                 "but for rounding."),
  .run = neutral,
};
