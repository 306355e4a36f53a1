// SPDX-License-Identifier: MIT
// Copying GStreamer frames that cannot be wrapped. Private to gst_frame.c.
#pragma once

#include <gst/video/video.h>

#include "image/pool.h"

// Copies the samples of `frame`, described by `info`, into a block of `pool` (may be
// NULL) if one is free, else into ordinary memory. The plane layout is kept. With
// `turn`, YCbCr frames get one plane per channel and others are interleaved; width,
// height, pixel aspect and chroma siting change accordingly. Errors of odl_image_wrap;
// ODL_ERROR_TOO_LARGE.
OdlImage *odl_gst_frame_copy (GstVideoFrame *frame,
                              const OdlImageInfo *info,
                              GstVideoOrientationMethod turn,
                              OdlImagePool *pool,
                              GError **error);
