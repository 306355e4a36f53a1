// SPDX-License-Identifier: MIT
// The life of a video decoder helper: start, orders, answers, end. One thread at a time.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "video_decoder/protocol.h"

G_BEGIN_DECLS

// What came over the socket, checked as far as its form goes.
typedef struct {
  OdlVideoReply reply;
  char text[ODL_VIDEO_MAX_TEXT + 1];
  const char *texts[ODL_VIDEO_N_TEXTS];
} OdlVideoAnswer;

typedef struct _OdlVideoProcess OdlVideoProcess;

// Starts the helper on an open file, which stays the caller's, in mode "play" or "look".
// Errors are worded to complete "Cannot open FILE: …", here and below.
OdlVideoProcess *odl_video_process_start (const char *mode, int file_fd, GError **error);

// Sends an order; fills in what each one has. `fd`, −1 for none, goes with it.
bool odl_video_process_order (OdlVideoProcess *process,
                              OdlVideoOrder *order,
                              int fd,
                              GError **error);

// Waits for an answer. ODL_ERROR_CANCELLED: it may still come, and may be awaited again.
// After any other error the helper has died, or was ended since it said nothing for long
// or nonsense, and the process is good for nothing but _end.
bool odl_video_process_receive (OdlVideoProcess *process,
                                GCancellable *cancellable,
                                OdlVideoAnswer *answer,
                                GError **error);

// Ends the helper, whatever it does. NULL is fine.
void odl_video_process_end (OdlVideoProcess *process);

G_END_DECLS
