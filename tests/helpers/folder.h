// SPDX-License-Identifier: MIT
// Removes a folder of a test with all that is in it.
#pragma once

#include <glib.h>
#include <glib/gstdio.h>

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
