// SPDX-License-Identifier: MIT
// The innermost loops of the steps: lines of samples, no borders, no geometry. The
// functions here are the plain ones, which say what the table of variant.h has to do.
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

// One integer lifting step: out = (c + sign ⌊(a + b + bias) · share⌋) · out_scale, where
// c, a and b are the samples times their scale, made whole as odl_wavelet_round does.
typedef struct {
  float centre_scale;
  float side_scale;
  float out_scale;
  float bias;
  float share;
  float sign;
} OdlCpuWhole;

// One channel of samples that lie interleaved.
typedef struct {
  const void *samples; // of all channels
  size_t sample_size; // 1, 2 or 4 bytes
  int channels; // 3 or 4
  int channel; // the wanted one
} OdlCpuWeave;

OdlCpuTaps odl_cpu_taps_of_wavelet (const OdlTaps *taps);
OdlCpuTaps odl_cpu_taps_of_kernel (const double *half, int radius);

void odl_cpu_plain_combine (const OdlCpuTaps *taps,
                            const float *const *rows,
                            float *restrict out,
                            int n);
void odl_cpu_plain_split (const float *line,
                          float *restrict even,
                          float *restrict odd,
                          int pairs);
void
odl_cpu_plain_join (const float *even, const float *odd, float *restrict line, int pairs);
void odl_cpu_plain_shrink (const float *in,
                           float *restrict out,
                           int n,
                           float threshold,
                           bool hard);
void odl_cpu_plain_unweave (const OdlCpuWeave *weave, void *restrict out, int n);
void odl_cpu_plain_lift_whole (const OdlCpuWhole *step,
                               const float *centre,
                               const float *before,
                               const float *after,
                               float *restrict out,
                               int n);
