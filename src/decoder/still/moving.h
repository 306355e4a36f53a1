// SPDX-License-Identifier: MIT
// Animated pictures: frames that are put together from those before them, each shown for
// a time of its own.
#pragma once

#include "decoder/picture.h"

typedef struct _OdlMoving OdlMoving;

// Composes the next frame: RGBA, not multiplied, `stride` bytes a row. NULL: it cannot be
// decoded. Valid until the next call.
typedef const uint8_t *(*OdlMovingNextFunc) (void *state, size_t *stride);

typedef struct {
  const char *format; // for people
  uint32_t width, height; // as stored
  int turn; // of Exif
  bool opaque; // every pixel of every frame is
  bool ends_early; // the file holds fewer frames than it should
  GArray *delays_ms; // uint32_t, of each frame; 0: not said
  void *state; // of a decoder
  bool (*restart) (void *state); // before the first frame
  OdlMovingNextFunc next;
  GDestroyNotify free_state;
} OdlMovingParams;

// Takes `params` with the array and the state.
OdlMoving *odl_moving_new (const OdlMovingParams *params);
void odl_moving_free (void *moving);

// Decodes a frame, from 0, with those before it which were not decoded yet; a frame
// before the last one begins at the first. ODL_ERROR_CORRUPT, _TOO_LARGE.
bool odl_moving_decode (OdlMoving *moving,
                        uint32_t frame,
                        OdlPicture *picture,
                        GError **error);

// Animated GIF files, composed by gdk-pixbuf.

// Decodes input->frame, if there are several. *is_moving false: there is a single
// picture, or what is there is no GIF, and nothing was done. `kept` holds the frames.
// ODL_ERROR_CORRUPT, _TOO_LARGE.
bool odl_gif_decode_moving (const OdlDecoderInput *input,
                            OdlPicture *picture,
                            bool *is_moving,
                            GError **error);

// Animated WebP files.

// Decodes input->frame of a file with several frames, as odl_gif_decode_moving.
bool odl_webp_decode_moving (const OdlDecoderInput *input,
                             int turn,
                             OdlPicture *picture,
                             bool *is_moving,
                             GError **error);
