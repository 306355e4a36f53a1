// SPDX-License-Identifier: MIT
// The step of the filter scan-convert: a picture of square pixels, each the bilinear
// interpolation of the four samples of beam data about its place.
#pragma once

#include "image/beams.h"
#include "plan/planner.h"

// Indices of the step's values. Its rule is an OdlBeamArray.
enum {
  ODL_SCAN_LEFT, // x of the centres of column 0, mm
  ODL_SCAN_TOP, // y of the centres of row 0, mm; CURVILINEAR from the circle's centre
  ODL_SCAN_PIXEL, // mm
  ODL_SCAN_FIRST, // as in OdlBeams
  ODL_SCAN_COLUMN_STEP, // its `step`
  ODL_SCAN_ORIGIN, // row 0; CURVILINEAR from the circle's centre, mm
  ODL_SCAN_ROW_STEP, // mm
  ODL_SCAN_STEERING,
};

// What lies so little beside the outermost samples, in columns and rows, counts as on
// them: places of pixels, which are on them by construction, are rounded. As in
// shaders/scan_convert.comp.
#define ODL_SCAN_EDGE 0.01

// Of the picture that a scan conversion makes.
typedef struct {
  int width, height;
  double left, top; // of the centre of its first pixel, mm
  double pixel_mm;
} OdlScan;

// `width` ≥ 2; height 0: as many rows as the beams fill, at most ODL_SCAN_MOST. Beams are
// sound. Any thread.
#define ODL_SCAN_MOST 4096
OdlScan odl_scan_of (const OdlBeams *beams, int columns, int rows, int width, int height);

// The one that recipe item `item` makes of pictures of that geometry; false: it makes
// none.
bool odl_scan_of_item (const OdlRecipe *recipe,
                       int item,
                       const OdlGeometry *geometry,
                       OdlScan *scan);

// What makes a picture of beams, without what else is done to it: the items envelope,
// log-compress and scan-convert alone. The picture is shown as the original beside that
// of all items.
OdlRecipe odl_scan_bare_recipe (const OdlRecipe *recipe);

// What is left of a geometry that is converted: a picture without beams.
OdlGeometry odl_scan_geometry (const OdlGeometry *geometry, const OdlScan *scan);
