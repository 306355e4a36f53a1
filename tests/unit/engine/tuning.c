// SPDX-License-Identifier: MIT
// What a tuning run has found, and the file that keeps it, whatever that file holds.
#include <string.h>

#include "base/error.h"
#include "engine/gl/compute/shape.h"
#include "../../helpers/folder.h"

static const OdlGlLevelKind small = { 512.0 * 512, 32, false, 1 };
static const OdlGlLevelKind large = { 8192.0 * 8192, 16, true, 2 };

static char *all; // folders of the tests

static char *
new_path (void)
{
  g_autofree char *folder = odl_test_folder_in (all);

  return g_build_filename (folder, "sub", "gl-compute.ini", NULL);
}

static OdlGlTuning *
loaded (const char *path, const char *key)
{
  OdlGlTuning *tuning = odl_gl_tuning_new ();

  odl_gl_tuning_load (tuning, path, key);
  return tuning;
}

static void
save (const char *path, const char *key, OdlGlShape shape)
{
  OdlGlTuning *tuning = odl_gl_tuning_new ();
  g_autoptr (GError) error = NULL;

  odl_gl_tuning_set (tuning, &small, shape);
  odl_gl_tuning_save (tuning, path, key, &error);
  g_assert_no_error (error);
  odl_gl_tuning_free (tuning);
}

static bool
knows (const char *path, const char *key, const OdlGlLevelKind *kind)
{
  OdlGlTuning *tuning = loaded (path, key);
  const bool known = odl_gl_tuning_knows (tuning, kind);

  odl_gl_tuning_free (tuning);
  return known;
}

// The table covers everything, with shapes that a tuning run can find, too.
static void
nothing_known_means_the_table (void)
{
  OdlGlTuning *tuning = odl_gl_tuning_new ();

  for (double samples = 1; samples < 1e10; samples *= 3)
    for (int way = 0; way < 4; way++) {
      const int precision = way % 2 == 0 ? 16 : 32;
      const OdlGlLevelKind kind = { samples, precision, precision == 16, 1 + way / 2 };
      const OdlGlShape shape = odl_gl_tuning_shape (tuning, &kind);
      bool listed = false;
      for (const OdlGlShape *s = odl_gl_shapes_for (kind.levels); s->rows > 0; s++)
        listed = listed || (s->rows == shape.rows && s->across == shape.across);
      g_assert_true (listed);
      g_assert_false (odl_gl_tuning_knows (tuning, &kind));
    }
  odl_gl_tuning_free (tuning);
}

static void
shapes_fill_work_groups (void)
{
  for (int levels = 1; levels <= 2; levels++)
    for (const OdlGlShape *s = odl_gl_shapes_for (levels); s->rows > 0; s++) {
      g_assert_cmpint (ODL_GL_SHAPE_WARPS % s->across, ==, 0);
      // Marches over one level take two pairs at a time, three early.
      if (levels == 1)
        g_assert_cmpint (s->rows % 2, ==, 1);
    }
}

static void
kinds_do_not_mix (void)
{
  OdlGlTuning *tuning = odl_gl_tuning_new ();
  const OdlGlLevelKind others[] = { { 1024.0 * 1024, 32, false, 1 },
                                    { 512.0 * 512, 16, false, 1 },
                                    { 512.0 * 512, 32, true, 1 },
                                    { 512.0 * 512, 32, false, 2 } };

  odl_gl_tuning_set (tuning, &small, (OdlGlShape){ 21, 4 });
  g_assert_true (odl_gl_tuning_knows (tuning, &small));
  g_assert_cmpint (odl_gl_tuning_shape (tuning, &small).rows, ==, 21);
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (odl_gl_tuning_knows (tuning, &others[i]));
  odl_gl_tuning_free (tuning);
}

static void
what_was_found_is_kept (void)
{
  g_autofree char *path = new_path ();
  g_autoptr (GError) error = NULL;
  OdlGlTuning *tuning = odl_gl_tuning_new ();

  odl_gl_tuning_set (tuning, &small, (OdlGlShape){ 21, 4 });
  odl_gl_tuning_set (tuning, &large, (OdlGlShape){ 1, 1 });
  g_assert_true (odl_gl_tuning_save (tuning, path, "one", &error));
  odl_gl_tuning_free (tuning);
  save (path, "two", (OdlGlShape){ 9, 1 });

  tuning = loaded (path, "one");
  g_assert_cmpint (odl_gl_tuning_shape (tuning, &small).rows, ==, 21);
  g_assert_cmpint (odl_gl_tuning_shape (tuning, &small).across, ==, 4);
  g_assert_cmpint (odl_gl_tuning_shape (tuning, &large).rows, ==, 1);
  odl_gl_tuning_free (tuning);
  g_assert_true (knows (path, "two", &small));
  g_assert_false (knows (path, "two", &large));
  g_assert_false (knows (path, "three", &small));
}

static void
bad_files_cost_a_tuning_run_only (void)
{
  g_autofree char *digest
      = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "key", strlen ("key"));
  static const char *const values[]
      = { "0;0;", "1000000;4;", "3;0;",   "3;-1;", "-3;4;",
          "3;3;", "2;4;",       "3;4;1;", "3;",    "99999999999999999999;4;",
          "",     "a;b;",       "nan;4;" };
  g_autofree char *path = new_path ();
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_false (knows (path, "key", &small)); // missing
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autofree char *text
        = g_strdup_printf ("[%.16s]\nkey=key\n2-32-forward-1=%s\n", digest, values[i]);
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
    g_assert_false (knows (path, "key", &small));
  }
  // The same with a good value is believed, unless it was kept for something else.
  g_autofree char *good
      = g_strdup_printf ("[%.16s]\nkey=key\n2-32-forward-1=3;1;\n", digest);
  g_assert_true (g_file_set_contents (path, good, -1, NULL));
  g_assert_true (knows (path, "key", &small));
  g_autofree char *foreign
      = g_strdup_printf ("[%.16s]\nkey=other\n2-32-forward-1=3;1;\n", digest);
  g_assert_true (g_file_set_contents (path, foreign, -1, NULL));
  g_assert_false (knows (path, "key", &small));

  g_assert_true (g_file_set_contents (path, "\0\xff[[[]=\n\n[", 11, NULL));
  g_assert_false (knows (path, "key", &small));
  save (path, "key", (OdlGlShape){ 3, 1 }); // replaced
  g_assert_true (knows (path, "key", &small));

  // Too large to be ours.
  g_autofree char *padding = g_strnfill (100 * 1024, '#');
  g_autofree char *large_text = g_strconcat (good, padding, "\n", NULL);
  g_assert_true (g_file_set_contents (path, large_text, -1, NULL));
  g_assert_false (knows (path, "key", &small));
}

static void
a_folder_in_its_place_is_told (void)
{
  g_autofree char *path = new_path ();
  g_autoptr (GError) error = NULL;
  OdlGlTuning *tuning = odl_gl_tuning_new ();

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  odl_gl_tuning_load (tuning, path, "key");
  odl_gl_tuning_set (tuning, &small, (OdlGlShape){ 3, 1 });
  g_assert_false (odl_gl_tuning_save (tuning, path, "key", &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_IO);
  odl_gl_tuning_free (tuning);
}

static void
old_keys_make_room (void)
{
  g_autofree char *path = new_path ();
  int known = 0;

  for (int i = 0; i < 40; i++) {
    g_autofree char *key = g_strdup_printf ("card %d", i);
    save (path, key, (OdlGlShape){ 3, 1 });
  }
  for (int i = 0; i < 40; i++) {
    g_autofree char *key = g_strdup_printf ("card %d", i);
    known += knows (path, key, &small);
  }
  g_assert_cmpint (known, ==, 16);
  g_assert_true (knows (path, "card 39", &small));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  all = g_dir_make_tmp ("odl-tuning-XXXXXX", NULL);
  g_test_add_func ("/engine/tuning/nothing-known-means-the-table",
                   nothing_known_means_the_table);
  g_test_add_func ("/engine/tuning/shapes-fill-work-groups", shapes_fill_work_groups);
  g_test_add_func ("/engine/tuning/kinds-do-not-mix", kinds_do_not_mix);
  g_test_add_func ("/engine/tuning/what-was-found-is-kept", what_was_found_is_kept);
  g_test_add_func ("/engine/tuning/bad-files-cost-a-tuning-run-only",
                   bad_files_cost_a_tuning_run_only);
  g_test_add_func ("/engine/tuning/a-folder-in-its-place-is-told",
                   a_folder_in_its_place_is_told);
  g_test_add_func ("/engine/tuning/old-keys-make-room", old_keys_make_room);
  return odl_test_run_in (all);
}
