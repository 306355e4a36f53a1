// SPDX-License-Identifier: MIT
// The transform of video coders by the engines, both ways at once with a threshold of
// zero in between: for odl-coder.
#pragma once

#include "coder/coder.h"
#include "engine/engine.h"

typedef struct _CoderEngine CoderEngine;

// 0: the engine cannot do it.
typedef struct {
  double both; // with the upload
  double floats; // the picture read back, without its padding
  double bytes; // the same, limited to 0 … 1 and rounded to 8 bits by the engine
  double again; // both ways without the upload
  double inverse; // synthesis alone
} CoderEngineMs;

// `name`: "gl-compute:convolution". Of `params`: sizes, channels, levels, border,
// padding.
CoderEngine *
coder_engine_new (const char *name, const OdlCoderParams *params, GError **error);
void coder_engine_free (CoderEngine *self);

// A frame of the size of `params`. `whole`: `again` and `inverse`, too.
bool coder_engine_run (CoderEngine *self,
                       OdlImage *frame,
                       bool whole,
                       CoderEngineMs *ms,
                       GError **error);

// Of the floats that were read back last.
double coder_engine_sum (const CoderEngine *self);
double coder_engine_psnr (const CoderEngine *self, const OdlImage *frame);
