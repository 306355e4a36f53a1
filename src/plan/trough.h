// SPDX-License-Identifier: MIT
// Where a histogram is cut: an automatic threshold.
//
// Bins. Whole samples (unit > 0) are counted as whole numbers of units: bin i holds
// `width` of them, i · width … (i + 1) · width − 1, where width is the least for which no
// more than `most` bins reach from 0 to full scale. So all bins are equally wide, and
// pictures of few values have fewer. Others are counted in `most` bins of 1 / most each.
// What is below 0 or above full scale belongs to the bin at that end. All channels are
// counted together.
//
// Smoothing. s[i] is the sum of the counts of bins i − radius … i + radius, outside of
// which there is nothing: the moving mean times 2 radius + 1, in whole numbers.
//
// Troughs. A trough is a longest run of equal s[a … b], 0 < a <= b < n − 1, with s[a − 1]
// > s[a] and s[b + 1] > s[b]. It lies between bins, before bin ⌊(a + b + 1) / 2⌋. A peak
// is all that lies between two troughs, or between the last one and the end.
//
// Threshold. Where the low side is kept: of the troughs, from 0 upwards, the first one
// whose peak, the one above it up to the next trough, has more than `share` of all
// samples in its unsmoothed bins, and that keeps more than ODL_TROUGH_KEPT times as many:
// a few stray samples beyond the first peak are not what is looked for. Where the high
// side is kept: likewise in the histogram read from its other end. A histogram without
// such a trough (flat, a single bin, nothing but one peak, peaks that are too small) has
// no threshold, and the picture stays as it is.
//
// Outside. A bin at the very end of the side that is kept which has more than `share` of
// all samples is no peak but what lies outside of the exposed field: collimators, or a
// border that was painted over. It counts as empty, and the others as all, if there is a
// threshold then that keeps more than `share` of them, too, since shadows along that
// border are a peak of their own; what is in the bin is not kept.
//
// After M. Brotherton, "GPU accelerated X-ray image enhancement" (University of
// Huddersfield, 2011), 4.2.2: the trough below the leftmost peak with more than a tenth
// of the picture. Its listing takes the last one that it finds, smooths nothing and skips
// the first.
#pragma once

#include <glib.h>
#include <stdbool.h>

// Larger than any sample.
#define ODL_TROUGH_NO_EDGE 3e38

#define ODL_TROUGH_MOST_BINS 4096

// Of `share`, that a threshold keeps at least.
#define ODL_TROUGH_KEPT 0.1

typedef struct {
  int count;
  int width; // units; 0 where samples are not whole
  int steps; // units of full scale; 0 likewise
} OdlTroughBins;

// For at most `most` bins, a power of two. Any thread.
OdlTroughBins odl_trough_bins (int most, double unit);

typedef struct {
  int bin; // first bin above the threshold, 1 … count − 1; 0: there is none
  double share; // of all samples, in the peak beyond it
  int n_troughs;
  bool outside; // the bin at the end is what lies outside of the field
} OdlTrough;

// Where `counts` (of n bins) are cut. `low`: the low side is kept. Any thread.
OdlTrough
odl_trough_find (const guint32 *counts, int n, int radius, double share, bool low);

// The bin of a sample: a fraction of full scale, whole or not, finite.
static inline int
odl_trough_bin (const OdlTroughBins *bins, double sample)
{
  if (bins->width == 0)
    return (int) (CLAMP (sample, 0, 1) * bins->count) - (sample >= 1);
  return (int) (CLAMP (sample, 0, 1) * bins->steps + 0.5) / bins->width;
}

// Sets the numbers of a step for what was found, or for the threshold `given`, if that is
// at least 0 (ODL_TROUGH_EDGE …, numbers.h), but for the histogram.
void odl_trough_tell (const OdlTroughBins *bins,
                      const OdlTrough *trough,
                      bool low,
                      double given,
                      double numbers[]);

// All troughs, each as the bin that it lies before, from the side that is kept on, where
// with `outside` the bin at the end counts as empty. Returns how many there are, at most
// n. Any thread.
int odl_trough_list (const guint32 *counts,
                     int n,
                     int radius,
                     bool low,
                     bool outside,
                     int troughs[]);
