// SPDX-License-Identifier: MIT
// The life of a helper process, whatever it does: start, messages, end. One thread at a
// time.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/helper.h"
#include "source/helper/spawn.h"

G_BEGIN_DECLS

// What differs from one helper program to another.
typedef struct {
  const char *program; // such as "ondelette-decoder"
  const char *folder; // below src/ of the build tree, where it need not be installed
  const char *variable; // of the environment: another program
  bool one_thread; // its processor time says how long it has worked, and is limited
} OdlHelperKind;

typedef struct {
  const char *const *arguments; // without the program's name; NULL is the last
  const OdlHelperGift *gifts; // besides the socket and the pipe that it lives by
  size_t n_gifts;
  int64_t patience_ns; // see odl_helper_process_expect
  // Another way to get the process, which is tried first. NULL: there is none.
  bool (*fork) (const void *data, int socket_fd, int life_fd, pid_t *pid);
  const void *data;
} OdlHelperStart;

typedef struct _OdlHelperProcess OdlHelperProcess;

// Errors are worded to complete "Cannot open FILE: …", here and below.
OdlHelperProcess *odl_helper_process_start (const OdlHelperKind *kind,
                                            const OdlHelperStart *how,
                                            GError **error);

// From now on it may wait or, if that can be told, work for so long until it answers, and
// get no processor for eight times as long. The second one begins no new count, and gives
// no less than there was.
void odl_helper_process_expect (OdlHelperProcess *process, int64_t patience_ns);
void odl_helper_process_extend (OdlHelperProcess *process, int64_t patience_ns);

// Sends a message. After a failure the helper has ended, as below.
bool odl_helper_process_send (OdlHelperProcess *process,
                              const OdlMessage *message,
                              GError **error);

// Waits for a message; its bytes, 0 for an error. ODL_ERROR_CANCELLED: it may still come,
// and may be awaited again. After any other error the helper has died, or was ended since
// it took too long, and the process is good for nothing but _end: ODL_ERROR_TOO_LARGE for
// time and memory, ODL_ERROR_CORRUPT for a crash.
size_t odl_helper_process_receive (OdlHelperProcess *process,
                                   OdlMessage *message,
                                   GCancellable *cancellable,
                                   GError **error);

// That what came makes no sense: ODL_ERROR_CORRUPT.
void odl_helper_set_nonsense (GError **error);

// Ends the helper, whatever it does. NULL is fine.
void odl_helper_process_end (OdlHelperProcess *process);

G_END_DECLS
