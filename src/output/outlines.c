// SPDX-License-Identifier: MIT
#include "output/outlines.h"

#include <math.h>

#include "base/error.h"

#define WIDEST 14 // name, in units of the font size
#define LEAST_LIGHT 0.5 // of words, as luma
#define FILL_ALPHA 0.3
#define EDGE_ALPHA 0.75
#define WORDS_EDGE 1.5 // in units of the edge of lines
#define DOT 0.25 // in units of the font size

typedef struct {
  const OdlOutlines *outlines;
  const OdlGraphicsLook *look;
  PangoContext *context;
  cairo_t *cr;
} Sheet;

static OdlPoint
placed (const Sheet *sheet, guint index)
{
  OdlPoint point = g_array_index (sheet->outlines->points, OdlPoint, index);

  cairo_matrix_transform_point (&sheet->look->matrix, &point.x, &point.y);
  return point;
}

static void
add_line (const Sheet *sheet, const OdlOutlinesLine *line)
{
  cairo_new_sub_path (sheet->cr);
  for (guint i = 0; i < line->n; i++) {
    const OdlPoint at = placed (sheet, line->first + i);
    if (line->n == 1)
      cairo_arc (sheet->cr, at.x, at.y, DOT * sheet->look->font, 0, 2 * G_PI);
    else
      cairo_line_to (sheet->cr, at.x, at.y);
  }
  if (line->closed)
    cairo_close_path (sheet->cr);
}

static void
set_colour (const Sheet *sheet, const OdlOutlinesArea *area, double alpha)
{
  cairo_set_source_rgba (sheet->cr, area->colour[0], area->colour[1], area->colour[2],
                         alpha);
}

static void
add_lines (const Sheet *sheet, const OdlOutlinesArea *area, bool inside)
{
  for (guint i = area->first; i < area->first + area->n; i++) {
    const OdlOutlinesLine *line
        = &g_array_index (sheet->outlines->lines, OdlOutlinesLine, i);
    if (!inside || line->closed)
      add_line (sheet, line);
  }
}

static void
draw_area (const Sheet *sheet, const OdlOutlinesArea *area)
{
  const OdlGraphicsLook *look = sheet->look;

  cairo_set_fill_rule (sheet->cr, CAIRO_FILL_RULE_EVEN_ODD);
  cairo_new_path (sheet->cr);
  add_lines (sheet, area, true);
  set_colour (sheet, area, FILL_ALPHA);
  cairo_fill (sheet->cr);
  add_lines (sheet, area, false);
  cairo_set_line_join (sheet->cr, CAIRO_LINE_JOIN_ROUND);
  if (look->edge > 0) {
    cairo_set_source_rgba (sheet->cr, 0, 0, 0, EDGE_ALPHA);
    cairo_set_line_width (sheet->cr, look->line + look->edge);
    cairo_stroke_preserve (sheet->cr);
  }
  set_colour (sheet, area, 1);
  cairo_set_line_width (sheet->cr, look->line);
  cairo_stroke (sheet->cr);
}

// The rightmost point of its longest line, about which its name is read.
static bool
find_anchor (const Sheet *sheet, const OdlOutlinesArea *area, OdlPoint *anchor)
{
  const OdlOutlinesLine *longest = NULL;

  for (guint i = area->first; i < area->first + area->n; i++) {
    const OdlOutlinesLine *line
        = &g_array_index (sheet->outlines->lines, OdlOutlinesLine, i);
    longest = longest == NULL || line->n > longest->n ? line : longest;
  }
  for (guint i = 0; longest != NULL && i < longest->n; i++) {
    const OdlPoint at = placed (sheet, longest->first + i);
    if (i == 0 || at.x > anchor->x)
      *anchor = at;
  }
  return longest != NULL;
}

// Colours of files are for lines: dark ones are made light enough to be read on black.
static void
set_colour_of_words (const Sheet *sheet, const OdlOutlinesArea *area)
{
  const double *c = area->colour;
  const double light = 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2];
  const double white = light < LEAST_LIGHT ? (LEAST_LIGHT - light) / (1 - light) : 0;

  cairo_set_source_rgb (sheet->cr, c[0] + white * (1 - c[0]), c[1] + white * (1 - c[1]),
                        c[2] + white * (1 - c[2]));
}

static void
draw_name (const Sheet *sheet, const OdlOutlinesArea *area)
{
  const OdlGraphicsLook *look = sheet->look;
  OdlPoint at = { 0, 0 };
  cairo_matrix_t back = look->upright;
  int width = 0, height = 0;

  if (*area->name == '\0' || !find_anchor (sheet, area, &at))
    return;
  g_autoptr (PangoLayout) layout = pango_layout_new (sheet->context);
  g_autoptr (PangoAttrList) list = pango_attr_list_new ();
  pango_attr_list_insert (
      list, pango_attr_size_new_absolute ((int) (look->font * PANGO_SCALE)));
  pango_layout_set_attributes (layout, list);
  pango_layout_set_text (layout, area->name, -1);
  // A longer one would lie over what it names, and over others.
  pango_layout_get_pixel_size (layout, &width, NULL);
  if (width > WIDEST * look->font) {
    pango_layout_set_width (layout, (int) (WIDEST * look->font * PANGO_SCALE));
    pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
    pango_layout_set_height (layout, -1);
  }
  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_matrix_invert (&back);
  cairo_matrix_transform_point (&back, &at.x, &at.y);
  at = odl_graphics_inside (
      look, (OdlPoint){ at.x + look->font / 2, at.y - look->font / 2 }, width, height);
  cairo_save (sheet->cr);
  cairo_transform (sheet->cr, &look->upright);
  cairo_move_to (sheet->cr, at.x, at.y);
  pango_cairo_layout_path (sheet->cr, layout);
  cairo_restore (sheet->cr);
  cairo_set_source_rgba (sheet->cr, 0, 0, 0, EDGE_ALPHA);
  cairo_set_line_width (sheet->cr, 2 * WORDS_EDGE * fmax (look->edge, look->line));
  cairo_stroke_preserve (sheet->cr);
  set_colour_of_words (sheet, area);
  cairo_fill (sheet->cr);
}

static void
draw_picture (const Sheet *sheet, const OdlOutlinesPicture *picture)
{
  cairo_surface_t *surface = cairo_image_surface_create_for_data (
      (unsigned char *) picture->argb, CAIRO_FORMAT_ARGB32, picture->width,
      picture->height, 4 * picture->width);

  cairo_save (sheet->cr);
  cairo_transform (sheet->cr, &sheet->look->matrix);
  cairo_set_source_surface (sheet->cr, surface, picture->corner.x, picture->corner.y);
  cairo_rectangle (sheet->cr, picture->corner.x, picture->corner.y, picture->width,
                   picture->height);
  cairo_fill (sheet->cr);
  cairo_restore (sheet->cr);
  cairo_surface_destroy (surface);
}

void
odl_outlines_draw (const OdlOutlines *outlines,
                   const OdlGraphicsLook *look,
                   PangoContext *context,
                   cairo_t *cr)
{
  const Sheet sheet = { outlines, look, context, cr };

  for (guint i = 0; i < outlines->pictures->len; i++)
    draw_picture (&sheet, &g_array_index (outlines->pictures, OdlOutlinesPicture, i));
  for (guint i = 0; i < outlines->areas->len; i++)
    draw_area (&sheet, &g_array_index (outlines->areas, OdlOutlinesArea, i));
  for (guint i = 0; i < outlines->areas->len && !look->hides_words; i++)
    draw_name (&sheet, &g_array_index (outlines->areas, OdlOutlinesArea, i));
}

// ---- over a picture ------------------------------------------------------------------

// Sample `from` of 8 or 16 bits, with `over` (premultiplied, 0 … 255) of `alpha` on it.
static void
put (void *to, const void *from, OdlSampleType type, unsigned over, unsigned alpha)
{
  const unsigned rest = 255 - alpha;

  if (type == ODL_SAMPLE_U8)
    *(uint8_t *) to = (uint8_t) ((*(const uint8_t *) from * rest + 127) / 255 + over);
  else
    *(uint16_t *) to
        = (uint16_t) ((*(const uint16_t *) from * rest + 127) / 255 + 257 * over);
}

static void
blend (const OdlImage *shown, cairo_surface_t *sheet, void *samples)
{
  const OdlImageInfo *info = odl_image_info (shown);
  const size_t size = odl_sample_size (info->type);
  const uint8_t *pixels = cairo_image_surface_get_data (sheet);
  const size_t stride = (size_t) cairo_image_surface_get_stride (sheet);

  for (int y = 0; y < info->extent.y; y++)
    for (int x = 0; x < info->extent.x; x++) {
      const uint32_t pixel
          = ((const uint32_t *) (const void *) (pixels + (size_t) y * stride))[x];
      for (int c = 0; c < 3; c++) {
        const OdlPlane *plane = &info->planes[info->channels < 3 ? 0 : c];
        const uint8_t *from = (const uint8_t *) plane->data
                              + (size_t) y * plane->row_stride_bytes
                              + (size_t) x * plane->sample_stride_bytes;
        uint8_t *to
            = (uint8_t *) samples
              + (((size_t) y * (size_t) info->extent.x + (size_t) x) * 3 + (size_t) c)
                    * size;
        put (to, from, info->type, pixel >> (16 - 8 * c) & 255, pixel >> 24);
      }
    }
}

OdlImage *
odl_outlines_lay_over (const OdlOutlines *outlines,
                       const OdlImage *shown,
                       int quarter_turns,
                       bool flip,
                       GError **error)
{
  OdlImageInfo info = *odl_image_info (shown);
  const int width = info.extent.x, height = info.extent.y;
  const OdlGraphicsLook look = odl_graphics_look_for (width, height, quarter_turns, flip);
  void *samples = NULL;

  info.channels = 3;
  OdlImage *both = odl_image_alloc (&info, &samples, error);
  cairo_surface_t *sheet
      = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  if (both == NULL || cairo_surface_status (sheet) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy (sheet);
    g_clear_pointer (&both, odl_image_unref);
    if (error != NULL && *error == NULL)
      odl_error_set (error, ODL_ERROR_TOO_LARGE, "%dx%d", width, height);
    return NULL;
  }
  cairo_t *cr = cairo_create (sheet);
  PangoFontMap *fonts = NULL;
  PangoContext *context = odl_graphics_context (&fonts);
  odl_outlines_draw (outlines, &look, context, cr);
  cairo_destroy (cr);
  g_object_unref (context);
  g_object_unref (fonts);
  cairo_surface_flush (sheet);
  blend (shown, sheet, samples);
  cairo_surface_destroy (sheet);
  return both;
}
