// SPDX-License-Identifier: MIT
// OdlVideoPipeline: interface of video decoders, which decode as fast as frames are
// taken. One thread at a time, not the main one: most calls block.
#pragma once

#include <gio/gio.h>

#include "image/image.h"
#include "source/gst_frame.h"

typedef struct _OdlVideoPipeline OdlVideoPipeline;

// A decoded frame. Its image's pts_ns is the stream time, or −1; it has a mark if the
// decoder flagged it as corrupt.
typedef struct {
  OdlImage *image;
  int64_t duration_ns; // according to the stream; 0: unknown
  bool after_loss; // data before it was lost; never set right after a start or seek
} OdlVideoFrame;

// Properties of the stream, from its first frame.
typedef struct {
  OdlGstFrameKind kind;
  GstVideoOrientationMethod turn; // applied to its frames
  char *codec, *container; // for display; may be NULL
  bool has_others; // has audio, subtitles or other video, which may be longer
} OdlVideoStream;

// The times of the frames of a stream.
typedef struct {
  GArray *frames; // of int64_t: stream time of each frame to be shown, ascending, in ns
  int64_t end_ns; // of the last frame, sound or subtitle of the file; 0: unknown
  bool of_decoding; // some are the times of decoding, which AVI has instead: as many, and
                    // as far apart
} OdlVideoTimes;

// See the functions below.
typedef struct {
  bool (*next) (OdlVideoPipeline *pipeline,
                OdlVideoFrame *frame,
                GCancellable *cancellable,
                GError **error);
  bool (*seek) (OdlVideoPipeline *pipeline, int64_t time_ns, GCancellable *cancellable);
  bool (*restart) (OdlVideoPipeline *pipeline, GCancellable *cancellable);
  int64_t (*duration_ns) (OdlVideoPipeline *pipeline);
  // NULL: the stream has no container.
  bool (*times) (OdlVideoPipeline *pipeline,
                 GCancellable *cancellable,
                 OdlVideoTimes *times);
  // Frees everything except `codec` and `container`.
  void (*close) (OdlVideoPipeline *pipeline);
} OdlVideoPipelineClass;

// First member of every pipeline type.
struct _OdlVideoPipeline {
  const OdlVideoPipelineClass *klass;
  OdlVideoStream stream;
};

// Accepts NULL.
void odl_video_pipeline_close (OdlVideoPipeline *pipeline);

// The next frame; the image is the caller's. ODL_ERROR_END after the last one; the
// message is empty, or the reason for a premature end. ODL_ERROR_CORRUPT: this frame
// is unusable, others may follow. ODL_ERROR_CANCELLED: call again for the same frame.
// After any other error seek or start over.
bool odl_video_pipeline_next (OdlVideoPipeline *pipeline,
                              OdlVideoFrame *frame,
                              GCancellable *cancellable,
                              GError **error);

// Continues from a key frame at or before stream time `time_ns`, if the container has
// an index. False: seeking is not possible, and the position is unchanged, or it was
// cancelled, and the position is unknown.
bool odl_video_pipeline_seek (OdlVideoPipeline *pipeline,
                              int64_t time_ns,
                              GCancellable *cancellable);

// Starts over, even if the stream is not seekable.
bool odl_video_pipeline_restart (OdlVideoPipeline *pipeline, GCancellable *cancellable);

// −1 if unknown or only estimated.
int64_t odl_video_pipeline_duration_ns (OdlVideoPipeline *pipeline);

// The times of all frames, from the container; reads the whole file. To be asked before
// the first frame is taken. False: cancelled, or they are not known.
bool odl_video_pipeline_times (OdlVideoPipeline *pipeline,
                               GCancellable *cancellable,
                               OdlVideoTimes *times);
void odl_video_times_clear (OdlVideoTimes *times);

// Containers round times to milliseconds, at both ends of a distance.
#define ODL_VIDEO_ROUNDING_NS INT64_C (1050000)

// Frames per second, and whether all frames keep to that.
typedef struct {
  double rate; // 0: there is one frame
  bool even;
} OdlVideoPace;

// From the times of `n` frames since the first one; `stated_rate` (0: none) if they keep
// to it, else their mean.
OdlVideoPace odl_video_times_pace (const int64_t *times, int n, double stated_rate);
