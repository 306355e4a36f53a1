// SPDX-License-Identifier: MIT
// A level of the lifted transform of a volume in one pass over slabs of slices: along x
// and y, and along z while these slices are in the cache.
#pragma once

#include "engine/cpu/steps/work.h"

// LOAD, FORWARD x and y of slices, or a part of these that ends with y, then FORWARD z,
// `n` in all; only the result of the last one is written. Likewise THRESHOLD, INVERSE z,
// y and x. False, and nothing was done: steps that do not lift, more threads than slabs,
// slices that are too large, or memory is short. Results are those of odl_cpu_run_step,
// bit by bit.
bool odl_cpu_forward_slabs (const OdlCpuWork *works, int n);
bool odl_cpu_inverse_slabs (const OdlCpuWork works[4]);
