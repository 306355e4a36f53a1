// SPDX-License-Identifier: MIT
// Real files that are no part of the repository.
#pragma once

#include <glib.h>

// The path of a file of shared/testdata, NAME with “/” between its folders. Where the
// folder is absent, as beside a clone of the repository alone, the test is skipped; where
// the folder is there and the file is not, it fails; NULL in both cases.
static inline char *
odl_test_data (const char *name)
{
  const char *folder = g_getenv ("ODL_TESTDATA");

  if (folder == NULL || !g_file_test (folder, G_FILE_TEST_IS_DIR)) {
    g_test_skip ("shared/testdata is absent");
    return NULL;
  }
  char *path = g_build_filename (folder, name, NULL);
  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_test_message ("%s is missing", path);
    g_test_fail ();
    g_clear_pointer (&path, g_free);
  }
  return path;
}
