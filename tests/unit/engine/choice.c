// SPDX-License-Identifier: MIT
// Engines and variants by the names that people write.
#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "engine/engine.h"
#include "../../helpers/images.h"

static void
test_every_name_comes_back (void)
{
  for (size_t i = 0; i < odl_engine_count (); i++) {
    const OdlEngineClass *klass = odl_engine_at (i);
    g_autoptr (GError) error = NULL;
    OdlEngineChoice choice;

    g_assert_true (odl_engine_choice_parse (klass->name, &choice, &error));
    g_assert_true (choice.klass == klass);
    g_assert_null (choice.variant);
    g_autofree char *plain = odl_engine_choice_to_text (choice);
    g_assert_cmpstr (plain, ==, klass->name);
    g_assert_true ((klass->variants == NULL) == (klass->choose == NULL));
    for (const OdlEngineVariant *v = klass->variants; v != NULL && v->name != NULL; v++) {
      g_autofree char *text = g_strconcat (klass->name, ":", v->name, NULL);
      g_assert_true (odl_engine_choice_parse (text, &choice, &error));
      g_assert_true (choice.klass == klass);
      g_assert_cmpstr (choice.variant, ==, v->name);
      g_autofree char *again = odl_engine_choice_to_text (choice);
      g_assert_cmpstr (again, ==, text);
      g_assert_cmpuint (strlen (v->description), >, 0);
    }
  }
}

static void
test_unknown_names_say_what_there_is (void)
{
  static const struct {
    const char *text;
    const char *hint;
  } cases[] = {
    { "", "gl-fragment" },         { "magic", "gl-fragment" },
    { "cpu:", "scalar" },          { "cpu:magic", "scalar" },
    { "reference:fast", ":fast" }, { "gl-fragment:quads:quads", "quads" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    OdlEngineChoice choice = { 0 };
    g_assert_false (odl_engine_choice_parse (cases[i].text, &choice, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
    g_assert_nonnull (strstr (error->message, cases[i].hint));
    g_assert_null (choice.klass);
  }
}

// What an engine with variants is told, it does, also when told between frames.
static void
test_cpu_does_what_it_is_told (void)
{
  g_autoptr (GError) error = NULL;
  void *samples;
  g_autoptr (OdlImage) image = odl_test_image (64, 48, 1, ODL_SAMPLE_U8, &samples);
  const OdlGeometry geometry = odl_geometry_of (image);
  OdlRecipe recipe;

  memset (samples, 100, 64 * 48);
  odl_recipe_init (&recipe);
  odl_recipe_parse (&recipe, "soft-threshold:levels=2", &error);
  g_assert_no_error (error);
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, &error);
  OdlEngineChoice choice;
  g_assert_true (odl_engine_choice_parse ("cpu:scalar", &choice, &error));
  g_autoptr (OdlEngine) engine = odl_engine_open_choice (choice, &error);
  g_assert_no_error (error);

  int ran = 0;
  for (const OdlEngineVariant *v = engine->klass->variants; v->name != NULL; v++) {
    if (!odl_engine_choose (engine, v->name, &error)) {
      g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
      g_clear_error (&error);
      continue;
    }
    g_autoptr (OdlImage) result = odl_engine_process (engine, plan, image, &error);
    g_assert_no_error (error);
    g_assert_nonnull (strstr (engine->variant, v->name));
    ran++;
  }
  g_assert_cmpint (ran, >=, 1);
  g_assert_true (odl_engine_choose (engine, NULL, &error));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/choice/every-name-comes-back", test_every_name_comes_back);
  g_test_add_func ("/choice/unknown-names-say-what-there-is",
                   test_unknown_names_say_what_there_is);
  g_test_add_func ("/choice/the-cpu-engine-does-what-it-is-told",
                   test_cpu_does_what_it_is_told);
  return g_test_run ();
}
