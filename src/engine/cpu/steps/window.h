// SPDX-License-Identifier: MIT
// Squares of side² samples about each sample of a row, mirrored at the borders.
#pragma once

#include "engine/cpu/steps/work.h"

// Mean and variance of the squares about samples x … x + count − 1 of row y; count is at
// most ODL_CPU_SPAN. In double precision, within which the difference of the two sums
// loses nothing that shows; `side` additions a sample along y, two along x.
void odl_cpu_local_statistics (const OdlCpuWork *work,
                               int channel,
                               int y,
                               int x,
                               int count,
                               float *mean,
                               float *variance);

// The weighted means of squares, or of cubes of step->kernel_depth slices, of rows from …
// to − 1 of one channel. With `damping` the exponent is −damping (deviation / mean)² ·
// distance; without, −space · distance² − range · difference².
typedef struct {
  float damping; // 0: none
  float space;
  float range;
} OdlCpuWeights;

void odl_cpu_weigh_rows (const OdlCpuWork *work,
                         const OdlCpuWeights *weights,
                         int channel,
                         int from,
                         int to);
