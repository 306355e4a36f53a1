// SPDX-License-Identifier: MIT
// A pipeline that decodes the video stream of a location, as fast as its frames are
// taken. One thread at a time.
#pragma once

#include <gio/gio.h>

#include "source/gst_frame.h"

G_BEGIN_DECLS

typedef struct _OdlVideoPipeline OdlVideoPipeline;

// Opens `uri` and waits for its first frame. Errors complete "Cannot open FILE: …".
OdlVideoPipeline *
odl_video_pipeline_open (const char *uri, GCancellable *cancellable, GError **error);
void odl_video_pipeline_close (OdlVideoPipeline *pipeline);

// The next frame. Transfer full. ODL_ERROR_END: there is none; its message is empty at
// the regular end, else it says what is wrong with the rest.
GstSample *odl_video_pipeline_next (OdlVideoPipeline *pipeline,
                                    GCancellable *cancellable,
                                    GError **error);

// From now on frames from `time_ns` (stream time) on, exactly. False: the stream cannot
// be positioned, or not there.
bool odl_video_pipeline_seek (OdlVideoPipeline *pipeline, int64_t time_ns);

// From the start, for streams that cannot be positioned.
bool odl_video_pipeline_restart (OdlVideoPipeline *pipeline);

// Length in ns; −1: not known. Streams without a container's index only guess theirs from
// the bit rate, so it counts as not known.
int64_t odl_video_pipeline_duration_ns (OdlVideoPipeline *pipeline);

// Such as "H.264 in Quicktime". Borrowed; never NULL.
const char *odl_video_pipeline_format (OdlVideoPipeline *pipeline);

G_END_DECLS
