// SPDX-License-Identifier: MIT
// CONVOLVE by Fourier transforms: columns along z, some vectors of them at a time.
// Private to fourier.c.
#pragma once

#include "engine/cpu/steps/fourier_slices.h"

// Vectors that are gathered at once.
#define ODL_CPU_GATHERED 4

// What odl_cpu_fourier_filter_along_z reads and leaves.
typedef struct {
  bool is_forward; // it reads what is transformed along z already
  bool adds; // it adds the products to what `to` holds
  bool goes_on; // more is to be added: the sum stays transformed along z
} OdlCpuProducts;

// All of these take `count` vectors, at most ODL_CPU_GATHERED, of all slices; pointers
// lead to the first vector in the first slice.

// Transforms them along z, in place; `inverse`: back, with the slices of samples alone.
void odl_cpu_fourier_along_z (const OdlCpuConvolver *c,
                              const OdlCpuScratch *s,
                              float *points,
                              int count,
                              bool inverse);

// The frequencies along z of a kernel whose slices are transformed along x and y.
void odl_cpu_fourier_kernel_along_z (const OdlCpuConvolver *c,
                                     const OdlCpuScratch *s,
                                     const float *kernel,
                                     int count,
                                     float *to);

// Transforms them, multiplies them by the kernel's frequencies, and transforms them back.
// `whole`: the kernel's frequencies along all axes; NULL: they are made of `kernel`, its
// slices.
void odl_cpu_fourier_filter_along_z (const OdlCpuConvolver *c,
                                     const OdlCpuScratch *s,
                                     const float *from,
                                     OdlCpuProducts sum,
                                     const float *kernel,
                                     const float *whole,
                                     int count,
                                     float *to);
