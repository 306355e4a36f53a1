// SPDX-License-Identifier: MIT
// Presets of the user: saved, renamed, removed, imported; defaults; bad names and files.
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/error.h"
#include "filter/library.h"
#include "filter/own/own.h"
#include "filter/presets.h"

#include "../../helpers/folder.h"
#include "../../helpers/plans.h"

static void
write_file (const char *path, const char *text)
{
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
test_life (void)
{
  g_autoptr (GError) error = NULL;
  const OdlRecipe mine = odl_test_recipe ("gaussian:sigma=0.7 colour=luma strength=0.5");
  OdlRecipe loaded;

  g_assert_true (odl_library_save (&mine, "Köln, weich", &error));
  g_assert_no_error (error);
  odl_recipe_init (&loaded);
  g_assert_true (odl_library_load (&loaded, "Köln, weich", &error));
  g_assert_true (odl_recipe_equal (&mine, &loaded));
  odl_recipe_init (&loaded); // as --recipe does
  g_assert_true (odl_recipe_load_or_preset (&loaded, "Köln, weich", &error));
  g_assert_true (odl_recipe_equal (&mine, &loaded));

  g_assert_true (odl_library_set_default ("US", "Köln, weich", &error));
  g_assert_true (odl_library_set_default ("any", "x-ray", &error));
  g_assert_true (odl_library_rename ("Köln, weich", "weich", &error));
  g_assert_false (odl_library_has ("Köln, weich"));
  g_auto (GStrv) names = odl_library_names ();
  g_assert_cmpuint (g_strv_length (names), ==, 1); // not the file of the defaults
  g_assert_cmpstr (names[0], ==, "weich");
  g_autofree char *default_us = odl_library_default ("US");
  g_assert_cmpstr (default_us, ==, "weich");

  g_assert_true (odl_library_remove ("weich", &error));
  g_assert_null (odl_library_default ("US"));
  g_autofree char *any = odl_library_default ("any");
  g_assert_cmpstr (any, ==, "x-ray");
  g_assert_true (odl_library_set_default ("any", NULL, &error));
  g_assert_null (odl_library_default ("any"));
  g_assert_no_error (error);
}

// Files name their devices as they like.
static void
test_devices (void)
{
  static const char *const devices[]
      = { "device:US", "device:Ärzte [2] = a;b\n%20", "device:GE LOGIQ 700" };
  g_autoptr (GError) error = NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (devices); i++) {
    g_assert_null (odl_library_default (devices[i]));
    g_assert_true (odl_library_set_default (devices[i], i == 0 ? "x-ray" : "ct", &error));
    g_assert_no_error (error);
  }
  g_assert_null (odl_library_default ("US"));
  for (size_t i = 0; i < G_N_ELEMENTS (devices); i++) {
    g_autofree char *name = odl_library_default (devices[i]);
    g_assert_cmpstr (name, ==, i == 0 ? "x-ray" : "ct");
    g_assert_true (odl_library_set_default (devices[i], NULL, &error));
    g_assert_null (odl_library_default (devices[i]));
  }
  g_assert_false (odl_library_set_default ("device:", "ct", &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
}

static void
test_names (void)
{
  g_autofree char *longest = g_strnfill (61, 'a');
  const char *bad[] = { "",      ".hidden", "a/b",   "../../x", " a",   "a ",      "a\nb",
                        longest, "\xff",    "X-Ray", "ct",      "bone", "a\033[1m" };
  const OdlRecipe recipe = odl_test_recipe ("sharpen");

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_false (odl_library_save (&recipe, bad[i], &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  }
  g_autoptr (GError) error = NULL;
  OdlRecipe loaded = recipe;
  g_assert_false (odl_library_load (&loaded, "../../x", &error));
  g_assert_nonnull (strstr (error->message, "ultrasound-soft")); // what there is
  g_clear_error (&error);
  g_assert_true (odl_library_save (&recipe, "a", &error));
  g_assert_true (odl_library_save (&recipe, "b", &error));
  g_assert_false (odl_library_rename ("a", "b", &error));
  g_assert_true (odl_library_has ("a"));
  g_clear_error (&error);
  g_assert_false (odl_library_set_default ("U\nS", "a", &error));
  g_clear_error (&error);
  g_assert_true (odl_library_remove ("a", &error) && odl_library_remove ("b", &error));
}

// Code is kept beside the preset as long as one names it, and found there wherever the
// program runs.
static void
test_code (void)
{
  static const char bytes[]
      = "// parameter: gain 0..2 = 0.5  Gain\n"
        "SAMPLE filtered (ivec2 p)\n{\n  return GAIN * at (p);\n}\n";
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "kept.glsl", NULL);
  g_autofree char *text = g_strdup_printf ("glsl:file=%s,gain=0.25", path);
  OdlRecipe mine, loaded;
  g_assert_true (g_file_set_contents (path, bytes, -1, &error));
  odl_recipe_init (&mine);
  mine.trusts_code = true;
  g_assert_true (odl_recipe_parse (&mine, text, &error));
  g_assert_no_error (error);
  const OdlOwnCode *code = mine.items[0].filter->code;
  g_assert_true (odl_library_save (&mine, "a", &error));
  g_assert_true (odl_library_save (&mine, "b", &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_autofree char *kept
      = g_build_filename (g_get_user_data_dir (), "ondelette", "presets", "code",
                          code->hash, "kept.glsl", NULL);
  g_autofree char *got = NULL;
  g_assert_true (g_file_get_contents (kept, &got, NULL, NULL));
  g_assert_cmpstr (got, ==, bytes);
  odl_recipe_init (&loaded);
  g_assert_false (odl_library_load (&loaded, "a", &error)); // nobody trusts it
  g_assert_error (error, ODL_ERROR, ODL_ERROR_DENIED);
  g_clear_error (&error);
  g_assert_true (odl_library_remove ("a", &error));
  g_assert_true (g_file_test (kept, G_FILE_TEST_EXISTS)); // b names it
  // Other bytes under its name are not taken.
  g_assert_true (g_file_set_contents (kept, "another", -1, &error));
  g_assert_true (odl_library_remove ("b", &error));
  g_assert_false (g_file_test (kept, G_FILE_TEST_EXISTS));
}

// Nothing is lost: the filters in use stay, and so does the file.
static void
test_unusable (void)
{
  static const struct {
    const char *text, *why;
  } files[] = {
    { "# Ondelette recipe, format 2\nwonder:of=1\n", "newer version" },
    { "# Ondelette recipe, format 99999999999999999999\n", "newer version" },
    { "gaussian\nwonder:of=1\n", "wonder" },
    { "gaussian:of=1\n", "of" },
    { "", "is empty" },
    { "# Ondelette recipe, format 1\n \n  # gaussian\n", "is empty" },
  };
  g_autofree char *folder
      = g_build_filename (g_get_user_data_dir (), "ondelette", "presets", NULL);
  g_autofree char *path = g_build_filename (folder, "new.txt", NULL);
  const OdlRecipe before = odl_test_recipe ("sharpen");

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *left = NULL;
    OdlRecipe recipe = before;
    write_file (path, files[i].text);
    g_assert_false (odl_library_load (&recipe, "new", &error));
    g_assert_nonnull (strstr (error->message, files[i].why));
    g_assert_nonnull (strstr (error->message, "new.txt"));
    g_assert_true (odl_recipe_equal (&recipe, &before));
    g_clear_error (&error);
    g_assert_null (odl_library_import (path, &error));
    g_assert_nonnull (error);
    g_assert_true (g_file_get_contents (path, &left, NULL, NULL));
    g_assert_cmpstr (left, ==, files[i].text);
  }
  g_unlink (path);
}

static void
test_import (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path
      = g_build_filename (g_get_user_data_dir (), "Weich 2.recipe.txt", NULL);
  g_autofree char *odd = g_build_filename (g_get_user_data_dir (), ".odd", NULL);
  OdlRecipe loaded;

  write_file (path, "# by hand\ngaussian:sigma=2\nmix:with=\"b c.png\"\n");
  write_file (odd, "sharpen");
  g_autofree char *first = odl_library_import (path, &error);
  g_autofree char *second = odl_library_import (path, &error);
  g_autofree char *third = odl_library_import (odd, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (first, ==, "Weich 2.recipe");
  g_assert_cmpstr (second, ==, "Weich 2.recipe 2");
  g_assert_cmpstr (third, ==, "Filters");
  odl_recipe_init (&loaded);
  g_assert_true (odl_library_load (&loaded, second, &error));
  g_assert_cmpfloat (odl_recipe_get (&loaded, 0, "sigma", 0), ==, 2);
  // A number goes behind whole characters.
  g_autofree char *accents = g_build_filename (
      g_get_user_data_dir (), "aéééééééééééééééééééééééééééééé.txt", NULL);
  write_file (accents, "view=residual");
  g_free (odl_library_import (accents, &error));
  g_autofree char *again = odl_library_import (accents, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again, ==, "aéééééééééééééééééééééééééééééé 2");
  // Second pictures are still those beside the file that was imported.
  g_autofree char *beside = g_build_filename (g_get_user_data_dir (), "b c.png", NULL);
  g_assert_cmpstr (loaded.items[1].file, ==, beside);
}

// Whoever adds a file forgets no row, and the other way round; words are as they were.
static void
test_shipped (void)
{
  for (size_t i = 0; i < odl_preset_count (); i++) {
    const OdlPreset *preset = odl_preset_at (i);
    g_autofree char *words = odl_preset_words (preset);
    const OdlRecipe recipe = odl_test_recipe (words);
    const OdlRecipe named = odl_test_recipe (preset->name);
    g_assert_cmpint (recipe.n_items, >, 0);
    g_assert_true (odl_recipe_equal (&recipe, &named));
    g_assert_null (strchr (words, '#'));
    g_assert_null (strchr (words, '\n'));
  }
  g_autofree char *bone = odl_preset_words (odl_preset_find ("bone"));
  g_assert_cmpstr (
      bone, ==, "median:size=19 trough-threshold:bins=256,share=0.1 sobel contours mask");
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("odl-library-XXXXXX", NULL);

  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/library/devices-have-any-name", test_devices);
  g_test_add_func ("/library/saved-renamed-removed", test_life);
  g_test_add_func ("/library/names-that-are-no-names-are-refused", test_names);
  g_test_add_func ("/library/code-is-kept-beside-presets", test_code);
  g_test_add_func ("/library/what-cannot-be-used-is-a-sentence", test_unusable);
  g_test_add_func ("/library/imported-under-the-name-of-the-file", test_import);
  g_test_add_func ("/library/the-programs-own-are-files", test_shipped);
  return odl_test_run_in (g_steal_pointer (&folder));
}
