// SPDX-License-Identifier: MIT
// A queue of two frames at most: a consumer that is late by less than a frame misses
// none, and the delay stays bounded. Not locked.
#pragma once

#include "session/player/frame.h"

#define ODL_FRAME_QUEUE_PLACES 2

typedef struct {
  OdlFrame *frames[ODL_FRAME_QUEUE_PLACES]; // the oldest first
  int n;
} OdlFrameQueue;

// Takes ownership of `frame`. It replaces a waiting frame of the same image; a frame of
// another source, or of a seek, replaces all that wait; else the oldest is dropped when
// the queue is full.
void odl_frame_queue_push (OdlFrameQueue *queue, OdlFrame *frame);

// The oldest, or NULL. Transfer full.
OdlFrame *odl_frame_queue_pop (OdlFrameQueue *queue);

void odl_frame_queue_clear (OdlFrameQueue *queue);
