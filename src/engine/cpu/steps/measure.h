// SPDX-License-Identifier: MIT
// The measuring steps of the CPU engine, as plan/numbers.h defines them. Masks are made
// row by row; the other steps do a channel, or all of them, at once.
#pragma once

#include "engine/cpu/steps/work.h"

void odl_cpu_sides_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_mask_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_noise_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_bayes_rows (const OdlCpuWork *work, int channel, int from, int to);

// NOISE and BAYES of all levels of a filter, the finest first, whose masks are NULL where
// everything is inside. `binned`: with histograms, which are 0 otherwise.
typedef struct {
  OdlCpuWork noise;
  OdlCpuWork bayes[ODL_MAX_LEVELS];
  int levels;
} OdlCpuMeasures;

void odl_cpu_measures_run (const OdlCpuMeasures *all, bool binned);

// Whether the picture of MASK of level 0 has surroundings, which its mask leaves out.
bool odl_cpu_mask_leaves_out (const OdlCpuWork *work);
