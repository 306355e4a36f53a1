// SPDX-License-Identifier: MIT
// Frames that wait for somebody: two at most, so that one who is held up for less than a
// frame misses none, and is never further behind. Not locked.
#pragma once

#include "session/player/frame.h"

G_BEGIN_DECLS

#define ODL_FRAME_QUEUE_PLACES 2

typedef struct {
  OdlFrame *frames[ODL_FRAME_QUEUE_PLACES]; // the oldest first
  int n;
} OdlFrameQueue;

// Takes ownership of `frame`. The same picture, computed anew, takes the place of the one
// before; a picture of another source, or one that was asked for, displaces all that
// wait; else the oldest gives way.
void odl_frame_queue_push (OdlFrameQueue *queue, OdlFrame *frame);

// The oldest, or NULL. Transfer full.
OdlFrame *odl_frame_queue_pop (OdlFrameQueue *queue);

void odl_frame_queue_clear (OdlFrameQueue *queue);

G_END_DECLS
