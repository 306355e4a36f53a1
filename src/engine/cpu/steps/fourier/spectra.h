// SPDX-License-Identifier: MIT
// Frequencies of volumes and of kernels that are kept from frame to frame, and from one
// kernel of a bank to the next. What a frame did not ask for is dropped with the next
// one.
#pragma once

#include "plan/flow.h"

#define ODL_CPU_SPECTRUM_SHAPE 17

// What frequencies are of, and how they were made.
typedef struct {
  OdlLoaded volume; // of no image: a kernel
  const float *kernel; // its coefficients, `count` of them; NULL: a volume
  size_t count;
  int shape[ODL_CPU_SPECTRUM_SHAPE]; // of the transform; the same for the same result
} OdlCpuSpectrumKey;

typedef struct _OdlCpuSpectra OdlCpuSpectra;

// Keeps up to so many bytes, 0: nothing. Any one thread at a time, as for all of these.
OdlCpuSpectra *odl_cpu_spectra_new (double bytes);
void odl_cpu_spectra_free (OdlCpuSpectra *self);

// Whether there is room for so many floats, which the caller holds itself.
bool odl_cpu_spectra_have_room (const OdlCpuSpectra *self, size_t floats);

// A frame begins. NULL is fine.
void odl_cpu_spectra_begin (OdlCpuSpectra *self);

// Memory for `floats`, which are those of `key` already where *known. NULL, also for a
// NULL `self`: there is no room. The key's image and coefficients are kept, too.
float *odl_cpu_spectra_take (OdlCpuSpectra *self,
                             const OdlCpuSpectrumKey *key,
                             size_t floats,
                             bool *known);
