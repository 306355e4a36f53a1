// SPDX-License-Identifier: MIT
#include "decoder/orientation.h"

#include <string.h>

// Index: orientation − 1. `swap`: stored rows become displayed columns.
static const struct {
  bool swap, from_right, from_bottom;
} turns[8] = {
  { false, false, false }, { false, true, false }, { false, true, true },
  { false, false, true },  { true, false, false }, { true, true, false },
  { true, true, true },    { true, false, true },
};

OdlOrientation
odl_orientation (int orientation, uint32_t width, uint32_t height)
{
  int i = orientation >= 1 && orientation <= 8 ? orientation - 1 : 0;
  OdlOrientation result = {
    .width = turns[i].swap ? height : width,
    .height = turns[i].swap ? width : height,
  };
  ptrdiff_t right = turns[i].from_right ? -1 : 1;
  ptrdiff_t down = (turns[i].from_bottom ? -1 : 1) * (ptrdiff_t) result.width;

  result.step_x = turns[i].swap ? down : right;
  result.step_y = turns[i].swap ? right : down;
  if (turns[i].from_right)
    result.origin += (ptrdiff_t) result.width - 1;
  if (turns[i].from_bottom)
    result.origin += (ptrdiff_t) result.width * ((ptrdiff_t) result.height - 1);
  return result;
}

void
odl_orientation_put_row (const OdlOrientation *orientation,
                         const void *row,
                         uint32_t y,
                         uint32_t width,
                         size_t pixel_bytes,
                         void *picture)
{
  ptrdiff_t start = orientation->origin + (ptrdiff_t) y * orientation->step_y;
  ptrdiff_t step = orientation->step_x * (ptrdiff_t) pixel_bytes;
  uint8_t *to = (uint8_t *) picture + start * (ptrdiff_t) pixel_bytes;
  const uint8_t *from = row;

  if (orientation->step_x == 1) {
    memcpy (to, from, (size_t) width * pixel_bytes);
    return;
  }
  for (uint32_t x = 0; x < width; x++, to += step, from += pixel_bytes)
    memcpy (to, from, pixel_bytes);
}
