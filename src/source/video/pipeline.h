// SPDX-License-Identifier: MIT
// What decodes the video stream of a file as fast as its frames are taken, wherever it
// does so. One thread at a time, not the main one: most calls block.
#pragma once

#include <gio/gio.h>

#include "image/image.h"
#include "source/gst_frame.h"

G_BEGIN_DECLS

typedef struct _OdlVideoPipeline OdlVideoPipeline;

// A decoded frame. Its image's pts_ns is the stream time, or −1, and it has a mark if the
// decoder calls it corrupt.
typedef struct {
  OdlImage *image;
  int64_t duration_ns; // as the stream says; 0: it does not
  bool after_loss; // something before it was lost; never right after a start or a seek
} OdlVideoFrame;

// What the stream is: of its first frame.
typedef struct {
  OdlGstFrameKind kind;
  GstVideoOrientationMethod turn; // done to its frames
  char *codec, *container; // for people; may be NULL
  bool has_others; // sound, subtitles or another video, which may be longer
} OdlVideoStream;

// See the functions below.
typedef struct {
  bool (*next) (OdlVideoPipeline *pipeline,
                OdlVideoFrame *frame,
                GCancellable *cancellable,
                GError **error);
  bool (*seek) (OdlVideoPipeline *pipeline, int64_t time_ns);
  bool (*restart) (OdlVideoPipeline *pipeline);
  int64_t (*duration_ns) (OdlVideoPipeline *pipeline);
  // Frees all but `codec` and `container`.
  void (*close) (OdlVideoPipeline *pipeline);
} OdlVideoPipelineClass;

// First member of every pipeline.
struct _OdlVideoPipeline {
  const OdlVideoPipelineClass *klass;
  OdlVideoStream stream;
};

// NULL is fine.
void odl_video_pipeline_close (OdlVideoPipeline *pipeline);

// The next frame of the stream; the image is the caller's. ODL_ERROR_END after the last
// one; its message is empty, or says why it came early. ODL_ERROR_CORRUPT: this frame is
// unusable, others may follow. ODL_ERROR_CANCELLED: ask again for the same frame. After
// any other error seek or start over.
bool odl_video_pipeline_next (OdlVideoPipeline *pipeline,
                              OdlVideoFrame *frame,
                              GCancellable *cancellable,
                              GError **error);

// Goes on from a frame that can be decoded by itself, at or before stream time `time_ns`
// if the container knows one. False: it cannot seek, and stays where it was.
bool odl_video_pipeline_seek (OdlVideoPipeline *pipeline, int64_t time_ns);

// From the start again, whether it can seek or not.
bool odl_video_pipeline_restart (OdlVideoPipeline *pipeline);

// −1 where nobody says, or only guesses.
int64_t odl_video_pipeline_duration_ns (OdlVideoPipeline *pipeline);

G_END_DECLS
