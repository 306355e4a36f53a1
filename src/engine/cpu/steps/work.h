// SPDX-License-Identifier: MIT
// What one step of the CPU engine works on; shared by the files that hold the steps.
#pragma once

#include "engine/cpu/kernels/kernels.h"
#include "engine/cpu/kernels/variant.h"
#include "engine/cpu/steps/steps.h"

typedef struct {
  const OdlStep *step;
  const OdlCpuVariant *variant;
  const OdlCpuPicture *in[3]; // NULL where the step reads nothing
  const OdlCpuPicture *out;
  const OdlImage *input;
  OdlCpuPast past;
  OdlCpuTaps taps[ODL_DUAL_PHASES]; // low and high, even and odd, or of each phase
  bool octants; // THRESHOLD and LAYOUT: the bands are those of a volume
  bool lifts; // FORWARD and INVERSE: by `lift`, not by taps
  OdlCpuLift lift;
} OdlCpuWork;

// Rows from … to − 1 along x; pairs of rows from … to − 1 along y.
void odl_cpu_forward_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_inverse_rows (const OdlCpuWork *work, int channel, int from, int to);
