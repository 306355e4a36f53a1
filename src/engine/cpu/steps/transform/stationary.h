// SPDX-License-Identifier: MIT
// Steps of the stationary transform.
#pragma once

#include "engine/cpu/steps/work.h"

// Rows from … to − 1 of one channel. The last one is the dual tree's, too.
void odl_cpu_stationary_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_shrink_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_place_rows (const OdlCpuWork *work, int channel, int from, int to);

// The taps of all that such a step reads, one set after the other.
OdlCpuTaps odl_cpu_stationary_taps (const OdlStep *step);
