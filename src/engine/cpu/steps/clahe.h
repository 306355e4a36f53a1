// SPDX-License-Identifier: MIT
// Local equalisation: measured at once, applied row by row (spatial/clahe.c).
#pragma once

#include "engine/cpu/steps/work.h"

void odl_cpu_equalise_rows (const OdlCpuWork *work, int channel, int from, int to);
