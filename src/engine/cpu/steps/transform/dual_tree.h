// SPDX-License-Identifier: MIT
// Steps of the dual-tree transform.
#pragma once

#include "engine/cpu/steps/work.h"

// DUAL_FORWARD and DUAL_INVERSE: rows from … to − 1 of one channel.
void odl_cpu_dual_rows (const OdlCpuWork *work, int channel, int from, int to);

// Pairs of rows.
void odl_cpu_dual_shrink_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_dual_bivariate_rows (const OdlCpuWork *work, int channel, int from, int to);

// The taps of each phase, for all that such a step reads, one set after the other.
void odl_cpu_dual_taps (const OdlStep *step, OdlCpuTaps taps[ODL_DUAL_PHASES]);
