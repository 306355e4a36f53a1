// SPDX-License-Identifier: MIT
// Copies of GStreamer's frames, where they cannot be wrapped. Private to gst_frame.c.
#pragma once

#include <gst/video/video.h>

#include "image/pool.h"

G_BEGIN_DECLS

// Copies the samples of `frame`, whose planes `info` describes, once: into a block of
// `pool` (may be NULL) if one is free, else into ordinary memory. Planes keep their
// layout; a frame that `turn` asks to be turned or mirrored gets one plane per channel if
// it is YCbCr, else interleaved ones, and its width, height, pixel aspect and colour
// positions change with it. Errors: of odl_image_wrap, and ODL_ERROR_TOO_LARGE.
OdlImage *odl_gst_frame_copy (GstVideoFrame *frame,
                              const OdlImageInfo *info,
                              GstVideoOrientationMethod turn,
                              OdlImagePool *pool,
                              GError **error);

G_END_DECLS
