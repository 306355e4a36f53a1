// SPDX-License-Identifier: MIT
// The picture that a decoder produces: its description, and its samples in a memory
// file.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "decoder/protocol.h"
#include "image/image.h"
#include "image/number.h"

G_BEGIN_DECLS

// The file to decode, and resource limits.
typedef struct {
  const uint8_t *data;
  size_t size;
  uint32_t frame; // frame to decode, from 0
  size_t memory; // limit for all buffers together, in bytes
  // Decoder state kept between frames, initially NULL, and its destructor.
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
  int memfd; // −1 before odl_picture_allocate
  void *pixels;
  void *numbers; // reply.number_bytes of them; NULL: the samples hold the file's
  char *format;
  char *unit;
  char *timing; // attribute that provided the frame rate or times
  int64_t *times_ns; // n_times of them
  uint32_t n_times;
  float *levels; // reply.n_levels of them, from the value reply.levels_first on
  uint8_t *overlay; // overlay bits; reply.has_overlay
  GArray *windows; // OdlDecoderWindow
  GArray *tables; // float: the levels of these
  GArray *regions; // OdlDecoderRegion
  uint8_t *shutter; // bits of what it covers; reply.has_shutter
  double *surface; // numbers of the surface; reply.surface_degree
  size_t n_surface;
  bool incomplete;
  GString *warning;
  GPtrArray *details; // alternating keys and values
} OdlPicture;

void odl_picture_init (OdlPicture *picture, size_t memory);
void odl_picture_clear (OdlPicture *picture);

// Checks `shape`, and that its samples and `extra` bytes besides fit into the memory.
// ODL_ERROR_TOO_LARGE, ODL_ERROR_CORRUPT.
bool odl_picture_fits (const OdlPicture *picture,
                       const OdlPictureShape *shape,
                       size_t extra,
                       GError **error);

// Checks `shape` against the limits, sets the description to the type's defaults and
// returns zeroed samples. `extra` is the decoder's additional memory in bytes.
// ODL_ERROR_TOO_LARGE, ODL_ERROR_CORRUPT.
void *odl_picture_allocate (OdlPicture *picture,
                            const OdlPictureShape *shape,
                            size_t extra,
                            GError **error);

// Appends a warning, a sentence without final punctuation.
void odl_picture_warn (OdlPicture *picture, const char *format, ...) G_GNUC_PRINTF (2, 3);

// Inserts a warning before all others: part of the file is missing.
void odl_picture_warn_first (OdlPicture *picture, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

// Warns that the file contains further pictures, which were not decoded.
void odl_picture_warn_of_others (OdlPicture *picture);

// Appends a warning and sets the picture's mark: part of the picture is missing or
// reconstructed.
void odl_picture_incomplete (OdlPicture *picture, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

// The type that the file has its numbers in. NULL where the samples of the picture, which
// must be allocated, hold them. Else room for numbers of that type, in the order of the
// samples, which the decoder fills; `replaced`: also for floats, of which some are to be
// replaced in the samples. NULL then: there is not enough memory, so that there are but
// rounded ones, which is said.
void *odl_picture_set_number (OdlPicture *picture, OdlNumberType type, bool replaced);

// The padding of the file: stored numbers, in any order.
void odl_picture_set_padding (OdlPicture *picture, double one, double other);

// Sets sample `at` of an allocated picture, whose type holds `value`.
void odl_picture_put (OdlPicture *picture, size_t at, double value);

// Fills missing samples, after the first `n_there` of a grey picture, with the
// smallest sample, or the largest if that is the darkest. They then affect neither an
// automatic window nor an automatic range. Bytes become 0 or 255.
void odl_picture_fill_missing (OdlPicture *picture, size_t n_there, bool greatest);

// The same, with the smallest one, for the samples whose place in `missing` is not 0.
void odl_picture_fill_places (OdlPicture *picture, const uint8_t *missing);

// The first 200 characters of it.
void odl_picture_detail (OdlPicture *picture, const char *key, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

// All of a text that means nothing in part; all details share ODL_DECODER_MAX_TEXT.
void odl_picture_whole_detail (OdlPicture *picture, const char *key, const char *text);

void odl_picture_set_format (OdlPicture *picture, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

// Presentation times of all frames and the end, copied; n = 0 for none.
void odl_picture_set_times (OdlPicture *picture, const int64_t *times_ns, uint32_t n);

// The VOI LUT from value `first` to value `last`; takes ownership of `levels` (0 … 1).
void odl_picture_take_levels (OdlPicture *picture,
                              float *levels,
                              uint32_t n,
                              double first,
                              double last);

// Allocates zeroed overlay bits for an allocated picture; from then on they are drawn.
// NULL: out of memory.
uint8_t *odl_picture_add_overlay (OdlPicture *picture);

// What the file says besides.

// A further window, or the levels of a table (0 … 1; copied) for the values `first` to
// `last`. False: there are too many.
bool odl_picture_add_window (OdlPicture *picture,
                             const char *name,
                             double centre,
                             double width);
bool odl_picture_add_table (OdlPicture *picture,
                            const char *name,
                            const float *levels,
                            uint32_t n,
                            const double ends[2]);

// A list with one entry is none.
void odl_picture_drop_single_window (OdlPicture *picture);

// A region with a scale of its own. False: there are too many.
bool odl_picture_add_region (OdlPicture *picture, const OdlDecoderRegion *region);

void odl_picture_drop_regions (OdlPicture *picture);

// Where beams lie in an allocated picture. What cannot be is left out, which is said.
void odl_picture_set_beams (OdlPicture *picture, const OdlBeams *beams);

// Allocates zeroed bits for an allocated picture, of samples that are shown as `level`.
// NULL: out of memory.
uint8_t *odl_picture_add_shutter (OdlPicture *picture, double level);

void odl_picture_drop_shutter (OdlPicture *picture);

void odl_picture_clear_details (OdlPicture *picture);

// The surface whose control points the picture holds, copied; its shape must fit.
void odl_picture_set_surface (OdlPicture *picture, const OdlSurface *surface);

// What is known of the numbers of a file that were looked at: the two smallest and the
// two largest different ones, and how often the outermost were seen. Padding and what is
// no data (NaN, infinities, magnitudes of 3e38 and more) are left out.
typedef struct {
  double least[2], most[2]; // the outermost first; least[0] > most[0]: none
  size_t n_least, n_most;
  size_t n_missing; // no data
  bool has_padding;
  double padding[2]; // its ends
} OdlNumberRange;

// For the numbers of `picture`, whose padding is known by then.
void odl_number_range_init (OdlNumberRange *range, const OdlPicture *picture);
void odl_number_range_add (OdlNumberRange *range, const float *values, size_t n);

// The range of what is not fill, which is one value that was seen more than once, and
// more often than that at the other end, and lies farther from all others than these lie
// apart. False: there are no numbers. *fill: that value; NaN: none.
bool odl_number_range_find (const OdlNumberRange *range, double ends[2], double *fill);

// Whether the range of all frames is to be found for this one: floats in each frame, grey
// numbers of 16 bits in the first, of which the parent takes it for all.
bool odl_picture_wants_range (const OdlPicture *picture, uint32_t frame);

// Tells the parent the range of a file's whole numbers, without fill, which is said: a
// window and a full scale are made of it where the file states none.
void odl_picture_set_found (OdlPicture *picture, const OdlNumberRange *found);

// Extends `range` (smallest, largest) by the values that are data.
void odl_picture_extend_range (double range[2], const float *values, size_t n);

// Makes a range of floats that of the picture: 0 … 1 where it lies in there or is empty,
// and of some width where all values are equal.
void odl_picture_settle_range (double range[2]);

// Whether both ends are valid and not no-data values.
bool odl_picture_is_range (const double range[2]);

// For F32: sets the range to `declared` (two values, or NULL), or else to that of `found`
// (NULL: of the samples) without fill, which is said. Replaces NaN by the minimum,
// infinities and no-data values by the ends, with a warning; the file's own are kept as
// numbers.
void odl_picture_finish_numbers (OdlPicture *picture,
                                 const double *declared,
                                 const OdlNumberRange *found);

// The same with the range of the samples, unless one is declared.
void odl_picture_finish_floats (OdlPicture *picture, const double *declared);

// Puts bytes into the memory file, the samples at `offset` as they are: at less cost than
// touching pages that are not there yet. False where that fails.
bool odl_picture_write (const OdlPicture *picture,
                        uint64_t offset,
                        const void *data,
                        size_t size);

// Seals and sends the samples, or sends `error`. False if the parent has gone.
bool odl_picture_send (OdlPicture *picture, int socket_fd, const GError *error);

G_END_DECLS
