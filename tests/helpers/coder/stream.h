// SPDX-License-Identifier: MIT
// The line-based scheme with the single pass of the engine cpu (engine/cpu/pipe.h): rows
// go through all levels with line buffers in between, coefficients are stored once, and
// come back the same way. Strips of the picture run in parallel. Reads 8-bit samples and
// YCbCr as they are.
#pragma once

#include "coder/private.h"

bool odl_coder_stream_suits (const OdlCoderParams *params);

// For the functions of the same names in coder.h. NULL when memory is short.
OdlCoderStream *odl_coder_stream_new (const OdlCoder *coder);
void odl_coder_stream_free (OdlCoderStream *stream);
void odl_coder_stream_load (OdlCoderStream *stream, const OdlImage *image);
void odl_coder_stream_forward (OdlCoderStream *stream);
void odl_coder_stream_inverse (OdlCoderStream *stream);
double odl_coder_stream_bytes (const OdlCoderStream *stream);

// Row `y` after inverse.
const float *odl_coder_stream_samples (const OdlCoderStream *stream, int channel, int y);

// Copies row `y` to `out`, or from `in`; the other one is NULL.
void odl_coder_stream_move_row (OdlCoderStream *stream,
                                int channel,
                                int y,
                                float *out,
                                const float *in);
