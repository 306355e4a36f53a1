// SPDX-License-Identifier: MIT
// Blocks that look alike, filtered together: K. Dabov, A. Foi, V. Katkovnik, K.
// Egiazarian, "Image denoising by sparse 3-D transform-domain collaborative filtering",
// IEEE Transactions on Image Processing 16 (2007), with the choices of M. Lebrun, "An
// analysis and implementation of the BM3D image denoising method", Image Processing On
// Line 2 (2012).
//
// With normal effort (groups.c has the others) a block of 8 × 8 samples stands at every
// third column and row, and at the last ones. Those of the 39 × 39 places about it where
// the mean squared difference is least form a group with it, a power of two of them. The
// group goes through a transform of each block and a Walsh-Hadamard transform from block
// to block, is shrunk there, and comes back. Each sample of the result is the mean of all
// that groups say of it, with weights: less where more was left in a group, and less
// towards the sides of a block (a Kaiser window).
//
// Step one looks for at most 16 blocks, transforms them by biorthogonal wavelets
// (bior1.5) and sets to 0 what is not beyond 2.7 σ. Step two looks for at most 32 blocks
// in the result of step one, which is its guide, transforms both by a cosine transform,
// and weights what the picture has by g² / (g² + σ²), where g is what the guide has.
//
// Noise that is not white has other variances in the coefficients of groups (noise.h);
// all of the above is relative to these, and weights are 1 over the noise that is left.
// The mean of a group stays. In both steps blocks are compared in the picture as a kernel
// makes it whose noise is white.
//
// Single precision decides which blocks form a group, and what exceeds a threshold: an
// engine whose sums have another order may take another block now and then. Engines have
// the innermost work from a table (groups.h); `reference` has it in plain words.
// gl-compute has its own.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/progress.h"
#include "image/bm3d/noise.h"

// Pictures are rows of `width` samples, `pitch` samples apart, in any unit.
typedef struct {
  int width;
  int height;
  const float *samples;
  size_t pitch;
  const float *guide; // of the same size; NULL: step one
  size_t guide_pitch;
  int channels; // whose noise is alike, the groups of all being those of the first one;
                // 0 and 1: of one
  size_t plane, guide_plane, result_plane; // samples from a channel to the next one
  double sigma; // of white noise, in the unit of the samples; 0: `result` is a copy
  const float *correlations; // of noise that is not white, as odl_bm3d_correlations makes
                             // them; NULL: it is white
  const float *searched; // of the same size: what odl_bm3d_whitening's kernel makes of
                         // the samples, with such correlations
  size_t searched_pitch;
  OdlProgress *progress; // which counts this picture as one of `pictures`; stopped:
                         // `result` is undefined; NULL: nobody waits
  int pictures;
  OdlBm3dEffort effort;
  const OdlBm3dKernels *kernels; // NULL: odl_bm3d_plain
} OdlBm3d;

// Fills `result`, which overlaps neither picture. Runs on all cores; the result does not
// depend on their number. Takes five pictures at most, four of them for each channel,
// and 112 KB for each channel, 100 columns and core. False: memory is short, and `result`
// is a copy. Any thread.
bool odl_bm3d_run (const OdlBm3d *bm3d, float *result, size_t pitch);
