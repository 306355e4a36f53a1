// SPDX-License-Identifier: MIT
// The part of an ultrasound picture that filters may change. What lies outside (text,
// depth marks, the bar of grey levels, a Doppler strip) stays as it came. Any thread.
#pragma once

#include "image/image.h"
#include "image/operands.h"

typedef enum {
  ODL_AREA_ALL,
  ODL_AREA_REGION, // where the file says that there is a two-dimensional picture
  ODL_AREA_SECTOR, // what is found in the picture (area.c); not outside such regions
  ODL_N_AREAS,
} OdlArea;

// "none", "region", "sector".
extern const char *const odl_area_names[ODL_N_AREAS + 1];

// Names of the pictures among operands that say so: grey, of 8 bits, full scale inside
// and 0 outside; and the other way round.
#define ODL_AREA_INSIDE "\001inside"
#define ODL_AREA_OUTSIDE "\001outside"

// Whether the file says where there is a two-dimensional ultrasound picture.
bool odl_area_has_regions (const OdlImageInfo *info);

// Sets inside[y · width + x] to 255 in `area` of `image` and to 0 outside. Errors as of
// odl_area_add.
bool odl_area_find (OdlImage *image, OdlArea area, guint8 *inside, GError **error);

// Adds these two pictures for `area` of `image` to `operands`. Nothing for ODL_AREA_ALL.
// ODL_ERROR_UNSUPPORTED, a sentence without the file's name: nothing says where it is, or
// no sector is found.
bool odl_area_add (OdlOperands *operands, OdlImage *image, OdlArea area, GError **error);
