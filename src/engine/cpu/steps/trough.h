// SPDX-License-Identifier: MIT
// A threshold at a trough of the histogram: measured at once, applied row by row.
#pragma once

#include "engine/cpu/steps/work.h"

void odl_cpu_trough_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_cut_rows (const OdlCpuWork *work, int channel, int from, int to);
