// SPDX-License-Identifier: MIT
// The measuring steps of the CPU engine, as plan/numbers.h defines them. Masks are made
// row by row; the other steps do a channel, or all of them, at once.
#pragma once

#include "engine/cpu/steps/work.h"

void odl_cpu_sides_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_mask_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_noise_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_bayes_rows (const OdlCpuWork *work, int channel, int from, int to);
