// SPDX-License-Identifier: MIT
// JPEG 2000 files (ISO/IEC 15444-1) of our own transform: one tile, one layer.
#pragma once

#include "engine/engine.h"

#define ODL_JPEG2000_MOST_BITS 16

// What the whole numbers of a file stand for: sample = minimum + scaled · range.
typedef struct {
  int bits; // 1 … ODL_JPEG2000_MOST_BITS
  bool is_signed;
  double minimum, range;
} OdlJpeg2000Samples;

// Those that a source's samples are stored as: the fewest bits that hold stored_min …
// stored_max and every sample. Others than whole numbers, and videos, get 16 or 8 bits of
// their range. Any thread.
OdlJpeg2000Samples odl_jpeg2000_samples_of (const OdlImage *source);

typedef enum {
  ODL_JPEG2000_LOSSLESS, // integer 5/3
  ODL_JPEG2000_RATE, // CDF 9/7, as good as it gets in so many bits for each pixel
  ODL_JPEG2000_PSNR, // CDF 9/7, as small as it gets with such a signal-to-noise ratio, dB
} OdlJpeg2000Goal;

typedef struct {
  OdlJpeg2000Goal goal;
  double value; // bits of the whole file for each pixel; dB of full scale
  bool boxes; // JP2; else the bare codestream
  int levels; // of the transform, at most; 0: five
  double spacing_mm[2]; // between pixels along x and y; 0: not known
  const char *const *comments; // NULL-terminated, ASCII; may be NULL
  // That transforms; it takes a plan of its own. NULL: the engine cpu, which also takes
  // over where another one cannot. With GL its context is current.
  OdlEngine *engine;
} OdlJpeg2000Params;

// `picture`: 1, 3 (red, green, blue) or 4 channels (opacity), whose scaled samples are
// rounded and limited to what the bits hold. ODL_ERROR_TOO_LARGE. Transfer full. Any
// thread that may use the engine.
GBytes *odl_jpeg2000_encode (const OdlImage *picture,
                             const OdlJpeg2000Samples *samples,
                             const OdlJpeg2000Params *params,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
