// SPDX-License-Identifier: MIT
// The value at one pixel, for display under the pointer.
#pragma once

#include "image/unit.h"

// Grey image: one value in the unit of its value map. Colour image: red, green and
// blue as stored (from YCbCr: 0 … 255).
typedef struct {
  int channels; // 1 or 3
  double values[3];
  bool exact; // as the file has them, to which nothing was done
  OdlUnit unit; // of what is told of them; the file's, until somebody else is asked
} OdlProbe;

// The sample at column x, row y of slice 0, frame 0. `scaled` is `image` itself or a
// result of odl_engine_show for it, whose values then take the value map of `image`.
// False outside the image. Any thread.
bool
odl_probe (const OdlImage *image, const OdlImage *scaled, int x, int y, OdlProbe *probe);

// "34 HU", "12, 200, 37": integers without decimals, others with five digits, or as many
// as the file's own number has in single precision, with the locale's decimal separator.
// Transfer full.
char *odl_probe_to_text (const OdlImage *image, const OdlProbe *probe);

// Likewise of what is a difference of two values, such as a coefficient of details: four
// digits, no unit. Transfer full.
char *odl_probe_difference_to_text (const OdlImage *image, const OdlProbe *probe);

// What was taken away from `before`, in the unit of the image. Transfer full.
char *odl_probe_residual_to_text (const OdlImage *image,
                                  const OdlProbe *before,
                                  const OdlProbe *after);

// Likewise a grey value, or that of any channel of colours, which is `fraction` of full
// scale. Transfer full.
char *odl_probe_fraction_to_text (const OdlImage *image, double fraction, OdlUnit unit);
