// SPDX-License-Identifier: MIT
// A thread that runs the engines that need no GL, and those that do on volumes, in a
// context of its own without a window: the latest requests win.
#pragma once

#include "engine/grid_volume.h"
#include "session/player/frame.h"

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

// A volume that is filtered once and then shown as a slice or as three planes. Not
// locked.

// All zero at first.
typedef struct {
  OdlImage *volume; // the input
  OdlPlan *plan;
  OdlEngineChoice engine;
  uint64_t take; // what filters over time know of earlier ones
  OdlGridVolume filtered; // their result; zero: none yet
  char *sections; // that it was made in; NULL: as a whole
  OdlBody *body, *original_body; // of that, and of the input; NULL: none yet
} OdlVolumeView;

// Sets `input` and `result` of a frame with a volume, and its bodies if it wants them.
// Runs the engine, whose context is current if it needs GL, if volume, plan, take or
// engine are not those of the last call; in sections (engine/sections.h), which the frame
// then names, where the engine's memory is short. Errors: those of odl_engine_process,
// ODL_ERROR_TOO_LARGE where not even a section fits.
bool odl_volume_view_show (OdlVolumeView *view,
                           OdlEngine *engine,
                           OdlFrame *frame,
                           GError **error);

void odl_volume_view_clear (OdlVolumeView *view);

// A queue of two frames at most: a consumer that is late by less than a frame misses
// none, and the delay stays bounded. Not locked.

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
