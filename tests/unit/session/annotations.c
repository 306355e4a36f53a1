// SPDX-License-Identifier: MIT
// What people draw over a source: beside the recipe, undone with it.
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "session/annotation_store.h"
#include "settle.h"
#include "../../helpers/folder.h"
#include "../../helpers/test_data.h"

// Of what the tests write, and of what is stored.
static char *folder;

static void
count_cb (int *number)
{
  ++*number;
}

static void
open_phantom (OdlSession *session, const char *location)
{
  odl_session_open (session, location, NULL);
  while (odl_session_opening (session))
    g_main_context_iteration (NULL, TRUE);
  odl_session_set_playing (session, false);
  settle (session);
  g_assert_cmpstr (odl_session_info (session)->location, ==, location);
}

static int
count (OdlSession *session)
{
  return odl_annotations_count (odl_session_annotations (session));
}

static const OdlAnnotation line = { .kind = &odl_annotation_length,
                                    .n_points = 2,
                                    .points = { { 1, 2 }, { 30, 40 } } };

static void
test_steps (void)
{
  int told = 0;
  g_autoptr (OdlSession) session = odl_session_new ();
  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  g_signal_connect_swapped (session, "annotations-changed", G_CALLBACK (count_cb), &told);
  odl_session_annotate (session, &line); // over nothing
  g_assert_null (odl_session_annotations (session));
  open_phantom (session, "phantom:64x64");
  told = 0;
  odl_session_annotate (session, &line);
  OdlRecipe recipe = *odl_session_recipe (session);
  g_assert_true (odl_recipe_parse (&recipe, "gaussian:sigma=2", NULL));
  odl_session_set_recipe (session, &recipe, NULL);
  odl_session_annotate (session, &line);
  odl_session_remove_annotation (session, 1);
  odl_session_remove_annotation (session, 77);
  g_assert_cmpint (told, ==, 3);
  g_assert_cmpint (count (session), ==, 1);
  odl_session_undo (session);
  g_assert_cmpint (count (session), ==, 2);
  odl_session_undo (session);
  g_assert_cmpint (count (session), ==, 1);
  g_assert_cmpint (told, ==, 5);
  g_assert_false (odl_recipe_is_identity (odl_session_recipe (session)));
  odl_session_undo (session);
  g_assert_cmpint (count (session), ==, 1);
  g_assert_cmpint (told, ==, 5);
  g_assert_true (odl_recipe_is_identity (odl_session_recipe (session)));
  odl_session_undo (session);
  g_assert_cmpint (count (session), ==, 0);
  odl_session_redo (session);
  g_assert_cmpint (count (session), ==, 1);
  settle (session);
}

// They go with their source, and come back with it.
static void
test_sources (void)
{
  g_autoptr (OdlSession) session = odl_session_new ();
  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  open_phantom (session, "phantom:64x64");
  odl_session_annotate (session, &line);
  open_phantom (session, "phantom:80x64");
  g_assert_null (odl_session_annotations (session));
  g_assert_false (odl_history_can_undo (odl_session_history (session)));
  open_phantom (session, "phantom:64x64");
  g_assert_cmpint (count (session), ==, 1);
  g_assert_true (odl_annotations_fit (odl_session_annotations (session), 64, 64));
  g_assert_false (odl_history_can_undo (odl_session_history (session)));
  // Without them nothing comes back.
  odl_session_remove_annotation (session, 1);
  open_phantom (session, "phantom:80x64");
  open_phantom (session, "phantom:64x64");
  g_assert_cmpint (count (session), ==, 0);
}

static char *
write_picture (const char *name, int level)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *pixels = g_strnfill (64 * 48, (char) level);
  g_autofree char *head = g_strdup ("ObjectType = Image\nNDims = 2\nDimSize = 64 48\n"
                                    "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n");
  GString *all = g_string_new (head);
  g_string_append_len (all, pixels, 64 * 48);
  g_assert_true (g_file_set_contents (path, all->str, (gssize) all->len, NULL));
  g_string_free (all, TRUE);
  return path;
}

static OdlSession *
new_session (const char *path)
{
  OdlSession *session = odl_session_new ();
  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  odl_session_set_stores_annotations (session, true);
  open_phantom (session, path);
  return session;
}

static int
count_after_restart (const char *path)
{
  g_autoptr (OdlSession) session = new_session (path);
  return count (session);
}

// Files get theirs back in another run of the program, as they were; another picture
// under the same name, or the same one elsewhere, gets none, and damaged files are none.
static void
test_stored (void)
{
  g_autofree char *path = write_picture ("a.mha", 10);
  g_autofree char *other = write_picture ("b.mha", 10);
  const OdlAnnotation drawn[] = {
    line,
    { .kind = &odl_annotation_angle,
      .n_points = 3,
      .points = { { 1, 2 }, { 0.1, 1 / 3.0 }, { 9, 8 } } },
    { .kind = &odl_annotation_ellipse,
      .n_points = 4,
      .points = { { 5.5, 6.25 }, { 1 / 7.0, 40 }, { 1 / 7.0, 6.25 }, { 5.5, 40 } } },
  };
  {
    g_autoptr (OdlSession) session = new_session (path);
    for (size_t i = 0; i < G_N_ELEMENTS (drawn); i++)
      odl_session_annotate (session, &drawn[i]);
    odl_session_annotate (session, &line);
    odl_session_undo (session);
  }
  {
    g_autoptr (OdlSession) session = new_session (path);
    g_assert_cmpint (count (session), ==, 3);
    for (int i = 0; i < 3; i++)
      g_assert_true (odl_annotation_is_same (
          odl_annotations_at (odl_session_annotations (session), i), &drawn[i]));
  }
  g_assert_cmpint (count_after_restart (other), ==, 0);
  g_free (write_picture ("a.mha", 11));
  g_assert_cmpint (count_after_restart (path), ==, 0);
  // What is not a file is not stored.
  {
    g_autoptr (OdlSession) session = new_session ("phantom:64x64");
    odl_session_annotate (session, &line);
  }
  g_assert_cmpint (count_after_restart ("phantom:64x64"), ==, 0);
  // Removed, they are gone for good.
  {
    g_autoptr (OdlSession) session = new_session (other);
    odl_session_annotate (session, &line);
    g_assert_cmpint (count_after_restart (other), ==, 1);
    odl_session_remove_annotation (session, 1);
    g_assert_cmpint (count_after_restart (other), ==, 0);
  }
}

// A DICOM file has its own wherever it lies.
static void
test_copies (void)
{
  g_autofree char *file = odl_test_data ("dicom-test-files/REF/CT1_UNC");
  g_autofree char *copy = g_build_filename (folder, "copy.dcm", NULL);
  g_autofree char *bytes = NULL;
  gsize n;
  if (file == NULL)
    return;
  g_assert_true (g_file_get_contents (file, &bytes, &n, NULL));
  g_assert_true (g_file_set_contents (copy, bytes, (gssize) n, NULL));
  {
    g_autoptr (OdlSession) session = new_session (copy);
    odl_session_annotate (session, &line);
  }
  g_assert_cmpint (count_after_restart (file), ==, 1);
}

static char *
keep_beside (const char *picture)
{
  char *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSession) session = new_session (picture);
  if (count (session) == 0)
    odl_session_annotate (session, &line);
  odl_session_annotate (session, &line);
  if (odl_session_save_annotations_beside (session, &path, &error))
    return path;
  g_assert_error (error, ODL_ERROR, ODL_ERROR_IO);
  g_assert_null (path);
  return g_strconcat ("! ", error->message, NULL);
}

// Somebody who has kept nothing in the data folder.
static int
count_elsewhere (const char *path)
{
  g_autoptr (OdlSession) session = odl_session_new ();
  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  open_phantom (session, path);
  return count (session);
}

// They go with the picture when it is copied, and to no other one; what lies there
// already stays, unless it is of the same picture.
static void
test_beside (void)
{
  g_autofree char *there = g_build_filename (folder, "there", NULL);
  g_assert_cmpint (g_mkdir (there, 0700), ==, 0);
  g_autofree char *path = write_picture ("d.mha", 10);
  g_autofree char *kept = keep_beside (path);
  g_assert_true (g_str_has_suffix (kept, "/d.mha.measured"));
  g_assert_cmpint (count_elsewhere (path), ==, 2);
  g_autofree char *again = keep_beside (path);
  g_assert_cmpstr (again, ==, kept);
  g_assert_cmpint (count_elsewhere (path), ==, 3);

  g_autofree char *copy = write_picture ("there/d.mha", 10);
  g_autofree char *beside = g_strconcat (copy, ".measured", NULL);
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (kept, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (beside, text, -1, NULL));
  g_assert_cmpint (count_elsewhere (copy), ==, 3);
  // Another picture of that name, which takes nothing and overwrites nothing.
  g_free (write_picture ("there/d.mha", 11));
  g_assert_cmpint (count_elsewhere (copy), ==, 0);
  g_autofree char *refused = keep_beside (copy);
  g_assert_nonnull (strstr (refused, "does not belong to this picture"));
  g_autofree char *after = NULL;
  g_assert_true (g_file_get_contents (beside, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, text);
  // Nor is a link followed.
  g_assert_cmpint (g_unlink (beside), ==, 0);
  g_assert_cmpint (symlink ("../elsewhere", beside), ==, 0);
  g_autofree char *linked = keep_beside (copy);
  g_assert_nonnull (strstr (linked, "does not belong to this picture"));
  g_assert_cmpint (g_unlink (beside), ==, 0);
}

// Without any, none are kept there, and what is kept in the data folder comes first.
static void
test_beside_and_stored (void)
{
  g_autofree char *path = write_picture ("e.mha", 12);
  g_autofree char *kept = keep_beside (path);
  g_autofree char *gone = NULL;
  g_assert_cmpint (count_elsewhere (path), ==, 2);
  {
    g_autoptr (OdlSession) session = new_session (path);
    odl_session_remove_annotation (session, 1);
    g_assert_cmpint (count_after_restart (path), ==, 1);
    odl_session_remove_annotation (session, 2);
    g_assert_true (odl_session_save_annotations_beside (session, &gone, NULL));
  }
  g_assert_cmpstr (gone, ==, kept);
  g_assert_false (g_file_test (kept, G_FILE_TEST_EXISTS));
  g_assert_cmpint (count_elsewhere (path), ==, 0);
}

// Whatever stands in a stored file, only what lies in the picture is taken from it.
static void
test_damaged_store (void)
{
  static const char *const lines[] = {
    "length 0 1,2,3,4",
    "length 0 1,2,3,4,5",
    "length 0 1,2,3,4000",
    "length 0 1,2,3000,4",
    "length -7 1,2,3,4",
    "length 0 1,2,nan,4",
    "nothing 0 1,2,3,4",
    "length 0",
    "",
    "angle 0 1,2,3,4,5,6",
    "length 0 1,2,1,2",
    "length 99999999999 1,2,3,4",
    NULL,
  };
  g_autofree char *path = write_picture ("c.mha", 10);
  g_autofree char *store
      = g_build_filename (g_get_user_data_dir (), "ondelette", "annotations", NULL);
  {
    g_autoptr (OdlSession) session = new_session (path);
    odl_session_annotate (session, &line);
  }
  g_autoptr (GDir) names = g_dir_open (store, 0, NULL);
  const char *name;
  int changed = 0;
  while ((name = g_dir_read_name (names)) != NULL) {
    g_autofree char *file = g_build_filename (store, name, NULL);
    g_autoptr (GKeyFile) keys = g_key_file_new ();
    g_assert_true (g_key_file_load_from_file (keys, file, 0, NULL));
    g_autofree char *key = g_key_file_get_string (keys, "annotations", "key", NULL);
    if (!g_str_has_suffix (key, path))
      continue;
    g_key_file_set_string_list (keys, "annotations", "items", lines,
                                g_strv_length ((char **) lines));
    g_assert_true (g_key_file_save_to_file (keys, file, NULL));
    changed++;
  }
  g_assert_cmpint (changed, ==, 1);
  g_assert_cmpint (count_after_restart (path), ==, 2);
}

// Where nothing can be written, the sentence names the folder and the reason, not the
// digests that files there are named by.
static void
test_no_room (void)
{
  g_autofree char *path = write_picture ("full.mha", 10);
  g_autofree char *store
      = g_build_filename (g_get_user_data_dir (), "ondelette", "annotations", NULL);
  g_autofree char *aside = g_strconcat (store, ".aside", NULL);
  g_autoptr (OdlSession) session = new_session (path);
  g_autoptr (GError) error = NULL;
  odl_session_annotate (session, &line);
  g_assert_cmpint (g_rename (store, aside), ==, 0);
  g_assert_true (g_file_set_contents (store, "", 0, NULL));
  g_assert_false (odl_annotation_store_save ("file /full.mha",
                                             odl_session_annotations (session), &error));
  g_assert_cmpint (g_unlink (store), ==, 0);
  g_assert_cmpint (g_rename (aside, store), ==, 0);
  g_assert_nonnull (strstr (error->message, "cannot be kept in "));
  g_assert_nonnull (strstr (error->message, "/annotations: Not a directory. "));
  g_assert_null (strstr (error->message, ".ini"));
}

int
main (int argc, char **argv)
{
  folder = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/annotations/are-undone-in-turn-with-recipes", test_steps);
  g_test_add_func ("/annotations/come-back-with-their-source", test_sources);
  g_test_add_func ("/annotations/are-stored-with-their-file", test_stored);
  g_test_add_func ("/annotations/are-those-of-copies-of-a-dicom-file", test_copies);
  g_test_add_func ("/annotations/are-kept-beside-their-file", test_beside);
  g_test_add_func ("/annotations/without-any-none-are-kept-beside-it",
                   test_beside_and_stored);
  g_test_add_func ("/annotations/a-damaged-store-gives-what-is-whole",
                   test_damaged_store);
  g_test_add_func ("/annotations/a-folder-that-takes-nothing-is-named", test_no_room);
  return odl_test_run_in (folder);
}
