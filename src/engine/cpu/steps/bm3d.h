// SPDX-License-Identifier: MIT
// BM3D, one channel at once.
#pragma once

#include "engine/cpu/steps/work.h"

void odl_cpu_bm3d_rows (const OdlCpuWork *work, int channel, int from, int to);
