// SPDX-License-Identifier: MIT
// The frames of a video by time, exactly: which way they are reached makes no difference
// to what is read. One thread at a time, not the main one.
#pragma once

#include "source/video/pipeline.h"

G_BEGIN_DECLS

typedef struct _OdlVideoReader OdlVideoReader;

// Takes `pipeline`, which has delivered nothing yet. Looks at the first few frames where
// the stream does not say how fast it is. NULL only for ODL_ERROR_CANCELLED and errors of
// the first frame; `pipeline` is closed then.
OdlVideoReader *odl_video_reader_new (OdlVideoPipeline *pipeline,
                                      GCancellable *cancellable,
                                      GError **error);
void odl_video_reader_free (OdlVideoReader *self);

// Frames per second: the stream's own, or measured, or assumed.
typedef enum {
  ODL_VIDEO_RATE_STATED,
  ODL_VIDEO_RATE_MEASURED,
  ODL_VIDEO_RATE_ASSUMED,
} OdlVideoRateOrigin;

double odl_video_reader_rate (const OdlVideoReader *self, OdlVideoRateOrigin *origin);

// The frame that is on screen at `time_ns` (≥ 0) after the first one: the last one that
// begins then or before. A reference. Frames whose times are absent or go back follow
// each other at the stream's rate. ODL_ERROR_END: the stream ended before; the message is
// empty, or says why it came early. ODL_ERROR_CORRUPT: what is on screen then was lost.
OdlImage *odl_video_reader_at (OdlVideoReader *self,
                               int64_t time_ns,
                               GCancellable *cancellable,
                               GError **error);

// The stream does not say how long it is, and its demuxer ends it after a seek where it
// had looked before: an end that comes after a seek is looked for from the beginning.
void odl_video_reader_set_endless (OdlVideoReader *self);

// An interval before the last frame goes, once the end was reached; −1 before.
int64_t odl_video_reader_last_ns (const OdlVideoReader *self);

G_END_DECLS
