// SPDX-License-Identifier: MIT
#include "image/annotation/scale.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/text.h"
#include "config.h"

#define MOST_DECIMALS 4

static const char *const places[ODL_N_SPACING_PLACES] = {
  [ODL_SPACING_IN_OBJECT] = NULL,
  // Translators: beside a length that holds on the surface of an X-ray detector; what is
  // seen is nearer to the tube, and smaller.
  [ODL_SPACING_AT_DETECTOR] = N_ ("at the detector"),
  // Translators: beside a length that holds on a film or paper that was scanned.
  [ODL_SPACING_ON_FILM] = N_ ("on the scanned film"),
};

OdlScale
odl_scale_of (const OdlImageInfo *info)
{
  g_return_val_if_fail (info != NULL, ((OdlScale){ .x = 1, .y = 1 }));

  if (info->spacing_mm[0] > 0 && info->spacing_mm[1] > 0)
    return (OdlScale){ .known = true,
                       .place = info->spacing_place,
                       .x = info->spacing_mm[0],
                       .y = info->spacing_mm[1] };
  return (OdlScale){ .x = info->pixel_aspect, .y = 1 };
}

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
odl_scale_decimals (const OdlScale *scale)
{
  int decimals = 1;

  for (double unit = 0.1; decimals < MOST_DECIMALS && unit > fmin (scale->x, scale->y);
       unit /= 10)
    decimals++;
  return decimals;
}

const char *
odl_scale_note (const OdlScale *scale)
{
  if (!scale->known)
    // Translators: beside a length or an area in pixels.
    return _ ("millimetres unknown");
  return places[scale->place] ? _ (places[scale->place]) : NULL;
}
