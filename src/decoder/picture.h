// SPDX-License-Identifier: MIT
// The picture that a decoder is making: its description, and its samples in a memory
// file.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "decoder/protocol.h"
#include "image/image.h"

G_BEGIN_DECLS

// The file to decode and what may be spent on it.
typedef struct {
  const uint8_t *data;
  size_t size;
  uint32_t frame; // to decode, from 0
  size_t memory; // bytes that all buffers together may take
  // What a decoder keeps from one frame to the next, NULL at first, and how to free it.
  void **kept;
  GDestroyNotify *free_kept;
} OdlDecoderInput;

typedef struct {
  uint32_t width;
  uint32_t height;
  int channels;
  OdlSampleType type;
} OdlPictureShape;

typedef struct {
  OdlDecoderReply reply;
  size_t memory; // of the input
  int memfd; // -1 before odl_picture_allocate
  void *pixels;
  char *format;
  char *unit;
  char *timing; // name of what gave the frame rate or times
  int64_t *times_ns; // n_times of them
  uint32_t n_times;
  float *levels; // reply.n_levels of them, from the value reply.levels_first on
  uint8_t *overlay; // bits that lie over the picture; reply.has_overlay
  bool incomplete;
  GString *warning;
  GPtrArray *details; // keys and values in turn
} OdlPicture;

void odl_picture_init (OdlPicture *picture, size_t memory);
void odl_picture_clear (OdlPicture *picture);

// Checks that `shape` is within the limits, sets the description to the defaults of its
// type and returns zeroed samples. `extra` is what the decoder needs besides, in bytes.
// ODL_ERROR_TOO_LARGE, ODL_ERROR_CORRUPT.
void *odl_picture_allocate (OdlPicture *picture,
                            const OdlPictureShape *shape,
                            size_t extra,
                            GError **error);

// Says what is wrong with the picture, in a sentence without its end; several are joined.
void odl_picture_warn (OdlPicture *picture, const char *format, ...) G_GNUC_PRINTF (2, 3);

// The same before all that was said, since part of the file is missing.
void odl_picture_warn_first (OdlPicture *picture, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

// Warns that the file holds more pictures than the one that was decoded.
void odl_picture_first_of_several (OdlPicture *picture);

// The same; and the picture is shown with a mark, because part of it is missing or made
// up.
void odl_picture_incomplete (OdlPicture *picture, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

// Fills what is missing behind the first `n_there` samples of a grey picture with the
// smallest one of them, or the greatest (where that is the darkest): so they change
// neither a window nor a range that is found by the values. Bytes stay 0 or become 255.
void odl_picture_fill_missing (OdlPicture *picture, size_t n_there, bool greatest);

void odl_picture_detail (OdlPicture *picture, const char *key, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

void odl_picture_set_format (OdlPicture *picture, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

// Presentation times of all frames and of the end, copied; n = 0 for none.
void odl_picture_set_times (OdlPicture *picture, const int64_t *times_ns, uint32_t n);

// The table of levels that the picture is shown by, from value `first` to value `last`;
// takes `levels`, which are from 0 to 1.
void odl_picture_take_levels (OdlPicture *picture,
                              float *levels,
                              uint32_t n,
                              double first,
                              double last);

// Zeroed bits of an overlay of the picture's size, which has been allocated; once made
// they are drawn. NULL: there is no memory for them.
uint8_t *odl_picture_need_overlay (OdlPicture *picture);

// Widens `range`, lowest and highest, by `n` values; NaN, infinities and what stands for
// no data (a magnitude of 3e38 or more) are left out. Returns how many these are.
size_t odl_picture_widen_range (double range[2], const float *values, size_t n);

// Whether these are the ends of a range, and no such values.
bool odl_picture_is_range (const double range[2]);

// For F32: finds the range of the samples as above, unless `declared` (two values, or
// NULL) gives one; replaces NaN by its minimum, infinities and what stands for no data by
// its ends, and warns.
void odl_picture_settle_floats (OdlPicture *picture, const double *declared);

// Seals the samples and sends them; with `error` sends that instead. Returns false when
// the parent is gone.
bool odl_picture_send (OdlPicture *picture, int socket_fd, const GError *error);

G_END_DECLS
