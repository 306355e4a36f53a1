// SPDX-License-Identifier: MIT
// Fourier transforms of several lines at once, for convolution: the forward one leaves
// the frequencies in an order of its own, which the inverse takes, so that nothing is
// reordered (decimation in frequency and back; W. Gentleman, G. Sande, "Fast Fourier
// transforms: for fun and profit", AFIPS 1966).
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#define ODL_CPU_FOURIER_STAGES 12
#define ODL_CPU_FOURIER_MOST 4096 // points

// A stage takes blocks of `radix` · `step` points apart into `radix` blocks of `step`
// points each.
typedef struct {
  int radix; // 2, 3, 4 or 5
  int step;
  // Of j = 0 … step − 1 and k = 1 … radix − 1: real and imaginary part of
  // exp (−2πi jk / (radix · step)).
  const float *turns;
} OdlCpuFourierStage;

typedef struct {
  int points;
  int n_stages;
  OdlCpuFourierStage stages[ODL_CPU_FOURIER_STAGES];
  float *turns; // of all stages
} OdlCpuFourier;

// The least number 2^a 3^b 5^c that is at least `n`, 1 … ODL_CPU_FOURIER_MOST.
int odl_cpu_fourier_points (int n);

// Of such a number of points.
void odl_cpu_fourier_init (OdlCpuFourier *fourier, int points);
void odl_cpu_fourier_clear (OdlCpuFourier *fourier);
