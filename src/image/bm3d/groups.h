// SPDX-License-Identifier: MIT
// Groups of blocks that look alike: finding, shrinking. For this folder, and for engines
// that do the same elsewhere.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define ODL_BM3D_SIDE 8 // of a block, samples
#define ODL_BM3D_COEFFICIENTS (ODL_BM3D_SIDE * ODL_BM3D_SIDE)
#define ODL_BM3D_REACH 19 // of any effort
#define ODL_BM3D_MOST 32 // blocks of a group of any effort, of one frame
#define ODL_BM3D_MOST_TIMES 9 // frames of a group
#define ODL_BM3D_MOST_PLACES 128 // blocks of a group, of all frames
#define ODL_BM3D_SHRINKAGE 2.7 // the threshold of step one, times σ
// Mean squared differences, in σ², of blocks that may belong together. Noise of two
// blocks differs by 2 σ²; that of the guide is gone. (Lebrun has 2500 and 400 of 255²,
// which is this at σ = 25.)
#define ODL_BM3D_FARTHEST_FIRST 4
#define ODL_BM3D_FARTHEST 0.64
// In a picture whose noise was made white, of both steps.
#define ODL_BM3D_FARTHEST_WHITENED 12
// The least sums of squares of the factors of a group. In step two one of nothing, as
// black is, counts less than a coefficient.
#define ODL_BM3D_LEAST_FIRST 1
#define ODL_BM3D_LEAST 1e-3
// Of a block that is followed along time (follow.h): columns and rows from the place that
// is expected, at most, and the share of the farthest distance that another place has to
// be nearer by. Where noise was made white 0.07 makes 0.05 dB less than this, of what
// moves.
#define ODL_BM3D_NEAR 3
#define ODL_BM3D_HOLD 0.2
// Samples that may be read right of a picture's last column, and beside its phases.
#define ODL_BM3D_SLACK 8
#define ODL_BM3D_BEFORE 16
#define ODL_BM3D_BEHIND 48

// What time is given for: in the order of the names of the recipe's choice.
typedef enum {
  ODL_BM3D_NORMAL,
  ODL_BM3D_FAST,
  ODL_BM3D_QUALITY,
  ODL_BM3D_N_EFFORTS,
} OdlBm3dEffort;

typedef struct {
  int step; // from block to block, 2 … 4
  int reach; // half the window in which blocks are looked for, at most ODL_BM3D_REACH;
             // its side is divided by three on cards
  int most[2]; // blocks of a group, in step one and two: powers of two
  int most_along[2]; // likewise, of each of several frames
} OdlBm3dSettings;

extern const OdlBm3dSettings odl_bm3d_efforts[ODL_BM3D_N_EFFORTS];

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
  int frame; // of pictures that follow each other; 0 where there is but one
} OdlBm3dPlace;

// The block itself comes first, then those that look like it, the nearest first.
typedef struct {
  int n; // a power of two
  OdlBm3dPlace places[ODL_BM3D_MOST];
} OdlBm3dMatches;

// Blocks of a group: `n` of each of `times` frames, in the order of time; block i of a
// frame is what block i of the others has become.
typedef struct {
  int n; // a power of two
  int times; // at most ODL_BM3D_MOST_TIMES
  OdlBm3dPlace places[ODL_BM3D_MOST_PLACES];
} OdlBm3dBlocks;

// A picture, and once more with every `step`-th sample of a row side by side: sample
// (x, y) is phases[(y · step + x mod step) · phase_pitch + ⌊x / step⌋].
typedef struct {
  const float *samples; // with ODL_BM3D_SLACK behind the last row
  size_t pitch;
  size_t frame; // samples from a frame to the next one; 0 where there is but one
  int width; // at least a side
  int height;
  const float *phases; // with ODL_BM3D_BEFORE and ODL_BM3D_BEHIND beside each line; NULL:
                       // there are none
  size_t phase_pitch;
} OdlBm3dPicture;

// Blocks whose matches are wanted: `columns` times `rows`, `step` apart from x, y on.
typedef struct {
  const OdlBm3dPicture *picture;
  int step; // 1 … 4
  int reach; // of the window, at most ODL_BM3D_REACH
  int most; // of a group, at most ODL_BM3D_MOST
  float farthest; // sum of squared differences of blocks that may belong together
  int x; // a multiple of `step` where there are two columns and more
  int y;
  int columns;
  int rows;
} OdlBm3dSearch;

// The transforms of blocks: rows of matrices, the sides of a square.
typedef struct {
  float forward[ODL_BM3D_SIDE][ODL_BM3D_SIDE]; // rows have the norm 1
  float inverse[ODL_BM3D_SIDE][ODL_BM3D_SIDE];
} OdlBm3dTransform;

// What noise that is not white does to groups (noise.h).
typedef struct _OdlBm3dNoise OdlBm3dNoise;

// A group, and the sums that its blocks are added to.
typedef struct {
  const OdlBm3dPicture *picture;
  const OdlBm3dPicture *guide; // NULL: step one
  const OdlBm3dBlocks *blocks;
  const OdlBm3dTransform *transform; // bior1.5 in step one, else cosines
  const float (*along)[ODL_BM3D_MOST_TIMES]; // the cosine transform from time to time
  float sigma;
  const OdlBm3dNoise *noise; // for this transform; NULL: white
  const float (*window)[ODL_BM3D_SIDE]; // of weights
  float *sums; // the first is that of sample (left, top)
  size_t pitch;
  size_t frame; // likewise
  int left;
  int top;
} OdlBm3dGroup;

// The upper left sample of a block.
static inline const float *
odl_bm3d_at (const OdlBm3dPicture *picture, const OdlBm3dPlace *place)
{
  return picture->samples + (size_t) place->frame * picture->frame
         + (size_t) place->y * picture->pitch + place->x;
}

static inline float *
odl_bm3d_sums_at (const OdlBm3dGroup *group, const OdlBm3dPlace *place)
{
  return group->sums + (size_t) place->frame * group->frame
         + (size_t) (place->y - group->top) * group->pitch + (place->x - group->left);
}

// What takes the time, so that an engine can do it in its way. Any thread.
typedef struct {
  // Fills matches[row · pitch + column].
  void (*find) (const OdlBm3dSearch *search, OdlBm3dMatches *matches, size_t pitch);
  // Adds the filtered blocks, times the weight of the group and the window, to the sums.
  // Returns the weight: 1 / the sum of the squares of the factors that coefficients got.
  float (*filter) (const OdlBm3dGroup *group);
  bool turned; // columns of coefficients lie in rows, where the noise is told
} OdlBm3dKernels;

// Block by block, in plain words.
extern const OdlBm3dKernels odl_bm3d_plain;
void odl_bm3d_find (const OdlBm3dSearch *search, OdlBm3dMatches *matches, size_t pitch);
float odl_bm3d_filter (const OdlBm3dGroup *group);

// A line of the window of weights of a block.
void odl_bm3d_window (double line[ODL_BM3D_SIDE]);

// Three levels of bior1.5 with periodic borders.
void odl_bm3d_wavelets (OdlBm3dTransform *transform);

// The orthonormal cosine transform (DCT-II) of `n` times.
void odl_bm3d_cosines_of_times (int n, float matrix[][ODL_BM3D_MOST_TIMES]);

// The orthonormal cosine transform (DCT-II).
void odl_bm3d_cosines (OdlBm3dTransform *transform);
