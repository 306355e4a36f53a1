// SPDX-License-Identifier: MIT
#include "widgets/viewport/wipe_words.h"

#include "widgets/text_scale.h"

// Lengths in logical pixels, as in wipe.c and its style.
#define FONT 14.0
#define MARGIN 10
#define LINE 2

#define WHITE 255

void
odl_wipe_words_clear (OdlWipeWords *words)
{
  odl_badge_clear (&words->original);
  odl_badge_clear (&words->processed);
}

// White between two dark lines, so that it is seen on any picture.
static void
draw_divider (uint8_t *rgba, int width, int height, int divider, int scale)
{
  const int left = divider - LINE * scale / 2;
  for (int y = 0; y < height; y++)
    for (int x = left - scale; x < left + (LINE + 1) * scale; x++) {
      if (x < 0 || x >= width)
        continue;
      const bool inside = x >= left && x < left + LINE * scale;
      uint8_t *pixel = rgba + ((size_t) y * width + x) * 4;
      for (int c = 0; c < 3; c++)
        pixel[c] = inside ? WHITE : pixel[c] / 2;
    }
}

void
odl_wipe_words_draw (OdlWipeWords *words,
                     const char *left_word,
                     const char *right_word,
                     PangoContext *context,
                     OdlImage *image,
                     const int dividers[2],
                     const int ends[2],
                     int scale)
{
  const OdlImageInfo *info = odl_image_info (image);
  const int width = info->extent.x, height = info->extent.y;
  const int margin = MARGIN * scale;
  uint8_t *rgba = (uint8_t *) info->planes[0].data;
  OdlBadgeText text = { .label = left_word,
                        .font_pixels = FONT * scale * odl_text_scale (context),
                        .max_width = width };
  odl_badge_update (&words->original, context, &text);
  text.label = right_word;
  odl_badge_update (&words->processed, context, &text);
  const int divider = dividers[0];
  for (int i = 0; i < 2; i++)
    if (dividers[i] > 0)
      draw_divider (rgba, width, MIN (ends[i], height), dividers[i], scale);
  // The labels stay in their halves and are clipped with them.
  const int left = divider > 0 ? divider - margin - words->original.width : margin;
  odl_badge_blend (&words->original, rgba, width, height, left, margin, false);
  if (divider > 0)
    odl_badge_blend (&words->processed, rgba, width, height, divider + margin, margin,
                     false);
}
