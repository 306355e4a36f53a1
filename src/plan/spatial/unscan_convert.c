// SPDX-License-Identifier: MIT
// Undoes scan-convert: beam data of a picture that was made of beams, on the grid that
// these had. Each sample is the interpolation of the pixels about its place, and what
// lies beyond the picture 0.
#include "plan/scan.h"
#include "plan/spatial.h"

static const OdlParameter parameters[] = {
  { CHOICE ("interpolation", N_ ("Interpolation"), "", odl_scan_interpolations),
    .tacit = true },
};

const OdlFilter odl_filter_unscan_convert = {
  SPATIAL_FILTER (UNSCAN_CONVERT, "unscan-convert"),
  .label = N_ ("Back to beams"),
  .description = N_ ("Makes ultrasound beams again of the picture that was made of them, "
                     "on the grid that they had."),
  PARAMETERS (parameters),
};

void
odl_plan_unscan_convert (OdlPlanner *b, int item)
{
  const OdlBeamPicture picture = b->geometry.made_of;

  odl_scan_add_step (b, item, &picture, true);
  b->pixel_mm = 0;
  b->has_outside = false;
}
