// SPDX-License-Identifier: MIT
#include "image/annotation/scale.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/text.h"

#define MOST_DECIMALS 4
#define MM_PER_CM 10

static const char *const places[ODL_N_SPACING_PLACES] = {
  [ODL_SPACING_IN_OBJECT] = NULL,
  // Translators: beside a length that holds on the surface of an X-ray detector; what is
  // seen is nearer to the tube, and smaller.
  [ODL_SPACING_AT_DETECTOR] = N_ ("at the detector"),
  // Translators: beside a length that holds on a film or paper that was scanned.
  [ODL_SPACING_ON_FILM] = N_ ("on the scanned film"),
  // Translators: beside a length; somebody said how long something in the picture is.
  [ODL_SPACING_BY_HAND] = N_ ("calibrated by hand"),
};

OdlScale
odl_scale_of (const OdlImageInfo *info)
{
  g_return_val_if_fail (info != NULL, ((OdlScale){ .x = 1, .y = 1 }));

  if (info->spacing_mm[0] > 0 && info->spacing_mm[1] > 0)
    return (OdlScale){ .known = true,
                       .place = info->spacing_place,
                       .x = info->spacing_mm[0],
                       .y = info->spacing_mm[1],
                       .regions = info->regions };
  return (OdlScale){ .x = info->pixel_aspect, .y = 1, .regions = info->regions };
}

// ---- regions -------------------------------------------------------------------------

static const OdlScaleAxis axes[ODL_N_REGION_UNITS] = {
  [ODL_REGION_CM] = { "depth", "Δd", "mm", MM_PER_CM },
  [ODL_REGION_S] = { "time", "Δt", "s", 1 },
  [ODL_REGION_HZ] = { "frequency", "Δf", "Hz", 1 },
  [ODL_REGION_CM_PER_S] = { "velocity", "Δv", "cm/s", 1 },
};

// Whether all positions are in the region, and nothing with another scale covers it
// there.
static bool
holds (const OdlRegions *regions, const OdlRegion *region, const OdlPoint *points, int n)
{
  for (int i = 0; i < n; i++) {
    if (!odl_region_has (region, points[i].x, points[i].y))
      return false;
    const int seen = odl_regions_at (regions, points[i].x, points[i].y);
    if (!odl_region_is_like (region, &regions->items[seen]))
      return false;
  }
  return true;
}

static bool
is_in_any (const OdlRegions *regions, const OdlPoint *points, int n)
{
  for (int i = 0; i < n; i++)
    if (odl_regions_at (regions, points[i].x, points[i].y) >= 0)
      return true;
  return false;
}

OdlScale
odl_scale_at (const OdlScale *scale, const OdlPoint *points, int n)
{
  const OdlRegions *regions = scale->regions;
  OdlScale at = *scale;

  if (!is_in_any (regions, points, n))
    return at;
  for (int i = 0; !at.region && i < regions->n; i++)
    if (holds (regions, &regions->items[i], points, n))
      at.region = &regions->items[i];
  at.mixed = !at.region;
  at.known = at.region && at.region->unit[0] == ODL_REGION_CM
             && at.region->unit[1] == ODL_REGION_CM;
  if (at.known) {
    at.place = ODL_SPACING_IN_OBJECT;
    at.x = fabs (at.region->delta[0]) * MM_PER_CM;
    at.y = fabs (at.region->delta[1]) * MM_PER_CM;
  } else if (scale->known) {
    // In heights of a pixel.
    at.x = scale->x / scale->y;
    at.y = 1;
  }
  return at;
}

static bool
has_lengths (const OdlRegion *region)
{
  return region->unit[0] == ODL_REGION_CM && region->unit[1] == ODL_REGION_CM;
}

OdlScale
odl_scale_for_bar (const OdlScale *scale, bool *others)
{
  const OdlRegions *regions = scale->regions;
  const OdlRegion *first = NULL;
  OdlScale bar = *scale;

  *others = false;
  for (int i = 0; regions && i < regions->n; i++) {
    const OdlRegion *region = &regions->items[i];
    if (!has_lengths (region))
      *others = true;
    else if (!first)
      first = region;
    else if (!odl_region_is_like (first, region))
      bar.mixed = true;
  }
  if (!first)
    return bar;
  bar.known = !bar.mixed;
  bar.place = ODL_SPACING_IN_OBJECT;
  bar.x = fabs (first->delta[0]) * MM_PER_CM;
  bar.y = fabs (first->delta[1]) * MM_PER_CM;
  return bar;
}

const OdlScaleAxis *
odl_scale_axis (const OdlScale *scale, int axis)
{
  const OdlScaleAxis *row
      = scale->region && !scale->known ? &axes[scale->region->unit[axis]] : NULL;

  return row && row->name ? row : NULL;
}

bool
odl_scale_has_axes (const OdlScale *scale)
{
  return odl_scale_axis (scale, 0) && odl_scale_axis (scale, 1);
}

char *
odl_scale_row_text (const OdlScale *scale, int column, int row)
{
  const OdlPoint middle = { column + 0.5, row + 0.5 };
  const OdlScale at = odl_scale_at (scale, &middle, 1);
  const OdlScaleAxis *axis = odl_scale_has_axes (&at) ? odl_scale_axis (&at, 1) : NULL;

  if (!axis || !at.region->has_reference)
    return NULL;
  const double step = at.region->delta[1] * axis->factor;
  const double value
      = at.region->value[1] * axis->factor + (row - at.region->reference[1]) * step;
  return g_strdup_printf ("%.*f %s", odl_scale_decimals_of (fabs (step)),
                          row == at.region->reference[1] ? fabs (value) : value,
                          axis->unit);
}

// ---- how it is written ---------------------------------------------------------------

double
odl_scale_distance (const OdlScale *scale, OdlPoint a, OdlPoint b)
{
  return hypot ((b.x - a.x) * scale->x, (b.y - a.y) * scale->y);
}

const char *
odl_scale_unit (const OdlScale *scale)
{
  return scale->known ? "mm" : "px";
}

const char *
odl_scale_area_unit (const OdlScale *scale)
{
  return scale->known ? "mm²" : "px²";
}

int
odl_scale_decimals_of (double step)
{
  int decimals = 1;

  for (double unit = 0.1; decimals < MOST_DECIMALS && unit > step; unit /= 10)
    decimals++;
  return decimals;
}

int
odl_scale_decimals (const OdlScale *scale)
{
  return odl_scale_decimals_of (fmin (scale->x, scale->y));
}

const char *
odl_scale_note (const OdlScale *scale)
{
  if (scale->mixed)
    // Translators: beside a length or an area in pixels, of an ultrasound picture.
    return _ ("across regions of different scales");
  if (scale->region && !scale->known)
    // Translators: beside an area in pixels, in a Doppler region of a picture.
    return _ ("no millimetres in this region");
  if (scale->skewed)
    // Translators: beside a length or an area in pixels, on a plane across CT slices.
    return _ ("no millimetres across slices of a tilted gantry");
  if (!scale->known)
    // Translators: beside a length or an area in pixels.
    return _ ("millimetres unknown");
  return places[scale->place] ? _ (places[scale->place]) : NULL;
}
