// SPDX-License-Identifier: MIT
// Life cycle of a helper process: start, messages, end. One thread at a time.
#pragma once

#include <gio/gio.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/helper.h"
#include "base/progress.h"

// Starts a helper program with the descriptors it expects.

// A descriptor of the caller and its number in the helper, at most ODL_HELPER_LIFE_FD.
typedef struct {
  int given_fd;
  int number;
} OdlHelperFd;

// Properties of a helper program.
typedef struct {
  const char *program; // such as "ondelette-decoder"
  const char *folder; // in the build tree, below src/, for uninstalled runs
  const char *variable; // environment variable that overrides the program
} OdlHelperKind;

typedef struct {
  const char *const *arguments; // without the program name; NULL-terminated
  const OdlHelperFd *fds; // descriptors besides the socket and the life pipe
  size_t n_fds;
  int64_t patience_ns; // see odl_helper_process_expect
  bool only_computes; // one that neither works nor answers for half a minute is ended
  // Alternative to starting the program, tried first. NULL: none.
  bool (*fork) (const void *data, int socket_fd, int life_fd, pid_t *pid);
  const void *data;
} OdlHelperStart;

typedef struct _OdlHelperProcess OdlHelperProcess;

// Error messages complete "Cannot open FILE: …", here and below.
OdlHelperProcess *odl_helper_process_start (const OdlHelperKind *kind,
                                            const OdlHelperStart *how,
                                            GError **error);

// For what is not the file's time: as much as it takes.
#define ODL_HELPER_NO_LIMIT (G_MAXINT64 / 4)

// Starts a limit of CPU time, of all threads, until the next answer. A call before the
// answer never shortens the limit. How long it takes by the clock does not matter: who
// waits can cancel.
void odl_helper_process_expect (OdlHelperProcess *process, int64_t patience_ns);
void odl_helper_process_extend (OdlHelperProcess *process, int64_t patience_ns);

// Sets what is called, in the thread that waits, when a helper has neither worked nor
// answered for ten seconds; once for each answer. NULL: nothing.
void odl_helper_process_tell_idle (void (*cb) (void));

// Sets what is called while it is waited for an answer, some twenty times a second, in
// the thread that waits. NULL: nothing.
void
odl_helper_process_watch (OdlHelperProcess *process, void (*cb) (void *data), void *data);

// Sends a message; true also where the helper has ended and said why, which is then
// received. After a failure the helper has ended, as below.
bool odl_helper_process_send (OdlHelperProcess *process,
                              const OdlMessage *message,
                              GError **error);

// Waits for a message; returns its size in bytes, 0 for an error. ODL_ERROR_CANCELLED:
// the answer may still arrive; call again. After any other error the helper has ended
// and only _end may be called: ODL_ERROR_TOO_LARGE for exceeded time or memory,
// ODL_ERROR_CORRUPT for a crash.
size_t odl_helper_process_receive (OdlHelperProcess *process,
                                   OdlMessage *message,
                                   GCancellable *cancellable,
                                   GError **error);

// Likewise, until `progress` is stopped (NULL: nobody stops it), which is
// ODL_ERROR_CANCELLED.
size_t odl_helper_process_receive_telling (OdlHelperProcess *process,
                                           OdlMessage *message,
                                           const OdlProgress *progress,
                                           GError **error);

// Sets ODL_ERROR_CORRUPT: the helper's message is invalid.
void odl_helper_set_invalid_answer (GError **error);

// Kills the helper. Accepts NULL.
void odl_helper_process_end (OdlHelperProcess *process);
