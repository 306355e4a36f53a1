// SPDX-License-Identifier: MIT
// The helper process that decodes videos: orders and answers.
#pragma once

#include "source/helper/process.h"
#include "video_decoder/protocol.h"

// A message from the helper, with valid structure.
typedef struct {
  OdlVideoReply reply;
  char text[ODL_VIDEO_MAX_TEXT + 1];
  const char *texts[ODL_VIDEO_N_TEXTS];
} OdlVideoAnswer;

// Starts the helper on an open file, which the caller keeps, in mode "play" or "look".
// Error messages complete "Cannot open FILE: …", here and below.
OdlHelperProcess *odl_video_process_start (const char *mode, int file_fd, GError **error);

// Sends an order and fills in its common fields; `fd` is attached unless −1.
bool odl_video_process_order (OdlHelperProcess *process,
                              OdlVideoOrder *order,
                              int fd,
                              GError **error);

// Gives the next answer so much more CPU time.
void odl_video_process_extend (OdlHelperProcess *process, int64_t more_ns);

// Waits for an answer, as odl_helper_process_receive. After an invalid answer, too,
// the process can only be ended.
bool odl_video_process_receive (OdlHelperProcess *process,
                                GCancellable *cancellable,
                                OdlVideoAnswer *answer,
                                GError **error);
