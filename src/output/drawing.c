// SPDX-License-Identifier: MIT
#include "output/drawing.h"

#include <cairo-pdf.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

#define LETTERS 12.0
#define CURVE 1.6
#define LINE 1.0
#define PNG_SCALE 2

typedef enum { WORDS, LINES, CURVES, DOTS } Kind;

// What is drawn, in this order.
typedef struct {
  Kind kind;
  OdlDrawingPlace place; // of words
  char *words;
  OdlPoint *points;
  guint n;
  double radius;
  char *colour, *dashes;
} Mark;

struct _OdlDrawing {
  int width, height;
  GArray *marks;
};

static void
clear_mark (void *data)
{
  Mark *mark = data;

  g_free (mark->words);
  g_free (mark->points);
  g_free (mark->colour);
  g_free (mark->dashes);
}

OdlDrawing *
odl_drawing_new (int width, int height)
{
  OdlDrawing *drawing = g_new0 (OdlDrawing, 1);

  drawing->width = width;
  drawing->height = height;
  drawing->marks = g_array_new (FALSE, TRUE, sizeof (Mark));
  g_array_set_clear_func (drawing->marks, clear_mark);
  return drawing;
}

void
odl_drawing_free (OdlDrawing *drawing)
{
  if (drawing == NULL)
    return;
  g_array_unref (drawing->marks);
  g_free (drawing);
}

void
odl_drawing_words (OdlDrawing *drawing, const OdlDrawingPlace *place, const char *words)
{
  Mark mark = { .kind = WORDS, .place = *place, .words = g_strdup (words) };

  mark.place.size = place->size > 0 ? place->size : LETTERS;
  g_array_append_val (drawing->marks, mark);
}

void
odl_drawing_line (OdlDrawing *drawing, OdlPoint from, OdlPoint to, const char *colour)
{
  const OdlPoint both[] = { from, to };
  const Mark mark = { .kind = LINES,
                      .points = g_memdup2 (both, sizeof both),
                      .n = 2,
                      .colour = g_strdup (colour) };

  g_array_append_val (drawing->marks, mark);
}

void
odl_drawing_curve (OdlDrawing *drawing,
                   const OdlPoint *points,
                   guint n,
                   const char *colour,
                   const char *dashes)
{
  const Mark mark = { .kind = CURVES,
                      .points = g_memdup2 (points, sizeof *points * n),
                      .n = n,
                      .colour = g_strdup (colour),
                      .dashes = g_strdup (dashes) };

  g_array_append_val (drawing->marks, mark);
}

void
odl_drawing_dot (OdlDrawing *drawing, OdlPoint at, double radius, const char *colour)
{
  const Mark mark = { .kind = DOTS,
                      .points = g_memdup2 (&at, sizeof at),
                      .n = 1,
                      .radius = radius,
                      .colour = g_strdup (colour) };

  g_array_append_val (drawing->marks, mark);
}

// ---- SVG -----------------------------------------------------------------------------

static void
append_number (GString *svg, const char *before, const char *format, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (svg, before);
  g_string_append (svg, g_ascii_formatd (number, sizeof number, format, value));
}

static void
append_words (GString *svg, const Mark *mark)
{
  static const char *const anchors[] = { "start", "middle", "end" };
  const OdlDrawingPlace *place = &mark->place;
  g_autofree char *escaped = g_markup_escape_text (mark->words, -1);
  const int anchor = (int) lround (2 * place->align);

  append_number (svg, "<text x=\"", "%.1f", place->upwards ? 0 : place->x);
  append_number (svg, "\" y=\"", "%.1f", place->upwards ? 0 : place->y);
  g_string_append (svg, "\"");
  if (anchor > 0)
    g_string_append_printf (svg, " text-anchor=\"%s\"", anchors[anchor]);
  if (place->size != LETTERS)
    append_number (svg, " font-size=\"", "%.4g\"", place->size);
  if (place->upwards) {
    append_number (svg, " transform=\"translate(", "%.1f", place->x);
    append_number (svg, " ", "%.1f) rotate(-90)\"", place->y);
  }
  g_string_append_printf (svg, ">%s</text>\n", escaped);
}

static void
append_path (GString *svg, const Mark *mark)
{
  bool drawn = false;

  for (guint i = 0; i < mark->n; i++) {
    const OdlPoint *at = &mark->points[i];
    if (!isnan (at->y)) {
      append_number (svg, drawn ? "L" : "M", "%.2f", at->x);
      append_number (svg, " ", "%.2f", at->y);
    }
    drawn = !isnan (at->y);
  }
}

static void
append_mark (GString *svg, const Mark *mark)
{
  switch (mark->kind) {
  case WORDS:
    append_words (svg, mark);
    break;
  case LINES:
    g_string_append (svg, "<path d=\"");
    append_path (svg, mark);
    g_string_append_printf (svg, "\" stroke=\"%s\"/>\n", mark->colour);
    break;
  case CURVES:
    g_string_append_printf (svg,
                            "<path fill=\"none\" stroke-width=\"%s\" stroke=\"%s\" "
                            "stroke-dasharray=\"%s\" d=\"",
                            G_STRINGIFY (CURVE), mark->colour, mark->dashes);
    append_path (svg, mark);
    g_string_append (svg, "\"/>\n");
    break;
  case DOTS:
    append_number (svg, "<circle r=\"", "%.4g", mark->radius);
    append_number (svg, "\" cx=\"", "%.2f", mark->points->x);
    append_number (svg, "\" cy=\"", "%.2f", mark->points->y);
    g_string_append_printf (svg, "\" fill=\"%s\"/>\n", mark->colour);
    break;
  }
}

static bool
write_svg (const OdlDrawing *drawing, OdlOutput *output, GError **error)
{
  g_autoptr (GString) svg = g_string_new (NULL);

  g_string_append_printf (
      svg,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
      "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      drawing->width, drawing->height, drawing->width, drawing->height);
  for (guint i = 0; i < drawing->marks->len; i++)
    append_mark (svg, &g_array_index (drawing->marks, Mark, i));
  g_string_append (svg, "</svg>\n");
  return odl_output_write (output, svg->str, svg->len, error);
}

// ---- PNG and PDF ---------------------------------------------------------------------

static void
set_colour (cairo_t *cr, const char *colour)
{
  const gint64 rgb = g_ascii_strtoll (colour + 1, NULL, 16);

  cairo_set_source_rgb (cr, (double) (rgb >> 16 & 255) / 255,
                        (double) (rgb >> 8 & 255) / 255, (double) (rgb & 255) / 255);
}

static void
draw_words (cairo_t *cr, PangoContext *context, const Mark *mark)
{
  const OdlDrawingPlace *place = &mark->place;
  PangoLayout *layout = pango_layout_new (context);
  PangoFontDescription *font = pango_font_description_from_string ("Sans");
  int width, height;

  pango_font_description_set_absolute_size (font, place->size * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_text (layout, mark->words, -1);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_get_size (layout, &width, &height);
  cairo_save (cr);
  cairo_translate (cr, place->x, place->y);
  if (place->upwards)
    cairo_rotate (cr, -G_PI / 2);
  cairo_move_to (cr, -place->align * width / PANGO_SCALE,
                 -(double) pango_layout_get_baseline (layout) / PANGO_SCALE);
  cairo_set_source_rgb (cr, 0, 0, 0);
  pango_cairo_show_layout (cr, layout);
  cairo_restore (cr);
  pango_font_description_free (font);
  g_object_unref (layout);
}

static void
draw_path (cairo_t *cr, const Mark *mark)
{
  double lengths[2] = { 0, 0 };
  const bool dashed = mark->dashes != NULL
                      && sscanf (mark->dashes, "%lf %lf", &lengths[0], &lengths[1]) == 2;
  bool drawn = false;

  for (guint i = 0; i < mark->n; i++) {
    const OdlPoint *at = &mark->points[i];
    if (!isnan (at->y))
      (drawn ? cairo_line_to : cairo_move_to) (cr, at->x, at->y);
    drawn = !isnan (at->y);
  }
  set_colour (cr, mark->colour);
  cairo_set_dash (cr, lengths, dashed ? 2 : 0, 0);
  cairo_set_line_width (cr, mark->kind == CURVES ? CURVE : LINE);
  cairo_stroke (cr);
}

static void
draw (const OdlDrawing *drawing, cairo_t *cr)
{
  PangoFontMap *fonts = pango_cairo_font_map_new (); // of this thread
  PangoContext *context = pango_font_map_create_context (fonts);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  pango_cairo_update_context (cr, context);
  for (guint i = 0; i < drawing->marks->len; i++) {
    const Mark *mark = &g_array_index (drawing->marks, Mark, i);
    switch (mark->kind) {
    case WORDS:
      draw_words (cr, context, mark);
      break;
    case LINES:
    case CURVES:
      draw_path (cr, mark);
      break;
    case DOTS:
      cairo_new_path (cr);
      cairo_arc (cr, mark->points->x, mark->points->y, mark->radius, 0, 2 * G_PI);
      set_colour (cr, mark->colour);
      cairo_fill (cr);
      break;
    }
  }
  g_object_unref (context);
  g_object_unref (fonts);
}

typedef struct {
  OdlOutput *output;
  GError *error;
} Stream;

static cairo_status_t
write_cb (void *data, const unsigned char *bytes, unsigned int length)
{
  Stream *stream = data;

  return stream->error == NULL
                 && odl_output_write (stream->output, bytes, length, &stream->error)
             ? CAIRO_STATUS_SUCCESS
             : CAIRO_STATUS_WRITE_ERROR;
}

static bool
end (Stream *stream, cairo_status_t status, GError **error)
{
  if (stream->error != NULL) {
    g_propagate_error (error, stream->error);
    return false;
  }
  return status == CAIRO_STATUS_SUCCESS
         || odl_error_set (error, ODL_ERROR_TOO_LARGE,
                           _ ("The drawing cannot be written (%s)."),
                           cairo_status_to_string (status));
}

static bool
write_png (const OdlDrawing *drawing, OdlOutput *output, GError **error)
{
  Stream stream = { output, NULL };
  cairo_surface_t *surface = cairo_image_surface_create (
      CAIRO_FORMAT_RGB24, PNG_SCALE * drawing->width, PNG_SCALE * drawing->height);
  cairo_t *cr = cairo_create (surface);

  cairo_scale (cr, PNG_SCALE, PNG_SCALE);
  draw (drawing, cr);
  cairo_destroy (cr);
  const cairo_status_t status
      = cairo_surface_write_to_png_stream (surface, write_cb, &stream);
  cairo_surface_destroy (surface);
  return end (&stream, status, error);
}

static bool
write_pdf (const OdlDrawing *drawing, OdlOutput *output, GError **error)
{
  Stream stream = { output, NULL };
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (
      write_cb, &stream, drawing->width, drawing->height);
  cairo_t *cr = cairo_create (surface);

  // The same drawing is the same file.
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, NULL);
  draw (drawing, cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  const cairo_status_t status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return end (&stream, status, error);
}

static const struct {
  const char *ending;
  bool (*write) (const OdlDrawing *drawing, OdlOutput *output, GError **error);
} formats[] = {
  [ODL_DRAWING_SVG] = { ".svg", write_svg },
  [ODL_DRAWING_PNG] = { ".png", write_png },
  [ODL_DRAWING_PDF] = { ".pdf", write_pdf },
};

bool
odl_drawing_format (const char *path, OdlDrawingFormat *format)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_has_suffix (lower, formats[i].ending)) {
      *format = (OdlDrawingFormat) i;
      return true;
    }
  return false;
}

bool
odl_drawing_write (const OdlDrawing *drawing,
                   OdlDrawingFormat format,
                   OdlOutput *output,
                   GError **error)
{
  return formats[format].write (drawing, output, error);
}
