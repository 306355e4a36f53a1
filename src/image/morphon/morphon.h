// SPDX-License-Identifier: MIT
// Phase-based registration of one picture to another, coarse to fine, without a model of
// the deformation: H. Knutsson and M. Andersson, "Morphons: segmentation using elastic
// canvas and paint on priors", ICIP 2005; the equations from phase differences as in M.
// Hemmendorff et al., "Phase-based multidimensional volume registration", IEEE
// Transactions on Medical Imaging 21 (2002).
//
// At each scale both pictures go through four quadrature filters. Where q1 and q2 are the
// responses of filter k, of the reference and of the moving picture as it is deformed so
// far, each filter says of the displacement e that is left
//   ∇φ · e = arg (q2 q1*),   ∇φ = Im (q1* ∇q1) / |q1|²
// with the certainty c = √|q1 q2| cos² (arg (q2 q1*) / 2). The equations Σ c ∇φ ∇φᵀ e =
// Σ c ∇φ arg (q2 q1*) are smoothed by a Gaussian, so that what is certain speaks for what
// lies about it, and solved; the sum of the displacements is smoothed with its certainty.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/progress.h"

#define ODL_MORPHON_FILTERS 4

// Pictures are `width` · `height` samples, row by row, in any unit. Borders are mirrored.
typedef struct {
  int width, height;
  const float *moving, *reference;
  int scales; // at most so many, each half as large as the one before
  int iterations; // at each of them
  double smoothing; // σ of the Gaussian, pixels of each scale
  int side; // of the filters, odd
  const float *even[ODL_MORPHON_FILTERS]; // side · side, true convolution
  const float *odd[ODL_MORPHON_FILTERS];
  double directions[ODL_MORPHON_FILTERS][2];
  OdlProgress *progress; // which counts this as one of `pictures`; stopped: what is found
                         // is of no use; NULL: nobody waits
  int pictures;
} OdlMorphon;

// Finds where to look in the moving picture: moving (x + dx, y + dy) is what the
// reference has at (x, y). Runs on all cores; the result does not depend on their number.
// False: there is not enough memory, and all is 0. Any thread.
bool odl_morphon_find (const OdlMorphon *morphon, float *dx, float *dy);

// Row `y` of a picture deformed so, interpolated by cubics (Keys, a = −½); beyond its
// border it goes on as at the border. `pitch` samples from row to row.
void odl_morphon_warp_row (const float *picture,
                           size_t pitch,
                           int width,
                           int height,
                           const float *dx,
                           const float *dy,
                           int y,
                           float *row);
