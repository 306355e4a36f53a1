// SPDX-License-Identifier: MIT
// Pictures as buffers of GStreamer, in the form in which a codec keeps them best.
#pragma once

#include <gst/video/video.h>

#include "image/image.h"
#include "output/codec.h"
#include "output/luma.h"

G_BEGIN_DECLS

// What a stream looks like throughout.
typedef struct {
  int width, height; // of the stream, padded if need be
  int par_n, par_d; // pixel aspect
  bool limited; // 16 … 235 instead of all values
  bool pad; // both sides to even numbers
  const char *encoded; // raw format that the encoder gets
  OdlLuma luma; // where limited
  char colorimetry[32]; // GStreamer's text form; empty: none is written
} OdlMovieFormat;

// For pictures like `shown`, of a source whose detail “colorimetry” is as given (NULL: it
// has none). Gives a note when they had to be padded, else NULL; transfer
// full, translated.
char *odl_movie_format_init (OdlMovieFormat *format,
                             const OdlCodec *codec,
                             OdlQuality quality,
                             const char *colorimetry,
                             const OdlImage *shown);

// A picture, and in *info what it is made of, without a rate: wrapped for the lossless
// codec, else as luma and colour differences (luma.h). Transfer full. Errors:
// ODL_ERROR_TOO_LARGE.
GstBuffer *odl_movie_frame_buffer (OdlImage *shown,
                                   const OdlMovieFormat *format,
                                   GstVideoInfo *info,
                                   GError **error);

G_END_DECLS
