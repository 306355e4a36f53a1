// SPDX-License-Identifier: MIT
// The helper's end of the socket.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "video_decoder/protocol.h"

G_BEGIN_DECLS

// Texts of an answer, by their place; NULL is empty.
typedef struct {
  const char *texts[ODL_VIDEO_N_TEXTS];
} OdlVideoTexts;

// Waits for the next order. `*fd`: what came with it, which becomes the caller's; −1:
// nothing. False: there is no order, or none that makes sense.
bool odl_video_take_order (OdlVideoOrder *order, int *fd);

// Whether an order waits, or the parent is gone.
bool odl_video_is_wanted (void);

// Sends an answer; fills in what each one has. `texts` may be NULL. False: the parent is
// gone.
bool odl_video_answer (OdlVideoReply *reply, const OdlVideoTexts *texts);

G_END_DECLS
