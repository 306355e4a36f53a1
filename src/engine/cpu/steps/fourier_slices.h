// SPDX-License-Identifier: MIT
// CONVOLVE by Fourier transforms, slice by slice: blocks, their points along x and y, and
// back. Private to this folder's fourier.c.
#pragma once

#include "engine/cpu/steps/work.h"

// An axis of the picture, in blocks.
typedef struct {
  int whole; // samples of the picture
  int blocks;
  int n; // samples that a block makes; the last one may have less
  int radius;
  OdlCpuFourier fourier;
} OdlCpuFourierAxis;

typedef struct {
  const OdlCpuWork *work;
  const OdlCpuVariant *variant;
  OdlCpuFourierAxis axis[3];
  int lines;
  int rows; // of a slice of points, those of the last vector of rows included
  size_t pitch; // floats from one row of points to the next
  size_t slice; // likewise of slices
  bool deep; // the last axis is z
  int n_blocks; // of all planes together
  float *kernel; // transformed along x and y; a slice for each of its own
  int kernels; // of a bank, whose picture is transformed once; else 1
} OdlCpuConvolver;

// One of the two blocks that are transformed together.
typedef struct {
  int channel;
  int first[3]; // sample of the picture
  bool used; // an odd number of blocks leaves one alone
} OdlCpuBlock;

// What one thread needs beside the points.
typedef struct {
  float *rows[2]; // `lines` rows of samples, of either block
  float *line; // points of `lines` lines
  float *columns; // along z: of GATHERED vectors, those of the kernel behind them
} OdlCpuScratch;

// Points of the transform of n samples and what a kernel reaches beyond them.
int odl_cpu_fourier_points_of (int n, int radius);

// Blocks of similar size; two slabs of a volume, and more where memory is short. The
// transforms are not made.
void odl_cpu_fourier_shape (OdlCpuConvolver *c, const OdlCpuWork *work);

// Floats of the points that are transformed at a time.
size_t odl_cpu_fourier_count (const OdlCpuConvolver *c);

OdlCpuBlock odl_cpu_fourier_block_at (const OdlCpuConvolver *c, int index);

// Along y, in place.
void odl_cpu_fourier_columns (const OdlCpuConvolver *c, float *slice, bool inverse);

// Slice z of the points of two blocks, transformed along x, and the samples of one that
// is transformed back along y.
void odl_cpu_fourier_read (const OdlCpuConvolver *c,
                           const OdlCpuBlock blocks[2],
                           int z,
                           const OdlCpuScratch *s,
                           float *slice);
void odl_cpu_fourier_write (const OdlCpuConvolver *c,
                            const OdlCpuBlock blocks[2],
                            int z,
                            const OdlCpuScratch *s,
                            float *slice);

// Slice z of the kernel, times `scale`, transformed along x and y.
void odl_cpu_fourier_kernel (const OdlCpuConvolver *c,
                             int z,
                             double scale,
                             const OdlCpuScratch *s);
