// SPDX-License-Identifier: MIT
// The measuring steps of the CPU engine, as plan/numbers.h defines them. Each has one
// unit of work for a channel, or for all; only masks are made row by row.
#pragma once

#include "engine/cpu/work.h"

void odl_cpu_sides_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_mask_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_noise_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_bayes_rows (const OdlCpuWork *work, int channel, int from, int to);
