// SPDX-License-Identifier: MIT
#include "widgets/text_scale.h"

#include <glib.h>
#include <pango/pangocairo.h>

#define USUAL_PIXELS (10.0 * 96 / 72)

// Of a font that cannot be used.
#define LEAST 0.5
#define MOST 6.0

double
odl_text_scale (PangoContext *context)
{
  const PangoFontDescription *font = pango_context_get_font_description (context);
  const double size = pango_font_description_get_size (font) / (double) PANGO_SCALE;
  const double dpi = pango_cairo_context_get_resolution (context);
  const double pixels = pango_font_description_get_size_is_absolute (font)
                            ? size
                            : size * (dpi > 0 ? dpi : 96) / 72;
  return pixels > 0 ? CLAMP (pixels / USUAL_PIXELS, LEAST, MOST) : 1;
}
