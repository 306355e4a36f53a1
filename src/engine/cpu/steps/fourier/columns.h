// SPDX-License-Identifier: MIT
// CONVOLVE by Fourier transforms: columns along z, some vectors of them at a time.
// Private to fourier.c.
#pragma once

#include "engine/cpu/steps/fourier_slices.h"

// Vectors that are gathered at once.
#define ODL_CPU_GATHERED 4

// What becomes of products along z.
typedef struct {
  bool is_forward; // points are transformed along z already
  bool adds; // to what is there
  bool goes_on; // not back yet
} OdlCpuProducts;

// `count` vectors of columns from `from` on, of so many slices, in scratch memory.
void odl_cpu_fourier_gather (const OdlCpuConvolver *c,
                             const float *from,
                             int count,
                             int slices,
                             float *to);

// Back to where such columns belong.
void odl_cpu_fourier_scatter (const OdlCpuConvolver *c,
                              const float *from,
                              int count,
                              int slices,
                              float *to);

// Transforms columns where they are.
void odl_cpu_fourier_along_z (const OdlCpuConvolver *c,
                              const OdlCpuScratch *s,
                              float *points,
                              int count);

// The kernel's columns, transformed, in scratch memory; `kernel`: of its first slice.
void odl_cpu_fourier_kernel_along_z (const OdlCpuConvolver *c,
                                     const float *kernel,
                                     int count,
                                     float *to);

// Forward, times the kernel's, and back. `whole`: the kernel's frequencies, or NULL where
// they are made of its slices.
void odl_cpu_fourier_filter_along_z (const OdlCpuConvolver *c,
                                     const OdlCpuScratch *s,
                                     const float *from,
                                     OdlCpuProducts sum,
                                     const float *kernel,
                                     const float *whole,
                                     int count,
                                     float *to);
