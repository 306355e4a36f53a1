// SPDX-License-Identifier: MIT
#include "output/contact_sheet.h"

#include <glib/gi18n-lib.h>
#include <pango/pangocairo.h>
#include <string.h>

#include "base/error.h"

// Grey levels.
#define PAPER 24
#define INK 235

// Pixels.
#define FONT_SIZE 12
#define TEXT_HEIGHT 36
#define GAP 8

struct _OdlContactSheet {
  PangoFontMap *fonts;
  PangoContext *context;
  OdlImage *image;
  uint8_t *samples; // of the image
  int width, height; // of a picture
};

void
odl_contact_sheet_free (OdlContactSheet *sheet)
{
  if (sheet == NULL)
    return;
  g_clear_object (&sheet->context);
  g_clear_object (&sheet->fonts);
  g_clear_pointer (&sheet->image, odl_image_unref);
  g_free (sheet);
}

// A font map of its own, usable on the caller's thread independently of others.
static bool
open_fonts (OdlContactSheet *sheet, GError **error)
{
  g_autoptr (PangoFontDescription) wanted = pango_font_description_from_string ("Sans");

  sheet->fonts = pango_cairo_font_map_new ();
  sheet->context = pango_font_map_create_context (sheet->fonts);
  pango_font_description_set_absolute_size (wanted, FONT_SIZE * PANGO_SCALE);
  pango_context_set_font_description (sheet->context, wanted);
  g_autoptr (PangoFont) font = pango_context_load_font (sheet->context, wanted);
  if (font != NULL)
    return true;
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("No font is installed to label the pictures with. Install "
                           "one, such as fonts-dejavu-core."));
}

OdlContactSheet *
odl_contact_sheet_new (int columns, int rows, int width, int height, GError **error)
{
  g_autoptr (OdlContactSheet) sheet = g_new0 (OdlContactSheet, 1);
  const OdlImageInfo info = { .extent = { GAP + columns * (width + GAP),
                                          GAP + rows * (height + TEXT_HEIGHT + GAP) },
                              .channels = 3,
                              .type = ODL_SAMPLE_U8 };

  sheet->width = width;
  sheet->height = height;
  sheet->image = odl_image_alloc (&info, (void **) &sheet->samples, error);
  if (sheet->image == NULL || !open_fonts (sheet, error))
    return NULL;
  memset (sheet->samples, PAPER, (size_t) info.extent.x * info.extent.y * 3);
  return g_steal_pointer (&sheet);
}

static void
copy_picture (OdlContactSheet *sheet,
              int left,
              int top,
              const OdlImage *shown,
              double centre_x,
              double centre_y)
{
  const OdlImageInfo *info = odl_image_info (shown);
  const OdlPlane *plane = &info->planes[0];
  const size_t stride = (size_t) odl_image_info (sheet->image)->extent.x * 3;
  const int width = MIN (info->extent.x, sheet->width);
  const int height = MIN (info->extent.y, sheet->height);
  const int from_x = CLAMP ((int) (centre_x - width / 2.0), 0, info->extent.x - width);
  const int from_y = CLAMP ((int) (centre_y - height / 2.0), 0, info->extent.y - height);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const uint8_t *from = (const uint8_t *) plane->data
                            + (size_t) (from_y + y) * plane->row_stride_bytes
                            + (size_t) (from_x + x) * plane->sample_stride_bytes;
      uint8_t *to
          = sheet->samples + (size_t) (top + y) * stride + (size_t) (left + x) * 3;
      for (int c = 0; c < 3; c++)
        to[c] = from[info->channels < 3 ? 0 : c];
    }
}

// Coverage of the text's pixels, of the cell's width and TEXT_HEIGHT.
static cairo_surface_t *
render_text (OdlContactSheet *sheet, const char *text)
{
  cairo_surface_t *surface
      = cairo_image_surface_create (CAIRO_FORMAT_A8, sheet->width, TEXT_HEIGHT);
  cairo_t *cairo = cairo_create (surface);
  g_autoptr (PangoLayout) layout = pango_layout_new (sheet->context);

  pango_layout_set_text (layout, text, -1);
  pango_layout_set_width (layout, sheet->width * PANGO_SCALE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  cairo_set_source_rgba (cairo, 1, 1, 1, 1);
  pango_cairo_show_layout (cairo, layout);
  cairo_destroy (cairo);
  cairo_surface_flush (surface);
  return surface;
}

static void
draw_text (OdlContactSheet *sheet, int left, int top, const char *text)
{
  const size_t stride = (size_t) odl_image_info (sheet->image)->extent.x * 3;
  cairo_surface_t *surface = render_text (sheet, text);
  const unsigned char *covered = cairo_image_surface_get_data (surface);
  const size_t row = (size_t) cairo_image_surface_get_stride (surface);

  // Without data the surface is in an error state, and the text is left out.
  for (int y = 0; covered != NULL && y < TEXT_HEIGHT; y++)
    for (int x = 0; x < sheet->width; x++)
      memset (sheet->samples + (size_t) (top + y) * stride + (size_t) (left + x) * 3,
              PAPER + (INK - PAPER) * covered[row * (size_t) y + (size_t) x] / 255, 3);
  cairo_surface_destroy (surface);
}

void
odl_contact_sheet_put (OdlContactSheet *sheet,
                       int column,
                       int row,
                       const OdlImage *shown,
                       double x,
                       double y,
                       const char *text)
{
  const int left = GAP + column * (sheet->width + GAP);
  const int top = GAP + row * (sheet->height + TEXT_HEIGHT + GAP);

  copy_picture (sheet, left, top, shown, x, y);
  draw_text (sheet, left, top + sheet->height + 2, text);
}

OdlImage *
odl_contact_sheet_image (OdlContactSheet *sheet)
{
  return sheet->image;
}
