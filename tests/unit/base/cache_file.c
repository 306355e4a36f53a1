// SPDX-License-Identifier: MIT
// Files of the cache folder: what is foreign counts as empty, and the oldest goes first.
#include "base/cache_file.h"
#include "base/error.h"
#include "../../helpers/folder.h"

#define MOST_BYTES 4096
#define MOST_GROUPS 3

static char *all; // folders of the tests

static bool
knows (const char *path, const char *key)
{
  g_autoptr (GKeyFile) file = odl_cache_file_open (path, MOST_BYTES);
  g_autofree char *group = odl_cache_file_group (key);

  return odl_cache_file_knows (file, group, key);
}

static void
keep (const char *path, const char *key, int measured)
{
  g_autoptr (GKeyFile) file = odl_cache_file_open (path, MOST_BYTES);
  g_autofree char *group = odl_cache_file_group (key);
  g_autoptr (GError) error = NULL;

  odl_cache_file_begin_group (file, group, key, MOST_GROUPS);
  g_key_file_set_int64 (file, group, "measured", measured);
  odl_cache_file_save (file, path, "nothing is kept", &error);
  g_assert_no_error (error);
}

static void
the_oldest_give_way_to_a_new_key (void)
{
  g_autofree char *folder = odl_test_folder_in (all);
  g_autofree char *path = g_build_filename (folder, "sub", "file.ini", NULL);

  keep (path, "two", 2);
  keep (path, "one", 1);
  keep (path, "three", 3);
  // A key that is known takes nobody's place.
  keep (path, "three", 4);
  g_assert_true (knows (path, "one") && knows (path, "two") && knows (path, "three"));
  keep (path, "five", 5);
  g_assert_false (knows (path, "one"));
  g_assert_true (knows (path, "two") && knows (path, "three") && knows (path, "five"));
  // Not even when it is the oldest.
  keep (path, "two", 1);
  g_assert_true (knows (path, "two") && knows (path, "three") && knows (path, "five"));
}

// A file that another version filled further.
static void
a_group_that_is_begun_again_keeps_its_lines (void)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  gsize n;

  for (int i = 0; i < MOST_GROUPS + 2; i++) {
    g_autofree char *group = g_strdup_printf ("%d", i);
    g_key_file_set_int64 (file, group, "measured", i);
  }
  odl_cache_file_begin_group (file, "0", "zero", MOST_GROUPS);
  g_assert_true (g_key_file_has_key (file, "0", "measured", NULL));
  g_auto (GStrv) groups = g_key_file_get_groups (file, &n);
  g_assert_cmpuint (n, ==, MOST_GROUPS);
}

static void
a_digest_alone_is_not_believed (void)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *group = odl_cache_file_group ("mine [with] odd = signs\n");

  g_assert_false (odl_cache_file_knows (file, group, "mine [with] odd = signs\n"));
  g_key_file_set_string (file, group, "key", "another");
  g_assert_false (odl_cache_file_knows (file, group, "mine [with] odd = signs\n"));
  odl_cache_file_begin_group (file, group, "mine [with] odd = signs\n", MOST_GROUPS);
  g_assert_true (odl_cache_file_knows (file, group, "mine [with] odd = signs\n"));
}

static void
assert_empty (const char *path)
{
  g_autoptr (GKeyFile) file = odl_cache_file_open (path, MOST_BYTES);
  gsize n;
  g_auto (GStrv) groups = g_key_file_get_groups (file, &n);

  g_assert_cmpuint (n, ==, 0);
}

static void
what_cannot_be_read_is_empty (void)
{
  g_autofree char *folder = odl_test_folder_in (all);
  g_autofree char *path = g_build_filename (folder, "file.ini", NULL);
  g_autofree char *large = g_strnfill (MOST_BYTES, '#');
  g_autofree char *too_large = g_strconcat ("[group]\n", large, "\n", NULL);

  assert_empty (path); // not there
  assert_empty (folder);
  assert_empty ("/dev/zero");
  g_assert_true (g_file_set_contents (path, "no key file", -1, NULL));
  assert_empty (path);
  g_assert_true (g_file_set_contents (path, too_large, -1, NULL));
  assert_empty (path);
}

static void
what_cannot_be_written_is_said (void)
{
  g_autofree char *folder = odl_test_folder_in (all);
  g_autofree char *file_path = g_build_filename (folder, "file", NULL);
  g_autofree char *path = g_build_filename (file_path, "file.ini", NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (file_path, "", -1, NULL));
  g_assert_false (odl_cache_file_save (file, path, "the times cannot be kept", &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_IO);
  g_assert_nonnull (g_strstr_len (error->message, -1, "the times cannot be kept"));
  g_assert_true (g_str_has_prefix (error->message, path));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  all = g_dir_make_tmp ("odl-cache-XXXXXX", NULL);
  g_test_add_func ("/base/cache-file/the-oldest-give-way-to-a-new-key",
                   the_oldest_give_way_to_a_new_key);
  g_test_add_func ("/base/cache-file/a-group-that-is-begun-again-keeps-its-lines",
                   a_group_that_is_begun_again_keeps_its_lines);
  g_test_add_func ("/base/cache-file/a-digest-alone-is-not-believed",
                   a_digest_alone_is_not_believed);
  g_test_add_func ("/base/cache-file/what-cannot-be-read-is-empty",
                   what_cannot_be_read_is_empty);
  g_test_add_func ("/base/cache-file/what-cannot-be-written-is-said",
                   what_cannot_be_written_is_said);
  return odl_test_run_in (all);
}
