// SPDX-License-Identifier: MIT
// CONVOLVE by Fourier transforms.
#pragma once

#include "engine/cpu/steps/work.h"

// Whether that takes less time than the products themselves, by what was measured.
bool odl_cpu_fourier_is_faster (const OdlCpuWork *work);

// The whole step, of all planes. False, and nothing was computed, where memory is short.
// Results do not depend on the number of threads.
bool odl_cpu_fourier_convolve (const OdlCpuWork *work);
