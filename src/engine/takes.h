// SPDX-License-Identifier: MIT
// OdlTakes: which frames of a source belong together, for steps over time. Window and
// command line both get the OdlMoment of a frame here, so that they agree.
#pragma once

#include "engine/engine.h"
#include "image/change.h"

// All zero at first.
typedef struct {
  OdlMoment moment; // of the last frame
  uint64_t last_take; // the greatest number given to a take so far
  bool ends; // nothing follows the last frame
  OdlGeometry geometry; // of the last frame
  bool has_cells;
  float cells[ODL_IMAGE_N_CELLS]; // of the last frame
  double level; // running level of the change from frame to frame
} OdlTakes;

// The moment of the next frame. A take begins when `continues` is false (a seek, a wrap,
// another source), when the size or format changes, when the frame carries a mark
// (damaged, incomplete: it stands alone), and, with `finds_cuts`, at a scene cut. Dropped
// frames begin no take.
//
// A scene cut is a change that is one by image/change.h and exceeds the running level of
// such changes in this take ODL_TAKES_FACTOR times. Any one thread at a time.
#define ODL_TAKES_FACTOR 3.0
OdlMoment
odl_takes_next (OdlTakes *takes, const OdlImage *image, bool continues, bool finds_cuts);
