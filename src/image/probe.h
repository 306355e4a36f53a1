// SPDX-License-Identifier: MIT
// What an image holds at one place, for people who point at it.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

// Of a grey image one value in the unit of its value map; of a colour image red, green
// and blue as stored (of luma and colour differences: 0 … 255).
typedef struct {
  int channels; // 1 or 3
  double values[3];
} OdlProbe;

// The sample in column x of row y, from 0; slice 0, frame 0. `scaled` may be a result of
// odl_engine_show for `image`, whose values then have the meaning of `image`; or `image`
// itself. False outside. Any thread.
bool
odl_probe (const OdlImage *image, const OdlImage *scaled, int x, int y, OdlProbe *probe);

// "34 HU", "12, 200, 37"; whole numbers as such, others with five digits, with the
// decimal sign of the locale. Transfer full.
char *odl_probe_to_text (const OdlImage *image, const OdlProbe *probe);

G_END_DECLS
