// SPDX-License-Identifier: MIT
// Opponent colours, as CBM3D has them: K. Dabov, A. Foi, V. Katkovnik, K. Egiazarian,
// "Color image denoising via sparse 3D collaborative filtering with grouping constraint
// in luminance-chrominance space", IEEE International Conference on Image Processing
// (2007). Rows of red, green and blue: a luma, and two differences of colours. They have
// the norm 1 and are orthogonal, so that noise that is alike in three channels is so in
// these, and the transform back has them as columns.
#pragma once

#include <stdbool.h>

#define ODL_OPPONENT_LUMA 0.57735026918962576 // 1 / √3
#define ODL_OPPONENT_RED_BLUE 0.70710678118654752 // 1 / √2
#define ODL_OPPONENT_GREEN 0.40824829046386302 // 1 / √6; green has twice as much

// The weight of channel `from` of what is read in channel `to` of what OPPONENT writes.
static inline double
odl_opponent (bool back, int to, int from)
{
  static const double rows[3][3] = {
    { ODL_OPPONENT_LUMA, ODL_OPPONENT_LUMA, ODL_OPPONENT_LUMA },
    { ODL_OPPONENT_RED_BLUE, 0, -ODL_OPPONENT_RED_BLUE },
    { ODL_OPPONENT_GREEN, -2 * ODL_OPPONENT_GREEN, ODL_OPPONENT_GREEN },
  };

  return back ? rows[from][to] : rows[to][from];
}
