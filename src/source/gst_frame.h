// SPDX-License-Identifier: MIT
// GStreamer's frames as OdlImage. Needs GStreamer to be started.
#pragma once

#include <gst/app/gstappsink.h>
#include <gst/video/video.h>

#include "image/pool.h"

G_BEGIN_DECLS

// Starts GStreamer once, however often it is called; it may take a moment, so not on the
// main thread. Any other thread.
bool odl_gst_start (GError **error);

// Raw video in ordinary memory, in the formats that odl_gst_frame_image understands.
// Transfer full.
GstCaps *odl_gst_frame_caps (void);

// How a frame should come.
typedef struct {
  GstVideoOrientationMethod turn; // what the stream's tag asks for; 0: as it is
  OdlImagePool *pool; // where to copy what must be copied; NULL: ordinary memory, for
                      // frames that will wait in a cache
} OdlGstFrameRequest;

// The frame of a sample. Its format, size, stride, colorimetry and pixel aspect are those
// of this very sample. Ordinary memory is wrapped and held until the image goes; memory
// that belongs to a device or a small pool is copied, since there is little of it, and so
// is what must be turned: once, straight into the request's pool. pts_ns is the stream
// time, or −1. A frame that its decoder calls corrupt has a mark. `request` may be NULL.
// Errors: ODL_ERROR_CORRUPT, ODL_ERROR_TOO_LARGE, ODL_ERROR_UNSUPPORTED.
OdlImage *odl_gst_frame_image (GstSample *sample,
                               const OdlGstFrameRequest *request,
                               GError **error);

// What a stream of raw frames is.
typedef struct {
  double rate; // frames per second; 0 where it does not say or varies
  char format[24]; // GStreamer's name, such as "I420_10LE"
  bool full_range, interlaced;
  char colorimetry[64]; // "bt709", or four numbers; empty where nobody says
} OdlGstFrameKind;

// False where `caps` (may be NULL) are no raw video.
bool odl_gst_frame_describe (GstCaps *caps, OdlGstFrameKind *kind);

G_END_DECLS
