// SPDX-License-Identifier: MIT
// Protocol between the video decoder helper and its parent, over a SOCK_SEQPACKET socket.
// The helper says that it is ready (serial 0) before it touches the file; what it did
// until then is not the file's doing. Then it opens the video and answers (serial 0) with
// a description of the stream.
// Then the parent sends orders, each of which gets one answer with the same serial. If a
// new order arrives before the previous one is answered, that is answered as cancelled,
// unless its frame is ready.
//
// Frames are written once, into the parent's memory: chunks (memory files of fixed size)
// divided into blocks. An order for a frame names a block; the first one in a chunk has
// its descriptor attached. Orders also list chunks that the parent has released, which
// the helper unmaps.
//
// Command line: `ondelette-video-decoder play MEMORY SANDBOX`, or `look` instead of
// `play` for a single answer (serial 0) whether the file is a video; with the descriptors
// of base/helper.h. MEMORY limits additional private writable memory, in bytes. Both
// programs come from one build: byte order and layout are native, and `version` detects a
// stale helper.
#pragma once

#include <stdint.h>

#include "base/helper.h"

#define ODL_VIDEO_MAGIC 0x4f444c56u // "ODLV"
#define ODL_VIDEO_VERSION 2u

// The largest frame of the highest levels (6.x) of H.264, H.265, VP9 and AV1, such as
// 8192 × 4320. Larger frames are rejected before decoding.
#define ODL_VIDEO_MAX_PIXELS 35651584u

// Limit per frame: four 2-byte samples per pixel, plus row alignment.
#define ODL_VIDEO_MAX_FRAME_BYTES ((uint64_t) 1 << 30)

#define ODL_VIDEO_MAX_TEXT 4096u
#define ODL_VIDEO_MAX_RECALLED 16u

// OdlVideoReply.status for success; else an OdlErrorCode.
#define ODL_VIDEO_OK (-1)
// Or: the block is too small for the frame, which stays pending; `needed_bytes`
// suffice.
#define ODL_VIDEO_NEEDS_BYTES (-2)
// Or: no: not a video, or not seekable.
#define ODL_VIDEO_NO (-3)
// Or: the file is opened now.
#define ODL_VIDEO_READY (-4)

// CPU time, of all threads, that the helper may use without a frame.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ODL_VIDEO_PATIENCE_NS INT64_C (80000000000)
#else
#define ODL_VIDEO_PATIENCE_NS INT64_C (20000000000)
#endif

typedef enum {
  ODL_VIDEO_ORDER_NEXT,
  ODL_VIDEO_ORDER_SEEK, // to a key frame at or before `time_ns`
  ODL_VIDEO_ORDER_RESTART,
  ODL_VIDEO_ORDER_TIMES, // of all frames, int64_t each, ascending, into the block
  ODL_VIDEO_N_ORDERS,
} OdlVideoOrderKind;

typedef struct {
  uint32_t magic;
  uint32_t version;
  uint32_t serial; // at least 1
  uint32_t kind;
  int64_t time_ns;
  // NEXT and TIMES: destination of the frame or the times; no bytes: none.
  uint32_t chunk;
  uint32_t n_recalled; // released chunks, in any order kind
  uint64_t chunk_bytes;
  uint64_t offset;
  uint64_t bytes;
  uint32_t recalled[ODL_VIDEO_MAX_RECALLED];
} OdlVideoOrder;

// The text block holds NUL-terminated UTF-8 strings in this order.
enum {
  ODL_VIDEO_TEXT_MESSAGE, // error message
  ODL_VIDEO_TEXT_CODEC, // these are for display, in the first answer
  ODL_VIDEO_TEXT_CONTAINER,
  ODL_VIDEO_TEXT_FORMAT, // GStreamer's pixel format
  ODL_VIDEO_TEXT_COLORIMETRY,
  ODL_VIDEO_N_TEXTS,
};

// Location of one channel's samples in the block.
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
  uint32_t ycbcr; // 0, 1; the fields up to chroma_range apply if 1
  uint32_t centred_x; // 0, 1
  uint32_t shift_x;
  uint32_t shift_y;
  double kr, kb;
  double luma_offset, luma_range;
  double chroma_offset, chroma_range;
  double stored_min, stored_max; // both 0: the full range of the type
  double pixel_aspect;
  double frame_interval_ms; // 0: unknown
  int64_t pts_ns; // stream time; −1: none
  int64_t duration_ns; // 0: unknown
} OdlVideoShape;

typedef struct {
  double rate; // frames per second; 0: unknown
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
  uint32_t of_decoding; // 0, 1; of TIMES: see OdlVideoTimes
  int64_t length_ns; // of the first answer, at the end, and where all of TIMES end; −1:
                     // unknown
  uint64_t needed_bytes; // also in the first answer, and the size of TIMES
  OdlVideoStreamReply stream; // of the first answer
  OdlVideoShape shape; // of a frame
} OdlVideoReply;
