// SPDX-License-Identifier: MIT
// CONVOLVE by Fourier transforms.
#pragma once

#include "engine/cpu/steps/work.h"

// Whether that takes less time than the products themselves, by what was measured.
bool odl_cpu_fourier_is_faster (const OdlCpuWork *work);

// The whole step, of all planes. False, and nothing was computed, where memory is short.
// Results do not depend on the number of threads.
bool odl_cpu_fourier_convolve (const OdlCpuWork *work);

typedef void (*OdlCpuLoad) (int term, void *data);

// Convolutions of volumes with kernels of one size, `terms` ≥ 2 of them, whose sum is
// written to the picture of the last one. `load (t, data)` is called before term t is
// read. Likewise; false also for volumes that are taken in more than one pair of blocks.
bool
odl_cpu_fourier_sum (const OdlCpuWork *works, int terms, OdlCpuLoad load, void *data);
