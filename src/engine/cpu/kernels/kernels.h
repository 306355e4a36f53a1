// SPDX-License-Identifier: MIT
// The innermost loops of the steps, on lines of samples without borders or geometry.
// These are the scalar functions, which define what those in the table of variant.h
// compute.
#pragma once

#include <stdbool.h>
#include <stdint.h>

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

// Lines that the taps of two outputs meet; those of output p begin at line start[p].
typedef struct {
  const float *const *rows;
  int count;
  int start[2];
} OdlCpuPairRows;

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

// PERSISTENCE, see plan.h: d / threshold is gain · the sum of `count` sums.
typedef struct {
  int count;
  float gain;
  float weight;
} OdlCpuGate;

// Networks that bring the median of 3, 5 and 7 values to the middle: X (a, b) leaves the
// smaller of the values a and b in a. Devillard, "Fast median search: an ANSI C
// implementation" (1998), after Smith, "Implementing median filters in XC4000E FPGAs"
// (1996).
#define ODL_MEDIAN_3(X) X (0, 1) X (1, 2) X (0, 1)
#define ODL_MEDIAN_5(X) X (0, 1) X (3, 4) X (0, 3) X (1, 4) X (1, 2) X (2, 3) X (1, 2)
#define ODL_MEDIAN_7(X) \
  X (0, 5) \
  X (0, 3) \
  X (1, 6) \
  X (2, 4) \
  X (0, 1) X (3, 5) X (2, 6) X (2, 3) X (3, 6) X (4, 5) X (1, 4) X (1, 3) X (3, 4)

// What is summed up of details inside a mask. A magnitude's bin is that of its exponent
// and two more bits, of magnitude times a scale.
#define ODL_CPU_MEASURED_BINS 32

typedef struct {
  int first_bin; // bits >> 21 of bin 0; what is below or above the bins counts at the
                 // ends
  double sum; // of squares
  float largest; // magnitude
  uint32_t count;
  uint8_t *bins; // of the line's details; ODL_CPU_MEASURED_BINS outside the mask; may be
                 // NULL
} OdlCpuMeasured;

// Places of magnitudes, which are times a scale: of the point below or at it, and how
// many of ODL_CPU_SHARES it is on its way to the next one; the first ODL_CPU_POINTS count
// from 0, ODL_CPU_POINT_SCALE of them to 1. The last is of larger ones, too.
#define ODL_CPU_POINTS 128
#define ODL_CPU_POINT_SCALE 16
#define ODL_CPU_SHARES 64
#define ODL_CPU_PLACE(point, share) ((point) << 7 | (share))

// Magnitudes as the bits of floats, which are in the same order.
typedef struct {
  uint32_t from, to; // at most 0x7fffffff
  uint32_t count; // inside the mask
  uint32_t below; // of these, below `from`
  uint32_t *picked; // from … to − 1, in their order; room for a vector more
  size_t n_picked;
} OdlCpuPicked;

// Most values that samples are compared with.
#define ODL_CPU_FLAG_VALUES 5

OdlCpuTaps odl_cpu_taps_of_wavelet (const OdlTaps *taps);
OdlCpuTaps odl_cpu_taps_of_kernel (const double *half, int radius);

void odl_cpu_plain_combine (const OdlCpuTaps *taps,
                            const float *const *rows,
                            float *restrict out,
                            int n);
void odl_cpu_plain_combine_two (const OdlCpuTaps taps[2],
                                const OdlCpuPairRows *pair,
                                float *const outs[2],
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
                           OdlShrinkingRule rule);
// The complex coefficients of 2 × 2 blocks quad[0][i] quad[1][i] / quad[2][i] quad[3][i]
// of a band of the dual tree (wavelet/dual_tree.h): first[i] = |z1|², second[i] = |z2|².
void odl_cpu_plain_quad_powers (float *const quad[4],
                                float *restrict first,
                                float *restrict second,
                                int n);
// power[i] = |z|² becomes the share of z that a threshold leaves.
void odl_cpu_plain_shares (float *power,
                           int n,
                           float threshold,
                           float gain,
                           OdlShrinkingRule rule);
// Likewise by bivariate shrinkage (plan/step.h): mean[i] of |z|² about it, parent[i] =
// |z|² of its parent; `noise` is sigma², `weight` of the parent's square.
void odl_cpu_plain_bivariate_shares (float *power,
                                     const float *mean,
                                     const float *parent,
                                     int n,
                                     float noise,
                                     float weight);
// Multiplies z1 by first[i] and z2 by second[i].
void odl_cpu_plain_quad_scale (float *const quad[4],
                               const float *first,
                               const float *second,
                               int n);
void odl_cpu_plain_unweave (const OdlCpuWeave *weave, void *restrict out, int n);
void odl_cpu_plain_lift_whole (const OdlCpuWhole *step,
                               const float *centre,
                               const float *before,
                               const float *after,
                               float *restrict out,
                               int n);
// out[i] = median of rows[0][i] … rows[count − 1][i]; count is odd, 3 …
// ODL_PLAN_MAX_SIDE².
void
odl_cpu_plain_median (const float *const *rows, int count, float *restrict out, int n);
// out[i] = median of lines[0 … side − 1][i … i + side − 1], of which lines have
// n + side − 1 samples; `side` is 3 or 5, n at most ODL_CPU_SQUARES.
void odl_cpu_plain_median_square (const float *const *lines,
                                  int side,
                                  float *restrict out,
                                  int n);
// out[i] = the least of rows[0][i] … rows[count − 1][i] up to which there are weights of
// `half`, which are whole numbers, at least 0; 1 … ODL_PLAN_MAX_KERNEL² lines.
void odl_cpu_plain_weighted_median (const float *const *rows,
                                    const float *weights,
                                    int count,
                                    float half,
                                    float *restrict out,
                                    int n);
// out[i] = Σ |a[k][i] − b[k][i]| over `count` lines.
void odl_cpu_plain_distance (const float *const *a,
                             const float *const *b,
                             int count,
                             float *restrict out,
                             int n);
// out[i] = before[i] + w (x[i] − before[i]), w from sums[i] … sums[i + gate->count − 1].
void odl_cpu_plain_follow (const OdlCpuGate *gate,
                           const float *sums,
                           const float *x,
                           const float *before,
                           float *restrict out,
                           int n);
// Bit i: line[i] is within `tolerance` of one of 1 … ODL_CPU_FLAG_VALUES values; 0 from n
// on in the last word.
void odl_cpu_plain_flag (const float *line,
                         const float *values,
                         int count,
                         float tolerance,
                         int n,
                         uint64_t *restrict bits);
// out[i] = bit i.
void odl_cpu_plain_spread (const uint64_t *bits, float *restrict out, int n);
// Adds n details, with mask[i] above a half (NULL: all), to `m`, but for the bins, which
// are this line's: bins have room for n and ODL_CPU_SLACK.
void odl_cpu_plain_measure (const float *details,
                            const float *mask,
                            float scale,
                            int n,
                            OdlCpuMeasured *restrict m);
// places[i] of details[i], ODL_CPU_PLACE (ODL_CPU_POINTS, 0) outside the mask: n and
// ODL_CPU_SLACK of them.
void odl_cpu_plain_place (const float *details,
                          const float *mask,
                          float scale,
                          int n,
                          uint16_t *restrict places);
// Adds n details, with mask[i] above a half (NULL: all), to `p`.
void odl_cpu_plain_pick (const float *details,
                         const float *mask,
                         int n,
                         OdlCpuPicked *restrict p);
// How many values, all below 2³¹, are below the limit.
size_t odl_cpu_plain_below (const uint32_t *values, size_t n, uint32_t limit);
