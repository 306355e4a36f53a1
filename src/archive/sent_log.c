// SPDX-License-Identifier: MIT
#include "archive/sent_log.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

#define NAME "sent.log"
#define FOLDER_MODE 0700
#define FILE_MODE 0600
#define MOST_BYTES ((off_t) 4 << 20)
#define MOST_TRIES 10
#define MOST_LINE 4096 // bytes; longer than any that is written

static char *
path_of (const char *ending)
{
  g_autofree char *name = g_strconcat (NAME, ending, NULL);

  return g_build_filename (g_get_user_state_dir (), "ondelette", name, NULL);
}

static bool
fail (const char *path, GError **error)
{
  return odl_error_set (error, ODL_ERROR_IO,
                        _ ("%s: what was sent where cannot be noted: %s"), path,
                        g_strerror (errno));
}

// ---- Writing ----

// Whether the path is still that of the file, which another process may have moved.
static bool
is_there (int fd, const char *path)
{
  struct stat ours, named;

  return fstat (fd, &ours) == 0 && lstat (path, &named) == 0
         && ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

// Opens it for this process alone. −1: errno.
static int
open_locked (const char *path)
{
  for (int i = 0; i < MOST_TRIES; i++) {
    const int fd
        = open (path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                FILE_MODE);
    if (fd < 0)
      return -1;
    if (flock (fd, LOCK_EX) == 0 && is_there (fd, path))
      return fd;
    close (fd);
  }
  errno = EAGAIN;
  return -1;
}

static bool
is_full (int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && status.st_size >= MOST_BYTES;
}

static int
open_with_room (const char *path)
{
  const int fd = open_locked (path);
  g_autofree char *old = path_of (".1");

  if (fd < 0 || !is_full (fd))
    return fd;
  const bool moved = rename (path, old) == 0;
  const int code = errno;
  close (fd);
  errno = code;
  return moved ? open_locked (path) : -1;
}

static char *
line_of (const OdlSentLogRow *row)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *time = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  g_autofree char *result = row->taken      ? g_strdup ("sent")
                            : row->answered ? g_strdup_printf ("status %04X", row->status)
                                            : g_strdup ("unanswered");
  g_autofree char *place = odl_node_name_to_text (row->to);
  g_autofree char *to = odl_text_in_one_line (place);
  g_autofree char *instance = odl_text_in_one_line (row->instance);
  g_autofree char *study = odl_text_in_one_line (row->study);

  return g_strdup_printf ("%s\t%s\t%s\t%s\t%s\n", time, result, to, instance, study);
}

// Where the last whole line ends: a kill, or a loss of power, may have left a part of
// one. −1: errno.
static off_t
end_of_lines (int fd)
{
  char bytes[MOST_LINE];
  struct stat status;

  if (fstat (fd, &status) != 0)
    return -1;
  const off_t begin = MAX (0, status.st_size - (off_t) sizeof bytes);
  ssize_t n = pread (fd, bytes, sizeof bytes, begin);
  while (n > 0 && bytes[n - 1] != '\n')
    n--;
  return n < 0 ? -1 : begin + n;
}

// The whole line or nothing of it, also on a disk that is full.
static bool
add_line (int fd, const char *line)
{
  const size_t n = strlen (line);
  const off_t end = end_of_lines (fd);

  if (end < 0 || ftruncate (fd, end) != 0)
    return false;
  const ssize_t written = write (fd, line, n);
  const int code = written < 0 ? errno : ENOSPC;
  if (written == (ssize_t) n)
    return true;
  if (written > 0 && ftruncate (fd, end) != 0)
    return false;
  errno = code;
  return false;
}

bool
odl_sent_log_add (const OdlSentLogRow *row, GError **error)
{
  g_autofree char *path = path_of ("");
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *line = line_of (row);

  if (g_mkdir_with_parents (folder, FOLDER_MODE) != 0)
    return fail (folder, error);
  const int fd = open_with_room (path);
  const bool done = fd >= 0 && fchmod (fd, FILE_MODE) == 0 && add_line (fd, line);
  if (!done)
    fail (path, error);
  if (fd >= 0)
    close (fd);
  return done;
}

// ---- Reading ----

static bool
read_one (const char *path,
          void (*told) (const char *line, void *data),
          void *data,
          GError **error)
{
  FILE *file = g_fopen (path, "re");
  char *line = NULL;
  size_t room = 0;
  ssize_t n;

  if (file == NULL)
    return errno == ENOENT
           || odl_error_set (error, ODL_ERROR_IO, "%s: %s", path, g_strerror (errno));
  while ((n = getline (&line, &room, file)) > 0) {
    line[n - (line[n - 1] == '\n')] = '\0';
    told (line, data);
  }
  free (line);
  fclose (file);
  return true;
}

bool
odl_sent_log_read (void (*told) (const char *line, void *data),
                   void *data,
                   GError **error)
{
  g_autofree char *old = path_of (".1");
  g_autofree char *path = path_of ("");

  return read_one (old, told, data, error) && read_one (path, told, data, error);
}
