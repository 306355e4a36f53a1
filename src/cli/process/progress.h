// SPDX-License-Identifier: MIT
// How far the frames of one input are: a line on a terminal, or lines for programs.
#pragma once

#include "cli/process/process.h"

typedef struct {
  bool for_programs; // “progress 12 96 1234567”
  bool terminal; // “frame 12 of 96, 38.0 per second, 1.2 MB”
  int64_t begin_ns;
  int64_t shown_ns;
} OdlProcessProgress;

// From now on. Inputs that are processed beside others show none.
OdlProcessProgress odl_process_progress (const OdlProcess *task);

// `total` 0: it is not known. `bytes` were written.
void odl_process_progress_show (OdlProcessProgress *progress,
                                int64_t written,
                                int64_t total,
                                int64_t bytes);

// Clears the line.
void odl_process_progress_end (const OdlProcessProgress *progress);
