// SPDX-License-Identifier: MIT
#include <string.h>

#include "image/display/display.h"

void
odl_display_render_lens (const OdlDisplayScene *scene,
                         const OdlLens *lens,
                         int width,
                         int height,
                         uint8_t *rgba)
{
  const bool original = lens->original && scene->original != NULL;
  const size_t row = 4 * (size_t) lens->side;
  g_autofree uint8_t *square = g_malloc (row * (size_t) lens->side);
  const OdlDisplayScene one = {
    .scaled = original ? scene->original : scene->scaled,
    .display = original ? scene->original_display : scene->display,
    .blue_first = scene->blue_first,
  };
  OdlView view = lens->view;

  view.centre = odl_view_to_image (
      &lens->view, width, height,
      (OdlPoint){ lens->x + lens->side / 2.0, lens->y + lens->side / 2.0 });
  view.fit = false;
  odl_display_render_view (&one, &view, lens->side, lens->side, square);
  const int left = MAX (lens->x, 0), right = MIN (lens->x + lens->side, width);
  for (int y = MAX (lens->y, 0); y < MIN (lens->y + lens->side, height); y++)
    if (left < right)
      memcpy (rgba + 4 * ((size_t) y * (size_t) width + (size_t) left),
              square + (size_t) (y - lens->y) * row + 4 * (size_t) (left - lens->x),
              4 * (size_t) (right - left));
}
