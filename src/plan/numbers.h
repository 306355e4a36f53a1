// SPDX-License-Identifier: MIT
// What measuring steps write: the layout of slots of the kind ODL_SLOT_NUMBERS, and the
// rules that all engines follow.
//
// SIDES: of the left, right, top and bottom side of each channel the value that more than
// half of it has, 0 where there is none. A side is looked at in n = min (its length,
// ODL_SIDE_SAMPLES) samples, of which sample i lies at i · length / n.
//
// MASK of level 0: 0 for samples of surroundings, 1 for others. Surroundings are blocks
// of 3 × 3 samples, all of them within `tolerance` of 0 or of one of the sides' values:
// padding, letterbox bars, what lies around an ultrasound sector. Of level l: 1 at (x, y)
// where the mask of level l − 1 is 1 in all of (2x − 2 … 2x + 4, 2y − 2 … 2y + 4) that
// the picture has: what a detail there depends on, for CDF 9/7. It stands for all bands;
// where these are larger (stationary, dual tree), each of its samples is for
// 2^odl_mask_shift of theirs along either side.
//
// NOISE: σ of white noise, a fraction of full scale: the median of |HH| of the finest
// level inside the mask (of n values, sorted, number n / 2 from 0), divided by 0.6745 and
// by `gain`, the root mean square of that band for noise of σ = 1; 0 for fewer than
// ODL_FEWEST_DETAILS. D. Donoho, I. Johnstone, "Ideal spatial adaptation by wavelet
// shrinkage", Biometrika 81 (1994). Where `sigma` is a number that is taken instead.
//
// BAYES: for each detail band a threshold that is nearly optimal for soft thresholding:
// with σ_b = σ · gains[b] and σ_y² the mean square inside the mask,
//   T = σ_b² / σ_x, σ_x² = max (σ_y² − σ_b², 0); where σ_x is 0, the largest magnitude.
// S. Chang, B. Yu, M. Vetterli, "Adaptive wavelet thresholding for image denoising and
// compression", IEEE Transactions on Image Processing 9 (2000), equations 12 to 15.
//
// TROUGH: plan/trough.h. Where there is no threshold the edge is beyond all samples of
// the side that is kept, as the limit is where nothing is outside of the field, and all
// else about it is 0. CUT keeps samples from the limit to below the edge, where the low
// side is kept, or else from the edge to below the limit, and makes others 0. Both are in
// units of whole samples, or fractions of full scale. Counts beyond 2²⁴ are rounded. With
// a threshold that is given, the edge is that, and counts as found; all else stays.
//
// SNAKES: the layout of image/contour/contour.h. Edges are the mean over all channels;
// contours start from the outline of what CUT keeps in any channel, without CUT from that
// of the picture. What is not kept and outside of the field in any channel is so.
//
// NOISE and BAYES take the details of all channels together: one threshold for each band.
// BAYES of a picture has the numbers of that band alone.
#pragma once

#include <glib.h>
#include <math.h>

#include "wavelet/transform.h"

G_BEGIN_DECLS

#define ODL_SIDE_SAMPLES 256
#define ODL_FEWEST_DETAILS 64
#define ODL_MEDIAN_OF_NORMAL 0.6745 // of |x| in units of σ, where x is normal

// Of the finer level, around (2x, 2y): first and last that a detail's mask looks at.
#define ODL_MASK_FIRST (-2)
#define ODL_MASK_LAST 4

enum {
  ODL_SIDE_LEFT,
  ODL_SIDE_RIGHT,
  ODL_SIDE_TOP,
  ODL_SIDE_BOTTOM,
  ODL_SIDES,
};

enum {
  ODL_NOISE_SIGMA,
  ODL_NOISE_COUNT, // of the details that were looked at
  ODL_NOISE_NUMBERS,
};

// Of one band; those of HL, LH and HH stand one after the other.
enum {
  ODL_BAND_THRESHOLD,
  ODL_BAND_DEVIATION, // σ_y
  ODL_BAND_LARGEST, // magnitude
  ODL_BAND_COUNT, // of details inside the mask
  ODL_BAND_NOISE, // σ_b
  ODL_BAND_HISTOGRAM, // of magnitudes, see odl_band_place
  ODL_BAND_BINS = 32,
  ODL_BAND_NUMBERS = ODL_BAND_HISTOGRAM + ODL_BAND_BINS,
};

enum {
  ODL_TROUGH_EDGE,
  ODL_TROUGH_THRESHOLD, // the edge, a fraction of full scale
  ODL_TROUGH_SHARE, // of all samples, in the peak beyond
  ODL_TROUGH_FOUND, // 1: there is a threshold
  ODL_TROUGH_TROUGHS, // how many there are
  ODL_TROUGH_COUNT, // of bins
  ODL_TROUGH_LIMIT, // what lies beyond it is outside of the field
  ODL_TROUGH_HISTOGRAM,
};

// How many times a band is halved until a mask covers it.
static inline int
odl_mask_shift (int width, int height, int mask_width, int mask_height)
{
  int shift = 0;

  while (width > mask_width || height > mask_height) {
    width = odl_low_count (width);
    height = odl_low_count (height);
    shift++;
  }
  return shift;
}

// Where a magnitude of `ratio` · σ_b lies in the histogram, in bins: four to an octave,
// each octave in equal parts, as the leading bits of a float are; σ_b is in the middle.
// What is beyond either end belongs to the bin there.
static inline double
odl_band_place (double ratio)
{
  int exponent;
  const double mantissa = frexp (ratio, &exponent); // 0.5 … 1

  return ratio > 0 ? ODL_BAND_BINS / 2 + 4 * (exponent - 1 + 2 * mantissa - 1) : 0;
}

G_END_DECLS
