// SPDX-License-Identifier: MIT
#include <math.h>

#include "plan/plan.h"

// Number of steps of whole samples from 0 to 1; 0: samples are floats or converted from
// other values.
static int
steps_of (const OdlImageInfo *info)
{
  const double steps = info->stored_max - info->stored_min;

  if (info->type == ODL_SAMPLE_F32 || info->ycbcr.used || steps != floor (steps)
      || steps > G_MAXUINT16)
    return 0;
  return (int) steps;
}

// What the value 0 is to filters.
static double
zero_of (const OdlImageInfo *info)
{
  const OdlValueMap *map = &info->value_map;
  const double stored = map->slope != 0 ? -map->intercept / map->slope : 0;

  return info->ycbcr.used
             ? 0
             : (stored - info->stored_min) / (info->stored_max - info->stored_min);
}

OdlGeometry
odl_geometry_of (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlYcbcr *ycbcr = &info->ycbcr;
  const OdlValueMap *map = &info->value_map;
  const OdlGeometry geometry = {
    .width = info->extent.x,
    .height = info->extent.y,
    .depth = info->extent.z,
    .channels = info->channels,
    .bits = info->type == ODL_SAMPLE_U8    ? 8
            : info->type == ODL_SAMPLE_F32 ? 32
                                           : 16,
    .kr = ycbcr->kr, // also of what was converted
    .kb = ycbcr->kb,
    .steps = steps_of (info),
    .zero = zero_of (info),
    .low_is_bright = map->inverse != (map->slope < 0),
    .beams = info->beams,
    .content = (OdlBeamContent) info->beams.content,
  };
  return geometry;
}

void
odl_geometry_luma_weights (const OdlGeometry *geometry, double weights[3])
{
  const bool known = geometry->kr > 0 && geometry->kb > 0;

  weights[0] = known ? geometry->kr : 0.299;
  weights[2] = known ? geometry->kb : 0.114;
  weights[1] = 1 - weights[0] - weights[2];
}

OdlImageInfo
odl_plan_describe (const OdlPlan *plan, const OdlImageInfo *input)
{
  const OdlSlot *result = &plan->slots[plan->result];
  OdlImageInfo info = *input;

  if (plan->restated)
    info.value_map = (OdlValueMap){ .slope = 1 };
  info.beams = plan->beams;
  info.made_of = plan->made_of;
  if (!plan->resized)
    return info;
  info.extent.x = result->width;
  info.extent.y = result->height;
  info.regions = NULL;
  info.shutter = plan->outside;
  info.shutter_level = 0;
  info.shutter_covers_none = plan->outside != NULL;
  info.overlay = NULL;
  if (plan->pixel_mm == 0) {
    odl_beams_describe (&info.beams, info.extent.x, info.extent.y, info.spacing_mm,
                        &info.pixel_aspect);
    return info;
  }
  info.spacing_mm[0] = info.spacing_mm[1] = plan->pixel_mm;
  info.pixel_aspect = 1;
  return info;
}
