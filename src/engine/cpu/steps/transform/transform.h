// SPDX-License-Identifier: MIT
// The transform by filter taps, in whole numbers, and by lifting. The first two share
// lines in two phases.
//
// A signal in two phases a and b (even and odd samples, or low and high coefficients) is
// the interleaved z[2i] = a[i], z[2i + 1] = b[i]. Every border keeps the parity of an
// index, so each phase is extended by itself. Where a border needs an even length, the
// last sample of an odd line stands alone and is copied.
#pragma once

#include "engine/cpu/steps/work.h"

// Pairs of samples of one pass along x, and columns of one pass along y: a kernel's lines
// stay in the first cache.
#define ODL_CPU_SPAN 512
#define ODL_CPU_REACH (ODL_WAVELET_MAX_TAPS + 1)

// A piece of the two phases with its surroundings.
typedef struct {
  float a[ODL_CPU_SPAN + 2 * ODL_CPU_REACH + ODL_CPU_SLACK];
  float b[ODL_CPU_SPAN + 2 * ODL_CPU_REACH + ODL_CPU_SLACK];
} OdlCpuPhases;

// Pairs first … end − 1 of a line of n samples, or of its coefficients (low, then high):
// what lies beyond the `length` samples that are transformed follows from the border.
typedef struct {
  const OdlCpuVariant *variant;
  OdlBorder border;
  int n;
  int length;
} OdlCpuShape;

OdlCpuShape odl_cpu_shape (const OdlCpuWork *work, int n);
void odl_cpu_split_samples (const OdlCpuShape *shape,
                            OdlCpuPhases *phases,
                            const float *line,
                            int first,
                            int end);
void odl_cpu_split_coefficients (const OdlCpuShape *shape,
                                 OdlCpuPhases *phases,
                                 const float *line,
                                 int first,
                                 int end);

// The same steps in whole numbers, for wavelets that are reversible.
void odl_cpu_forward_whole (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_inverse_whole (const OdlCpuWork *work, int channel, int from, int to);

// By lifting, where work->lifts: row `y` along x, pairs of rows from … to − 1 along y.
// Bands of any height give the same bits.
void odl_cpu_forward_lifted (const OdlCpuWork *work, int channel, int y);
void odl_cpu_inverse_lifted (const OdlCpuWork *work, int channel, int y);
void odl_cpu_forward_lifted_pairs (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_inverse_lifted_pairs (const OdlCpuWork *work, int channel, int from, int to);

// Steps of the dual-tree transform.

// DUAL_FORWARD and DUAL_INVERSE: rows from … to − 1 of one channel.
void odl_cpu_dual_rows (const OdlCpuWork *work, int channel, int from, int to);

// Pairs of rows.
void odl_cpu_dual_shrink_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_dual_bivariate_rows (const OdlCpuWork *work, int channel, int from, int to);

// The taps of each phase, for all that such a step reads, one set after the other.
void odl_cpu_dual_taps (const OdlStep *step, OdlCpuTaps taps[ODL_DUAL_PHASES]);

// Steps of the stationary transform.

// Rows from … to − 1 of one channel. The last one is the dual tree's, too.
void odl_cpu_stationary_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_shrink_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_place_rows (const OdlCpuWork *work, int channel, int from, int to);

// The taps of all that such a step reads, one set after the other.
OdlCpuTaps odl_cpu_stationary_taps (const OdlStep *step);
