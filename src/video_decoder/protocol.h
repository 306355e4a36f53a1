// SPDX-License-Identifier: MIT
// What the video decoder helper and its parent say to each other over a SOCK_SEQPACKET
// socket. The helper opens the video and answers (serial 0) with what the stream is. Then
// the parent sends orders, each of which gets one answer with its serial number. An order
// that comes before the one before it was answered has that one answered as cancelled,
// unless its frame is there already.
//
// Frames are written once, into memory that the parent lends: chunks, which are memory
// files that nobody can resize, of several blocks each. An order for a frame names a
// block; the first one of a chunk has its descriptor beside. An order also names chunks
// that the parent has given up, which the helper unmaps.
//
// The helper is started as `ondelette-video-decoder play MEMORY SANDBOX`, or with `look`
// for one answer (serial 0) whether the file is a video at all, with the descriptors of
// base/helper.h. MEMORY is what it may add to its private writable memory, in bytes. Both
// sides come from one build: byte order and layout are the machine's, and `version`
// guards against a stale helper.
#pragma once

#include <stdint.h>

#include "base/helper.h"

#define ODL_VIDEO_MAGIC 0x4f444c56u // "ODLV"
#define ODL_VIDEO_VERSION 1u

// The largest frame of H.264, H.265, VP9 and AV1 in their highest levels (6.x), such as
// 8192 × 4320. What is larger is refused before its decoder has seen it.
#define ODL_VIDEO_MAX_PIXELS 35651584u

// Of a frame: four samples of two bytes per pixel, and what aligning rows adds.
#define ODL_VIDEO_MAX_FRAME_BYTES ((uint64_t) 1 << 30)

#define ODL_VIDEO_MAX_TEXT 4096u
#define ODL_VIDEO_MAX_RECALLED 16u
#define ODL_VIDEO_MAX_CHUNK_BYTES ODL_VIDEO_MAX_FRAME_BYTES

// Value of OdlVideoReply.status when all is well; else an OdlErrorCode.
#define ODL_VIDEO_OK (-1)
// Or: the block is too small for the frame, which waits; `needed_bytes` would do.
#define ODL_VIDEO_NEEDS_BYTES (-2)
// Or: the answer is no: it is no video, or it cannot seek.
#define ODL_VIDEO_NO (-3)

typedef enum {
  ODL_VIDEO_ORDER_NEXT,
  ODL_VIDEO_ORDER_SEEK, // to a frame that stands alone, at or before `time_ns`
  ODL_VIDEO_ORDER_RESTART,
  ODL_VIDEO_N_ORDERS,
} OdlVideoOrderKind;

typedef struct {
  uint32_t magic;
  uint32_t version;
  uint32_t serial; // at least 1
  uint32_t kind;
  int64_t time_ns;
  // NEXT: where the frame is to be written.
  uint32_t chunk;
  uint32_t n_recalled; // chunks, of any order
  uint64_t chunk_bytes;
  uint64_t offset;
  uint64_t bytes;
  uint32_t recalled[ODL_VIDEO_MAX_RECALLED];
} OdlVideoOrder;

// The text block holds NUL-terminated UTF-8 strings in this order.
enum {
  ODL_VIDEO_TEXT_MESSAGE, // why the order was not carried out
  ODL_VIDEO_TEXT_CODEC, // these are for people, and of the first answer
  ODL_VIDEO_TEXT_CONTAINER,
  ODL_VIDEO_TEXT_FORMAT, // GStreamer's name of how samples are stored
  ODL_VIDEO_TEXT_COLORIMETRY,
  ODL_VIDEO_N_TEXTS,
};

// Where the samples of one channel lie in the block.
typedef struct {
  uint64_t offset;
  uint64_t sample_stride;
  uint64_t row_stride;
} OdlVideoPlane;

typedef struct {
  uint32_t width;
  uint32_t height;
  uint32_t channels; // 1, 3, 4
  uint32_t sample_type; // OdlSampleType, U8 or U16
  OdlVideoPlane planes[4];
  uint32_t after_loss; // 0, 1
  uint32_t damaged; // 0, 1
  uint32_t ycbcr; // 0, 1; what follows up to chroma_range counts if 1
  uint32_t centred_x; // 0, 1
  uint32_t shift_x;
  uint32_t shift_y;
  double kr, kb;
  double luma_offset, luma_range;
  double chroma_offset, chroma_range;
  double stored_min, stored_max; // both 0: the whole range of the type
  double pixel_aspect;
  double frame_interval_ms; // 0: unknown
  int64_t pts_ns; // stream time; −1: none
  int64_t duration_ns; // 0: it does not say
} OdlVideoShape;

typedef struct {
  double rate; // frames per second; 0: it does not say
  uint32_t full_range; // 0, 1
  uint32_t interlaced; // 0, 1
  uint32_t turn; // GstVideoOrientationMethod
  uint32_t has_others; // 0, 1
} OdlVideoStreamReply;

typedef struct {
  uint32_t magic;
  uint32_t version;
  uint32_t serial;
  int32_t status;
  uint32_t text_bytes; // that follow
  uint32_t unused;
  int64_t length_ns; // of the first answer, and at the end; −1: nobody says
  uint64_t needed_bytes; // of the first answer too
  OdlVideoStreamReply stream; // of the first answer
  OdlVideoShape shape; // of a frame
} OdlVideoReply;
