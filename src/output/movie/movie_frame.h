// SPDX-License-Identifier: MIT
// Pictures as GStreamer buffers in the format that suits the codec.
#pragma once

#include <gst/video/video.h>

#include "image/image.h"
#include "output/movie/codec.h"
#include "output/luma.h"

// Properties of the whole stream.
typedef struct {
  int width, height; // of the stream, including padding
  int par_n, par_d; // pixel aspect
  bool limited; // 16 … 235 instead of full range
  bool pad; // pad both sides to even numbers
  const char *encoded; // the encoder's raw format
  OdlLuma luma; // if limited
  char colorimetry[32]; // GStreamer's text form; empty: not signalled
} OdlMovieFormat;

// Chooses the format for pictures like `shown`; `colorimetry` is the source's (NULL:
// unknown). Returns a note if pictures have to be padded, else NULL. Translated,
// transfer full.
char *odl_movie_format_init (OdlMovieFormat *format,
                             const OdlCodec *codec,
                             OdlQuality quality,
                             const char *colorimetry,
                             const OdlImage *shown);

// Converts a picture and sets *info (without a frame rate): the samples themselves for
// the lossless codec, else YCbCr (luma.h). Transfer full. ODL_ERROR_TOO_LARGE.
GstBuffer *odl_movie_frame_buffer (OdlImage *shown,
                                   const OdlMovieFormat *format,
                                   GstVideoInfo *info,
                                   GError **error);
