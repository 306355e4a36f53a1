// SPDX-License-Identifier: MIT
// A GStreamer pipeline that decodes the video stream of a file as fast as its frames are
// taken. One thread at a time, not the main one: most calls block.
#pragma once

#include <gio/gio.h>

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

// Decodes the first frame, so that it is known that there is one. `location` is a URI or,
// if it begins with no scheme, what gst_parse_bin_from_description understands, with one
// free source pad: that is how tests make faults. Errors: ODL_ERROR_UNSUPPORTED when a
// plugin is missing (named) or there is no video, ODL_ERROR_CORRUPT, ODL_ERROR_CANCELLED,
// ODL_ERROR_TOO_LARGE when nothing came for a long time. Without name of the file.
OdlVideoPipeline *
odl_video_pipeline_open (const char *location, GCancellable *cancellable, GError **error);
void odl_video_pipeline_close (OdlVideoPipeline *self);

// The next frame of the stream; the image is the caller's. ODL_ERROR_END after the last
// one; its message is empty, or says why it came early. ODL_ERROR_CORRUPT: this frame is
// unusable, others may follow.
bool odl_video_pipeline_next (OdlVideoPipeline *self,
                              OdlVideoFrame *frame,
                              GCancellable *cancellable,
                              GError **error);

// Goes on from a frame that can be decoded by itself, at or before stream time `time_ns`
// if the container knows one. False: it cannot seek, and stays where it was.
bool odl_video_pipeline_seek (OdlVideoPipeline *self, int64_t time_ns);

// From the start again, whether it can seek or not.
bool odl_video_pipeline_restart (OdlVideoPipeline *self);

// −1 where nobody says, or only guesses.
int64_t odl_video_pipeline_duration_ns (OdlVideoPipeline *self);

const OdlVideoStream *odl_video_pipeline_stream (const OdlVideoPipeline *self);

G_END_DECLS
