// SPDX-License-Identifier: MIT
// Bands as pictures, and pictures as bands. Private to this folder.
#pragma once

#include "engine/cpu/steps/work.h"

// Rows from … to − 1 of what the step writes.
void odl_cpu_band_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_join_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_shift_rows (const OdlCpuWork *work, int channel, int from, int to);
