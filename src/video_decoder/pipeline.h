// SPDX-License-Identifier: MIT
// The GStreamer pipeline that decodes a video in this process.
#pragma once

#include "image/pool.h"
#include "source/video/pipeline.h"

// Decodes the first frame, to verify that there is one. The caller keeps `fd` open.
// Frames of more than ODL_VIDEO_MAX_PIXELS are rejected before a decoder allocates
// them. ODL_ERROR_UNSUPPORTED for a missing plugin (named) or no video,
// ODL_ERROR_CORRUPT, ODL_ERROR_CANCELLED, ODL_ERROR_TOO_LARGE (also of its time).
// Messages do not name the file.
OdlVideoPipeline *
odl_video_local_open (int fd, GCancellable *cancellable, GError **error);

// Likewise from a gst_parse_bin_from_description with one unlinked source pad; for
// tests with injected faults.
OdlVideoPipeline *odl_video_local_open_described (const char *description,
                                                  GCancellable *cancellable,
                                                  GError **error);

// Sets the pool for frames that must be copied; NULL: ordinary memory.
void odl_video_local_set_pool (OdlVideoPipeline *pipeline, OdlImagePool *pool);

// Polled every few milliseconds while waiting for a frame; true cancels.
void odl_video_local_set_interrupt (OdlVideoPipeline *pipeline,
                                    bool (*interrupted) (void));
