// SPDX-License-Identifier: MIT
// Writes videos as Matroska or MP4. The file appears when it is complete, or not at
// all.
//
// Matrix, transfer and primaries are those of the source, or BT.709, in limited range
// (black 16, white 235), and are signalled in the stream. The lossless codec stores
// the samples unchanged: grey of 8 or 16 bits, or 8-bit RGB. Streams are written as
// Matroska, which stays readable when interrupted; MP4 is remuxed from it at the end.
// Times have a resolution of 0.1 ms and need not be equidistant.
#pragma once

#include "image/image.h"
#include "output/movie/codec.h"
#include "output/output.h"

typedef struct _OdlMovie OdlMovie;

typedef struct {
  const OdlCodec *codec; // from odl_codec_find
  OdlQuality quality;
  double frame_rate; // 0: irregular frame times
  const char *description; // of the processing; UTF-8, may be NULL
  OdlContainer container;
  const char *colorimetry; // the source's GStreamer colorimetry; NULL: BT.709
  bool replace; // overwrite an existing file
  bool survives; // keep the part if the program is killed; see output.h
  OdlOutputGuard *guard; // borrowed; may be NULL, see output.h
} OdlMovieParams;

// ODL_ERROR_IO, naming `path`.
OdlMovie *odl_movie_new (const char *path, const OdlMovieParams *params, GError **error);

// Replaces the description. Call it before the first picture.
void odl_movie_describe (OdlMovie *movie, const char *description);

// Bits per sample that the codec stores for pictures with `channels`: 8 or 16.
int odl_movie_bits (const OdlMovie *movie, int channels);

// Appends a picture, U8 (or U16, see odl_movie_bits), interleaved; it is displayed
// until the next one, the last one for `duration_ns`. `time_ns` must ascend from 0.
// `shown` NULL repeats the previous picture, if any. The first picture sets size and
// pixel aspect; later pictures of another size are scaled to fit. Blocks while the
// encoder is busy. ODL_ERROR_IO (disk full, no permission), ODL_ERROR_UNSUPPORTED
// (encoder failure); after an error only odl_movie_abandon may be called.
bool odl_movie_write (OdlMovie *movie,
                      OdlImage *shown,
                      int64_t time_ns,
                      int64_t duration_ns,
                      GError **error);

// Describes changes that were necessary for the codec, translated; NULL for none.
// Valid until the next call.
const char *odl_movie_note (const OdlMovie *movie);

// Bytes written so far. Any thread.
int64_t odl_movie_bytes (OdlMovie *movie);

// Waits for the encoder and publishes the file; frees the movie, also on failure. A
// movie without pictures is an error. If remuxing to MP4 fails, the part is kept.
bool odl_movie_finish (OdlMovie *movie, GError **error);

// Discards the movie; accepts NULL.
void odl_movie_abandon (OdlMovie *movie);
