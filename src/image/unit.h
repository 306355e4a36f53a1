// SPDX-License-Identifier: MIT
// The unit in which people read values and amounts of samples: one for all readouts. What
// is written in recipes and tables is not concerned. Any thread.
#pragma once

#include "image/image.h"

typedef enum {
  ODL_UNIT_FILE, // of the value map; of colours as stored
  ODL_UNIT_SHARE, // of full scale: 0 … 1
  ODL_UNIT_8_BIT, // of full scale: 0 … 255
} OdlUnit;

// What 0 and 1 of full scale are in a unit.
typedef struct {
  double zero, one;
} OdlUnitRange;

// `grey`: values are those of the value map; else of a channel, or of the luma, of
// colours.
OdlUnitRange odl_unit_range (const OdlImageInfo *info, bool grey, OdlUnit unit);

// A value of the file in `unit`.
double odl_unit_value (const OdlImageInfo *info, bool grey, OdlUnit unit, double value);

// A difference of two values of the file in `unit`.
double odl_unit_difference (const OdlImageInfo *info,
                            bool grey,
                            OdlUnit unit,
                            double difference);

// What stands behind such a number, the same in all languages; "": nothing.
const char *odl_unit_name (const OdlImageInfo *info, bool grey, OdlUnit unit);
