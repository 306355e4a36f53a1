// SPDX-License-Identifier: MIT
#include "bench/file.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"

static bool
fail (const char *path, int code, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);

  return odl_error_set (error, ODL_ERROR_IO, _ ("cannot write “%s”: %s"), shown,
                        g_strerror (code));
}

// Resolves `path`. *whole: a regular file, replaced by renaming; devices and pipes
// must not be replaced. NULL with errno set.
static char *
target_of (const char *path, bool *whole)
{
  char resolved[PATH_MAX];
  GStatBuf status;

  *whole = true;
  if (g_stat (path, &status) != 0)
    return errno == ENOENT && g_lstat (path, &status) != 0 && *path != '\0'
               ? g_strdup (path)
               : NULL; // a dangling link
  if (S_ISDIR (status.st_mode)) {
    errno = EISDIR;
    return NULL;
  }
  *whole = S_ISREG (status.st_mode);
  // /proc links to pipes resolve to names that cannot be opened.
  return *whole && realpath (path, resolved) != NULL ? g_strdup (resolved)
                                                     : g_strdup (path);
}

// Tries it: permission bits do not tell, since root passes them on read-only file
// systems.
static bool
can_hold_files (const char *folder)
{
  g_autofree char *probe = g_build_filename (folder, ".odl-bench-XXXXXX", NULL);
  const int fd = g_mkstemp (probe);

  if (fd < 0)
    return false;
  close (fd);
  g_unlink (probe);
  return true;
}

bool
odl_bench_file_check (const char *path, GError **error)
{
  bool whole;
  g_autofree char *target = target_of (path, &whole);

  if (target == NULL)
    return fail (path, errno, error);
  if (!whole)
    return access (target, W_OK) == 0 || fail (path, errno, error);
  g_autofree char *folder = g_path_get_dirname (target);
  return can_hold_files (folder) || fail (path, errno, error);
}

static bool
write_directly (const char *path, const char *text)
{
  FILE *file = g_fopen (path, "we");

  if (file == NULL)
    return false;
  const bool written = fputs (text, file) >= 0;
  return fclose (file) == 0 && written;
}

bool
odl_bench_file_write (const char *path, const char *text, GError **error)
{
  g_autoptr (GError) cause = NULL;
  bool whole;

  if (g_str_equal (path, "-")) {
    fputs (text, stdout); // main checks for errors at exit
    return true;
  }
  g_autofree char *target = target_of (path, &whole);
  if (target == NULL)
    return fail (path, errno, error);
  if (!whole)
    return write_directly (target, text) || fail (path, errno, error);
  if (g_file_set_contents (target, text, -1, &cause))
    return true;
  return odl_error_set (error, ODL_ERROR_IO, _ ("cannot write “%s”: %s"), path,
                        cause->message);
}
