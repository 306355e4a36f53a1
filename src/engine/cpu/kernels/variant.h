// SPDX-License-Identifier: MIT
// The lifting kernels of the CPU engine: one table of functions, filled once in plain C
// and once per instruction set from one source, chosen at run time.
//
// Lifting (Daubechies and Sweldens 1998): the samples are split into even ones s and odd
// ones d; then, step by step, d[i] += c (s[i] + s[i + 1]) and s[i] += c (d[i − 1] + d[i])
// in turn. At the border both are mirrored. The inverse undoes the steps from last to
// first.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/cpu/kernels/fourier.h"
#include "engine/cpu/kernels/kernels.h"
#include "image/bm3d/groups.h"

#define ODL_CPU_LIFT_STEPS 4

// Most pairs of rows that one call of the vertical kernels takes.
#define ODL_CPU_MOST_PAIRS 16

// Floats that every line has beyond its end: a vector may be read and written there.
#define ODL_CPU_SLACK 32

// Squares whose medians are found at a time, at most.
#define ODL_CPU_SQUARES 512

// The lifting steps of a wavelet in single precision; `steps` is 2 or 4. With `gains`
// low and high coefficients are multiplied by theirs as they are stored or, on the way
// back, loaded. Gains go with plain lines, and without shrinkage.
typedef struct {
  int steps;
  float step[ODL_CPU_LIFT_STEPS];
  bool gains;
  float low_gain;
  float high_gain;
} OdlCpuLift;

// Of a wavelet that has such steps; without gains.
OdlCpuLift odl_cpu_lift_of_wavelet (const OdlWavelet *wavelet);

typedef enum {
  ODL_CPU_LINE_PLAIN, // floats as they are
  ODL_CPU_LINE_F32, // these are scaled, and NaN and infinities replaced
  ODL_CPU_LINE_U8,
  ODL_CPU_LINE_U16,
  ODL_CPU_LINE_S16,
} OdlCpuLineType;

// A row of samples side by side. value = (sample − minimum) · factor.
typedef struct {
  OdlCpuLineType type;
  const void *samples;
  float minimum;
  float factor;
} OdlCpuLine;

typedef enum {
  ODL_CPU_SHRINK_NONE,
  ODL_CPU_SHRINK_SOFT,
  ODL_CPU_SHRINK_HARD,
} OdlCpuShrink;

// Memory to prefetch. A block of columns prefetches as many columns of each of the 2
// pairs lines.
typedef struct {
  const char *const *lines; // NULL: nothing
  size_t column_bytes;
} OdlCpuAhead;

// `pairs` pairs of rows through all vertical steps; a column's state stays in registers.
// All lines have `columns` columns, from `column` on in rows and state. Columns are
// worked on in whole vectors: every line needs ODL_CPU_SLACK floats beyond its end.
typedef struct {
  const float *const *rows; // 2 pairs + 1: even, odd, even, …
  float *const *low; // of pair i − (steps / 2 − 1): the steps look ahead
  float *const *high;
  float *const *state; // steps − 1 lines
  size_t column;
  int columns;
  int pairs;
  OdlCpuShrink shrink; // what happens to the coefficients before they are stored
  bool shrink_low; // to `low` as well
  float low_limit;
  float high_limit;
  OdlCpuAhead ahead;
} OdlCpuForwardPairs;

typedef struct {
  const float *const *low; // of pair i
  const float *const *high;
  float *const *even; // of pair i − (steps / 2 − 1)
  float *const *odd; // of pair i − steps / 2
  float *const *state; // steps lines
  size_t column; // in even, odd and state
  int columns;
  int pairs;
  OdlCpuAhead ahead;
} OdlCpuInversePairs;

// Rows of a picture and a kernel, which is turned by half a turn already.
typedef struct {
  // Of each slice rows + height − 1 lines of n + width − 1 samples.
  const float *const *lines;
  const float *kernel; // depth slices of height rows of width coefficients
  int width, height, depth;
  float *const *out; // `rows` lines of n samples
  int rows; // 1 … ODL_CPU_CONVOLVE_ROWS
  int n;
} OdlCpuConvolution;

// Most rows that one call makes.
#define ODL_CPU_CONVOLVE_ROWS 4

// A block of non-local means (spatial/non_local_means.c). Lines of patches and samples
// are `stride` floats apart, and go on beyond the block.
typedef struct {
  const float *patches; // half a patch left of and above the block
  const float *samples;
  float *sums; // `rows` lines of ODL_CPU_PATCH_COLUMNS
  float *weights; // likewise
  ptrdiff_t stride;
  int rows; // a multiple of 8, at most ODL_CPU_PATCH_ROWS
  int patch; // side: 3, 5, 7 or 9
  float factor;
  bool speckle;
} OdlCpuPatches;

// A step of anisotropic diffusion (plan/spatial/diffusion.c).
typedef struct {
  float rate;
  float sharpness; // 1 / κ²
  bool rational; // the conductance
} OdlCpuDiffusion;

// What SRAD takes for speckle (plan/spatial/srad.c): with m the mean of a sample's four
// neighbours, or 1 where the picture is compressed, and q² = v / m², the share that flows
// is scale m² / max (floor m² + v, ODL_LEAST_FLOW), at most 1.
typedef struct {
  float scale;
  float floor;
  bool compressed;
} OdlCpuSpeckle;

#define ODL_CPU_PATCH_ROWS 32
#define ODL_CPU_PATCH_COLUMNS 64
#define ODL_CPU_PATCH_DARKEST (1 / 64.0f) // what speckle is divided by at least

// Weighted means of windows (spatial/bilateral.c, spatial/frost.c): lines of all samples
// of the window and how far each is from the middle one.
typedef struct {
  const float *const *window; // `samples` lines of n samples
  const float *distances; // of each line
  const float *centre; // the line in the middle
  const float *steepness; // of each mean; NULL: 1
  int samples;
  float factor; // ≥ 0; only without steepness
} OdlCpuWindow;

typedef struct {
  const char *name; // as in ODL_CPU: "avx512"
  bool (*runs_here) (void);
  // `n` samples -> ⌈n/2⌉ low and ⌊n/2⌋ high coefficients; n >= 2.
  void (*forward_row) (const OdlCpuLift *lift,
                       const OdlCpuLine *line,
                       float *restrict low,
                       float *restrict high,
                       int n);
  // The way back. Writes nothing beyond n rounded up to 2 vectors.
  void (*inverse_row) (const OdlCpuLift *lift,
                       const float *low,
                       const float *high,
                       float *restrict row,
                       int n);
  void (*forward_pairs) (const OdlCpuLift *lift, const OdlCpuForwardPairs *block);
  void (*inverse_pairs) (const OdlCpuLift *lift, const OdlCpuInversePairs *block);

  // Single steps. Lines that are read need ODL_CPU_SLACK floats beyond their end; none
  // overlaps what is written.
  //
  // out[i] = Σ taps[k] · rows[k][i] for i < n; `rows` has taps->count lines.
  void (*combine) (const OdlCpuTaps *taps,
                   const float *const *rows,
                   float *restrict out,
                   int n);
  // Likewise outs[p][i] = Σ taps[p][k] · rows[start[p] + k][i] for both p, in the order
  // of k even where taps are symmetric.
  void (*combine_two) (const OdlCpuTaps taps[2],
                       const OdlCpuPairRows *pair,
                       float *const outs[2],
                       int n);
  // out[r][i] = Σ kernel[z][y][x] · lines[z][r + y][i + x], in this order.
  void (*convolve) (const OdlCpuConvolution *work);
  // Fourier transforms of `lines` lines at once, in place (fourier.h). A point is `lines`
  // real parts and, behind them, as many imaginary ones; points stand `stride` floats
  // apart. The inverse is `points` times as large as it should be.
  int lines;
  void (*fourier) (const OdlCpuFourier *f, float *points, ptrdiff_t stride, bool inverse);
  // points[i] *= by[i] for i < n, as complex numbers.
  void (*multiply) (float *points, const float *by, ptrdiff_t stride, int n);
  // to[j · to_stride + i] = from[i · from_stride + j] for i, j < lines.
  void (*turn) (const float *from, ptrdiff_t from_stride, float *to, ptrdiff_t to_stride);
  // Of every sample p of the block, with the distance d of the patches about p and about
  // p + offset: w = exp (−factor · d); sums += w · samples[p + offset]; weights += w.
  void (*add_patches) (const OdlCpuPatches *block, ptrdiff_t offset);
  // out[i] = Σ w g / Σ w over g = window[k][i], where with d = distances[k]
  // w = exp (−d steepness[i]), or exp (−d − factor (g − centre[i])²). The lines need
  // ODL_CPU_SLACK floats beyond their end; nothing is written beyond n.
  void (*weigh) (const OdlCpuWindow *c, float *restrict out, int n);
  // Of the rows above a row, itself and below it; those in the middle also have samples
  // −1 and n.
  void (*diffuse) (const OdlCpuDiffusion *diffusion,
                   const float *const rows[3],
                   float *restrict out,
                   int n);
  // The share of each sample that flows, of like rows; and a sample, with `rate` times
  // what flows into it: by its share to the left and up, by its neighbour's to the right
  // (own[i + 1]) and down.
  void (*speckle_shares) (const OdlCpuSpeckle *speckle,
                          const float *const rows[3],
                          float *restrict out,
                          int n);
  void (*flow) (const float *const rows[3],
                const float *own,
                const float *below,
                float rate,
                float *restrict out,
                int n);
  // even[i] = line[2 i] and odd[i] = line[2 i + 1] for i < pairs, and back.
  void (*split) (const float *line, float *restrict even, float *restrict odd, int pairs);
  void (*join) (const float *even, const float *odd, float *restrict line, int pairs);
  void (*shrink) (const float *in,
                  float *restrict out,
                  int n,
                  float threshold,
                  OdlShrinkingRule rule);
  // out[i] = sample i of one channel; reads nothing beyond the n samples of all channels
  // and writes nothing beyond n.
  void (*unweave) (const OdlCpuWeave *weave, void *restrict out, int n);
  void (*lift_whole) (const OdlCpuWhole *step,
                      const float *centre,
                      const float *before,
                      const float *after,
                      float *restrict out,
                      int n);

  // Coefficients of the dual tree, as in kernels.h.
  void (*quad_powers) (float *const quad[4],
                       float *restrict first,
                       float *restrict second,
                       int n);
  void (
      *shares) (float *power, int n, float threshold, float gain, OdlShrinkingRule rule);
  void (*bivariate_shares) (float *power,
                            const float *mean,
                            const float *parent,
                            int n,
                            float noise,
                            float weight);
  void (*quad_scale) (float *const quad[4],
                      const float *first,
                      const float *second,
                      int n);

  // Steps over time, as in kernels.h.
  void (*median) (const float *const *rows, int count, float *restrict out, int n);
  void (*median_square) (const float *const *lines, int side, float *restrict out, int n);
  void (*weighted_median) (const float *const *rows,
                           const float *weights,
                           int count,
                           float half,
                           float *restrict out,
                           int n);
  void (*distance) (const float *const *a,
                    const float *const *b,
                    int count,
                    float *restrict out,
                    int n);
  void (*follow) (const OdlCpuGate *gate,
                  const float *sums,
                  const float *x,
                  const float *before,
                  float *restrict out,
                  int n);

  // Measuring steps, as in kernels.h.
  void (*flag) (const float *line,
                const float *values,
                int count,
                float tolerance,
                int n,
                uint64_t *restrict bits);
  void (*spread) (const uint64_t *bits, float *restrict out, int n);
  void (*measure) (const float *details,
                   const float *mask,
                   float scale,
                   int n,
                   OdlCpuMeasured *restrict m);
  void (*place) (const float *details,
                 const float *mask,
                 float scale,
                 int n,
                 uint16_t *restrict places);
  void (*pick) (const float *details, const float *mask, int n, OdlCpuPicked *restrict p);
  size_t (*below) (const uint32_t *values, size_t n, uint32_t limit);

  // Blocks that look alike, as in image/bm3d/groups.h.
  const OdlBm3dKernels *bm3d;
} OdlCpuVariant;

// All that were compiled in, the plain one first, the fastest last.
size_t odl_cpu_variant_count (void);
const OdlCpuVariant *odl_cpu_variant_at (size_t index);

// The fastest one that this machine can run; or the one that a word of the
// NULL-terminated `words` names, if the machine can run it.
const OdlCpuVariant *odl_cpu_variant_choose (const char *const *words);

// The words that ODL_CPU may hold, NULL-terminated: the instruction sets, those of other
// machines too, and the ways that cpu.c reads.
extern const char *const odl_cpu_words[];

extern const OdlCpuVariant odl_cpu_variant_scalar;
