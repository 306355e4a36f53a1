// SPDX-License-Identifier: MIT
// Replaces ODL_VALUE_AUTO in a recipe by values measured from a picture.
#pragma once

#include "filter/noise.h"
#include "filter/profile.h"

// True if no value is waiting to be measured.
bool odl_recipe_is_measured (const OdlRecipe *recipe);

// Whether a value waits for the noise of a picture: one of these, or one that would be
// measured in each frame. In a part odl_recipe_measure replaces nothing where none does.
bool odl_recipe_waits_for_noise (const OdlRecipe *recipe);

// Whether a value waits for all frames of a source.
bool odl_recipe_waits_for_cine (const OdlRecipe *recipe);

// What a filter receives, of one slice: what the filters before it make of the picture.
typedef struct {
  OdlImage *image;
  OdlImage *came; // the same part of the picture as it came; may be `image`
} OdlReceived;

// Where a recipe is measured. engine/received.h has one that runs the filters.
typedef struct {
  const OdlNoisePart *part; // homogeneous; NULL: noise is told from all of the picture
  int n_slices; // of the volume that filters with three dimensions see; 0: there is none
  // What filters 0 … end − 1 of `recipe` make, both with a reference; `slice` −1: of the
  // picture, or the middle one of the volume. False: there is no memory, or no slice.
  bool (*receive) (const OdlRecipe *recipe,
                   int end,
                   int slice,
                   void *data,
                   OdlReceived *received);
  // The largest sample that they make of any frame of the source, for ODL_VALUE_CINE;
  // false: some could not be read, or it was given up. NULL: the picture is all there is.
  bool (*peak) (const OdlRecipe *recipe, int end, void *data, double *peak);
  // The frames are looked at later: what waits for them, and all behind it, is left.
  bool cine_later;
  void *data;
} OdlMeasuring;

// Replaces each ODL_VALUE_AUTO by a threshold for white noise of standard deviation σ
// (fraction of the stored range), measured in what the filter receives (received.h). With
// N(l) the root mean square, over the three detail bands of level l of the filter's
// wavelet, or of the magnitudes of the dual tree, of white noise with σ = 1, in the
// filter's scale (odl_threshold_noise):
//   shrinkage       σ · N(l) for each level l
//   soft-threshold  σ · N(2) for all levels
//   hard-threshold  σ · N(1) for all levels
//   bivariate       σ
//   bm3d, wiener    σ
//   restore         σ
//   non-local-means  1.05 σ to 1.25 σ, by patch and rounds; with distance=speckle of σ by
//                   the root of the mean sample
//   log-compress    the largest sample, of all channels, in the place of σ; with
//                   ODL_VALUE_CINE that of all frames
// `profile` of bivariate is, for each band, the noise measured there (profile.h) by that
// which white noise of σ would have; if σ is measured with it, σ is the root of the mean
// square over the bands but the coarsest ones. `profile` of bm3d likewise, for each
// coefficient of a block (spectrum.h); σ measured with it is the root of the mean square
// over all of them.
// Of a filter that is within `anscombe`, with no other before it, σ is what that makes of
// photons, 1 / (2 √(peak + 3/8)), whatever the picture has. Of one with three dimensions
// σ is the median of those of slices all over the volume which have noise, 15 at most.
// These are the largest multiples tried that improve pictures with little noise as well.
// Rounded to three significant digits, to keep the text short.
//
// In a homogeneous part σ is the standard deviation of its samples about the plane that
// fits them best, of all channels or the luma together. So noise that is no white one,
// such as speckle, has its full size, too. The profile of bivariate, and the thresholds
// of shrinkage, are those of the part's own bands; levels with too few coefficients there
// have what the others leave of σ. Every σ that would be measured in each frame is set as
// well.
//
// True if any value was replaced; filters remember what stood before them then
// (odl_recipe_measured_before). Any thread.
bool odl_recipe_measure (OdlRecipe *recipe, const OdlMeasuring *how);

// That standard deviation, of slice 0, frame 0, as a fraction of the stored range; of
// several channels the root of the mean square. 0 for fewer than 4 samples. Any thread.
double
odl_deviation_of (const OdlImage *image, OdlColourMode colour, const OdlNoisePart *part);

// The largest sample of slice 0, frame 0, of all channels but alpha, as a fraction of the
// stored range; at least 0. Any thread.
double odl_peak_of (const OdlImage *image);

// Puts ODL_VALUE_AUTO in the place of all that says how much noise filter `item` has to
// expect, what it knows of bands included. False: nothing does.
bool odl_recipe_forget_noise (OdlRecipe *recipe, int item);
bool odl_filter_takes_noise (const OdlFilter *filter);

// The same of what was measured, so that it is measured again, over all frames where it
// counts over these; what it knows of bands, if it does.
void odl_recipe_forget_measured (OdlRecipe *recipe, int item);

// True if `before` had values to measure and all of them are 0 in `after`: the picture
// has no noise.
bool odl_recipe_found_no_noise (const OdlRecipe *before, const OdlRecipe *after);

// Standard deviation of white noise with σ = 1 in a detail band of the dual tree (level
// 1: finest): of the real and of the imaginary part of its coefficients, of both
// orientations together. The square of a magnitude has two such parts.
double odl_noise_gain_of_dual_band (int level, OdlDetailBand band);

// The same in a detail band of the other transforms.
double odl_noise_gain_of_band (const OdlWavelet *wavelet, int level, OdlDetailBand band);
