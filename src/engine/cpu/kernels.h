// SPDX-License-Identifier: MIT
// The innermost loops of the CPU engine: lines of samples, no borders, no geometry.
#pragma once

#include <stdbool.h>

#include "plan/plan.h"

#define ODL_CPU_MAX_TAPS (2 * ODL_PLAN_MAX_RADIUS + 1)

// Taps in single precision. A symmetric kernel (odd count, value[i] = value[count − 1 −
// i]) is evaluated by pairs.
typedef struct {
  int first; // offset of the first tap from the centre
  int count;
  bool symmetric;
  float value[ODL_CPU_MAX_TAPS];
} OdlCpuTaps;

OdlCpuTaps odl_cpu_taps_of_wavelet (const OdlTaps *taps);
OdlCpuTaps odl_cpu_taps_of_kernel (const double *half, int radius);

// out[i] = Σ taps[k] · rows[k][i] for i < n; `rows` has taps->count lines, none of which
// overlaps `out`.
void odl_cpu_combine (const OdlCpuTaps *taps,
                      const float *const *rows,
                      float *restrict out,
                      int n);

// even[i] = line[2 i] and odd[i] = line[2 i + 1] for i < pairs, and back.
void
odl_cpu_split (const float *line, float *restrict even, float *restrict odd, int pairs);
void odl_cpu_join (const float *even, const float *odd, float *restrict line, int pairs);

void
odl_cpu_shrink (const float *in, float *restrict out, int n, float threshold, bool hard);
