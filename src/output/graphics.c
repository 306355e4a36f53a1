// SPDX-License-Identifier: MIT
#include "output/graphics.h"

#include <math.h>

// Lengths in units of the font size.
#define DOT 0.25
#define WORDS_EDGE 1.5 // in units of the edge of lines

#define LEAST_FONT 11.0
#define FONTS_OF_PICTURE 36.0 // as high as a picture
#define LINES_OF_PICTURE 600.0
#define HALF 128

#define EDGE_ALPHA 0.75

typedef struct {
  const OdlGraphics *graphics;
  const OdlGraphicsLook *look;
  PangoContext *context;
  cairo_t *cr;
} Sheet;

static OdlPoint
placed (const Sheet *sheet, OdlPoint point)
{
  cairo_matrix_transform_point (&sheet->look->matrix, &point.x, &point.y);
  return point;
}

static void
stroke (const Sheet *sheet, bool filled)
{
  const OdlGraphicsLook *look = sheet->look;

  cairo_set_line_cap (sheet->cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (sheet->cr, CAIRO_LINE_JOIN_ROUND);
  if (look->edge > 0) {
    cairo_set_source_rgba (sheet->cr, 0, 0, 0, EDGE_ALPHA);
    cairo_set_line_width (sheet->cr, look->line + 2 * look->edge);
    cairo_stroke_preserve (sheet->cr);
  }
  cairo_set_source_rgb (sheet->cr, 1, 1, 1);
  cairo_set_line_width (sheet->cr, look->line);
  if (filled)
    cairo_fill_preserve (sheet->cr);
  cairo_stroke (sheet->cr);
}

static void
draw_line (const Sheet *sheet, const OdlGraphicsLine *line)
{
  for (guint i = 0; i < line->n; i++) {
    const OdlPoint at = placed (
        sheet, g_array_index (sheet->graphics->points, OdlPoint, line->first + i));
    if (line->n == 1)
      cairo_arc (sheet->cr, at.x, at.y, DOT * sheet->look->font, 0, 2 * G_PI);
    else
      cairo_line_to (sheet->cr, at.x, at.y);
  }
  stroke (sheet, line->filled || line->n == 1);
}

// ---- words ---------------------------------------------------------------------------

typedef struct {
  double left, top, right, bottom;
} Box;

// In the directions in which words are read, about the target's own origin.
static OdlPoint
read_along (const Sheet *sheet, OdlPoint image)
{
  OdlPoint point = placed (sheet, image);
  cairo_matrix_t back = sheet->look->upright;

  cairo_matrix_invert (&back);
  cairo_matrix_transform_point (&back, &point.x, &point.y);
  return point;
}

// Where words stand. A box that is too small for them is exceeded rather than that they
// cannot be read.
static Box
box_of (const Sheet *sheet, const OdlGraphicsWords *words)
{
  const OdlPoint at = read_along (sheet, words->anchor);
  const double gap = sheet->look->font / 2;

  if (!words->has_box)
    return (Box){ at.x + gap, at.y - gap, at.x + gap, at.y - gap };
  const OdlPoint a = read_along (sheet, words->box[0]);
  const OdlPoint b = read_along (sheet, words->box[1]);
  return (Box){ MIN (a.x, b.x), MIN (a.y, b.y), MAX (a.x, b.x), MAX (a.y, b.y) };
}

// From the nearest place of the box to the anchor.
static void
point_at (const Sheet *sheet, const OdlGraphicsWords *words, const Box *box)
{
  const OdlPoint to = read_along (sheet, words->anchor);
  OdlPoint ends[]
      = { { CLAMP (to.x, box->left, box->right), CLAMP (to.y, box->top, box->bottom) },
          to };

  for (gsize i = 0; i < G_N_ELEMENTS (ends); i++) {
    cairo_matrix_transform_point (&sheet->look->upright, &ends[i].x, &ends[i].y);
    cairo_line_to (sheet->cr, ends[i].x, ends[i].y);
  }
  stroke (sheet, false);
}

OdlPoint
odl_graphics_inside (const OdlGraphicsLook *look,
                     OdlPoint at,
                     double width,
                     double height)
{
  OdlPoint a = at, b = { at.x + width, at.y + height };
  cairo_matrix_t back = look->upright;

  if (look->width <= 0)
    return at;
  cairo_matrix_transform_point (&look->upright, &a.x, &a.y);
  cairo_matrix_transform_point (&look->upright, &b.x, &b.y);
  OdlPoint by
      = { MIN (look->width - MAX (a.x, b.x), 0), MIN (look->height - MAX (a.y, b.y), 0) };
  by.x = MAX (by.x, -MIN (a.x, b.x));
  by.y = MAX (by.y, -MIN (a.y, b.y));
  cairo_matrix_invert (&back);
  cairo_matrix_transform_distance (&back, &by.x, &by.y);
  return (OdlPoint){ at.x + by.x, at.y + by.y };
}

static void
draw_words (const Sheet *sheet, const OdlGraphicsWords *words)
{
  static const PangoAlignment ways[]
      = { PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT };
  const OdlGraphicsLook *look = sheet->look;
  g_autoptr (PangoLayout) layout = pango_layout_new (sheet->context);
  g_autoptr (PangoAttrList) list = pango_attr_list_new ();
  Box box = box_of (sheet, words);
  int width = 0, height = 0;

  pango_attr_list_insert (
      list, pango_attr_size_new_absolute ((int) (look->font * PANGO_SCALE)));
  pango_layout_set_attributes (layout, list);
  pango_layout_set_text (layout, words->text, -1);
  pango_layout_get_pixel_size (layout, &width, &height);
  if (box.right - box.left < width && words->has_box) {
    pango_layout_set_width (
        layout, (int) (MAX (box.right - box.left, 8 * look->font) * PANGO_SCALE));
    pango_layout_get_pixel_size (layout, &width, &height);
  }
  pango_layout_set_alignment (layout, ways[(int) (2 * words->alignment)]);
  OdlPoint at
      = { box.left + words->alignment * MAX (box.right - box.left - width, 0), box.top };
  at = odl_graphics_inside (look, at, width, height);
  box = (Box){ at.x, at.y, at.x + width, at.y + height };
  if (words->has_anchor && words->has_box && words->pointed)
    point_at (sheet, words, &box);
  cairo_save (sheet->cr);
  cairo_transform (sheet->cr, &look->upright);
  cairo_move_to (sheet->cr, at.x, at.y);
  pango_cairo_layout_path (sheet->cr, layout);
  cairo_restore (sheet->cr);
  if (look->edge > 0) {
    cairo_set_line_join (sheet->cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_source_rgba (sheet->cr, 0, 0, 0, EDGE_ALPHA);
    cairo_set_line_width (sheet->cr, 2 * WORDS_EDGE * look->edge);
    cairo_stroke_preserve (sheet->cr);
  }
  cairo_set_source_rgb (sheet->cr, 1, 1, 1);
  cairo_fill (sheet->cr);
}

void
odl_graphics_draw (const OdlGraphics *graphics,
                   const OdlGraphicsLook *look,
                   PangoContext *context,
                   cairo_t *cr)
{
  const Sheet sheet = { graphics, look, context, cr };

  for (guint i = 0; i < graphics->lines->len; i++)
    draw_line (&sheet, &g_array_index (graphics->lines, OdlGraphicsLine, i));
  for (guint i = 0; i < graphics->words->len && !look->hides_words; i++)
    draw_words (&sheet, &g_array_index (graphics->words, OdlGraphicsWords, i));
}

// ---- as bits -------------------------------------------------------------------------

// Undoes what is done to the picture later.
static cairo_matrix_t
upright_after (int quarter_turns, bool flip)
{
  cairo_matrix_t turned;

  cairo_matrix_init_rotate (&turned, -quarter_turns * G_PI_2);
  if (flip) {
    cairo_matrix_t mirror;
    cairo_matrix_init_scale (&mirror, -1, 1);
    cairo_matrix_multiply (&turned, &mirror, &turned);
  }
  return turned;
}

OdlGraphicsLook
odl_graphics_look_for (int width, int height, int quarter_turns, bool flip)
{
  const double side = MIN (width, height);
  OdlGraphicsLook look = { .upright = upright_after (quarter_turns, flip),
                           .width = width,
                           .height = height,
                           .font = MAX (side / FONTS_OF_PICTURE, LEAST_FONT),
                           .line = MAX (side / LINES_OF_PICTURE, 1) };

  cairo_matrix_init_identity (&look.matrix);
  return look;
}

PangoContext *
odl_graphics_context (PangoFontMap **fonts)
{
  *fonts = pango_cairo_font_map_new (); // of this thread
  PangoContext *context = pango_font_map_create_context (*fonts);
  PangoFontDescription *plain = pango_font_description_from_string ("Sans Bold");

  pango_context_set_font_description (context, plain);
  pango_font_description_free (plain);
  return context;
}

OdlOverlay *
odl_graphics_to_overlay (const OdlGraphics *graphics,
                         int width,
                         int height,
                         int quarter_turns,
                         bool flip)
{
  const size_t stride = odl_overlay_stride ((size_t) width);
  const OdlGraphicsLook look = odl_graphics_look_for (width, height, quarter_turns, flip);
  PangoFontMap *fonts = NULL;
  g_autofree uint8_t *bits = g_malloc0 (stride * (size_t) height);

  if (graphics->lines->len == 0 && graphics->words->len == 0)
    return (OdlOverlay *) odl_overlay_ref (graphics->overlay);
  PangoContext *context = odl_graphics_context (&fonts);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, width, height);
  cairo_t *cr = cairo_create (surface);
  odl_graphics_draw (graphics, &look, context, cr);
  cairo_destroy (cr);
  g_object_unref (context);
  g_object_unref (fonts);
  cairo_surface_flush (surface);
  const uint8_t *alpha = cairo_image_surface_get_data (surface);
  const size_t row = (size_t) cairo_image_surface_get_stride (surface);
  for (int y = 0; y < height && alpha != NULL; y++)
    for (int x = 0; x < width; x++)
      bits[(size_t) y * stride + (size_t) x / 8]
          |= (uint8_t) ((alpha[(size_t) y * row + (size_t) x] >= HALF) << (x % 8));
  cairo_surface_destroy (surface);
  for (size_t i = 0; graphics->overlay != NULL && i < stride * (size_t) height; i++)
    bits[i] |= graphics->overlay->bits[i];
  return odl_overlay_new (width, height, bits);
}
