// SPDX-License-Identifier: MIT
// Folders of tests, and how nothing is left of them.
#pragma once

#include <glib.h>
#include <glib/gstdio.h>

// Removes a folder with all that is in it.
static inline void
odl_test_remove_tree (const char *path)
{
  // Links are removed, not followed.
  g_autoptr (GDir) folder
      = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL) {
    g_autofree char *inner = g_build_filename (path, name, NULL);
    odl_test_remove_tree (inner);
  }
  g_remove (path);
}

// Runs the tests, then removes their folder; takes ownership of its name.
static inline int
odl_test_run_in (char *folder)
{
  const int status = g_test_run ();

  odl_test_remove_tree (folder);
  g_free (folder);
  return status;
}

// A new folder within that one. Transfer full.
static inline char *
odl_test_folder_in (const char *folder)
{
  char *made = g_build_filename (folder, "XXXXXX", NULL);

  g_assert_nonnull (g_mkdtemp (made));
  return made;
}
