// SPDX-License-Identifier: MIT
#include "output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/thread.h"
#include "output/note.h"

#define MAX_TRIES 100

#define DEVICES "/dev/"

#define DESCRIPTOR_SIZE 32 // of "/proc/self/fd/2147483647"

struct _OdlOutputGuard {
  const char *farewell;
  GMutex mutex; // held while temporary files appear or disappear
  GPtrArray *temporaries; // existing names; borrowed
  bool ending;
  GThread *thread;
  sigset_t signals;
  sigset_t before;
};

static void *
wait_for_signal (void *data)
{
  OdlOutputGuard *guard = data;
  int number = 0;

  while (sigwait (&guard->signals, &number) != 0)
    continue;
  g_mutex_lock (&guard->mutex);
  if (!guard->ending) {
    for (guint i = 0; i < guard->temporaries->len; i++)
      unlink (g_ptr_array_index (guard->temporaries, i));
    // Overwrites the progress line of a terminal.
    g_printerr ("%s%s\n", isatty (STDERR_FILENO) ? "\r\033[K" : "", guard->farewell);
    // Re-raises the signal, so that the shell sees it. The mutex stays locked to
    // prevent new files.
    signal (number, SIG_DFL);
    pthread_sigmask (SIG_UNBLOCK, &guard->signals, NULL);
    raise (number);
    _exit (128 + number);
  }
  g_mutex_unlock (&guard->mutex);
  return NULL;
}

OdlOutputGuard *
odl_output_guard_new (const char *farewell)
{
  OdlOutputGuard *guard = g_new0 (OdlOutputGuard, 1);

  guard->farewell = farewell;
  guard->temporaries = g_ptr_array_new ();
  g_mutex_init (&guard->mutex);
  sigemptyset (&guard->signals);
  // Signals ignored by the parent (nohup) stay ignored.
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++) {
    struct sigaction action;
    if (sigaction (numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset (&guard->signals, numbers[i]);
  }
  // Exceeding the file size limit shall fail in write instead of killing the program.
  signal (SIGXFSZ, SIG_IGN);
  sigaddset (&guard->signals, SIGUSR1);
  pthread_sigmask (SIG_BLOCK, &guard->signals, &guard->before);
  guard->thread = odl_thread_new ("signals", wait_for_signal, guard, NULL);
  // Without one signals act like a crash.
  if (guard->thread == NULL)
    pthread_sigmask (SIG_SETMASK, &guard->before, NULL);
  return guard;
}

void
odl_output_guard_free (OdlOutputGuard *guard)
{
  if (guard == NULL)
    return;
  g_mutex_lock (&guard->mutex);
  guard->ending = true;
  g_mutex_unlock (&guard->mutex);
  // Delivered to the waiting thread, which alone unblocks it.
  if (guard->thread != NULL)
    kill (getpid (), SIGUSR1);
  odl_thread_join (guard->thread);
  pthread_sigmask (SIG_SETMASK, &guard->before, NULL);
  g_mutex_clear (&guard->mutex);
  g_ptr_array_unref (guard->temporaries);
  g_free (guard);
}

void
odl_output_set_error (const OdlOutput *output, int code, GError **error)
{
  static const struct {
    int code;
    const char *advice;
  } rows[] = {
    { ENOSPC, N_ ("Make room on the disk or choose another folder.") },
    { EDQUOT, N_ ("Make room on the disk or choose another folder.") },
    { EFBIG, N_ ("Choose a disk that takes larger files.") },
    { EROFS, N_ ("Choose a folder that can be written.") },
    { EACCES, N_ ("Choose a folder and a name that you may write.") },
    { EPERM, N_ ("Choose a folder and a name that you may write.") },
    { ENOENT, N_ ("Create the folder first.") },
    { ENOTDIR, N_ ("Create the folder first.") },
    { EISDIR, N_ ("Name a file in it.") },
    { EEXIST, N_ ("Choose another name.") },
    { ESPIPE, N_ ("Write this format to a file.") },
  };
  const char *advice = N_ ("Choose another place.");
  g_autofree char *name = g_filename_display_name (output->shown);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].code == code)
      advice = rows[i].advice;
  g_set_error (error, ODL_ERROR, ODL_ERROR_IO, _ ("%s: cannot be written: %s. %s"), name,
               g_strerror (code), _ (advice));
}

bool
odl_output_is_free (const char *path)
{
  GStatBuf status;

  return g_str_has_prefix (path, DEVICES) || g_stat (path, &status) != 0
         || !S_ISREG (status.st_mode);
}

static void
clear (OdlOutput *output)
{
  g_clear_pointer (&output->shown, g_free);
  g_clear_pointer (&output->target, g_free);
  g_clear_pointer (&output->temporary, g_free);
  g_clear_pointer (&output->note, g_free);
  output->whole = false;
  output->fd = output->pipe = -1;
}

// Without a guard, signals leave temporary files behind.
static void
lock (OdlOutputGuard *guard)
{
  if (guard != NULL)
    g_mutex_lock (&guard->mutex);
}

static void
unlock (OdlOutputGuard *guard)
{
  if (guard != NULL)
    g_mutex_unlock (&guard->mutex);
}

// Call it with the lock held; likewise the next function.
static void
set_temporary (OdlOutput *output, char *path)
{
  output->temporary = path;
  if (output->guard != NULL)
    g_ptr_array_add (output->guard->temporaries, path);
}

static void
forget_temporary (OdlOutput *output)
{
  if (output->guard != NULL)
    g_ptr_array_remove_fast (output->guard->temporaries, output->temporary);
  g_clear_pointer (&output->temporary, g_free);
}

static char *
temporary_name (const OdlOutput *output)
{
  g_autofree char *folder = g_path_get_dirname (output->target);

  return g_strdup_printf ("%s/.ondelette-%08x.part", folder, g_random_int ());
}

static void
name_of_descriptor (const OdlOutput *output, char *name, size_t size)
{
  g_snprintf (name, size, "/proc/self/fd/%d", output->fd);
}

// Opens an unnamed file, which disappears if the program is killed. Not supported by
// all file systems; needs /proc to be named later.
static bool
open_unnamed (OdlOutput *output)
{
  g_autofree char *folder = g_path_get_dirname (output->target);
  char descriptor[DESCRIPTOR_SIZE];

  output->fd = g_open (folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
  if (output->fd < 0)
    return false;
  name_of_descriptor (output, descriptor, sizeof descriptor);
  if (g_access (descriptor, F_OK) == 0)
    return true;
  close (output->fd);
  output->fd = -1;
  return false;
}

// "NAME.part", or "NAME.2.part" if that exists.
static char *
part_name (const OdlOutput *output, int i)
{
  return i == 0 ? g_strconcat (output->target, ".part", NULL)
                : g_strdup_printf ("%s.%d.part", output->target, i + 1);
}

static int
open_named (OdlOutput *output, bool part)
{
  int code = EEXIST;

  for (int i = 0; code == EEXIST && i < MAX_TRIES; i++) {
    g_autofree char *path = part ? part_name (output, i) : temporary_name (output);

    lock (output->guard);
    output->fd = g_open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    code = output->fd < 0 ? errno : 0;
    if (code == 0)
      set_temporary (output, g_steal_pointer (&path));
    unlock (output->guard);
  }
  return code;
}

// The file lock marks the part as being written; it ends with the process.
static int
open_part (OdlOutput *output)
{
  const int code = open_named (output, true);

  if (code == 0 && flock (output->fd, LOCK_EX | LOCK_NB) != 0)
    g_debug ("flock: %s", g_strerror (errno));
  if (code == 0)
    output->note = odl_note_write (output->temporary, output->target);
  return code;
}

// Creates the temporary file with the permissions of the target. Returns an errno, 0
// for success.
static int
open_temporary (OdlOutput *output, const GStatBuf *existing, bool part)
{
  const int code = part                    ? open_part (output)
                   : open_unnamed (output) ? 0
                                           : open_named (output, false);

  output->whole = code == 0;
  // Failure to copy permissions is not worth losing the picture.
  if (code == 0 && existing != NULL && fchmod (output->fd, existing->st_mode & 0777) != 0)
    g_debug ("fchmod: %s", g_strerror (errno));
  return code;
}

static bool
open_output (OdlOutputGuard *guard,
             const char *path,
             bool part,
             OdlOutput *output,
             GError **error)
{
  GStatBuf status;
  bool exists = g_stat (path, &status) == 0;
  int missing = exists ? 0 : errno;
  char *resolved = exists ? realpath (path, NULL) : NULL;
  int code = 0;

  *output = (OdlOutput){ .guard = guard, .shown = g_strdup (path), .fd = -1, .pipe = -1 };
  output->target = g_strdup (resolved != NULL ? resolved : path);
  free (resolved);

  if (exists && S_ISDIR (status.st_mode))
    code = EISDIR;
  else if (!exists && g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    code = missing; // a dangling link stays
  else if (exists && g_access (output->target, W_OK) != 0)
    code = errno;
  else if (exists && !S_ISREG (status.st_mode))
    code = (output->fd = g_open (path, O_WRONLY | O_CLOEXEC, 0)) < 0 ? errno : 0;
  else
    code = open_temporary (output, exists ? &status : NULL, part);

  if (code == 0)
    return true;
  odl_output_set_error (output, code, error);
  clear (output);
  return false;
}

// For a target that must not exist yet.
static bool
open_fresh (OdlOutputGuard *guard,
            const char *path,
            bool part,
            OdlOutput *output,
            GError **error)
{
  if (!odl_output_is_free (path)) {
    *output = (OdlOutput){ .shown = (char *) path, .fd = -1, .pipe = -1 };
    odl_output_set_error (output, EEXIST, error);
    output->shown = NULL;
    return false;
  }
  if (!open_output (guard, path, part, output, error))
    return false;
  output->fresh = !g_str_has_prefix (path, DEVICES);
  return true;
}

bool
odl_output_open (OdlOutputGuard *guard,
                 const char *path,
                 OdlOutput *output,
                 GError **error)
{
  return open_output (guard, path, false, output, error);
}

bool
odl_output_open_new (OdlOutputGuard *guard,
                     const char *path,
                     OdlOutput *output,
                     GError **error)
{
  return open_fresh (guard, path, false, output, error);
}

bool
odl_output_open_part (OdlOutputGuard *guard,
                      const char *path,
                      bool replace,
                      OdlOutput *output,
                      GError **error)
{
  return replace ? open_output (guard, path, true, output, error)
                 : open_fresh (guard, path, true, output, error);
}

bool
odl_output_make_seekable (OdlOutput *output, GError **error)
{
  if (lseek (output->fd, 0, SEEK_CUR) >= 0 || output->pipe >= 0)
    return true;
  const int spool = g_open (g_get_tmp_dir (), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (spool < 0)
    return odl_error_set (
        error, ODL_ERROR_IO,
        _ ("%s: this format is put together in a file before it goes to a pipe, and none "
           "can be made in %s: %s. Set TMPDIR to another folder."),
        output->shown, g_get_tmp_dir (), g_strerror (errno));
  output->pipe = output->fd;
  output->fd = spool;
  return true;
}

// Copies what was spooled to its pipe, which takes the place of the file.
static bool
unspool (OdlOutput *output, GError **error)
{
  const int spool = output->fd;
  char buffer[65536];
  gssize n = 0;
  bool done = lseek (spool, 0, SEEK_SET) == 0;

  output->fd = output->pipe;
  output->pipe = -1;
  while (done && (n = read (spool, buffer, sizeof buffer)) > 0)
    done = odl_output_write (output, buffer, (gsize) n, error);
  if (done && n < 0) {
    odl_output_set_error (output, errno, error);
    done = false;
  }
  close (spool);
  return done;
}

bool
odl_output_write (OdlOutput *output, const void *data, gsize size, GError **error)
{
  const char *rest = data;

  while (size > 0) {
    gssize n = write (output->fd, rest, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      odl_output_set_error (output, errno, error);
      return false;
    }
    rest += n;
    size -= n;
  }
  return true;
}

void
odl_output_abandon (OdlOutput *output)
{
  if (output->fd >= 0)
    close (output->fd);
  if (output->pipe >= 0)
    close (output->pipe);
  if (output->temporary != NULL) {
    lock (output->guard);
    unlink (output->temporary);
    forget_temporary (output);
    unlock (output->guard);
  }
  if (output->note != NULL)
    unlink (output->note);
  clear (output);
}

void
odl_output_keep_part (OdlOutput *output)
{
  if (output->note != NULL) {
    g_clear_pointer (&output->note, g_free);
    lock (output->guard);
    if (output->temporary != NULL)
      forget_temporary (output);
    unlock (output->guard);
  }
  odl_output_abandon (output);
}

static int
link_unnamed (const OdlOutput *output, const char *path)
{
  char descriptor[DESCRIPTOR_SIZE];

  name_of_descriptor (output, descriptor, sizeof descriptor);
  return linkat (AT_FDCWD, descriptor, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0
                                                                               : errno;
}

// linkat never replaces a file: if the target exists, the file gets a temporary name
// first, with the guard's lock held. Returns an errno, 0 for success.
static int
rename_unnamed (OdlOutput *output)
{
  int code = link_unnamed (output, output->target);

  for (int i = 0; code == EEXIST && !output->fresh && i < MAX_TRIES; i++) {
    g_autofree char *path = temporary_name (output);
    code = link_unnamed (output, path);
    if (code == 0)
      set_temporary (output, g_steal_pointer (&path));
  }
  return code;
}

// Renames the temporary file to the target. Returns an errno, 0 for success.
static int
move (const OdlOutput *output)
{
  if (output->fresh) {
    if (renameat2 (AT_FDCWD, output->temporary, AT_FDCWD, output->target,
                   RENAME_NOREPLACE)
        == 0)
      return 0;
    if (errno != EINVAL && errno != ENOSYS)
      return errno;
    // No atomic variant on this file system: a short race remains.
    if (g_file_test (output->target, G_FILE_TEST_EXISTS))
      return EEXIST;
  }
  return g_rename (output->temporary, output->target) == 0 ? 0 : errno;
}

bool
odl_output_commit (OdlOutput *output, GError **error)
{
  int code = 0;

  if (output->pipe >= 0 && !unspool (output, error)) {
    odl_output_abandon (output);
    return false;
  }
  if (output->whole && fsync (output->fd) != 0)
    code = errno;
  lock (output->guard);
  if (code == 0 && output->whole && output->temporary == NULL)
    code = rename_unnamed (output);
  if (close (output->fd) != 0 && code == 0)
    code = errno;
  output->fd = -1;
  if (code == 0 && output->temporary != NULL)
    code = move (output);
  if (code == 0 && output->temporary != NULL)
    forget_temporary (output);
  unlock (output->guard);
  if (code != 0)
    odl_output_set_error (output, code, error);
  odl_output_abandon (output);
  return code == 0;
}

bool
odl_output_end (OdlOutput *output, bool done, GError **error)
{
  if (done)
    return odl_output_commit (output, error);
  odl_output_abandon (output);
  return false;
}
