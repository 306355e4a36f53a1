// SPDX-License-Identifier: MIT
// GStreamer's frames as OdlImage. Needs GStreamer to be started.
#pragma once

#include <gst/app/gstappsink.h>

#include "image/image.h"

G_BEGIN_DECLS

// Starts GStreamer once, however often it is called; it may take a moment, so not on the
// main thread. Any other thread.
bool odl_gst_start (GError **error);

// Raw video in ordinary memory, in the formats that odl_gst_frame_image understands.
// Transfer full.
GstCaps *odl_gst_frame_caps (void);

// The frame of a sample. Its format, size, stride, colorimetry and pixel aspect are those
// of this very sample. Ordinary memory is wrapped and held until the image goes; memory
// that belongs to a device is copied, since there is little of it. pts_ns is the stream
// time, or −1. Errors: ODL_ERROR_CORRUPT, ODL_ERROR_TOO_LARGE, ODL_ERROR_UNSUPPORTED.
OdlImage *odl_gst_frame_image (GstSample *sample, GError **error);

// Frames per second of the sample's stream; 0 where it does not say or varies.
double odl_gst_frame_rate (GstSample *sample);

G_END_DECLS
