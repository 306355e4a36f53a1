// SPDX-License-Identifier: MIT
// The banks of kernels of structure tensors and adaptive filters. In four dimensions
// making one takes from tens of milliseconds up, and a plan is made whenever a slider
// moves: so those of late are kept, and new ones made on all cores. Any thread.
#pragma once

#include "plan/kernel.h"

// The quadrature filters along the directions of plan/tensor/tensor.h: even and odd part
// of the first one, of the second … `kernels` has room for twice odl_tensor_count, each
// for odl_kernel_clear. `frequency` in radians per sample, `bandwidth` in octaves.
void odl_tensor_quadratures (int dimensions,
                             int side,
                             double frequency,
                             double bandwidth,
                             OdlKernel *kernels);

// Likewise the bands beyond a low one, `cutoff` in radians per sample; odl_tensor_count.
void odl_tensor_high_bands (int dimensions, int side, double cutoff, OdlKernel *kernels);
