// SPDX-License-Identifier: MIT
#include "source/source_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

// File types other than regular files.
static const struct {
  mode_t type;
  const char *message;
} refused[] = {
  { S_IFDIR, N_ ("it is a folder") },
  { S_IFIFO, N_ ("it is a pipe, not a file") },
  { S_IFSOCK, N_ ("it is a socket, not a file") },
  { S_IFCHR, N_ ("it is a device, not a file") },
  { S_IFBLK, N_ ("it is a device, not a file") },
};

static gboolean
check_status (const struct stat *status, GError **error)
{
  for (size_t i = 0; i < G_N_ELEMENTS (refused); i++)
    if ((status->st_mode & S_IFMT) == refused[i].type) {
      g_set_error_literal (error, ODL_ERROR, ODL_ERROR_IO, _ (refused[i].message));
      return FALSE;
    }
  if (status->st_size <= 0) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT, _ ("the file is empty"));
    return FALSE;
  }
  return TRUE;
}

gboolean
odl_source_file_open (const char *path, OdlSourceFile *file, GError **error)
{
  struct stat status;

  // Opening a device may have side effects, so the name is checked first; the opened
  // file is checked again, since the name may have changed meanwhile.
  if (stat (path, &status) == 0 && !check_status (&status, error))
    return FALSE;

  int fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (fd < 0 || fstat (fd, &status) < 0) {
    int code = errno;
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO, "%s", g_strerror (code));
    if (fd >= 0)
      close (fd);
    return FALSE;
  }
  if (!check_status (&status, error)) {
    close (fd);
    return FALSE;
  }
  *file = (OdlSourceFile){ fd, (uint64_t) status.st_size };
  return TRUE;
}

OdlSourceFile
odl_source_file_of_bytes (const void *bytes, size_t n, GError **error)
{
  const OdlSourceFile file = { memfd_create ("odl-order", MFD_CLOEXEC), n };

  if (file.fd >= 0 && write (file.fd, bytes, n) == (ssize_t) n
      && lseek (file.fd, 0, SEEK_SET) == 0)
    return file;
  odl_error_set (error, ODL_ERROR_IO, _ ("no connection to the decoder: %s"),
                 g_strerror (errno));
  if (file.fd >= 0)
    close (file.fd);
  return (OdlSourceFile){ -1, 0 };
}

static gboolean
open_plain (const char *path, const char *name, OdlSourceFile *file, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *beside = g_build_filename (folder, name, NULL);
  struct stat status;

  if (strchr (name, '/') != NULL || g_str_equal (name, "..")) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                         _ ("it lies in another folder"));
    return FALSE;
  }
  if (lstat (beside, &status) == 0 && S_ISLNK (status.st_mode)) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                         _ ("it is a link to another file"));
    return FALSE;
  }
  return odl_source_file_open (beside, file, error);
}

gboolean
odl_source_file_open_beside (const char *path,
                             const char *name,
                             OdlSourceFile *file,
                             GError **error)
{
  g_autoptr (GError) cause = NULL;

  if (open_plain (path, name, file, &cause))
    return TRUE;
  g_autofree char *shown = odl_source_file_display_name (name);
  g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
               _ ("its samples should be in the file “%s”: %s"), shown, cause->message);
  return FALSE;
}

char *
odl_source_file_with_ending (const char *path, const char *ending)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  const char *dot = strrchr (name, '.');
  const bool upper = dot != NULL && g_ascii_isupper (dot[1]);

  odl_text_cut_ending (name);
  g_autofree char *same_case = upper ? g_ascii_strup (ending, -1) : g_strdup (ending);
  g_autofree char *whole = g_strconcat (name, same_case, NULL);
  return g_build_filename (folder, whole, NULL);
}

gboolean
odl_source_file_read_head (const char *path,
                           uint8_t *head,
                           size_t *n_head,
                           GError **error)
{
  OdlSourceFile file;
  ssize_t n = -1;

  if (odl_source_file_open (path, &file, error)) {
    n = pread (file.fd, head, ODL_SOURCE_HEAD_BYTES, 0);
    if (n < 0)
      g_set_error (error, ODL_ERROR, ODL_ERROR_IO, "%s", g_strerror (errno));
    close (file.fd);
  }
  if (n < 0)
    odl_source_file_name_error (path, error);
  *n_head = n > 0 ? (size_t) n : 0;
  return n >= 0;
}

// The name of the file that holds what came by standard input; NULL: nothing did.
static char **
standard_input (void)
{
  static char *path = NULL;

  return &path;
}

// A file without a name, which is gone with the program. −1, errno: there is none.
static int
open_nameless (void)
{
  int fd = open (g_get_tmp_dir (), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  g_autofree char *name = NULL;

  if (fd < 0 && (fd = g_file_open_tmp ("ondelette-XXXXXX", &name, NULL)) >= 0)
    unlink (name);
  return fd;
}

OdlSourceFile
odl_source_file_room (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "ondelette", NULL);
  OdlSourceFile file = { .fd = -1 };

  if (g_mkdir_with_parents (folder, 0700) == 0)
    file.fd = open (folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (file.fd < 0)
    file.fd = open_nameless ();
  return file;
}

static bool
copy (int from, int to)
{
  char bytes[1 << 16];
  ssize_t n = 0;

  do {
    n = read (from, bytes, sizeof bytes);
    for (ssize_t at = 0; at < n;) {
      const ssize_t written = write (to, bytes + at, (size_t) (n - at));
      if (written < 0 && errno != EINTR)
        return false;
      at += MAX (written, 0);
    }
  } while (n > 0 || (n < 0 && errno == EINTR));
  return n == 0;
}

const char *
odl_source_file_standard_input (GError **error)
{
  if (*standard_input () != NULL)
    return *standard_input ();
  const int fd = open_nameless ();
  if (fd >= 0 && copy (STDIN_FILENO, fd)) {
    *standard_input () = g_strdup_printf ("/proc/self/fd/%d", fd);
    return *standard_input ();
  }
  g_set_error (error, ODL_ERROR, ODL_ERROR_IO,
               _ ("Standard input cannot be read: %s. Name a file instead."),
               g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return NULL;
}

bool
odl_source_file_is_standard_input (const char *path)
{
  return g_strcmp0 (path, *standard_input ()) == 0;
}

char *
odl_source_file_display_path (const char *path)
{
  if (*path == '\0')
    return g_strdup ("“”");
  return odl_source_file_is_standard_input (path) ? g_strdup (_ ("standard input"))
                                                  : g_filename_display_name (path);
}

char *
odl_source_file_display_name (const char *path)
{
  if (*path == '\0' || odl_source_file_is_standard_input (path))
    return odl_source_file_display_path (path);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_filename_display_name (base);

  return odl_text_in_one_line (name);
}

char *
odl_source_file_error_start (const char *path)
{
  g_autofree char *name = odl_source_file_display_name (path);

  return g_strdup_printf (_ ("Cannot open %s: "), name);
}

void
odl_source_file_name_error (const char *path, GError **error)
{
  g_autofree char *start = odl_source_file_error_start (path);

  g_prefix_error_literal (error, start);
}
