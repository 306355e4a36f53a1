// SPDX-License-Identifier: MIT
// OdlTakes: which frames of a source belong together, for steps over time. Window and
// command line both get the OdlMoment of a frame here, so that they agree.
#pragma once

#include "engine/engine.h"

#define ODL_TAKES_CELLS 16

// All zero at first.
typedef struct {
  OdlMoment moment; // of the last frame
  uint64_t last_take; // the greatest number given to a take so far
  bool ends; // nothing follows the last frame
  OdlGeometry geometry; // of the last frame
  bool has_cells;
  float cells[ODL_TAKES_CELLS * ODL_TAKES_CELLS]; // of the last frame
  double level; // running level of the change from frame to frame
} OdlTakes;

// The moment of the next frame. A take begins when `continues` is false (a seek, a wrap,
// another source), when the size or format changes, when the frame carries a mark
// (damaged, incomplete: it stands alone), and, with `finds_cuts`, at a scene cut. Dropped
// frames begin no take.
//
// A scene cut is measured on the means of 16 × 16 cells, in which the noise of single
// samples vanishes. The change from frame to frame is Σ|a − b| / Σ max (a, b), from 0 to
// 1, whatever the brightness. A cut is a change of more than ODL_TAKES_LEAST_CHANGE that
// exceeds the running level of such changes in this take ODL_TAKES_FACTOR times, and that
// is more than ODL_TAKES_LEAST_STEP of full scale in the mean of all cells: in pictures
// that are nearly black, little is much. Measured on real sequences: a beating heart
// changes by 0.05 to 0.09 a frame, an angiography by 0.01 to 0.09, a probe that is moved
// across a phantom by 0.1. Reads 64 rows of the image. Any one thread at a time.
#define ODL_TAKES_LEAST_CHANGE 0.25
#define ODL_TAKES_FACTOR 3.0
#define ODL_TAKES_LEAST_STEP 0.02
OdlMoment
odl_takes_next (OdlTakes *takes, const OdlImage *image, bool continues, bool finds_cuts);
