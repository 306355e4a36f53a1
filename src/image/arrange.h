// SPDX-License-Identifier: MIT
// A part of a picture, turned or mirrored.
#pragma once

#include "image/image.h"

// How a picture is turned: pixel (x, y) of the result is pixel (u, v) of the source, or
// (v, u) with `swap`, counted from the right end with `from_right` (of the source's
// columns), from the bottom with `from_bottom`.
typedef struct {
  bool swap;
  bool from_right;
  bool from_bottom;
} OdlOrientation;

typedef struct {
  int x, y, width, height; // pixels of the source; width 0: all of it
  OdlOrientation orientation; // of that part
} OdlArrangement;

// Whether it leaves pictures as they are.
bool odl_arrangement_is_plain (const OdlArrangement *arrangement);

// Whether the part is inside of a picture of that size; ODL_ERROR_USAGE.
bool odl_arrangement_check (const OdlArrangement *arrangement,
                            const OdlExtent *extent,
                            GError **error);

// By name: 0, 90, 180, 270 (degrees, clockwise), flip-h (left and right change sides),
// flip-v, transpose, transverse. False: there is no such name.
bool odl_orientation_find (const char *name, OdlOrientation *orientation);
const char *const *odl_orientation_names (void); // NULL-terminated

// Slice 0, frame 0, interleaved; samples and what they mean stay the same, overlay,
// shutter, regions and surface are left out. ODL_ERROR_USAGE: the part is not inside of
// the picture; ODL_ERROR_TOO_LARGE. Not for YCbCr. Any thread.
OdlImage *odl_arrange (const OdlImage *image,
                       const OdlArrangement *arrangement,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
