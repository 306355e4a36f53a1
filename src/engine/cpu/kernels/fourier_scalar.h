// SPDX-License-Identifier: MIT
// The functions of OdlCpuVariant for Fourier transforms of one line, in plain C.
#pragma once

#include "engine/cpu/kernels/fourier.h"

void odl_cpu_plain_fourier (const OdlCpuFourier *f,
                            float *points,
                            ptrdiff_t stride,
                            bool inverse);
void odl_cpu_plain_multiply (float *points, const float *by, ptrdiff_t stride, int n);
void odl_cpu_plain_turn (const float *from,
                         ptrdiff_t from_stride,
                         float *to,
                         ptrdiff_t to_stride);
