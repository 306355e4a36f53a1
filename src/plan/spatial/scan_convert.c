// SPDX-License-Identifier: MIT
// A picture of beam data: T. Szabo, "Diagnostic ultrasound imaging" (2014), section 10.7.
// Each pixel is the bilinear interpolation of the four samples about its place, in
// columns and rows of the beams' grid; beyond the outermost samples it is 0. Pixels are
// square, and as large as lets the picture hold all samples.
#include <glib/gi18n-lib.h>

#include "plan/scan.h"
#include "plan/spatial.h"

static const OdlParameter parameters[] = {
  { INTEGER ("width", N_ ("Width"), N_ ("pixels"), 16, ODL_SCAN_MOST),
    .default_value = 800 },
  { INTEGER ("height",
             N_ ("Height, 0: as the beams need"),
             N_ ("pixels"),
             0,
             ODL_SCAN_MOST),
    .tacit = true, .offset = 1 },
};

const OdlFilter odl_filter_scan_convert = {
  SPATIAL_FILTER (SCAN_CONVERT, "scan-convert"),
  .label = N_ ("Scan conversion"),
  .description
  = N_ ("Makes a picture of ultrasound beams: a sector, or of a linear array a "
        "rectangle, with square pixels."),
  PARAMETERS (parameters),
};

static void
set_numbers (OdlStep *step, const OdlBeams *beams, const OdlScan *scan)
{
  const double centre = beams->array == ODL_BEAMS_CURVILINEAR ? beams->radius_mm : 0;
  double *values = step->parameters.values;

  step->rule = (int) beams->array;
  values[ODL_SCAN_LEFT] = scan->left;
  values[ODL_SCAN_TOP] = scan->top + centre;
  values[ODL_SCAN_PIXEL] = scan->pixel_mm;
  values[ODL_SCAN_FIRST] = beams->first;
  values[ODL_SCAN_COLUMN_STEP] = beams->step;
  values[ODL_SCAN_ORIGIN] = beams->start_mm + centre;
  values[ODL_SCAN_ROW_STEP] = beams->sample_mm;
  values[ODL_SCAN_STEERING] = beams->steering;
}

// What follows works on the picture, and so do masks of what was there first.
void
odl_plan_scan_convert (OdlPlanner *b, int item)
{
  const OdlBeams beams = b->geometry.beams;
  OdlScan scan;

  if (!odl_scan_of_item (b->recipe, item, &b->geometry, &scan)) {
    odl_planner_note (b, _ ("without “scan-convert”: the picture does not say where its "
                            "beams lie, or has been converted"));
    return;
  }
  const int channels = g_array_index (b->slots, OdlSlot, b->picture).channels;
  const int out
      = odl_planner_add_slot (b, ODL_SLOT_PICTURE, 0, scan.width, scan.height, channels);
  set_numbers (odl_planner_add_step (b, ODL_STEP_SCAN_CONVERT, b->picture, out, item),
               &beams, &scan);
  b->picture = b->origin = out;
  b->geometry = odl_scan_geometry (&b->geometry, &scan);
  b->pixel_mm = scan.pixel_mm;
}
