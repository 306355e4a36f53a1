// SPDX-License-Identifier: MIT
// The strength of a recipe: 0 changes nothing, 1 is as written, what is between is
// linear.
#include <math.h>

#include "base/error.h"
#include "engine/engine.h"
#include "engine/received.h"
#include "filter/presets.h"
#include "filter/strength.h"

#include "../../helpers/images.h"
#include "../../helpers/plans.h"

// What neutral settings may change: floats of a transform and back.
#define NEUTRAL_BOUND 2e-6

static OdlImage *
make_image (void)
{
  float *samples;
  OdlImage *image = odl_test_image (40, 36, 3, ODL_SAMPLE_F32, &samples);

  for (int y = 0; y < 36; y++)
    for (int x = 0; x < 40; x++)
      for (int c = 0; c < 3; c++)
        *samples++ = (float) (0.5 + 0.3 * sin (x * 0.9 + c) * cos (y * 0.7)
                              + 0.1 * ((x * 7 + y * 13) % 5 - 2) / 2);
  return image;
}

// The largest difference between a picture and what the reference makes of it.
static double
change (const OdlRecipe *recipe)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = make_image ();
  const OdlGeometry geometry = odl_geometry_of (image);
  g_autoptr (OdlPlan) plan = odl_test_plan_of (recipe, &geometry);
  g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find ("reference"), &error);
  g_autoptr (OdlImage) result = odl_engine_process (engine, plan, image, &error);
  double largest = 0;

  g_assert_no_error (error);
  for (int c = 0; c < 3; c++)
    for (int y = 0; y < 36; y++) {
      float before[40], after[40];
      odl_image_scaled_row (image, c, y, 0, 0, before);
      odl_image_scaled_row (result, c, y, 0, 0, after);
      for (int x = 0; x < 40; x++)
        largest = MAX (largest, fabs ((double) before[x] - (double) after[x]));
    }
  return largest;
}

static void
test_rows (void)
{
  const OdlStrengthRow *row;

  for (size_t i = 0; (row = odl_strength_row (i)) != NULL; i++) {
    const OdlFilter *filter = odl_filter_find (row->filter);
    g_test_message ("%s %s", row->filter, row->key);
    g_assert_nonnull (filter);
    g_assert_nonnull (odl_filter_parameter (filter, row->key));
  }
}

// Measured values of a picture with noise, the defaults of all others.
static OdlRecipe
usual_recipe (const OdlFilter *filter)
{
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  odl_recipe_append (&recipe, filter);
  for (size_t p = 0; p < filter->n_parameters; p++) {
    const OdlParameter *parameter = &filter->parameters[p];
    for (int i = 0; i < parameter->count; i++) {
      double *value = &recipe.items[0].values[parameter->offset + i];
      *value = odl_parameter_usual (parameter, i, *value);
    }
  }
  return recipe;
}

static void
test_zero_is_neutral (void)
{
  const OdlStrengthRow *row;

  for (size_t i = 0; (row = odl_strength_row (i)) != NULL; i++) {
    OdlRecipe recipe = usual_recipe (odl_filter_find (row->filter));
    if (g_str_equal (row->filter, "decouple"))
      odl_recipe_set (&recipe, 0, "texture", 0, 0.5);
    if (g_str_equal (row->filter, "mix"))
      continue; // without its second picture it has no effect
    recipe.strength = 0;
    g_test_message ("%s: %g", row->filter, change (&recipe));
    g_assert_cmpfloat (change (&recipe), <=, NEUTRAL_BOUND);
  }
}

static void
test_presets_are_neutral_at_zero (void)
{
  for (size_t i = 0; i < odl_preset_count (); i++) {
    const char *name = odl_preset_at (i)->name;
    OdlRecipe recipe = odl_test_recipe (name);
    const bool bone = g_str_equal (name, "bone"); // decides, and has no strength
    static const char *const without[] = { "bone", "painting", "compounding", NULL };
    // What makes a picture of beams does so whatever the strength.
    static const char *const of_beams[]
        = { "despeckle-first", "compression-by-depth", "compounding", NULL };
    const bool whole = bone || g_strv_contains (of_beams, name);
    g_assert_cmpint (odl_recipe_has_strength (&recipe), ==,
                     !g_strv_contains (without, name));
    g_autoptr (OdlImage) image = make_image ();
    odl_measure_recipe (&recipe, &(OdlMeasured){ .image = image });
    recipe.strength = 0;
    g_test_message ("%s: %g", name, whole ? 0 : change (&recipe));
    if (!whole)
      g_assert_cmpfloat (change (&recipe), <=, NEUTRAL_BOUND);
  }
}

static void
test_linear (void)
{
  OdlRecipe recipe = odl_test_recipe (
      "shrinkage:thresholds=0.2:0.1:0.04/0.02 scale-bands:gains=3,base=1 "
      "srad:steps=15 median non-local-means:strength=0.4 bayes-shrink strength=0.5");
  OdlRecipe half = odl_recipe_at_strength (&recipe);

  g_assert_cmpfloat (odl_recipe_get (&half, 0, "thresholds", 0), ==, 0.1);
  g_assert_cmpfloat (odl_recipe_get (&half, 0, "thresholds", 2), ==, 0.02);
  g_assert_cmpfloat (odl_recipe_get (&half, 0, "thresholds", 3), ==, 0.01);
  g_assert_cmpfloat (odl_recipe_get (&half, 1, "gains", 0), ==, 2);
  g_assert_cmpfloat (odl_recipe_get (&half, 1, "base", 0), ==, 1);
  g_assert_cmpfloat (odl_recipe_get (&half, 2, "steps", 0), ==, 8); // whole: 7.5
  g_assert_cmpfloat (odl_recipe_get (&half, 4, "strength", 0), ==, 0.2);
  // What every frame measures is left to it.
  g_assert_cmpfloat (odl_recipe_get (&half, 5, "sigma", 0), ==, ODL_VALUE_AUTO);
  g_assert_cmpfloat (half.strength, ==, 1);
  recipe.strength = ODL_MOST_STRENGTH; // up to the ends of the ranges
  half = odl_recipe_at_strength (&recipe);
  g_assert_cmpfloat (odl_recipe_get (&half, 4, "strength", 0), ==, 0.5);
  g_assert_cmpfloat (odl_recipe_get (&half, 1, "gains", 0), ==, 4);
  // As written: the plan is that of the words.
  const OdlRecipe plain = odl_test_recipe ("gaussian:sigma=1.5");
  const OdlRecipe scaled = odl_test_recipe ("gaussian:sigma=0.75 strength=2");
  g_assert_cmpfloat (fabs (change (&plain) - change (&scaled)), <, 1e-9);
}

static void
test_text (void)
{
  const OdlRecipe recipe = odl_test_recipe ("sharpen strength=0.35");
  g_autofree char *text = odl_recipe_to_text (&recipe, " ");
  const OdlRecipe again = odl_test_recipe (text);
  const OdlRecipe plain = odl_test_recipe ("sharpen strength=1");
  g_autofree char *plain_text = odl_recipe_to_text (&plain, " ");
  static const char *const bad[]
      = { "strength=", "strength=-1", "strength=4.1", "strength=nan", "strength=much" };

  g_assert_true (g_str_has_suffix (text, " strength=0.35"));
  g_assert_true (odl_recipe_equal (&recipe, &again));
  g_assert_false (odl_recipe_equal (&recipe, &plain));
  g_assert_null (strstr (plain_text, "strength"));
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    OdlRecipe other = plain;
    g_assert_false (odl_recipe_parse (&other, bad[i], &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/strength/rows-are-those-of-filters", test_rows);
  g_test_add_func ("/strength/zero-changes-nothing", test_zero_is_neutral);
  g_test_add_func ("/strength/presets-change-nothing-at-zero",
                   test_presets_are_neutral_at_zero);
  g_test_add_func ("/strength/what-is-between-is-linear", test_linear);
  g_test_add_func ("/strength/is-a-word-of-the-recipe", test_text);
  return g_test_run ();
}
