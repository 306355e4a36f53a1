// SPDX-License-Identifier: MIT
// A thread that runs the engines that need no GL: the latest requests win.
#pragma once

#include "session/player/frame_queue.h"

G_BEGIN_DECLS

typedef struct _OdlRenderer OdlRenderer;

// Called in the main context that was the thread's default in odl_renderer_new. The frame
// is borrowed; without `error` it has a result (and an original where asked), unless it
// belongs to a lead-in.
typedef void (*OdlRendererCb) (OdlFrame *frame, const GError *error, void *data);

OdlRenderer *odl_renderer_new (OdlRendererCb cb, void *data);

// Waits for the frame being computed; no callback comes afterwards.
void odl_renderer_free (OdlRenderer *renderer);

// Takes ownership of `frame`, whose input, plan and engine say what to do; requests that
// have not begun wait, or give way, as OdlFrameQueue has it. Keeps `want_original` of the
// last call.
void odl_renderer_request (OdlRenderer *renderer, OdlFrame *frame, bool want_original);

// Takes ownership of a frame that is run for those that follow it: when no request waits,
// in its turn, without a result. The callback tells.
void odl_renderer_lead_in (OdlRenderer *renderer, OdlFrame *frame);

// Those that have not begun are not run any more.
void odl_renderer_drop_lead_in (OdlRenderer *renderer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlRenderer, odl_renderer_free)

G_END_DECLS
