// SPDX-License-Identifier: MIT
#include "session/archive/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

#define SECONDS_PER_DAY (24 * 3600)
#define MOST_DEPTH 8 // of folders that are counted and removed

char *
odl_spool_path (void)
{
  return g_build_filename (g_get_user_cache_dir (), "ondelette", "archive", NULL);
}

// ---- Trees of files ------------------------------------------------------------------

static guint64
bytes_below (const char *folder, int depth)
{
  g_autoptr (GDir) dir = depth < MOST_DEPTH ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;
  guint64 n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    struct stat status;
    if (lstat (path, &status) != 0)
      continue;
    n += S_ISDIR (status.st_mode)   ? bytes_below (path, depth + 1)
         : S_ISREG (status.st_mode) ? (guint64) status.st_size
                                    : 0;
  }
  return n;
}

// Links are removed, never followed.
static void
remove_tree (const char *folder, int depth)
{
  g_autoptr (GDir) dir = depth < MOST_DEPTH ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    struct stat status;
    if (lstat (path, &status) == 0 && S_ISDIR (status.st_mode))
      remove_tree (path, depth + 1);
    else
      g_unlink (path);
  }
  g_rmdir (folder);
}

guint64
odl_spool_bytes (void)
{
  g_autofree char *path = odl_spool_path ();

  return bytes_below (path, 0);
}

// ---- Clearing ------------------------------------------------------------------------

typedef struct {
  char *path;
  gint64 seconds; // of its last change
} Folder;

static void
folder_free (void *data)
{
  Folder *folder = data;

  g_free (folder->path);
  g_free (folder);
}

static int
compare_ages (const void *a, const void *b)
{
  const Folder *const *first = a, *const *second = b;

  return ((*first)->seconds > (*second)->seconds)
         - ((*first)->seconds < (*second)->seconds);
}

// The oldest first.
static GPtrArray *
list_folders (const char *spool)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (folder_free);
  g_autoptr (GDir) dir = g_dir_open (spool, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (spool, name, NULL);
    struct stat status;
    if (lstat (path, &status) != 0 || !S_ISDIR (status.st_mode))
      continue;
    Folder *folder = g_new (Folder, 1);
    *folder = (Folder){ g_steal_pointer (&path), status.st_mtime };
    g_ptr_array_add (folders, folder);
  }
  g_ptr_array_sort (folders, compare_ages);
  return folders;
}

// Unless a program has it.
static void
remove_folder (const char *path)
{
  const int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0)
    remove_tree (path, 0);
  if (fd >= 0)
    close (fd);
}

void
odl_spool_clear (guint64 most_bytes, guint most_days)
{
  g_autofree char *spool = odl_spool_path ();
  g_autoptr (GPtrArray) folders = list_folders (spool);
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  guint64 bytes = odl_spool_bytes ();

  for (guint i = 0; i < folders->len; i++) {
    const Folder *folder = folders->pdata[i];
    const bool is_old = now - folder->seconds > (gint64) most_days * SECONDS_PER_DAY;
    if (!is_old && bytes <= most_bytes)
      continue;
    remove_folder (folder->path);
    bytes = odl_spool_bytes ();
  }
}

// ---- What is not all -----------------------------------------------------------------

// A file of this name says so, so that a kill does not make a part look like the whole.
#define INCOMPLETE ".incomplete"

void
odl_spool_set_complete (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, INCOMPLETE, NULL);

  g_unlink (path);
}

gboolean
odl_spool_holds (const char *path)
{
  g_autofree char *spool = odl_spool_path ();
  const size_t n = strlen (spool);

  return path != NULL && strncmp (path, spool, n) == 0 && path[n] == '/';
}

gboolean
odl_spool_is_incomplete (const char *path)
{
  g_autofree char *spool = odl_spool_path ();
  const size_t n = strlen (spool);

  if (!odl_spool_holds (path))
    return FALSE;
  g_autofree char *entry = g_strndup (path + n + 1, strcspn (path + n + 1, "/"));
  g_autofree char *sign = g_build_filename (spool, entry, INCOMPLETE, NULL);
  return g_file_test (sign, G_FILE_TEST_EXISTS);
}

// ---- A new one -----------------------------------------------------------------------

// Tracker and media players look for the first two, programs that make backups for the
// last one.
static bool
keep_indexers_out (const char *spool)
{
  static const struct {
    const char *name, *text;
  } files[] = {
    { ".trackerignore", "" },
    { ".nomedia", "" },
    { "CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_build_filename (spool, files[i].name, NULL);
    if (!g_file_test (path, G_FILE_TEST_EXISTS)
        && !g_file_set_contents_full (path, files[i].text, -1,
                                      G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL))
      return false;
  }
  return true;
}

char *
odl_spool_new_folder (GError **error)
{
  g_autofree char *spool = odl_spool_path ();
  g_autofree char *folder = g_build_filename (spool, "got-XXXXXX", NULL);

  if (g_mkdir_with_parents (spool, 0700) != 0 || g_chmod (spool, 0700) != 0
      || !keep_indexers_out (spool) || g_mkdtemp_full (folder, 0700) == NULL)
    return odl_error_null (error, ODL_ERROR_IO, "%s: %s", spool, g_strerror (errno));
  // Held, and never closed, so that nobody clears it away meanwhile.
  const int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0 && flock (fd, LOCK_SH | LOCK_NB) != 0)
    close (fd);
  g_autofree char *sign = g_build_filename (folder, INCOMPLETE, NULL);
  if (!g_file_set_contents (sign, "", 0, error))
    return NULL;
  return g_steal_pointer (&folder);
}
