// SPDX-License-Identifier: MIT
// A GStreamer pipeline that decodes the video stream of an open file in this process.
#pragma once

#include "image/pool.h"
#include "source/video/pipeline.h"

G_BEGIN_DECLS

// Decodes the first frame, so that it is known that there is one. `fd` stays the
// caller's, and must stay open. Frames of more than ODL_VIDEO_MAX_PIXELS are refused
// before they reach a decoder's output. Errors: ODL_ERROR_UNSUPPORTED when a plugin is
// missing (named) or there is no video, ODL_ERROR_CORRUPT, ODL_ERROR_CANCELLED,
// ODL_ERROR_TOO_LARGE also when nothing came for a long time. Without name of the file.
OdlVideoPipeline *
odl_video_local_open (int fd, GCancellable *cancellable, GError **error);

// The same for what gst_parse_bin_from_description understands, with one free source pad:
// that is how tests make faults.
OdlVideoPipeline *odl_video_local_open_described (const char *description,
                                                  GCancellable *cancellable,
                                                  GError **error);

// Where frames that must be copied are copied to; NULL: ordinary memory.
void odl_video_local_set_pool (OdlVideoPipeline *pipeline, OdlImagePool *pool);

// Asked every few milliseconds while a frame is awaited: true cancels.
void odl_video_local_set_interrupt (OdlVideoPipeline *pipeline,
                                    bool (*interrupted) (void));

G_END_DECLS
