// SPDX-License-Identifier: MIT
// The reference transform in double precision: plainly right, not fast.
#pragma once

#include <stdbool.h>

#include "wavelet/wavelet.h"

// Number of low- and high-pass coefficients of n samples: ⌈n/2⌉ and ⌊n/2⌋.
static inline int
odl_low_count (int n)
{
  return (n + 1) / 2;
}

static inline int
odl_high_count (int n)
{
  return n / 2;
}

// Extent of one side after `level` halvings of the approximation.
int odl_level_size (int n, int level);

// How often an image can be halved until both sides are 1; at most ODL_MAX_LEVELS.
#define ODL_MAX_LEVELS 16
int odl_max_levels (int width, int height);

// The detail bands of a level, in the order in which their settings stand.
typedef enum {
  ODL_BAND_HL, // horizontal detail: high along x
  ODL_BAND_LH, // vertical detail: high along y
  ODL_BAND_HH,
  ODL_DETAIL_BANDS,
} OdlDetailBand;

// Transforms of pictures. In the order of the choice of a recipe.
typedef enum {
  ODL_TRANSFORM_DECIMATED, // each band has half of the samples along either axis
  ODL_TRANSFORM_STATIONARY, // each band has all of them: it moves with the picture
  ODL_N_TRANSFORMS
} OdlTransformKind;

extern const char *const odl_transform_names[]; // keys, N_ (), NULL-terminated

// Wavelets that compute in whole numbers have the decimated transform alone: the mean of
// two results is none.
bool odl_transform_suits (OdlTransformKind kind, const OdlWavelet *wavelet);

// Levels that such a transform of an image can have: until both sides are 1; of the
// stationary one as long as its filters are shorter than the longer side, but at least
// one. 0 for a single pixel.
int odl_transform_max_levels (OdlTransformKind kind,
                              const OdlWavelet *wavelet,
                              int width,
                              int height);

// What is done to a line. The border must be one of the wavelet's.
typedef struct {
  const OdlWavelet *wavelet;
  OdlBorder border;
  double quantum; // the unit of whole numbers; read for reversible wavelets only
} OdlTransform;

// One level in one dimension. `x`: n samples at distance `stride`; `low` and `high`
// likewise with their own stride. n = 1 passes the sample through as low. Any thread.
void odl_transform_forward_1d (const OdlTransform *transform,
                               const double *x,
                               size_t stride,
                               int n,
                               double *low,
                               double *high,
                               size_t out_stride);
void odl_transform_inverse_1d (const OdlTransform *transform,
                               const double *low,
                               const double *high,
                               size_t stride,
                               int n,
                               double *x,
                               size_t out_stride);
