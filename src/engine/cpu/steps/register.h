// SPDX-License-Identifier: MIT
// REGISTER, one channel at once.
#pragma once

#include "engine/cpu/steps/work.h"

void odl_cpu_register_rows (const OdlCpuWork *work, int channel, int from, int to);
