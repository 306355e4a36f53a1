// SPDX-License-Identifier: MIT
// A thread that runs the engines that need no GL, and those that do on volumes, in a
// context of its own without a window: the latest requests win.
#pragma once

#include "session/player/frame_queue.h"

typedef struct _OdlRenderer OdlRenderer;

// How far the picture or volume is that is filtered.
typedef struct {
  double done; // 0 … 1
  int elapsed_ms;
} OdlVolumeWork;

// Called in the main context that was the thread's default in odl_renderer_new. The frame
// is borrowed; without `error` it has a result (and an original where asked), unless it
// belongs to a lead-in.
typedef void (*OdlRendererCb) (OdlFrame *frame, const GError *error, void *data);

OdlRenderer *odl_renderer_new (OdlRendererCb cb, void *data);

// Waits for the frame being computed; no callback comes afterwards.
void odl_renderer_free (OdlRenderer *renderer);

// Takes ownership of `frame` and runs its engine with its plan and input. Requests that
// have not begun wait, or are dropped, as in OdlFrameQueue. What nobody waits for any
// more is given up (ODL_ERROR_CANCELLED): other filters of the same picture or volume,
// and a picture that was left. `want_original` holds until the next call.
void odl_renderer_request (OdlRenderer *renderer, OdlFrame *frame, bool want_original);

// Drops the frames that have not begun, and those that were not delivered yet.
void odl_renderer_drop (OdlRenderer *renderer);

// False: no picture or volume that was requested is filtered now.
bool odl_renderer_work (OdlRenderer *renderer, OdlVolumeWork *work);

// Takes ownership of a frame of a lead-in, which is run without a result when no request
// waits. The callback reports it.
void odl_renderer_lead_in (OdlRenderer *renderer, OdlFrame *frame);

// Drops the frames of a lead-in that have not begun.
void odl_renderer_drop_lead_in (OdlRenderer *renderer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlRenderer, odl_renderer_free)
