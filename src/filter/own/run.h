// SPDX-License-Identifier: MIT
// Code of the user's own that no engine compiles, Python, is run by a process of its own.
// Engines ask for it here; who knows how to start that process offers it.
#pragma once

#include "base/progress.h"
#include "filter/own/own.h"

// A picture of height × width × channels floats, channel by channel of each pixel.
typedef struct {
  const OdlOwnCode *code;
  const double *values; // of its parameters, by their offsets
  int width, height, channels;
  OdlProgress *progress; // stopped: given up; NULL: nobody waits
  // Fills in the picture, and takes what became of it, in memory that is shared with the
  // process, so that neither is copied again.
  void (*put) (const void *data, float *samples);
  void (*take) (const void *data, const float *samples);
  const void *data;
} OdlOwnRun;

typedef bool OdlOwnRunner (const OdlOwnRun *run, GError **error);

// Before the first one; any thread.
void odl_own_offer (OdlOwnRunner *runner);

// False: ODL_ERROR_DENIED where code may not run, ODL_ERROR_UNSUPPORTED where nobody runs
// it, or what the runner says. Any thread; waits.
bool odl_own_run (const OdlOwnRun *run, GError **error);
