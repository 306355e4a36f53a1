// SPDX-License-Identifier: MIT
// A picture of beam data: T. Szabo, "Diagnostic ultrasound imaging" (2014), section 10.7.
// Each pixel is the interpolation of the samples about its place, in columns and rows of
// the beams' grid (plan/scan.h); beyond the outermost samples it is 0, and no sample of
// the picture. Pixels are square, and as large as lets the picture hold all samples.
#include <glib/gi18n-lib.h>

#include "plan/scan.h"
#include "plan/spatial.h"

static const char *const area_names[] = { N_ ("beams"), N_ ("array"), NULL };

static const OdlParameter parameters[] = {
  { INTEGER ("width", N_ ("Width"), N_ ("pixels"), 16, ODL_BEAM_PICTURE_MOST),
    .default_value = 800 },
  { INTEGER ("height",
             N_ ("Height, 0: as the beams need"),
             N_ ("pixels"),
             0,
             ODL_BEAM_PICTURE_MOST),
    .tacit = true, .offset = 1 },
  { CHOICE ("interpolation", N_ ("Interpolation"), "", odl_scan_interpolations),
    .tacit = true, .offset = 2 },
  { CHOICE ("area", N_ ("Area"), "", area_names), .tacit = true, .offset = 3 },
};

const OdlFilter odl_filter_scan_convert = {
  SPATIAL_FILTER (SCAN_CONVERT, "scan-convert"),
  .label = N_ ("Scan conversion"),
  .description
  = N_ ("Makes a picture of ultrasound beams: a sector, or of a linear array a "
        "rectangle, with square pixels."),
  PARAMETERS (parameters),
};

// What follows works on the picture, and so do masks of what was there first.
void
odl_plan_scan_convert (OdlPlanner *b, int item)
{
  const OdlBeamPicture picture = odl_scan_of_item (b->recipe, item, &b->geometry);

  odl_scan_add_step (b, item, &picture, false);
  b->pixel_mm = picture.pixel_mm;
  // Frames that are steered in turn have different ones, and filters over time mix them.
  b->has_outside = odl_recipe_get (b->recipe, item, "area", 0) == 0;
}
