// SPDX-License-Identifier: MIT
// The step of the filters scan-convert and unscan-convert: a picture of square pixels of
// beam data, and beam data of such a picture. Each sample is what its neighbours in the
// other grid, about its place, are between them:
//   bilinear: the two nearest ones along either axis, by their distance;
//   sinc: the eight nearest ones along either axis, by sinc (t) sinc (t / 4) of their
//     distance t, divided by the sum of all weights (Lanczos); beyond the ends of the
//     grid the outermost sample is repeated.
#pragma once

#include "image/beams.h"
#include "plan/planner.h"

// Indices of the step's values. Its rule is an OdlBeamArray, with ODL_SCAN_BACK added
// where a picture becomes beams; its side is how many neighbours there are along an axis.
#define ODL_SCAN_BACK 2
#define ODL_SCAN_SINC 8
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

// The one that recipe item `item`, which has a place there, makes of pictures of that
// geometry.
OdlBeamPicture
odl_scan_of_item (const OdlRecipe *recipe, int item, const OdlGeometry *geometry);

// Why recipe item `item` has no place on pictures of that geometry: the filters of beams
// follow each other in one order. A sentence, translated, that names what is needed and
// where the filter belongs; NULL: it has a place, or is no such filter. Any thread.
const char *
odl_scan_lack (const OdlRecipe *recipe, int item, const OdlGeometry *geometry);

// Makes the geometry before recipe item `item` the one behind it: what a filter of beams
// that acts, and has a place, changes. Others change nothing. Any thread.
void odl_scan_pass (const OdlRecipe *recipe, int item, OdlGeometry *geometry);

// Gives each log-compress of a recipe that still waits for its reference the one that
// `plan`, which was made of the same filters, has meanwhile. Any thread.
void odl_scan_take_references (OdlRecipe *recipe, const OdlPlan *plan);

// What makes a picture of beams, without what else is done to it: the items envelope,
// log-compress and scan-convert alone. The picture is shown as the original beside that
// of all items.
OdlRecipe odl_scan_bare_recipe (const OdlRecipe *recipe);

// The values of the parameter “interpolation”.
#define ODL_SCAN_N_INTERPOLATIONS 2
extern const char *const odl_scan_interpolations[ODL_SCAN_N_INTERPOLATIONS + 1];

// Adds the step of recipe item `item`, which makes that picture of its beams or, `back`,
// them of it. What it writes becomes the current picture.
void
odl_scan_add_step (OdlPlanner *b, int item, const OdlBeamPicture *picture, bool back);
