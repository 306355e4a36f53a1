// SPDX-License-Identifier: MIT
// The helper's side of the socket.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "video_decoder/protocol.h"

// Texts of an answer, in protocol order; NULL is empty.
typedef struct {
  const char *texts[ODL_VIDEO_N_TEXTS];
} OdlVideoTexts;

// Waits for the next order. `*fd`: the attached descriptor, which the caller then
// owns; −1: none. False: the parent has gone, or the order is invalid.
bool odl_video_take_order (OdlVideoOrder *order, int *fd);

// Whether an order is queued or the parent has gone.
bool odl_video_is_wanted (void);

// Sends an answer and fills in its common fields. `texts` may be NULL. False: the
// parent has gone.
bool odl_video_answer (OdlVideoReply *reply, const OdlVideoTexts *texts);
