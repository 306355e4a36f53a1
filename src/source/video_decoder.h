// SPDX-License-Identifier: MIT
// GStreamer's uridecodebin3 with the first video stream of a file.
#pragma once

#include <gst/gst.h>
#include <stdbool.h>

G_BEGIN_DECLS

// What is known of a file's streams. Any thread.
typedef struct {
  gint are_known; // atomic
  gint have_video; // atomic
} OdlVideoStreams;

// An element that decodes the first video stream behind `uri` and links it to `next`, or
// NULL where GStreamer lacks it. `streams` must live as long. Floating reference.
GstElement *
odl_video_decoder_new (const char *uri, GstElement *next, OdlVideoStreams *streams);

// Brings a pipeline, with such an element or without, from NULL to PLAYING. False: it
// failed, as messages on the bus say.
bool odl_video_decoder_play (GstElement *pipeline);

// For people: what decodes, or takes apart, the file that plays. NULL: nothing does.
// Transfer full.
char *odl_video_decoder_codec (GstElement *pipeline);
char *odl_video_decoder_container (GstElement *pipeline);

// Whether a message tells of a missing plugin without which there is no picture.
bool odl_video_decoder_lacks (GstMessage *message);

G_END_DECLS
