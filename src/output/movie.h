// SPDX-License-Identifier: MIT
// Writes moving pictures as Matroska or MP4. The file appears whole or not at all.
//
// Colours have the limited range of television (black 16, white 235) and are those of the
// source, or of BT.709, which is written into the stream, except for the lossless codec,
// which keeps the samples as they are: grey of 8 or 16 bits, or RGB of 8. All is written
// as Matroska, which can be read however far it came; MP4 is made of it at the end. Times
// are kept to 0.1 ms, equal distances or not.
#pragma once

#include "image/image.h"
#include "output/codec.h"
#include "output/output.h"

G_BEGIN_DECLS

typedef struct _OdlMovie OdlMovie;

typedef struct {
  const OdlCodec *codec; // from odl_codec_find
  OdlQuality quality;
  double frame_rate; // 0: frames come at unequal distances
  const char *description; // what was done to the pictures; UTF-8, may be NULL
  OdlContainer container;
  const char *colorimetry; // detail of that name of the source; NULL: BT.709
  bool replace; // what stands there under that name
  bool survives; // being killed: as a part, see output.h
  OdlOutputGuard *guard; // borrowed; may be NULL, see output.h
} OdlMovieParams;

// Errors: ODL_ERROR_IO, naming `path`.
OdlMovie *odl_movie_new (const char *path, const OdlMovieParams *params, GError **error);

// Another description than that of the parameters. Before the first picture.
void odl_movie_describe (OdlMovie *movie, const char *description);

// Bits a sample that the codec keeps of pictures with so many channels: 8 or 16.
int odl_movie_bits (const OdlMovie *movie, int channels);

// Appends a picture as it is shown, U8 (or U16, see odl_movie_bits), interleaved, which
// stays on screen until the next one, the last one for `duration_ns`. `time_ns` ascends
// from 0. `shown` NULL: the picture before, if any, stays for this one, too. The first
// picture decides on size and pixel aspect; later ones of another size
// are fitted in. Blocks while the encoder is busy. Errors: ODL_ERROR_IO (disk full, no
// right to write), ODL_ERROR_UNSUPPORTED (the encoder refuses); then only abandon
// remains.
bool odl_movie_write (OdlMovie *movie,
                      OdlImage *shown,
                      int64_t time_ns,
                      int64_t duration_ns,
                      GError **error);

// What had to be changed to fit the codec, translated; NULL for nothing. Valid until the
// next call.
const char *odl_movie_note (const OdlMovie *movie);

// Bytes written so far. Any thread.
int64_t odl_movie_bytes (OdlMovie *movie);

// Waits for the encoder and lets the file appear; frees the movie on failure too. A movie
// without a picture is an error. A part that cannot become MP4 is left.
bool odl_movie_finish (OdlMovie *movie, GError **error);

// Ends without a file; accepts NULL.
void odl_movie_abandon (OdlMovie *movie);

G_END_DECLS
