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
// 2^odl_mask_shift of theirs along either side. Of a volume, sides and the mask of level
// 0 are those of each slice, and the mask of level l looks at slices 2z − 2 … 2z + 4 as
// well.
//
// NOISE: σ of white noise, a fraction of full scale: the median of |HH| of the finest
// level inside the mask (of n values, sorted, number n / 2 from 0), divided by 0.6745 and
// by `gain`, the root mean square of that band for noise of σ = 1; 0 for fewer than
// ODL_FEWEST_DETAILS. D. Donoho, I. Johnstone, "Ideal spatial adaptation by wavelet
// shrinkage", Biometrika 81 (1994). Where `sigma` is a number that is taken instead.
//
// BAYES: for each detail band a threshold for soft thresholding. With σ_b = σ · gains[b]
// and σ_y² the mean square of its n details inside the mask, by its rule,
//   BAYES, which is nearly optimal:
//     T = σ_b² / σ_x, σ_x² = max (σ_y² − σ_b², 0); where σ_x is 0, the largest magnitude.
//   S. Chang, B. Yu, M. Vetterli, "Adaptive wavelet thresholding for image denoising and
//   compression", IEEE Transactions on Image Processing 9 (2000), equations 12 to 15.
//   UNIVERSAL, which hardly any noise exceeds: T = σ_b √(2 ln N), N the samples inside
//   the mask, which are as many as details of the finest HH, or in the decimated
//   transform four times these, eight times in three dimensions. Donoho and Johnstone
//   (1994), as for NOISE: the universal threshold.
//   SURE, the threshold of the least risk by Stein's unbiased estimate,
//     R (t) = n − 2 · #(x ≤ t) + Σ min (x, t)², x = magnitude / σ_b,
//   but for sparse bands, where σ_y² / σ_b² − 1 ≤ log2(n)^1.5 / √n, and no more than
//   σ_b √(2 ln n), which these have. D. Donoho, I. Johnstone, "Adapting to unknown
//   smoothness via wavelet shrinkage", Journal of the American Statistical Association 90
//   (1995): their hybrid method. R is estimated from some of the rows of large bands
//   (odl_sure_step), which saves most of the time and costs up to 0.06 dB. R is seen in
//   ODL_SURE_POINTS points t_k = k / ODL_SURE_SCALE, in which each detail counts at the
//   two about x, by how near it is, in whole shares of ODL_SURE_SHARES, so that engines
//   have the same counts but for single shares, and half of those at t are below t. Of
//   the points up to √(2 ln n), a parabola through the least one and its neighbours gives
//   T.
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
// EQUALISE: plan/equalise.h; the curves of tiles, row by row.
//
// PEAK: the largest sample of all channels, at least 0, of ODL_PEAK_PARTS parts of the
// picture, as many rows each: odl_peak_row is the first one of a part.
//
// NOISE and BAYES take the details of all channels together: one threshold for each band.
// BAYES of a picture has the numbers of that band alone. Octants have seven detail bands,
// each of all its slices: octant o is high along x where o has bit 0, along y with bit 1,
// along z with bit 2, and NOISE is measured in octant 7. White noise has there what it
// has in HL, LH and HH, times what the filters along z make of it (odl_octant_gain).
#pragma once

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "filter/noise.h"
#include "plan/plan.h"
#include "wavelet/transform.h"

#define ODL_SIDE_SAMPLES 256
#define ODL_FEWEST_DETAILS 64
#define ODL_OCTANTS 8 // bands of a level of a volume, the low one among them
#define ODL_OCTANT_HIGH 4 // first of those that are high along z
#define ODL_SURE_POINTS 128
#define ODL_SURE_SCALE 16
#define ODL_SURE_SHARES 64
#define ODL_SURE_DETAILS 4096
#define ODL_SURE_MOST_STEP 16
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

// Of one band; those of HL, LH and HH, or of octants 1 … 7, stand one after the other.
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

// Of PEAK. Parts of pictures with fewer rows may have none, and 0.
#define ODL_PEAK_PARTS 16

static inline int
odl_peak_row (int part, int height)
{
  return (int) ((int64_t) part * height / ODL_PEAK_PARTS);
}

// σ of what NOISE has measured, for filters that take less than ODL_NO_NOISE for none.
static inline double
odl_noise_found (double sigma)
{
  return sigma < ODL_NO_NOISE ? 0 : sigma;
}

// What BAYES finds, its rule.
typedef enum {
  ODL_FIND_BAYES,
  ODL_FIND_UNIVERSAL,
  ODL_FIND_SURE,
} OdlFoundThreshold;

// How many samples of the picture a detail of the finest HH stands for; `band` as in a
// step, `octants`: a detail of octant 7 of a volume.
static inline int
odl_samples_of_detail (int band, bool octants)
{
  return band > 0 ? 1 : octants ? ODL_OCTANTS : ODL_BANDS;
}

// In which band or octant a sample of a slot lies that holds all of them: 0 in the low
// one, plus 1, 2 and ODL_OCTANT_HIGH where it is high along x, y and z.
static inline int
odl_octant_at (const OdlSlot *bands, int x, int y, int z)
{
  return (x < odl_low_count (bands->width) ? 0 : 1)
         + (y < odl_low_count (bands->height) ? 0 : 2)
         + (bands->kind != ODL_SLOT_OCTANTS || z < odl_low_count (bands->depth)
                ? 0
                : ODL_OCTANT_HIGH);
}

// Of white noise of σ = 1 in an octant, 1 … 7; gains[] as in a step. The norms of a
// line's high and low filters are √HH and HL / √HH.
static inline double
odl_octant_gain (const double gains[ODL_DETAIL_BANDS], int octant)
{
  const double high = sqrt (gains[ODL_BAND_HH]), low = gains[ODL_BAND_HL] / high;

  return ((octant & 1) != 0 ? high : low) * ((octant & 2) != 0 ? high : low)
         * ((octant & 4) != 0 ? high : low);
}

// UNIVERSAL for so many samples, in units of σ.
static inline double
odl_universal_threshold (double n)
{
  return n > 1 ? sqrt (2 * log (n)) : 0;
}

// Whether SURE takes the universal threshold of n details.
static inline bool
odl_sure_is_sparse (double n, double mean_square)
{
  return !(n > 1) || mean_square - 1 <= pow (log2 (n), 1.5) / sqrt (n);
}

// Of a plane of a band, the rows y that SURE counts: y modulo the step is half of it.
// They have at least ODL_SURE_DETAILS details, if the band does.
static inline int
odl_sure_step (int width, int height)
{
  int step = 1;

  while (step < ODL_SURE_MOST_STEP && height >= 16 * step
         && (int64_t) width * (height / (2 * step)) >= ODL_SURE_DETAILS)
    step *= 2;
  return step;
}

// SURE, in units of σ_b: shares[k] of details at point k, and of all n σ_y² / σ_b².
static inline double
odl_sure_threshold (const uint32_t shares[ODL_SURE_POINTS], double n, double mean_square)
{
  const double most = odl_universal_threshold (n);
  double below = 0, squares = 0, risk[ODL_SURE_POINTS], counted = 0;
  int points = 0, best = 0;

  if (odl_sure_is_sparse (n, mean_square))
    return most;
  for (int k = 0; k < ODL_SURE_POINTS; k++)
    counted += (double) shares[k] / ODL_SURE_SHARES;
  for (; points < ODL_SURE_POINTS && points <= most * ODL_SURE_SCALE; points++) {
    const double t = (double) points / ODL_SURE_SCALE;
    const double half = 0.5 * shares[points] / ODL_SURE_SHARES; // of those at t
    risk[points]
        = -2 * (below + half) + squares + half * t * t + t * t * (counted - below - half);
    below += 2 * half;
    squares += 2 * half * t * t;
    if (risk[points] < risk[best])
      best = points;
  }
  if (best == 0 || best == points - 1)
    return (double) best / ODL_SURE_SCALE;
  const double before = risk[best - 1] - risk[best], after = risk[best + 1] - risk[best];
  const double aside = before + after > 0 ? 0.5 * (before - after) / (before + after) : 0;
  return (best + aside) / ODL_SURE_SCALE;
}

// The point below a magnitude of `ratio` · σ_b, and the share of the one above it.
static inline int
odl_sure_place (double ratio, uint32_t *share_above)
{
  const double place = MIN (ratio * ODL_SURE_SCALE, ODL_SURE_POINTS - 1);

  *share_above = (uint32_t) ((place - floor (place)) * ODL_SURE_SHARES + 0.5);
  return (int) place;
}

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
