// SPDX-License-Identifier: MIT
#include "widgets/lab/lab_file.h"

#include <cairo-svg.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"

#define BORDER 12.0 // about a drawing, logical pixels
#define SCALE 2.0 // pixels of a PNG for each

static cairo_status_t
append_cb (void *bytes, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (bytes, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
draw (GtkWidget *widget, cairo_t *cr)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GdkRGBA ground;
  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (widget),
                                       "window_bg_color", &ground))
    ground = (GdkRGBA){ 1, 1, 1, 1 };
  gdk_cairo_set_source_rgba (cr, &ground);
  cairo_paint (cr);
  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (widget),
                          gtk_widget_get_height (widget));
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
  cairo_translate (cr, BORDER, BORDER);
  if (node)
    gsk_render_node_draw (node, cr);
}

// As lines and letters, or as pixels. Transfer full.
static GByteArray *
drawing_of (GtkWidget *widget, bool is_svg)
{
  GByteArray *bytes = g_byte_array_new ();
  const double width = gtk_widget_get_width (widget) + 2 * BORDER;
  const double height = gtk_widget_get_height (widget) + 2 * BORDER;
  cairo_surface_t *surface
      = is_svg ? cairo_svg_surface_create_for_stream (append_cb, bytes, width, height)
               : cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) (SCALE * width),
                                             (int) (SCALE * height));
  cairo_t *cr = cairo_create (surface);
  if (!is_svg)
    cairo_scale (cr, SCALE, SCALE);
  draw (widget, cr);
  cairo_destroy (cr);
  if (!is_svg)
    cairo_surface_write_to_png_stream (surface, append_cb, bytes);
  cairo_surface_finish (surface);
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    g_byte_array_set_size (bytes, 0);
  cairo_surface_destroy (surface);
  return bytes;
}

static bool
has_nothing (GError **error)
{
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("The lab bench shows nothing yet that could be saved."));
}

bool
odl_lab_file_save (OdlLabPane *pane, const char *path, GError **error)
{
  GtkWidget *plot = odl_lab_pane_plot (pane);
  const bool is_svg = g_str_has_suffix (path, ".svg");
  if (g_str_has_suffix (path, ".csv")) {
    g_autofree char *table = odl_lab_pane_to_csv (pane);
    return table ? g_file_set_contents (path, table, -1, error) : has_nothing (error);
  }
  if (!is_svg && !g_str_has_suffix (path, ".png"))
    return odl_error_set (error, ODL_ERROR_USAGE, _ ("%s: choose .csv, .svg or .png"),
                          path);
  if (!plot)
    return has_nothing (error);
  g_autoptr (GByteArray) bytes = drawing_of (plot, is_svg);
  return bytes->len > 0 ? g_file_set_contents (path, (const char *) bytes->data,
                                               (gssize) bytes->len, error)
                        : odl_error_set (error, ODL_ERROR_TOO_LARGE,
                                         _ ("%s: there is no memory for it"), path);
}
