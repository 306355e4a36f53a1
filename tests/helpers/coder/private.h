// SPDX-License-Identifier: MIT
// Shared by the schemes.
#pragma once

#include "coder/pass.h"

typedef struct _OdlCoderStream OdlCoderStream;

struct _OdlCoder {
  OdlCoderParams params; // complete: with wavelet and levels
  int width, height; // of what is transformed
  size_t pitch; // floats from row to row
  OdlCoderPass pass[2]; // back and forward
  float *planes[2]; // channel after channel; the second is NULL for schemes in place
  int at; // the one that holds samples or coefficients
  OdlCoderStream *stream; // of ODL_CODER_STREAM alone, which has no planes
};

static inline float *
odl_coder_row_at (const OdlCoder *coder, int plane, int channel, int y)
{
  return coder->planes[plane]
         + ((size_t) channel * coder->height + (size_t) y) * coder->pitch;
}

// Sizes of a level: of all of it, and of its low and high columns and low rows.
typedef struct {
  int width, height, n_low, n_high;
  int rows_low;
} OdlCoderLevel;

static inline OdlCoderLevel
odl_coder_level (const OdlCoder *coder, int level)
{
  const int width = odl_level_size (coder->width, level);
  const int height = odl_level_size (coder->height, level);

  return (OdlCoderLevel){ width, height, odl_low_count (width), odl_high_count (width),
                          odl_low_count (height) };
}

// One channel, all levels. In place.
void odl_coder_row_column (OdlCoder *coder, int channel, bool forward);
// From planes[at] to the other one.
void odl_coder_by_lines (OdlCoder *coder, int channel, bool forward);
void odl_coder_by_blocks (OdlCoder *coder, int channel, bool forward);

// Bytes of the rings and lines of a channel.
double odl_coder_line_bytes (const OdlCoder *coder);
