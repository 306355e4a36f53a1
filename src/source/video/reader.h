// SPDX-License-Identifier: MIT
// Frame-accurate access to a video by time: results do not depend on whether a frame
// was reached by seeking. One thread at a time, not the main one.
#pragma once

#include "source/video/pipeline.h"

typedef struct _OdlVideoReader OdlVideoReader;

// Takes ownership of `pipeline`, which must not have delivered frames yet. Reads the
// times of all frames from the container or, without one, the first few frames if the
// stream does not state its rate. NULL (pipeline closed) only
// for ODL_ERROR_CANCELLED and errors of the first frame.
OdlVideoReader *odl_video_reader_new (OdlVideoPipeline *pipeline,
                                      GCancellable *cancellable,
                                      GError **error);
void odl_video_reader_free (OdlVideoReader *self);

// Frames per second: stated by the stream, measured, assumed, or their mean.
typedef enum {
  ODL_VIDEO_RATE_STATED,
  ODL_VIDEO_RATE_MEASURED,
  ODL_VIDEO_RATE_ASSUMED,
  ODL_VIDEO_RATE_MEAN, // frames have times of their own
} OdlVideoRateOrigin;

double odl_video_reader_rate (const OdlVideoReader *self, OdlVideoRateOrigin *origin);

// The times of all frames, each of which is shown once: since the first one, ascending,
// in ns, one more than there are frames, the last being the end. NULL: not known.
const int64_t *odl_video_reader_times (const OdlVideoReader *self, int *n_frames);

// Stream time up to which the file has frames, sound or subtitles; 0: not known.
int64_t odl_video_reader_stored_ns (const OdlVideoReader *self);

// The frame displayed `time_ns` (≥ 0) after the first one: the last frame that starts
// at or before that time. Returns a reference. Frames with missing or decreasing times
// follow at the stream's rate. ODL_ERROR_END: the stream ended before; the message is
// empty, or the reason for a premature end. ODL_ERROR_CORRUPT: the frame was lost.
OdlImage *odl_video_reader_at (OdlVideoReader *self,
                               int64_t time_ns,
                               GCancellable *cancellable,
                               GError **error);

// For streams of unknown length whose demuxer reports a premature end after a seek: an
// end after a seek is verified by reading from the beginning.
void odl_video_reader_set_endless (OdlVideoReader *self);

// A time shortly before the end of the last frame, once the end was reached; −1
// before.
int64_t odl_video_reader_last_ns (const OdlVideoReader *self);
