// SPDX-License-Identifier: MIT
// MAGNITUDE, TENSOR and STEER.
#pragma once

#include "engine/cpu/steps/work.h"

// Rows from … to − 1 of one channel.
void odl_cpu_magnitude_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_tensor_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_steer_rows (const OdlCpuWork *work, int channel, int from, int to);
