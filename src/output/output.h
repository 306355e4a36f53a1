// SPDX-License-Identifier: MIT
// Atomic file output.
//
// Content goes to an unnamed file (O_TMPFILE) in the target's folder, is flushed to
// disk and then gets the target's name. On a failure, crash, signal or full disk the
// target keeps its previous state and nothing is left behind. On file systems without
// unnamed files a temporary name is used, which a crash leaves behind. Results that
// are expensive to reproduce, such as recordings, have a name from the start (parts,
// below).
#pragma once

#include <glib.h>
#include <stdbool.h>

// Removes temporary files when SIGINT, SIGTERM or SIGHUP ends the program, and prints
// a message.
typedef struct _OdlOutputGuard OdlOutputGuard;

// Call it before any other thread starts, so that all threads block these signals.
// `farewell` is the message for standard error; borrowed. *main*
OdlOutputGuard *odl_output_guard_new (const char *farewell);
void odl_output_guard_free (OdlOutputGuard *guard);

typedef struct {
  OdlOutputGuard *guard; // borrowed
  char *shown; // as the user wrote it, for messages
  char *target; // with symbolic links followed
  bool whole; // written atomically; false: a device or pipe, written directly
  char *temporary; // NULL: unnamed, or written directly
  char *note; // note about a part, see unfinished.h; may be NULL
  int fd;
  int pipe; // that a spooled file goes to in the end; −1: none
  bool fresh; // never replace an existing target
} OdlOutput;

// Whether writing to `path` would replace nothing. Paths through a device, such as
// /dev/stdout, count as free, since the shell has opened them already.
bool odl_output_is_free (const char *path);

// `guard` may be NULL: signals then act like a crash. ODL_ERROR_IO, naming `path`.
// After success end with commit or abandon.
bool odl_output_open (OdlOutputGuard *guard,
                      const char *path,
                      OdlOutput *output,
                      GError **error);
// Likewise for a target that must not exist yet; devices and pipes are allowed.
bool odl_output_open_new (OdlOutputGuard *guard,
                          const char *path,
                          OdlOutput *output,
                          GError **error);

// Likewise for content that shall survive a kill: it is written to a part, "NAME.part"
// next to the target, readable by others and found by odl_unfinished_list. Failures
// and odl_output_abandon still remove it. `replace`: as the first variant, else as the
// second.
bool odl_output_open_part (OdlOutputGuard *guard,
                           const char *path,
                           bool replace,
                           OdlOutput *output,
                           GError **error);

// For formats that are not written from one end to the other: a pipe gets an unnamed
// file in its stead, in the folder for temporary files, which is copied there when it is
// complete. ODL_ERROR_IO.
bool odl_output_make_seekable (OdlOutput *output, GError **error);

bool odl_output_write (OdlOutput *output, const void *data, gsize size, GError **error);

// Publishes the file; clears `output`, also on failure.
bool odl_output_commit (OdlOutput *output, GError **error);
void odl_output_abandon (OdlOutput *output);

// Commits what is `done`, else abandons it. True: done and published.
bool odl_output_end (OdlOutput *output, bool done, GError **error);

// Leaves a part as if the program had been killed; abandons any other output.
void odl_output_keep_part (OdlOutput *output);

// Sets ODL_ERROR_IO from `code` (an errno) for this output.
void odl_output_set_error (const OdlOutput *output, int code, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlOutputGuard, odl_output_guard_free)
