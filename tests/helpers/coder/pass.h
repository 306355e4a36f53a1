// SPDX-License-Identifier: MIT
// One level along one axis. The interleaved signal z holds samples on the way forward,
// coefficients (low ones at even places) on the way back; a pass turns it into two phases
// y0[n] and y1[n], which belong to the places 2n and 2n + 1: low and high coefficients,
// or even and odd samples.
#pragma once

#include "coder/coder.h"

#define ODL_CODER_MOST_TAPS 20 // of filters that the schemes take
#define ODL_CODER_STEPS 4

typedef struct {
  int first; // from the place 2n, for both phases
  int count;
  float value[ODL_CODER_MOST_TAPS];
} OdlCoderTaps;

typedef struct {
  OdlCoderMethod method;
  OdlBorder border;
  bool forward;
  OdlCoderTaps taps[2];
  float step[ODL_CODER_STEPS];
  float gain[2]; // of low and high: after the steps forward, before them backward
  float
      alone; // gain of a sample that is copied: a line of one, or one beyond an even part
  int before, after; // y[n] depends on z[2n + before] … z[2n + after]; before <= 0
  int reach; // so many places of z beyond the ends of a line are read
} OdlCoderPass;

OdlCoderPass odl_coder_pass (const OdlCoderParams *params, bool forward);

// The masks of an axis with one sample: a copy.
void odl_coder_pass_alone (OdlCoderPass *pass);

// `lanes` signals side by side, of n samples each `step` floats apart in place: samples
// in order, coefficients low before high. `scratch` has odl_coder_scratch floats.
void odl_coder_line (const OdlCoderPass *pass,
                     float *line,
                     size_t step,
                     int n,
                     int lanes,
                     float *scratch);
#define ODL_CODER_LANES 16
size_t odl_coder_scratch (const OdlCoderPass *pass, int n, int lanes);

// The steps on the fly, for `columns` signals: z[2p] = a, z[2p + 1] = b and, forward,
// z[2p + 2] = next. Gives the phases of n = p − odl_coder_delay; the state has four
// lines.
void odl_coder_pair (const OdlCoderPass *pass,
                     float *const state[ODL_CODER_STEPS],
                     const float *a,
                     const float *b,
                     const float *next,
                     float *y0,
                     float *y1,
                     int columns);

static inline int
odl_coder_delay (const OdlCoderPass *pass)
{
  return pass->forward ? 1 : 2;
}
