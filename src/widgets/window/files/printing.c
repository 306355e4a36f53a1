// SPDX-License-Identifier: MIT
#include "widgets/window/files/printing.h"

#include <cairo-pdf.h>
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "config.h"
#include "plan/title.h"
#include "widgets/window/parts.h"

#define MARGIN 36.0 // points
#define GAP 8.0
#define FONT "Sans 9"
#define MOST_LINES 8 // of the page, for each one of a long caption

typedef struct {
  cairo_surface_t *picture;
  char *caption; // its lines
} Sheet;

static void
sheet_free (void *data)
{
  Sheet *sheet = data;
  g_clear_pointer (&sheet->picture, cairo_surface_destroy);
  g_free (sheet->caption);
  g_free (sheet);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Sheet, sheet_free)

static char *
caption_of (const OdlWindowParts *parts)
{
  OdlSession *session = parts->session;
  const OdlFrame *frame = odl_session_frame (session);
  OdlNames *names = odl_names_of (session);
  const OdlRecipe told
      = odl_recipe_with_files_as (odl_session_recipe (session), odl_names_word (names));
  g_autofree char *source = odl_names_of_source (session);
  g_autofree char *title
      = frame ? odl_viewport_title (parts->viewport, frame, &told) : NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format (now, "%F %R");
  g_autofree char *patient = odl_viewport_page_text (parts->viewport);
  g_autofree char *rest = g_strdup_printf (
      // Translators: below a printed picture; a file's name, filters, version and date.
      _ ("%s\n%s\nOndelette %s, for research and teaching, not for diagnosis · %s"),
      source, title ? title : _ ("As it came, without filters"), ODL_VERSION, date);
  return patient ? g_strjoin ("\n", patient, rest, NULL) : g_steal_pointer (&rest);
}

static cairo_surface_t *
surface_of (GdkTexture *texture)
{
  cairo_surface_t *surface
      = cairo_image_surface_create (CAIRO_FORMAT_RGB24, gdk_texture_get_width (texture),
                                    gdk_texture_get_height (texture));
  if (cairo_surface_status (surface) == CAIRO_STATUS_SUCCESS) {
    cairo_surface_flush (surface);
    gdk_texture_download (texture, cairo_image_surface_get_data (surface),
                          (gsize) cairo_image_surface_get_stride (surface));
    cairo_surface_mark_dirty (surface);
  }
  return surface;
}

static Sheet *
sheet_new (const OdlWindowParts *parts, GError **error)
{
  g_autoptr (GdkTexture) texture = odl_viewport_render_picture (parts->viewport, error);
  if (!texture)
    return NULL;
  g_autoptr (Sheet) sheet = g_new0 (Sheet, 1);
  sheet->picture = surface_of (texture);
  sheet->caption = caption_of (parts);
  const cairo_status_t status = cairo_surface_status (sheet->picture);
  if (status == CAIRO_STATUS_SUCCESS)
    return g_steal_pointer (&sheet);
  g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE, "%s",
               cairo_status_to_string (status));
  return NULL;
}

static bool
is_wide (const Sheet *sheet)
{
  return cairo_image_surface_get_width (sheet->picture)
         > cairo_image_surface_get_height (sheet->picture);
}

// How large the picture becomes above the caption, which is as wide as it would be
// without one, but never narrower than half of the page, and never as high: of long texts
// each line of the caption is cut off.
static double
fit_sheet (const Sheet *sheet, PangoLayout *layout, double width, double height)
{
  const int columns = cairo_image_surface_get_width (sheet->picture);
  const int rows = cairo_image_surface_get_height (sheet->picture);
  const double alone = MIN (width / columns, height / rows);
  int text = 0;
  pango_layout_set_width (layout, (int) (MAX (alone * columns, width / 2) * PANGO_SCALE));
  pango_layout_get_pixel_size (layout, NULL, &text);
  for (int lines = MOST_LINES; text > height / 2 && lines > 0; lines--) {
    pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
    pango_layout_set_height (layout, -lines);
    pango_layout_get_pixel_size (layout, NULL, &text);
  }
  return MIN (width / columns, MAX (height - text - GAP, 1) / rows);
}

// As large as it fits above the caption, in the middle; the caption begins with the
// picture where that is wide enough. The page is in points.
static void
draw_sheet (const Sheet *sheet, cairo_t *cr, double width, double height)
{
  g_autoptr (PangoLayout) layout = pango_cairo_create_layout (cr);
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string (FONT);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_text (layout, sheet->caption, -1);
  const double scale = fit_sheet (sheet, layout, width, height);
  const double wide = scale * cairo_image_surface_get_width (sheet->picture);
  const double high = scale * cairo_image_surface_get_height (sheet->picture);
  const double around = width - pango_layout_get_width (layout) / (double) PANGO_SCALE;
  cairo_save (cr);
  cairo_translate (cr, (width - wide) / 2, 0);
  cairo_scale (cr, scale, scale);
  cairo_set_source_surface (cr, sheet->picture, 0, 0);
  cairo_paint (cr);
  cairo_restore (cr);
  cairo_move_to (cr, MIN ((width - wide) / 2, MAX (around, 0)), high + GAP);
  cairo_set_source_rgb (cr, 0, 0, 0);
  pango_cairo_show_layout (cr, layout);
}

// ---- PDF -----------------------------------------------------------------------------

static cairo_status_t
append_cb (void *data, const unsigned char *bytes, unsigned n)
{
  g_byte_array_append (data, bytes, n);
  return CAIRO_STATUS_SUCCESS;
}

GBytes *
odl_print_to_pdf (const OdlWindowParts *parts, GError **error)
{
  g_autoptr (Sheet) sheet = sheet_new (parts, error);
  if (!sheet)
    return NULL;
  g_autoptr (GtkPaperSize) paper = gtk_paper_size_new (NULL);
  double width = gtk_paper_size_get_width (paper, GTK_UNIT_POINTS);
  double height = gtk_paper_size_get_height (paper, GTK_UNIT_POINTS);
  if (is_wide (sheet)) {
    const double longer = height;
    height = width;
    width = longer;
  }
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *page
      = cairo_pdf_surface_create_for_stream (append_cb, bytes, width, height);
  cairo_pdf_surface_set_metadata (page, CAIRO_PDF_METADATA_CREATOR,
                                  "Ondelette " ODL_VERSION);
  cairo_t *cr = cairo_create (page);
  cairo_translate (cr, MARGIN, MARGIN);
  draw_sheet (sheet, cr, width - 2 * MARGIN, height - 2 * MARGIN);
  cairo_show_page (cr);
  const cairo_status_t drawn = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (page);
  const cairo_status_t written = cairo_surface_status (page);
  cairo_surface_destroy (page);
  if (drawn == CAIRO_STATUS_SUCCESS && written == CAIRO_STATUS_SUCCESS)
    return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  g_set_error (error, ODL_ERROR, ODL_ERROR_IO, "%s",
               cairo_status_to_string (drawn ? drawn : written));
  return NULL;
}

// ---- printer -------------------------------------------------------------------------

static void
draw_page_cb (GtkPrintOperation *operation,
              GtkPrintContext *context,
              int number,
              const Sheet *sheet)
{
  draw_sheet (sheet, gtk_print_context_get_cairo_context (context),
              gtk_print_context_get_width (context),
              gtk_print_context_get_height (context));
}

static void
done_cb (GtkPrintOperation *operation, GtkPrintOperationResult result, void *data)
{
  const OdlWindowParts *parts = odl_main_window_parts (data);
  if (result != GTK_PRINT_OPERATION_RESULT_ERROR || !parts)
    return;
  // Only now: without an error GTK would complain.
  g_autoptr (GError) error = NULL;
  gtk_print_operation_get_error (operation, &error);
  g_autofree char *text = g_strdup_printf (
      _ ("The picture could not be printed: %s. Save it as .pdf."), error->message);
  odl_messages_say (parts->messages, text);
}

void
odl_print_picture (const OdlWindowParts *parts)
{
  g_autoptr (GError) error = NULL;
  Sheet *sheet = sheet_new (parts, &error);
  if (!sheet) {
    odl_messages_say (parts->messages, error->message);
    return;
  }
  g_autoptr (GtkPrintOperation) operation = gtk_print_operation_new ();
  g_autoptr (GtkPageSetup) page = gtk_page_setup_new ();
  g_autofree char *job = odl_names_of_source (parts->session);
  gtk_page_setup_set_orientation (page, is_wide (sheet) ? GTK_PAGE_ORIENTATION_LANDSCAPE
                                                        : GTK_PAGE_ORIENTATION_PORTRAIT);
  gtk_print_operation_set_default_page_setup (operation, page);
  gtk_print_operation_set_n_pages (operation, 1);
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_job_name (operation, job);
  gtk_print_operation_set_allow_async (operation, TRUE);
  g_object_set_data_full (G_OBJECT (operation), "odl-sheet", sheet, sheet_free);
  g_signal_connect (operation, "draw-page", G_CALLBACK (draw_page_cb), sheet);
  g_signal_connect_object (operation, "done", G_CALLBACK (done_cb), parts->window, 0);
  // “done” tells what goes wrong here, too.
  gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG,
                           GTK_WINDOW (parts->window), NULL);
}
