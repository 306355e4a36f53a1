// SPDX-License-Identifier: MIT
// SNAKES, at once, OUTLINE and KEEP.
#pragma once

#include "engine/cpu/steps/work.h"

void odl_cpu_snakes_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_outline_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_keep_rows (const OdlCpuWork *work, int channel, int from, int to);
