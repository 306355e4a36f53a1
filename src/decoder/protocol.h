// SPDX-License-Identifier: MIT
// What the decoder helper and its parent say to each other. The helper sends, for each
// frame, one message of fixed header and text, with the pixels in a memory file that
// travels beside it. The first frame is the one that it was started with; for another one
// the parent sends an order. When the parent closes the socket, it ends.
// An order may bring another file of the same format, which takes the place of the input:
// the next one of a sequence.
// A format whose samples lie in files beside the input asks for each by its plain name
// before it answers; the parent opens it, or not, and says so by an order.
//
// Memory files come from the parent, one for each frame, as large as the helper may ever
// fill and sealed against growing: it can make none itself, so that it cannot gather
// memory in them. It shrinks the file to what the frame needs, seals it for good and
// sends it back.
//
// The helper is started as `ondelette-decoder FORMAT FRAME MEMORY CPU SANDBOX` with the
// descriptors of base/helper.h and the memory file of the first frame as
// ODL_DECODER_PICTURE_FD. MEMORY is the address space that it may add, in bytes; CPU its
// processor time in seconds for the first frame. Both sides come from one build: byte
// order and layout are the machine's, and `version` guards against a stale helper.
#pragma once

#include <stdint.h>

#include "base/helper.h"

#define ODL_DECODER_MAGIC 0x4f444c31u // "ODL1"
#define ODL_DECODER_VERSION 6u

#define ODL_DECODER_PICTURE_FD 5

#define ODL_DECODER_MAX_TEXT 32768u
#define ODL_DECODER_MAX_DETAILS 64u
#define ODL_DECODER_MAX_FRAMES 16777216u

// Or it is started as `ondelette-decoder fork-server` with the socket and the pipe alone.
// It sets up what all formats need and forks a helper for each OdlDecoderStart, which
// comes with the descriptors of that helper in the order of their numbers;
// OdlDecoderForked says what came of it. The helper is a child of the parent, not of the
// one that forked it.
#define ODL_DECODER_FORK_SERVER "fork-server"
#define ODL_DECODER_START_FDS 4

typedef struct {
  uint32_t magic;
  uint32_t version;
  char format[16];
  uint32_t frame;
  uint32_t cpu_seconds;
  uint64_t memory;
  uint32_t sandbox_is_optional;
  uint32_t reserved;
} OdlDecoderStart;

typedef struct {
  uint32_t magic;
  uint32_t version;
  int32_t pid; // −1: none was forked
} OdlDecoderForked;

// Value of OdlDecoderReply.status when there is a picture; else an OdlErrorCode.
#define ODL_DECODER_OK (-1)
// Or: the text is nothing but the name of a file that is wanted, its NUL included.
#define ODL_DECODER_WANTS_FILE (-2)
#define ODL_DECODER_MAX_NAME 256u

// The text block holds NUL-terminated UTF-8 strings in this order, then `n_details` pairs
// of key and value.
enum {
  ODL_DECODER_TEXT_MESSAGE, // why there is no picture
  ODL_DECODER_TEXT_FORMAT, // such as "PNG, 16 bit"
  ODL_DECODER_TEXT_MARK, // short text for the picture, or empty
  ODL_DECODER_TEXT_WARNING, // sentences, or empty
  ODL_DECODER_TEXT_UNIT,
  ODL_DECODER_TEXT_TIMING, // where the frame rate or times come from, or empty
  ODL_DECODER_N_TEXTS,
};

// What the parent sends for a further frame; and for a file that was asked for. The
// descriptors beside are those that `files` names, in this order.
enum {
  ODL_DECODER_BRINGS_PICTURE = 1 << 0, // the memory file of the frame
  ODL_DECODER_BRINGS_FILE = 1 << 1, // a file; none when one asked for cannot be had
};
#define ODL_DECODER_MAX_BROUGHT 2

typedef struct {
  uint32_t magic;
  uint32_t version;
  uint32_t frame;
  uint32_t files;
} OdlDecoderOrder;

// Where the times of frames stand in the memory file, behind the samples.
#define ODL_DECODER_TIMES_OFFSET(data_bytes) (((data_bytes) + 7) / 8 * 8)

// Behind them the levels of the file's own curve (float), and then the bits of what lies
// over the picture, as OdlOverlay has them.
#define ODL_DECODER_LEVELS_OFFSET(data_bytes, n_times) \
  ((n_times) > 0 ? ODL_DECODER_TIMES_OFFSET (data_bytes) + (uint64_t) (n_times) *8 \
                 : ODL_DECODER_TIMES_OFFSET (data_bytes))

// Samples are interleaved, rows without padding, in the machine's byte order.
typedef struct {
  uint32_t magic;
  uint32_t version;
  int32_t status;
  uint32_t text_bytes; // that follow the header
  uint32_t n_details;
  uint32_t width;
  uint32_t height;
  uint32_t channels; // 1, 3, 4
  uint32_t sample_type; // OdlSampleType
  uint32_t has_window; // 0, 1
  uint32_t inverse; // 0, 1
  uint32_t n_frames; // that can be asked for
  uint32_t declared_frames; // that the file claims
  uint32_t voi_function; // OdlVoiFunction
  uint32_t n_levels; // of the curve: 0, or 2 … ODL_CURVE_MAX_LEVELS
  uint32_t has_overlay; // 0, 1
  uint32_t n_times; // 0, or n_frames + 1 times in ns (int64_t) behind the samples
  uint64_t data_bytes; // of the samples
  double stored_min;
  double stored_max;
  double slope;
  double intercept;
  double window_centre;
  double window_width;
  double levels_first; // values at the ends of the curve
  double levels_last;
  uint32_t n_slices; // of a volume, whose slices the frames are, the same as n_frames;
                     // 0: they are no such slices
  uint32_t spacing_place; // OdlSpacingPlace
  double spacing_mm[3]; // x, y, and of slices z; 0: unknown
  double pixel_aspect; // width / height
  double frame_rate; // per second; 0: none
} OdlDecoderReply;
