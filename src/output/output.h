// SPDX-License-Identifier: MIT
// Files that are written whole or not at all.
//
// The content goes to a file in the target's folder that has no name, is flushed to the
// disk and gets the target's name. A failure, a crash, a signal or a full disk leave the
// target as it was and nothing else behind. Where the file system has no files without a
// name, it is one with a temporary name, which a crash leaves behind. What takes long to
// make again, such as a recording, has a name from the beginning (parts, below).
#pragma once

#include <glib.h>
#include <stdbool.h>

// Removes the temporary file when SIGINT, SIGTERM or SIGHUP ends the program, and says
// so.
typedef struct _OdlOutputGuard OdlOutputGuard;

// Call before any other thread is started: those threads must not take the signals.
// `farewell` is what is said, on standard error; borrowed. *main*
OdlOutputGuard *odl_output_guard_new (const char *farewell);
void odl_output_guard_free (OdlOutputGuard *guard);

typedef struct {
  OdlOutputGuard *guard; // borrowed
  char *shown; // as the user wrote it, for messages
  char *target; // with symbolic links followed
  bool whole; // appears at the end; false: a device or a pipe, written directly
  char *temporary; // NULL: without a name, or written directly
  char *note; // of a part, see unfinished.h; may be NULL
  int fd;
  bool fresh; // what came to the target's place meanwhile is not replaced
} OdlOutput;

// Whether nothing stands at `path` that writing there would replace. What is named
// through a device, such as /dev/stdout, counts as free, since the shell has opened it
// already.
bool odl_output_is_free (const char *path);

// `guard` may be NULL: then a signal is like a crash. Errors:
// ODL_ERROR_IO, naming `path`. On success end with commit or abandon.
bool odl_output_open (OdlOutputGuard *guard,
                      const char *path,
                      OdlOutput *output,
                      GError **error);
// The same for a target that must not exist; devices and pipes do no harm.
bool odl_output_open_new (OdlOutputGuard *guard,
                          const char *path,
                          OdlOutput *output,
                          GError **error);

// The same two for what shall survive even when the program is killed: it is written to
// "NAME.part" beside the target, which others can read and odl_unfinished_list finds. A
// failure and abandoning leave nothing all the same. `replace`: of the first kind.
bool odl_output_open_part (OdlOutputGuard *guard,
                           const char *path,
                           bool replace,
                           OdlOutput *output,
                           GError **error);

bool odl_output_write (OdlOutput *output, const void *data, gsize size, GError **error);

// Makes the file appear; clears `output` on failure too.
bool odl_output_commit (OdlOutput *output, GError **error);
void odl_output_abandon (OdlOutput *output);

// Leaves a part to be found later, as if the program were killed now; abandons any other.
void odl_output_leave (OdlOutput *output);

// Sets ODL_ERROR_IO from `code` (an errno) for this output.
void odl_output_set_error (const OdlOutput *output, int code, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlOutputGuard, odl_output_guard_free)
