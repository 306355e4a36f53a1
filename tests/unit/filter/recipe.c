// SPDX-License-Identifier: MIT
// Filter table, parameter table and the text form of recipes.
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "filter/own/words.h"
#include "base/error.h"
#include "base/text.h"
#include "filter/inside.h"
#include "filter/measure.h"
#include "filter/normalisation.h"
#include "filter/strength.h"

#include "../../helpers/plans.h"

static void
test_tables (void)
{
  for (size_t f = 0; f < odl_filter_count (); f++) {
    const OdlFilter *filter = odl_filter_at (f);
    int used = 0;
    g_assert_true (odl_filter_find (filter->name) == filter);
    g_assert_cmpstr (filter->label, !=, "");
    g_assert_cmpstr (filter->description, !=, "");
    for (size_t p = 0; p < filter->n_parameters; p++) {
      const OdlParameter *parameter = &filter->parameters[p];
      g_assert_true (odl_filter_parameter (filter, parameter->key) == parameter);
      g_assert_cmpint (parameter->offset, ==, used); // no holes, no overlap
      used += parameter->count;
      g_assert_cmpint (used, <=, ODL_FILTER_MAX_VALUES);
      g_assert_true (parameter->step > 0 || odl_parameter_is_file (parameter));
      for (int i = 0; i < parameter->count; i++) {
        const double value = odl_parameter_default (parameter, i);
        g_assert_cmpfloat (odl_parameter_clamp (parameter, value), ==, value);
      }
    }
  }
}

static void
test_defaults_round_trip (void)
{
  for (size_t f = 0; f < odl_filter_count (); f++) {
    OdlRecipe recipe = odl_test_recipe (odl_filter_at (f)->name);
    g_autofree char *text = odl_recipe_to_text (&recipe, " ");
    OdlRecipe again = odl_test_recipe (text);
    g_assert_true (odl_recipe_equal (&recipe, &again));
  }
}

// Random values on the step grid of every parameter survive text and back.
// A kind without a row would be a filter that nobody can name.
static void
test_kinds_have_rows (void)
{
  for (OdlFilterKind kind = 0; kind < ODL_N_FILTER_KINDS; kind++) {
    int rows = 0;
    for (size_t i = 0; i < odl_filter_count (); i++)
      rows += odl_filter_at (i)->kind == kind;
    if (rows != 1)
      g_error ("filter kind %d has %d rows in src/filter/filter.c", kind, rows);
  }
}

static void
test_random_round_trip (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (int round = 0; round < 300; round++) {
    OdlRecipe recipe;
    odl_recipe_init (&recipe);
    recipe.view = g_rand_int_range (random, 0, 4);
    recipe.colour = g_rand_int_range (random, 0, 2);
    recipe.precision = g_rand_boolean (random) ? 16 : 32;
    for (int n = g_rand_int_range (random, 0, 5); n > 0; n--) {
      odl_recipe_append (&recipe, odl_filter_at (g_rand_int_range (
                                      random, 0, (int) odl_filter_count ())));
      const OdlFilter *filter = recipe.items[recipe.n_items - 1].filter;
      for (size_t p = 0; p < filter->n_parameters; p++) {
        const OdlParameter *parameter = &filter->parameters[p];
        for (int i = 0; i < parameter->count; i++) {
          const double span = odl_parameter_maximum (parameter) - parameter->minimum;
          const double value = g_rand_double (random) * span + parameter->minimum;
          g_autofree char *digits = odl_number_to_text (value);
          odl_recipe_set (&recipe, recipe.n_items - 1, parameter->key, i,
                          g_ascii_strtod (digits, NULL));
        }
      }
      recipe.items[recipe.n_items - 1].bypassed = g_rand_boolean (random);
      // Without its file code has no place either.
      if (odl_filter_has_at (filter) && !odl_own_is_filter (filter))
        recipe.items[recipe.n_items - 1].at = g_rand_int_range (random, 0, 3);
      if (odl_filter_any_file (filter) != NULL) {
        char name[8] = "";
        for (int i = 0; i < 7; i++)
          name[i] = (char) g_rand_int_range (random, 0, 256);
        odl_recipe_set_file (&recipe, recipe.n_items - 1, name);
      }
    }
    g_autofree char *text = odl_recipe_to_text (&recipe, round % 2 == 0 ? " " : "\n");
    OdlRecipe again = odl_test_recipe (text);
    if (!odl_recipe_equal (&recipe, &again))
      g_error ("“%s” does not come back", text);
  }
}

static void
test_transforms_enclose (void)
{
  OdlRecipe recipe
      = odl_test_recipe ("median transform:levels=5,wavelet=haar soft-threshold:levels=2 "
                         "gaussian:at=coarsest,bypass=yes transform:bypass=yes "
                         "bayes-shrink inverse:bypass=yes "
                         "transform:levels=7 inverse shrinkage:levels=4 inverse");
  static const int around[] = { -1, -1, 1, 1, 1, 1, 1, 1, -1, -1, -1 };

  for (int i = 0; i < recipe.n_items; i++)
    g_assert_cmpint (odl_recipe_transform_around (&recipe, i), ==, around[i]);
  g_assert_cmpint (odl_recipe_transform_end (&recipe, 1), ==, 8);
  g_assert_cmpint (odl_recipe_transform_end (&recipe, 9), ==, 10);
  g_assert_cmpint (odl_recipe_transform_end (&recipe, 10), ==, recipe.n_items);
  odl_recipe_share_transforms (&recipe);
  g_assert_cmpfloat (odl_recipe_get (&recipe, 2, "levels", 0), ==, 5);
  g_assert_cmpstr (odl_recipe_item_wavelet (&recipe.items[5])->name, ==, "haar");
  g_assert_cmpfloat (odl_recipe_get (&recipe, 9, "levels", 0), ==, 4);

  g_autofree char *text = odl_recipe_to_text (&recipe, " ");
  g_assert_nonnull (strstr (text, "gaussian:sigma=1,at=coarsest,bypass=yes "));
  static const char *const wrong[] = { "soft-threshold:at=details", "gaussian:at=ll",
                                       "mix:at=details", "gaussian:at" };
  for (size_t i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_false (odl_recipe_parse (&recipe, wrong[i], &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  }
}

static void
test_text_of_the_readme (void)
{
  OdlRecipe recipe
      = odl_test_recipe ("soft-threshold:wavelet=cdf97,levels=3,threshold=0.05");
  g_autofree char *text = odl_recipe_to_text (&recipe, " ");

  g_assert_cmpstr (text, ==,
                   "soft-threshold:wavelet=cdf97,levels=3,transform=decimated,"
                   "normalisation=unit-gain,threshold=0.05,shifts=1,dimensions=2 "
                   "view=synthesis colour=channels precision=32 border=auto");
}

static void
test_matrices_and_comments (void)
{
  OdlRecipe recipe
      = odl_test_recipe ("# a preset\nshrinkage:wavelet=9/7,thresholds=0.3/0.2:0.1:0.4\n"
                         "view=analysis # the bands\n");

  g_assert_cmpint (recipe.n_items, ==, 1);
  g_assert_cmpint (recipe.view, ==, ODL_VIEW_ANALYSIS);
  for (int b = 0; b < ODL_DETAIL_BANDS; b++) {
    static const double last[] = { 0.2, 0.1, 0.4 };
    g_assert_cmpfloat (odl_recipe_get (&recipe, 0, "thresholds", b), ==, 0.3);
    for (int l = 1; l < ODL_MAX_LEVELS; l++)
      g_assert_cmpfloat (
          odl_recipe_get (&recipe, 0, "thresholds", ODL_DETAIL_BANDS * l + b), ==,
          last[b]);
  }
  g_autofree char *text = odl_recipe_to_text (&recipe, " ");
  g_assert_true (g_str_has_prefix (
      text, "shrinkage:wavelet=cdf97,levels=3,transform=decimated,"
            "normalisation=unit-gain,thresholds=0.3/0.2:0.1:0.4/0.2:0.1:0.4,"));
  recipe = odl_test_recipe ("shrinkage:thresholds=0.2:0.2:0.2");
  g_autofree char *linked = odl_recipe_to_text (&recipe, " ");
  g_assert_nonnull (strstr (linked, ",thresholds=0.2,"));
}

// Those of volumes, which follow the others where nothing is said.
static void
test_deep_matrices (void)
{
  const char *text
      = "shrinkage:levels=2,thresholds=0.3,z-thresholds=0.1/auto:0.2:auto:0.4";
  const OdlRecipe recipe = odl_test_recipe (text);
  static const double wanted[]
      = { 0.1, 0.1, 0.1, 0.1, ODL_VALUE_AUTO, 0.2, ODL_VALUE_AUTO, 0.4 };
  OdlRecipe parsed;
  g_autoptr (GError) error = NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (wanted); i++)
    g_assert_cmpfloat (odl_recipe_get (&recipe, 0, "z-thresholds", (int) i), ==,
                       wanted[i]);
  g_autofree char *written = odl_recipe_to_text (&recipe, " ");
  g_assert_nonnull (strstr (written, "z-thresholds=0.1/auto:0.2:auto:0.4"));
  g_assert_true (odl_recipe_is_measured (&recipe)); // nothing waits
  odl_recipe_init (&parsed);
  g_assert_false (
      odl_recipe_parse (&parsed, "shrinkage:z-thresholds=0.1:0.2:0.3", &error));
  g_assert_nonnull (strstr (error->message, "LLH:HLH:LHH:HHH"));
}

static void
test_directions (void)
{
  const OdlRecipe recipe = odl_test_recipe (
      "shrinkage:levels=2,transform=dual-tree,thresholds=0.3:0.2:0.1/0.5:0.6:0.7,"
      "falling-thresholds=auto:0.4:auto/auto");
  const OdlParameter *falling
      = odl_filter_parameter (recipe.items[0].filter, "falling-thresholds");
  static const double followed[] = { 0.3, 0.2, 0.1, 0.5, 0.6, 0.7 };

  for (int i = 0; i < (int) G_N_ELEMENTS (followed); i++) {
    g_assert_cmpfloat (odl_recipe_item_followed (&recipe.items[0], falling, i), ==,
                       followed[i]);
    g_assert_cmpfloat (odl_recipe_get (&recipe, 0, falling->key, i), ==,
                       i == 1 ? 0.4 : ODL_VALUE_AUTO);
  }
  g_autofree char *written = odl_recipe_to_text (&recipe, " ");
  g_assert_nonnull (strstr (written, "falling-thresholds=auto:0.4:auto/auto,"));
  g_assert_true (odl_recipe_is_measured (&recipe)); // nothing waits
}

// Numbers that count over frames have words, which last, and others have none of these.
static void
test_words_of_frames (void)
{
  static const struct {
    const char *text;
    double value;
    bool measured;
  } rows[] = { { "log-compress:reference=cine", ODL_VALUE_CINE, false },
               { "log-compress:reference=FRAME", ODL_VALUE_FRAME, true },
               { "log-compress", ODL_VALUE_AUTO, false },
               { "log-compress:reference=0.25", 0.25, true } };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    OdlRecipe recipe = odl_test_recipe (rows[i].text);
    g_assert_cmpfloat (odl_recipe_get (&recipe, 0, "reference", 0), ==, rows[i].value);
    g_assert_true (odl_recipe_is_measured (&recipe) == rows[i].measured);
    g_assert_true (odl_recipe_waits_for_cine (&recipe)
                   == (rows[i].value == ODL_VALUE_CINE));
    recipe.strength = 0.5;
    const OdlRecipe half = odl_recipe_at_strength (&recipe);
    g_assert_cmpfloat (odl_recipe_get (&half, 0, "reference", 0), ==, rows[i].value);
    recipe.strength = 1;
    g_autofree char *text = odl_recipe_to_text (&recipe, " ");
    const OdlRecipe again = odl_test_recipe (text);
    g_assert_true (odl_recipe_equal (&recipe, &again));
    odl_recipe_forget_measured (&recipe, 0);
    g_assert_cmpfloat (odl_recipe_get (&recipe, 0, "reference", 0), ==, ODL_VALUE_CINE);
  }
  static const char *const wrong[]
      = { "bivariate:sigma=cine", "bivariate:sigma=frame", "log-compress:range=cine",
          "log-expand:reference=cine", "log-compress:reference=-2" };
  for (size_t i = 0; i < G_N_ELEMENTS (wrong); i++) {
    OdlRecipe recipe;
    g_autoptr (GError) error = NULL;
    odl_recipe_init (&recipe);
    g_assert_false (odl_recipe_parse (&recipe, wrong[i], &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  }
  // Somebody who adds one has that of all frames.
  OdlRecipe fresh;
  odl_recipe_init (&fresh);
  odl_recipe_append_fresh (&fresh, odl_filter_find ("log-compress"));
  g_assert_cmpfloat (odl_recipe_get (&fresh, 0, "reference", 0), ==, ODL_VALUE_CINE);
}

// What does nothing is written only where somebody has set it.
static void
test_without_effect (void)
{
  static const struct {
    const char *text, *key;
    bool written;
  } rows[] = {
    { "shrinkage:thresholds=0.3", "z-thresholds", false },
    { "shrinkage:thresholds=0.3,dimensions=3", "z-thresholds", true },
    { "shrinkage:thresholds=0.3,z-thresholds=0.1", "z-thresholds", true },
    { "shrinkage:thresholds=0.3", "falling-thresholds", false },
    { "shrinkage:thresholds=0.3,transform=dual-tree", "falling-thresholds", true },
    { "shrinkage:thresholds=0.3,falling-thresholds=0.1", "falling-thresholds", true },
    { "convolve:shape=gaussian", "frequency", false },
    { "convolve:shape=gaussian,frequency=0.8", "frequency", true },
    { "convolve:shape=quadrature", "frequency", true },
    { "convolve:kernel=k.npy", "shape", false },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const OdlRecipe recipe = odl_test_recipe (rows[i].text);
    g_autofree char *text = odl_recipe_to_text (&recipe, " ");
    g_autofree char *key = g_strdup_printf (",%s=", rows[i].key);
    g_assert_cmpint (strstr (text, key) != NULL, ==, rows[i].written);
    const OdlRecipe again = odl_test_recipe (text);
    g_assert_true (odl_recipe_equal (&again, &recipe));
  }
}

static void
test_bad_text (void)
{
  static const struct {
    const char *text;
    const char *says;
  } cases[] = {
    { "blur", "“blur” is not a filter" },
    { "gaussian:radius=3", "no parameter “radius”" },
    { "gaussian:sigma", "needs a value" },
    { "gaussian:sigma=", "is not a number" },
    { "gaussian:sigma=abc", "“abc” is not a number" },
    { "gaussian:sigma=1,5", "no parameter “5”" },
    { "gaussian:sigma=nan", "is not a number" },
    { "gaussian:sigma=inf", "is not a number" },
    { "gaussian:sigma=-1", "outside 0 … 10" },
    { "soft-threshold:levels=2.5", "whole number" },
    { "soft-threshold:levels=0", "outside 1 … 16" },
    { "soft-threshold:wavelet=haar9", "cdf97, cdf53" },
    { "pass-through:x=1", "has no parameters" },
    { "sharpen:neighbours=6", "choose one of: 4, 8" },
    { "view=inside-out", "result, coefficients, filtered-coefficients, residual" },
    { "precision=24", "16, 32" },
    { "colour=", "channels, luma" },
    { "speed=9", "view, colour, precision" },
    { "shrinkage:thresholds=1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1", "at most 16" },
    { "shrinkage:thresholds=0.1//0.2", "is not a number" },
    { "shrinkage:thresholds=0.1:0.2", "three for the bands HL:LH:HH" },
    { "shrinkage:thresholds=0.1:0.2:0.3:0.4", "“0.1:0.2:0.3:0.4” for “thresholds”" },
    { "shrinkage:thresholds=0.1:2:0.3", "“2” for “thresholds” is outside 0 … 1" },
    { "shrinkage:thresholds=0.1::0.3", "is not a number" },
    { "shrinkage:thresholds=", "is not a number" },
    { "gaussian:,", "no parameter" },
    { "sharpen:bypass=perhaps", "choose one of: no, yes" },
    { "sharpen:bypass", "no parameter" },
    { "median:size=4", "choose one of: 3, 5, 7" },
    { "mix:with", "needs a value" },
    { "mix:with=\"a.png", "unterminated quote" },
    { "mix:with=\"a.png\\\"", "unterminated quote" },
    { "mix:with=\"a.png\"b", "text after the closing quote" },
    { "mix:with=a b.png", "“b.png” is not a filter" },
    { "mix:with=a.png,weight=2", "outside 0 … 1" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    OdlRecipe recipe, before;
    recipe = before = odl_test_recipe ("gaussian:sigma=2");
    g_assert_false (odl_recipe_parse (&recipe, cases[i].text, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
    if (strstr (error->message, cases[i].says) == NULL)
      g_error ("“%s”: “%s” does not say “%s”", cases[i].text, error->message,
               cases[i].says);
    g_assert_true (odl_recipe_equal (&recipe, &before));
  }
}

static void
test_files (void)
{
  static const struct {
    const char *text;
    const char *file;
  } cases[] = {
    { "mix:with=a.png", "a.png" },
    { "mix:with=/a/b=c:d.png,weight=0.5", "/a/b=c:d.png" },
    { "mix:weight=0.5,with=\"a, b # c.png\"", "a, b # c.png" },
    { "mix:with=\"a\\\"b\\\\c\\n.png\" # a \" in a comment", "a\"b\\c\n.png" },
    { "mix:with=\"\\377.png\"", "\377.png" },
    { "mix:with=Bäume.png", "Bäume.png" },
    { "mix:with=", NULL },
    { "mix:with=\"\"", NULL },
    { "mix", NULL },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    OdlRecipe recipe = odl_test_recipe (cases[i].text);
    g_assert_cmpint (recipe.n_items, ==, 1);
    g_assert_cmpstr (recipe.items[0].file, ==, cases[i].file);
    // Without a second picture it does nothing.
    g_assert_true (odl_recipe_is_identity (&recipe) == (cases[i].file == NULL));
    g_assert_cmpstr (odl_recipe_operand (&recipe, 0), ==, cases[i].file);
    g_autofree char *text = odl_recipe_to_text (&recipe, "\n");
    g_assert_true (g_utf8_validate (text, -1, NULL));
    OdlRecipe again = odl_test_recipe (text);
    g_assert_true (odl_recipe_equal (&recipe, &again));
    recipe.items[0].bypassed = true;
    g_assert_null (odl_recipe_operand (&recipe, 0));
  }
}

// A bypassed filter keeps what was set and does nothing, also where somebody asks what
// the recipe does.
static void
test_bypass (void)
{
  OdlRecipe recipe
      = odl_test_recipe ("pass-through:bypass=yes soft-threshold:bypass=yes,levels=2 "
                         "recursive-average:weight=0.5,bypass=yes");
  g_autofree char *text = odl_recipe_to_text (&recipe, " ");

  g_assert_true (odl_recipe_is_identity (&recipe));
  g_assert_false (odl_recipe_is_temporal (&recipe));
  g_assert_cmpint (odl_recipe_last_wavelet_item (&recipe), ==, -1);
  g_assert_cmpfloat (odl_recipe_get (&recipe, 2, "weight", 0), ==, 0.5);
  g_assert_nonnull (strstr (text, "pass-through:bypass=yes "));
  g_assert_nonnull (strstr (text, "recursive-average:weight=0.5,bypass=yes"));
  recipe.items[1].bypassed = false;
  g_assert_false (odl_recipe_is_identity (&recipe));
  g_assert_cmpint (odl_recipe_last_wavelet_item (&recipe), ==, 1);

  OdlRecipe switched_on = odl_test_recipe ("sharpen:bypass=no"),
            plain = odl_test_recipe ("sharpen");
  g_assert_true (odl_recipe_equal (&switched_on, &plain));
  switched_on.items[0].bypassed = true;
  g_assert_false (odl_recipe_equal (&switched_on, &plain));
}

static void
test_too_many_filters (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe;

  for (int i = 0; i <= ODL_RECIPE_MAX_FILTERS; i++)
    g_string_append (text, "sharpen ");
  odl_recipe_init (&recipe);
  g_assert_false (odl_recipe_parse (&recipe, text->str, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
}

static void
test_preset_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("odl-recipe-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a preset.odl", NULL);
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe
      = odl_test_recipe ("gaussian:sigma=0.7 shrinkage colour=luma precision=16");
  OdlRecipe loaded;

  g_assert_true (odl_recipe_save (&recipe, path, &error));
  odl_recipe_init (&loaded);
  g_assert_true (odl_recipe_load (&loaded, path, &error));
  g_assert_true (odl_recipe_equal (&recipe, &loaded));

  // Files beside the preset go with it; others have their whole names.
  g_autofree char *beside = g_build_filename (folder, "a b.png", NULL);
  OdlRecipe mix = odl_test_recipe ("mix mix:with=/elsewhere/c.png");
  odl_recipe_set_file (&mix, 0, beside);
  g_assert_true (odl_recipe_save (&mix, path, &error));
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "mix:with=\"a b.png\","));
  g_assert_nonnull (strstr (text, "mix:with=/elsewhere/c.png,"));
  OdlRecipe mixed;
  odl_recipe_init (&mixed);
  g_assert_true (odl_recipe_load (&mixed, path, &error));
  g_assert_true (odl_recipe_equal (&mix, &mixed));

  static const char junk[] = "gaussian\0sigma";
  g_assert_true (g_file_set_contents (path, junk, sizeof junk, NULL));
  g_assert_false (odl_recipe_load (&loaded, path, &error));
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);
  g_assert_false (odl_recipe_load (&loaded, folder, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_IO);
  g_assert_true (odl_recipe_equal (&recipe, &loaded));
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_numbers (void)
{
  static const struct {
    double value;
    const char *text;
  } cases[] = { { 0.05, "0.05" },     { 0.05f, "0.05" }, { 1, "1" },
                { 0, "0" },           { 10, "10" },      { 4095, "4095" },
                { -0.125, "-0.125" }, { 1e-5, "1e-05" }, { 1.0 / 3, "0.33333333" } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = odl_number_to_text (cases[i].value);
    g_assert_cmpstr (text, ==, cases[i].text);
  }
}

// Settings that a file replaces have an effect without one, whether or not the filter has
// shapes.
static void
test_uses (void)
{
  for (size_t f = 0; f < odl_filter_count (); f++) {
    const OdlFilter *filter = odl_filter_at (f);
    const OdlParameter *file = odl_filter_any_file (filter);
    OdlRecipe recipe;
    odl_recipe_init (&recipe);
    odl_recipe_append (&recipe, filter);
    OdlRecipeItem *item = &recipe.items[0];
    for (size_t p = 0; p < filter->n_parameters; p++) {
      const OdlParameter *parameter = &filter->parameters[p];
      if (parameter->shapes == 0)
        continue;
      if (parameter->selector) { // what is chosen there decides
        const OdlParameter *choice = odl_filter_parameter (filter, parameter->selector);
        for (int i = 0; i <= choice->maximum; i++) {
          item->values[choice->offset] = i;
          g_assert_true (odl_recipe_item_uses (item, parameter)
                         == (parameter->shapes >> i & 1));
        }
        continue;
      }
      g_assert_nonnull (file);
      if (odl_filter_parameter (filter, "shape") == NULL)
        g_assert_true (odl_recipe_item_uses (item, parameter));
      item->file = "kernel.npy";
      g_assert_false (odl_recipe_item_uses (item, parameter));
      item->file = NULL;
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recipe/tables-are-consistent", test_tables);
  g_test_add_func ("/recipe/every-kind-of-filter-has-a-row", test_kinds_have_rows);
  g_test_add_func ("/recipe/defaults-round-trip", test_defaults_round_trip);
  g_test_add_func ("/recipe/random-recipes-round-trip", test_random_round_trip);
  g_test_add_func ("/recipe/transforms-enclose-filters", test_transforms_enclose);
  g_test_add_func ("/recipe/text-is-canonical", test_text_of_the_readme);
  g_test_add_func ("/recipe/matrices-and-comments-are-read", test_matrices_and_comments);
  g_test_add_func ("/recipe/deep-matrices", test_deep_matrices);
  g_test_add_func ("/recipe/directions-follow-those-that-rise", test_directions);
  g_test_add_func ("/recipe/numbers-over-frames-have-words", test_words_of_frames);
  g_test_add_func ("/recipe/what-does-nothing-is-left-out", test_without_effect);
  g_test_add_func ("/recipe/bad-text-is-explained", test_bad_text);
  g_test_add_func ("/recipe/names-of-files-are-quoted", test_files);
  g_test_add_func ("/recipe/bypassed-filters-do-nothing", test_bypass);
  g_test_add_func ("/recipe/too-many-filters-are-refused", test_too_many_filters);
  g_test_add_func ("/recipe/preset-files-round-trip", test_preset_files);
  g_test_add_func ("/recipe/numbers-are-short", test_numbers);
  g_test_add_func ("/recipe/a-file-replaces-settings", test_uses);
  return g_test_run ();
}
