// SPDX-License-Identifier: MIT
// CONVOLVE by Fourier transforms.
#pragma once

#include "engine/cpu/steps/work.h"
#include "plan/flow.h"

// Whether the step goes so: as `method` says, else where that takes less time than the
// products themselves, which is counted. Said to who debugs plans.
bool odl_cpu_goes_by_fourier (const OdlCpuWork *work, const OdlCpuMethod *method);

// The whole step, of all planes. False, and nothing was computed, where memory is short.
// Results do not depend on the number of threads.
bool odl_cpu_fourier_convolve (const OdlCpuWork *work);

// Sums of convolutions of volumes, of so many kernels of one size for each volume.
typedef struct {
  const OdlCpuWork
      *works; // of each volume, with its first kernel; others follow the step
  const OdlLoaded *volumes;
  int terms; // volumes, ≥ 2
  int count; // kernels
  const OdlCpuPicture *const *outs; // of each kernel
  // Called before term t is read; `known`: its frequencies are, and it need not be there
  // for them.
  void (*load) (int term, bool known, void *data);
  void *data;
} OdlCpuFourierSum;

// Likewise; false also for volumes that are taken in more than one pair of blocks, and
// for several kernels where there is no room to keep the frequencies of all volumes.
bool odl_cpu_fourier_sum (const OdlCpuFourierSum *sum);
