// SPDX-License-Identifier: MIT
// The reference transform in double precision. Favours clarity over speed.
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

// Length of one side of the approximation after `level` levels.
int odl_level_size (int n, int level);

// Levels until both sides are 1; at most ODL_MAX_LEVELS.
#define ODL_MAX_LEVELS 16
int odl_max_levels (int width, int height);

// The detail bands of a level, in the order of their settings.
typedef enum {
  ODL_BAND_HL, // horizontal detail: high along x
  ODL_BAND_LH, // vertical detail: high along y
  ODL_BAND_HH,
  ODL_DETAIL_BANDS,
} OdlDetailBand;

// Kinds of 2D transforms, in the order of the recipe's choice.
typedef enum {
  ODL_TRANSFORM_DECIMATED, // each band has half of the samples along either axis
  ODL_TRANSFORM_STATIONARY, // undecimated, shift-invariant: each band has all samples
  ODL_TRANSFORM_DUAL_TREE, // complex, nearly shift-invariant: dual_tree.h
  ODL_N_TRANSFORMS
} OdlTransformKind;

extern const char *const odl_transform_names[]; // keys, N_ (), NULL-terminated

// False for transforms with filters of their own, which no wavelet of the table changes.
bool odl_transform_has_wavelet (OdlTransformKind kind);

// False for reversible (integer) wavelets with other transforms than the decimated one:
// their synthesis averages several results, which are not integers in general. `wavelet`
// may be NULL where the transform has none.
bool odl_transform_suits (OdlTransformKind kind, const OdlWavelet *wavelet);

// Maximum number of levels: decimated and dual tree, until both sides of the decimated
// one are 1; stationary, while the dilated filters are shorter than the longer side, at
// least
// 1. 0 for a single pixel.
int odl_transform_max_levels (OdlTransformKind kind,
                              const OdlWavelet *wavelet,
                              int width,
                              int height);

// Parameters of a 1D transform. The border must be one that the wavelet allows.
typedef struct {
  const OdlWavelet *wavelet;
  OdlBorder border;
  double quantum; // quantisation step of the samples; for reversible wavelets only
} OdlTransform;

// One level of analysis or synthesis of a line. `x` holds n samples `stride` apart;
// `low` and `high` have a stride of their own. n = 1 copies the sample to low. Any
// thread.
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
