// SPDX-License-Identifier: MIT
#include "decoder/dicom/regions.hpp"

#include <algorithm>
#include <cmath>
#include <glib/gi18n-lib.h>

#include "decoder/dicom/item.hpp"
#include "image/regions.h"

// What a pixel of an ultrasound picture can span, in cm, and in other units.
#define LEAST_CM 1e-5
#define MOST_CM 10.0
#define LEAST_DELTA 1e-12
#define MOST_DELTA 1e6
// Positions of reference pixels, which may lie outside.
#define MOST_PLACE 1e6
// Region Flags.
#define LOW_PRIORITY 1

// More regions than this are not looked at.
#define MOST_ITEMS (4 * ODL_DECODER_MAX_REGIONS)

namespace {

struct Region {
  OdlDecoderRegion region;
  bool low; // others are seen before it
};

}

static double
number_or (DcmItem *item, const DcmTagKey &tag, double missing)
{
  double value = missing;

  return odl_item_number (item, tag, 0, value) ? value : missing;
}

// False: beyond the picture. A picture that was scaled or cut keeps regions of its former
// size, whose scale no longer holds. Some writers give the end that is excluded.
static bool
read_place (const OdlDicomHeader *header, DcmItem *item, OdlDecoderRegion *region)
{
  const double left = number_or (item, DCM_RegionLocationMinX0, NAN);
  const double top = number_or (item, DCM_RegionLocationMinY0, NAN);
  const double right = number_or (item, DCM_RegionLocationMaxX1, NAN);
  const double bottom = number_or (item, DCM_RegionLocationMaxY1, NAN);

  if (!(left >= 0 && left < right && right <= header->columns && top >= 0 && top < bottom
        && bottom <= header->rows))
    return false;
  region->left = (uint32_t) left;
  region->top = (uint32_t) top;
  region->right = MIN ((uint32_t) right + 1, header->columns);
  region->bottom = MIN ((uint32_t) bottom + 1, header->rows);
  return region->left < region->right && region->top < region->bottom;
}

static bool
is_scale (uint32_t unit, double delta)
{
  const double size = fabs (delta);

  if (unit == ODL_REGION_NO_UNIT)
    return true;
  return unit == ODL_REGION_CM ? size >= LEAST_CM && size <= MOST_CM
                               : size >= LEAST_DELTA && size <= MOST_DELTA;
}

static bool
read_scale (DcmItem *item, OdlDecoderRegion *region)
{
  const DcmTagKey units[] = { DCM_PhysicalUnitsXDirection, DCM_PhysicalUnitsYDirection };
  const DcmTagKey deltas[] = { DCM_PhysicalDeltaX, DCM_PhysicalDeltaY };

  for (int i = 0; i < 2; i++) {
    const double unit = number_or (item, units[i], ODL_REGION_NO_UNIT);
    const double delta = number_or (item, deltas[i], 0);
    region->unit[i] = unit >= 0 && unit < ODL_N_REGION_UNITS
                          ? (uint32_t) unit
                          : (uint32_t) ODL_REGION_NO_UNIT;
    if (!is_scale (region->unit[i], delta))
      return false;
    region->delta[i] = region->unit[i] == ODL_REGION_NO_UNIT ? 0 : delta;
  }
  return true;
}

// Its place is relative to the region's corner.
static void
read_reference (DcmItem *item, OdlDecoderRegion *region)
{
  const double x = number_or (item, DCM_ReferencePixelX0, NAN);
  const double y = number_or (item, DCM_ReferencePixelY0, NAN);
  const double value_x = number_or (item, DCM_ReferencePixelPhysicalValueX, 0);
  const double value_y = number_or (item, DCM_ReferencePixelPhysicalValueY, 0);

  if (!(fabs (x) < MOST_PLACE && fabs (y) < MOST_PLACE && fabs (value_x) < MOST_DELTA
        && fabs (value_y) < MOST_DELTA))
    return;
  region->has_reference = 1;
  region->reference[0] = region->left + x;
  region->reference[1] = region->top + y;
  region->value[0] = value_x;
  region->value[1] = value_y;
}

static double
area (const OdlDecoderRegion *region)
{
  return (double) (region->right - region->left) * (region->bottom - region->top);
}

// What is seen where two cover a place: one of high priority, else the smaller one.
static bool
comes_before (const Region &a, const Region &b)
{
  return a.low != b.low ? b.low : area (&a.region) < area (&b.region);
}

// False: it is ignored, which was said.
static bool
read_region (const OdlDicomHeader *header,
             DcmItem *item,
             OdlPicture *picture,
             Region *found)
{
  OdlDecoderRegion *region = &found->region;
  const double kind = number_or (item, DCM_RegionSpatialFormat, ODL_REGION_OTHER);
  const double flags = number_or (item, DCM_RegionFlags, 0);

  *found = Region{};
  if (!read_place (header, item, region)) {
    odl_picture_warn (picture,
                      _ ("one of its ultrasound regions reaches beyond the picture, so "
                         "its scale is not used and filters do not keep to it"));
    return false;
  }
  if (!read_scale (item, region)) {
    odl_picture_warn (picture, _ ("the scale of one of its ultrasound regions is invalid "
                                  "and is not used"));
    return false;
  }
  region->kind = kind >= 0 && kind < ODL_N_REGION_KINDS ? (uint32_t) kind
                                                        : (uint32_t) ODL_REGION_OTHER;
  found->low
      = flags >= 0 && flags <= UINT32_MAX && ((uint32_t) flags & LOW_PRIORITY) != 0;
  read_reference (item, region);
  return true;
}

void
odl_dicom_regions_read (const OdlDicomHeader *header,
                        DcmItem *dataset,
                        OdlPicture *picture)
{
  Region regions[MOST_ITEMS];
  unsigned n = 0;
  bool fit = true;

  for (unsigned i = 0; i < MOST_ITEMS; i++) {
    DcmItem *item = odl_item_in (dataset, DCM_SequenceOfUltrasoundRegions, i);
    if (item == NULL)
      break;
    if (read_region (header, item, picture, &regions[n]))
      n++;
  }
  std::stable_sort (regions, regions + n, comes_before);
  for (unsigned i = 0; fit && i < n; i++)
    fit = odl_picture_add_region (picture, &regions[i].region);
  if (!fit)
    odl_picture_warn (picture, _ ("it has more ultrasound regions than are used"));
}
