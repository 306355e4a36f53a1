// SPDX-License-Identifier: MIT
#include "source/helper/answer_details.h"

#include <math.h>
#include <string.h>

#define HUGE_NUMBER 1e30

static bool
is_number (double value)
{
  return isfinite (value) && fabs (value) <= HUGE_NUMBER;
}

bool
odl_decoder_details_is_sane (const OdlDecoderReply *header)
{
  return header->n_windows <= ODL_DECODER_MAX_WINDOWS
         && header->n_regions <= ODL_DECODER_MAX_REGIONS && header->has_shutter <= 1
         && header->n_window_levels <= ODL_DECODER_MAX_TABLES * ODL_CURVE_MAX_LEVELS
         && (header->n_window_levels == 0 || header->n_windows > 0)
         && (header->n_windows == 0 || header->channels == 1)
         && header->shutter_level >= 0 && header->shutter_level <= 1;
}

// ---- windows -------------------------------------------------------------------------

// `levels`: those of this window and the following ones, `n_levels` of them.
static bool
read_window (const OdlDecoderWindow *from,
             const float *levels,
             uint32_t n_levels,
             OdlFileWindow *to)
{
  if (memchr (from->name, '\0', sizeof from->name) == NULL
      || !g_utf8_validate (from->name, -1, NULL))
    return false;
  to->name = (char *) from->name;
  if (from->n_levels == 0) {
    to->centre = from->centre;
    to->width = from->width;
    return is_number (to->centre) && is_number (to->width) && to->width > 0;
  }
  if (from->n_levels > n_levels || !is_number (from->first) || !is_number (from->last)
      || !(from->first < from->last))
    return false;
  to->first = from->first;
  to->last = from->last;
  to->curve = odl_curve_new (levels, (int) from->n_levels);
  return to->curve != NULL;
}

static bool
read_windows (const OdlDecoderReply *header, const char *data, OdlImageInfo *info)
{
  const OdlDecoderWindow *from
      = (const void *) (data + odl_decoder_windows_offset (header));
  const float *levels = (const void *) (data + odl_decoder_tables_offset (header));
  OdlFileWindow items[ODL_DECODER_MAX_WINDOWS] = { 0 };
  uint32_t at = 0;
  bool sane = true;

  for (uint32_t i = 0; sane && i < header->n_windows; i++) {
    sane = read_window (&from[i], levels + at, header->n_window_levels - at, &items[i]);
    at += sane ? from[i].n_levels : 0;
  }
  sane = sane && at == header->n_window_levels;
  if (sane && header->n_windows > 0)
    info->windows = odl_file_windows_new (items, (int) header->n_windows);
  for (uint32_t i = 0; i < header->n_windows; i++)
    odl_curve_unref (items[i].curve);
  return sane;
}

// ---- regions -------------------------------------------------------------------------

static bool
read_region (const OdlDecoderReply *header, const OdlDecoderRegion *from, OdlRegion *to)
{
  if (from->left >= from->right || from->right > header->width
      || from->top >= from->bottom || from->bottom > header->height
      || from->kind >= ODL_N_REGION_KINDS || from->has_reference > 1)
    return false;
  *to = (OdlRegion){ .left = (int) from->left,
                     .top = (int) from->top,
                     .right = (int) from->right,
                     .bottom = (int) from->bottom,
                     .kind = (OdlRegionKind) from->kind,
                     .has_reference = from->has_reference };
  for (int i = 0; i < 2; i++) {
    if (from->unit[i] >= ODL_N_REGION_UNITS || !is_number (from->delta[i])
        || !is_number (from->reference[i]) || !is_number (from->value[i])
        || (from->unit[i] != ODL_REGION_NO_UNIT && from->delta[i] == 0))
      return false;
    to->unit[i] = (OdlRegionUnit) from->unit[i];
    to->delta[i] = from->delta[i];
    to->reference[i] = from->reference[i];
    to->value[i] = from->value[i];
  }
  return true;
}

static bool
read_regions (const OdlDecoderReply *header, const char *data, OdlImageInfo *info)
{
  const OdlDecoderRegion *from
      = (const void *) (data + odl_decoder_regions_offset (header));
  OdlRegion items[ODL_DECODER_MAX_REGIONS];

  for (uint32_t i = 0; i < header->n_regions; i++)
    if (!read_region (header, &from[i], &items[i]))
      return false;
  if (header->n_regions > 0)
    info->regions = odl_regions_new (items, (int) header->n_regions);
  return true;
}

bool
odl_decoder_details_read (const OdlDecoderReply *header,
                          const void *data,
                          OdlImageInfo *info)
{
  if (!read_windows (header, data, info) || !read_regions (header, data, info))
    return false;
  if (header->has_shutter)
    info->shutter
        = odl_overlay_new ((int) header->width, (int) header->height,
                           (const uint8_t *) data + odl_decoder_shutter_offset (header));
  info->shutter_level = header->shutter_level;
  return true;
}

void
odl_decoder_details_release (OdlImageInfo *info)
{
  odl_file_windows_unref (info->windows);
  odl_regions_unref (info->regions);
  odl_overlay_unref (info->shutter);
  info->windows = NULL;
  info->regions = NULL;
  info->shutter = NULL;
}
