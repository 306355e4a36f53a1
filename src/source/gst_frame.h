// SPDX-License-Identifier: MIT
// GStreamer frames as OdlImage. GStreamer must be initialised.
#pragma once

#include <gst/app/gstappsink.h>
#include <gst/video/video.h>

#include "image/pool.h"

// Initialises GStreamer; further calls have no effect. May be slow: not on the main
// thread.
bool odl_gst_start (GError **error);

// Caps for raw video in system memory, in the formats that odl_gst_frame_image
// supports. Transfer full.
GstCaps *odl_gst_frame_caps (void);

// Options for the conversion.
typedef struct {
  GstVideoOrientationMethod turn; // orientation from the stream's tag; 0: none
  bool opaque; // the fourth samples are no opacity
  OdlImagePool *pool; // for frames that must be copied; NULL: ordinary memory, for frames
                      // that will stay in a cache
} OdlGstFrameRequest;

// Converts the frame of `sample`, using that sample's own format, size, strides,
// colorimetry and pixel aspect. System memory is wrapped and held by the image. Memory
// of a device or a small pool is copied, since it is scarce, and so are frames that
// must be turned: once, directly into the request's pool. pts_ns is the stream time,
// or −1. Frames flagged as corrupt get a mark. `request` may be NULL.
// ODL_ERROR_CORRUPT, ODL_ERROR_TOO_LARGE, ODL_ERROR_UNSUPPORTED.
OdlImage *odl_gst_frame_image (GstSample *sample,
                               const OdlGstFrameRequest *request,
                               GError **error);

// Properties of a raw video stream.
typedef struct {
  double rate; // frames per second; 0: unknown or variable
  char format[24]; // GStreamer's name, such as "I420_10LE"
  bool full_range, interlaced;
  char colorimetry[64]; // "bt709", or four numbers; empty if unknown
} OdlGstFrameKind;

// False if `caps` (may be NULL) are not raw video.
bool odl_gst_frame_describe (GstCaps *caps, OdlGstFrameKind *kind);
