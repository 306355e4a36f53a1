// SPDX-License-Identifier: MIT
// INSIDE, DIVIDE, RESIDUAL, ADD, DECOUPLE and COMBINE.
#pragma once

#include "engine/cpu/steps/work.h"

// Rows from … to − 1 of one channel.
void odl_cpu_inside_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_divide_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_residual_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_limit_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_add_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_raise_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_decouple_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_combine_rows (const OdlCpuWork *work, int channel, int from, int to);
