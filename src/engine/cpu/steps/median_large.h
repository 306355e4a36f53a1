// SPDX-License-Identifier: MIT
// The median of large windows, in a time that hardly depends on the window.
#pragma once

#include "engine/cpu/steps/work.h"

// Whether the window is large enough.
bool odl_cpu_median_is_large (const OdlStep *step);

// As the step's function. False, and nothing was computed, where memory is short.
bool odl_cpu_median_large_rows (const OdlCpuWork *work, int channel, int from, int to);
