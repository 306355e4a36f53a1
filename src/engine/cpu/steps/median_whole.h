// SPDX-License-Identifier: MIT
// The median of large windows of whole samples of up to 12 bits, in a time that hardly
// depends on the window.
#pragma once

#include "engine/cpu/steps/work.h"

// Whether the window is large enough, and samples are whole and shallow enough.
bool odl_cpu_median_is_whole (const OdlStep *step);

// As the step's function. False, and nothing is right, where a sample is no whole number
// from 0 to full scale, or memory is short.
bool odl_cpu_median_whole_rows (const OdlCpuWork *work, int channel, int from, int to);
