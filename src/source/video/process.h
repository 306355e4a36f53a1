// SPDX-License-Identifier: MIT
// The helper that decodes videos, as a process: orders and answers.
#pragma once

#include "source/helper/process.h"
#include "video_decoder/protocol.h"

G_BEGIN_DECLS

// What came over the socket, checked as far as its form goes.
typedef struct {
  OdlVideoReply reply;
  char text[ODL_VIDEO_MAX_TEXT + 1];
  const char *texts[ODL_VIDEO_N_TEXTS];
} OdlVideoAnswer;

// Starts the helper on an open file, which stays the caller's, in mode "play" or "look".
// Errors are worded to complete "Cannot open FILE: …", here and below.
OdlHelperProcess *odl_video_process_start (const char *mode, int file_fd, GError **error);

// Sends an order; fills in what each one has. `fd`, −1 for none, goes with it.
bool odl_video_process_order (OdlHelperProcess *process,
                              OdlVideoOrder *order,
                              int fd,
                              GError **error);

// Waits for an answer, as odl_helper_process_receive does. After nonsense, too, the
// process is good for nothing but its end.
bool odl_video_process_receive (OdlHelperProcess *process,
                                GCancellable *cancellable,
                                OdlVideoAnswer *answer,
                                GError **error);

G_END_DECLS
