// SPDX-License-Identifier: MIT
// What demuxers and decoders of GStreamer 1.22 leave out of the caps of raw frames, or
// drop: a range without a matrix, the full range of an MP4 track, colours stored as
// green, blue and red (the identity matrix), rows without padding, palettes without
// opacity, or left out; the end of an MP4 track, which comes too early; and when Matroska
// begins.
#pragma once

#include <gst/gst.h>
#include <stdbool.h>

typedef struct _OdlAmend OdlAmend;

// Watches the demuxers of `pipeline`, which reads the file `fd` (−1: none; borrowed), and
// what arrives at `pad`, the first one of raw frames; NULL: nothing is decoded.
OdlAmend *odl_amend_new (GstBin *pipeline, GstPad *pad, int fd);

// Frees it, after the pipeline has stopped. Accepts NULL.
void odl_amend_free (OdlAmend *self);

// Whether the fourth samples of frames are no opacity. Any thread.
bool odl_amend_is_opaque (const OdlAmend *self);

// The duration of the frames of a file whose demuxer says that it is `duration_ns`; both
// in ns. Any thread.
gint64 odl_amend_duration (OdlAmend *self, gint64 duration_ns);
