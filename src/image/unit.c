// SPDX-License-Identifier: MIT
#include "image/unit.h"

#include <math.h>

#define LEVELS 255 // of 8 bits, and of colours that are converted from YCbCr

OdlUnitRange
odl_unit_range (const OdlImageInfo *info, bool grey, OdlUnit unit)
{
  g_return_val_if_fail (info != NULL, ((OdlUnitRange){ 0, 1 }));

  const OdlValueMap *map = &info->value_map;
  const OdlUnitRange stored = info->ycbcr.used
                                  ? (OdlUnitRange){ 0, LEVELS }
                                  : (OdlUnitRange){ info->stored_min, info->stored_max };
  switch (unit) {
  case ODL_UNIT_SHARE:
    return (OdlUnitRange){ 0, 1 };
  case ODL_UNIT_8_BIT:
    return (OdlUnitRange){ 0, LEVELS };
  default:
    return grey ? (OdlUnitRange){ map->slope * stored.zero + map->intercept,
                                  map->slope * stored.one + map->intercept }
                : stored;
  }
}

double
odl_unit_difference (const OdlImageInfo *info, bool grey, OdlUnit unit, double difference)
{
  const OdlUnitRange from = odl_unit_range (info, grey, ODL_UNIT_FILE);
  const OdlUnitRange to = odl_unit_range (info, grey, unit);

  // Values of the file are not calculated with: they stay as they are, bit by bit.
  if (unit == ODL_UNIT_FILE || from.one == from.zero)
    return difference;
  return difference / (from.one - from.zero) * (to.one - to.zero);
}

double
odl_unit_value (const OdlImageInfo *info, bool grey, OdlUnit unit, double value)
{
  const OdlUnitRange from = odl_unit_range (info, grey, ODL_UNIT_FILE);
  const OdlUnitRange to = odl_unit_range (info, grey, unit);

  return unit == ODL_UNIT_FILE
             ? value
             : to.zero + odl_unit_difference (info, grey, unit, value - from.zero);
}

const char *
odl_unit_name (const OdlImageInfo *info, bool grey, OdlUnit unit)
{
  return unit == ODL_UNIT_8_BIT          ? "/ 255"
         : unit == ODL_UNIT_FILE && grey ? info->value_map.unit
                                         : "";
}
