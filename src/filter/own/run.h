// SPDX-License-Identifier: MIT
// Code of the user's own that no engine compiles, Python, is run by a process of its own.
// Engines ask for it here; who knows how to start that process offers it. A function of
// the program itself (odl_own_register) is called here.
#pragma once

#include <math.h>

#include "base/progress.h"
#include "filter/own/own.h"

// A picture of height × width × channels floats, channel by channel of each pixel, or a
// volume of depth × height × width × channels.
struct _OdlOwnRun {
  const OdlOwnCode *code;
  const double *values; // of its parameters, by their offsets
  int width, height;
  int depth; // 0: a picture
  int channels;
  int other_channels; // of the second picture, 1 or `channels`; 0: there is none
  OdlProgress *progress; // stopped: given up; NULL: nobody waits
  // Fills in the picture (0) or the second one (1), and takes what became of the first,
  // in memory that is shared with the process, so that none is copied again.
  void (*put) (const void *data, int which, float *samples);
  void (*take) (const void *data, const float *samples);
  const void *data;
};

#define ODL_OWN_LARGEST 1e30f

// Samples as engines store them: no number is 0, and what has no end a large one.
static inline float
odl_own_sample (float sample)
{
  return isnan (sample) ? 0 : CLAMP (sample, -ODL_OWN_LARGEST, ODL_OWN_LARGEST);
}

// Before the first one; any thread.
void odl_own_offer (OdlOwnRunner *runner);

// False: ODL_ERROR_DENIED where code may not run, ODL_ERROR_UNSUPPORTED where nobody runs
// it, or it was withdrawn, or what the runner says. Any thread; waits.
bool odl_own_run (const OdlOwnRun *run, GError **error);
