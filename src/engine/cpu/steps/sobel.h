// SPDX-License-Identifier: MIT
// Sobel's gradient.
#pragma once

#include "engine/cpu/steps/work.h"

// Rows from … to − 1 of one channel.
void odl_cpu_sobel_rows (const OdlCpuWork *work, int channel, int from, int to);
