// SPDX-License-Identifier: MIT
// Frames of a source that were read already, bounded by a number of bytes. Not
// thread-safe: the player guards it with its lock.
#pragma once

#include "image/image.h"
#include "plan/plan.h"
#include "session/player/timeline.h"

typedef struct _OdlFrameCache OdlFrameCache;

// Bits of odl_frame_cache_mark.
enum { ODL_MARK_CACHED = 1, ODL_MARK_DAMAGED = 2 };

// `max_bytes` bounds the samples; `min_frames` are kept however large they are.
OdlFrameCache *odl_frame_cache_new (size_t max_bytes, int min_frames);
void odl_frame_cache_free (OdlFrameCache *cache);
void odl_frame_cache_set_max_bytes (OdlFrameCache *cache, size_t max_bytes);

// Where playing is. Frames that will be shown last are the first to go.
void odl_frame_cache_set_focus (OdlFrameCache *cache,
                                const OdlTimeline *timeline,
                                int64_t focus,
                                int direction);

// Frames so far about the focus do not go, however large they are.
void odl_frame_cache_set_reach (OdlFrameCache *cache, OdlTimeReach reach);

// Nor do those about another one, such as the next of a lead-in; −1: none.
void odl_frame_cache_set_lead (OdlFrameCache *cache, int64_t lead);

// Keeps a reference to `image`, and lets others go to make room.
void odl_frame_cache_put (OdlFrameCache *cache, int64_t index, OdlImage *image);

// A new reference, or NULL.
OdlImage *odl_frame_cache_get (OdlFrameCache *cache, int64_t index);
bool odl_frame_cache_has (const OdlFrameCache *cache, int64_t index);

size_t odl_frame_cache_bytes (const OdlFrameCache *cache);
int odl_frame_cache_n_frames (const OdlFrameCache *cache);

// How many frames of the size of the largest one put so far fit; at least min_frames.
int64_t odl_frame_cache_capacity (const OdlFrameCache *cache);

// Sets marks[k], k < n_marks, to the state of the k-th part of n_frames frames:
// ODL_MARK_CACHED if all are cached, ODL_MARK_DAMAGED if a cached one is marked. 1 <=
// n_marks <= n_frames.
void odl_frame_cache_mark (const OdlFrameCache *cache,
                           int64_t n_frames,
                           int n_marks,
                           uint8_t *marks);

// Bytes of the memory that an image's samples lie in, with what pads its rows.
size_t odl_frame_cache_image_bytes (const OdlImage *image);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlFrameCache, odl_frame_cache_free)
