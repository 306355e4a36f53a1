// SPDX-License-Identifier: MIT
#include "widgets/viewport/drawn_words.h"

#include <math.h>
#include <string.h>

// Lengths in units of the font size.
#define EDGE 0.17
#define MARGIN 0.75 // from the canvas
#define NOTE 0.85 // letters of notes
#define MARK 1.5 // letters of marks
#define MOST_WIDTH 26.0 // then the line is broken

#define EDGE_ALPHA 0.9

PangoLayout *
odl_drawn_words_set (PangoContext *context,
                     double font,
                     const char *text,
                     const char *note)
{
  PangoLayout *layout = pango_layout_new (context);
  g_autofree char *both = g_strconcat (text, note ? "\n" : NULL, note, NULL);
  g_autoptr (PangoAttrList) list = pango_attr_list_new ();
  const double size = font * PANGO_SCALE;
  pango_attr_list_insert (list, pango_attr_size_new_absolute ((int) size));
  PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);
  bold->end_index = (guint) strlen (text);
  pango_attr_list_insert (list, bold);
  PangoAttribute *small = pango_attr_size_new_absolute ((int) (NOTE * size));
  small->start_index = (guint) strlen (text);
  pango_attr_list_insert (list, small);
  pango_layout_set_attributes (layout, list);
  pango_layout_set_text (layout, both, -1);
  return layout;
}

// Moves words of that size to a whole pixel in the canvas.
static OdlPoint
move_inside (const OdlDrawnOn *on, double x, double y, int width, int height)
{
  const double margin = MARGIN * on->font;
  return (OdlPoint){ round (fmax (fmin (x, on->width - margin - width), margin)),
                     round (fmax (fmin (y, on->height - margin - height), margin)) };
}

void
odl_drawn_words_draw (cairo_t *cr,
                      const OdlDrawnOn *on,
                      PangoLayout *layout,
                      double x,
                      double y)
{
  int width, height;
  pango_layout_get_pixel_size (layout, &width, &height);
  const OdlPoint at = move_inside (on, x, y, width, height);
  cairo_move_to (cr, at.x, at.y);
  pango_cairo_layout_path (cr, layout);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_source_rgba (cr, 0, 0, 0, EDGE_ALPHA);
  cairo_set_line_width (cr, 2 * EDGE * on->font);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_fill (cr);
}

// Breaks lines that are too long. A layout that has a width puts lines that are read from
// the right at its right side, so that it becomes as narrow as its longest line.
static void
break_lines (PangoLayout *layout, double most)
{
  PangoRectangle whole;
  pango_layout_get_extents (layout, NULL, &whole);
  if (whole.width <= most * PANGO_SCALE)
    return;
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_width (layout, (int) (most * PANGO_SCALE));
  pango_layout_get_extents (layout, NULL, &whole);
  pango_layout_set_width (layout, whole.width);
}

PangoLayout *
odl_drawn_words_of (PangoContext *context,
                    const OdlDrawnOn *on,
                    const OdlAnnotation *annotation,
                    OdlPlacingBox *box)
{
  const bool typed = annotation->kind->origin == ODL_WORDS_TYPED;
  const OdlPoint at
      = odl_view_to_canvas (on->view, on->width, on->height, annotation->points[0]);
  const double reach = MARGIN * on->font;
  if (!odl_annotation_is_words (annotation) || *annotation->words == '\0' || at.x < -reach
      || at.y < -reach || at.x > on->width + reach || at.y > on->height + reach)
    return NULL;
  PangoLayout *layout = odl_drawn_words_set (context, (typed ? 1 : MARK) * on->font,
                                             annotation->words, NULL);
  int width, height;
  break_lines (layout, fmin (MOST_WIDTH * on->font, on->width - 2 * reach));
  pango_layout_get_pixel_size (layout, &width, &height);
  // Texts begin at their point, marks have it in their middle.
  const OdlPoint corner = move_inside (on, at.x - (typed ? 0 : width / 2.0),
                                       at.y - (typed ? 0 : height / 2.0), width, height);
  *box = (OdlPlacingBox){ corner.x, corner.y, width, height };
  return layout;
}
