// SPDX-License-Identifier: MIT
// Groups of blocks that look alike: finding, shrinking. For this folder, and for engines
// that do the same elsewhere.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define ODL_BM3D_SIDE 8 // of a block, samples
#define ODL_BM3D_REACH 19 // half the window in which blocks are looked for
#define ODL_BM3D_STEP 3 // from block to block
#define ODL_BM3D_MOST 32 // blocks of a group
#define ODL_BM3D_MOST_FIRST 16 // blocks of a group in step one
#define ODL_BM3D_SHRINKAGE 2.7 // the threshold of step one, times σ
// Mean squared differences, in σ², of blocks that may belong together. Noise of two
// blocks differs by 2 σ²; that of the guide is gone. (Lebrun has 2500 and 400 of 255²,
// which is this at σ = 25.)
#define ODL_BM3D_FARTHEST_FIRST 4
#define ODL_BM3D_FARTHEST 0.64
// The least sums of squares of the factors of a group. In step two one of nothing, as
// black is, counts less than a coefficient.
#define ODL_BM3D_LEAST_FIRST 1
#define ODL_BM3D_LEAST 1e-3
// Samples that may be read right of a picture's last column.
#define ODL_BM3D_SLACK 8

// Eight samples of a row. GCC and Clang make of it what the machine has.
typedef float OdlBm3dRow __attribute__ ((vector_size (ODL_BM3D_SIDE * sizeof (float)),
                                         aligned (4),
                                         may_alias));

typedef struct {
  OdlBm3dRow rows[ODL_BM3D_SIDE];
} OdlBm3dBlock;

typedef struct {
  int x; // of the upper left corner
  int y;
  float distance; // sum of the squared differences from the first block
} OdlBm3dPlace;

typedef struct {
  const float *samples; // with ODL_BM3D_SLACK behind the last row
  size_t pitch;
  int width; // at least a side
  int height;
} OdlBm3dPicture;

// Fills `places` with the block at x, y and at most `most` − 1 others whose distance from
// it is at most `farthest`, the nearest first. Returns their number, a power of two.
int odl_bm3d_find (const OdlBm3dPicture *picture,
                   int x,
                   int y,
                   int most,
                   float farthest,
                   OdlBm3dPlace places[ODL_BM3D_MOST]);

// A line of the window of weights of a block.
void odl_bm3d_window (double line[ODL_BM3D_SIDE]);

// The transforms of blocks: rows of matrices, the sides of a square.
typedef struct {
  float forward[ODL_BM3D_SIDE][ODL_BM3D_SIDE]; // rows have the norm 1
  float inverse[ODL_BM3D_SIDE][ODL_BM3D_SIDE];
} OdlBm3dTransform;

// Three levels of bior1.5 with periodic borders.
void odl_bm3d_wavelets (OdlBm3dTransform *transform);

// The orthonormal cosine transform (DCT-II).
void odl_bm3d_cosines (OdlBm3dTransform *transform);

// Both replace `n` blocks of a group by what is left of them. They return the weight of
// the group: 1 / the sum of the squares of the factors that its coefficients got.
// Sets to 0 what is at most `threshold`.
float odl_bm3d_threshold (const OdlBm3dTransform *transform,
                          OdlBm3dBlock *blocks,
                          int n,
                          float threshold);
// By what the `guides`, which are overwritten, have in the same places.
float odl_bm3d_wiener (const OdlBm3dTransform *transform,
                       OdlBm3dBlock *blocks,
                       OdlBm3dBlock *guides,
                       int n,
                       float sigma);
