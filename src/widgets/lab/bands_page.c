// SPDX-License-Identifier: MIT
#include "widgets/lab/bands_page.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "session/band_meter.h"
#include "session/band_picture.h"
#include "wavelet/transform.h"
#include "widgets/panels/measures/measure.h"

// Logical pixels.
#define WIDTH 220
#define HEIGHT 150

typedef struct {
  OdlLabSide side;
  OdlBandPictures *pictures;
  cairo_surface_t *shown; // NULL: none yet
  OdlDetails details; // of it
  int left_width; // of its bands that are low along z, or of all
  double left[ODL_MAX_LEVELS];
  GtkWidget *area, *reason;
  GtkLabel *words;
} Page;

static Page *
page_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), ODL_BANDS_PAGE);
}

// ---- the picture ---------------------------------------------------------------------

// Cairo has 32 bits for a pixel, blue in the lowest ones.
static cairo_surface_t *
surface_of (const OdlBandPicture *picture)
{
  cairo_surface_t *surface
      = cairo_image_surface_create (CAIRO_FORMAT_RGB24, picture->width, picture->height);
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy (surface);
    return NULL;
  }
  const int stride = cairo_image_surface_get_stride (surface);
  for (int y = 0; y < picture->height; y++) {
    uint32_t *row = (uint32_t *) (void *) (cairo_image_surface_get_data (surface)
                                           + (gsize) y * (gsize) stride);
    for (int x = 0; x < picture->width; x++) {
      const uint8_t *sample = picture->levels_shown
                              + ((gsize) y * (gsize) picture->width + (gsize) x)
                                    * (gsize) picture->channels;
      const bool colour = picture->channels >= 3;
      row[x] = (uint32_t) sample[0] << 16 | (uint32_t) sample[colour ? 1 : 0] << 8
               | sample[colour ? 2 : 0];
    }
  }
  cairo_surface_mark_dirty (surface);
  return surface;
}

// Between the bands, from the finest level on.
static void
draw_lines (const Page *self, cairo_t *cr, double zoom)
{
  const int all = cairo_image_surface_get_width (self->shown);
  int width = self->left_width;
  int height = cairo_image_surface_get_height (self->shown);
  cairo_set_source_rgba (cr, 1, 1, 1, 0.55);
  cairo_set_line_width (cr, 1);
  for (int i = 1; i * width < all; i++) {
    cairo_move_to (cr, round (i * width * zoom) + 0.5, 0);
    cairo_line_to (cr, round (i * width * zoom) + 0.5, height * zoom);
    cairo_stroke (cr);
  }
  for (int l = 0; l < self->details.levels; l++) {
    const int low = odl_low_count (width), upper = odl_low_count (height);
    const double x = round (low * zoom) + 0.5, y = round (upper * zoom) + 0.5;
    cairo_move_to (cr, x, 0);
    cairo_line_to (cr, x, height * zoom);
    cairo_move_to (cr, 0, y);
    cairo_line_to (cr, width * zoom, y);
    cairo_stroke (cr);
    width = low;
    height = upper;
  }
}

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, void *data)
{
  const Page *self = data;
  if (!self->shown)
    return;
  const int w = cairo_image_surface_get_width (self->shown);
  const int h = cairo_image_surface_get_height (self->shown);
  const double zoom = MIN ((double) width / w, (double) height / h);
  cairo_translate (cr, round ((width - w * zoom) / 2), round ((height - h * zoom) / 2));
  cairo_save (cr);
  cairo_scale (cr, zoom, zoom);
  cairo_set_source_surface (cr, self->shown, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr),
                            zoom >= 1 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
  cairo_paint (cr);
  cairo_restore (cr);
  draw_lines (self, cr, zoom);
}

// ---- following the filter ------------------------------------------------------------

// “Left of the energy: 12 %, 40 %, 90 %; details × 64/16/8”
static char *
words_of (const OdlBandPicture *picture, const double *left)
{
  g_autoptr (GString) shares = g_string_new (NULL), gains = g_string_new (NULL);
  for (int l = 0; l < picture->details.levels; l++) {
    g_autofree char *number = odl_measure_number (100 * left[l]);
    g_string_append_printf (shares, "%s%s %%", l > 0 ? ", " : "", number);
    g_string_append_printf (gains, "%s%d", l > 0 ? "/" : "", picture->told[l]);
  }
  g_autofree char *slices
      = odl_lab_side_slices (picture->first, picture->n_slices, picture->n_all);
  g_autofree char *words = g_strdup_printf (
      // Translators: shares of levels, from the finest one on, then how many times as
      // strong as the picture they are shown.
      _ ("Left of the energy of each level, the finest first: %s; details × %s"),
      shares->str, gains->str);
  return *slices ? g_strdup_printf (
             // Translators: what the numbers are, and of which slices; then the slice
             // whose bands are drawn.
             _ ("%s (%s); drawn is slice %d, at the left what is low along z"), words,
             slices, picture->seen + 1)
                 : g_steal_pointer (&words);
}

static void
made_cb (const OdlBandPicture *picture, void *data)
{
  Page *self = data;
  g_clear_pointer (&self->shown, cairo_surface_destroy);
  self->shown = surface_of (picture);
  self->details = picture->details;
  self->left_width = picture->left_width;
  for (int l = 0; l < ODL_MAX_LEVELS; l++)
    self->left[l] = picture->before[l] > 0 ? picture->after[l] / picture->before[l] : 1;
  g_autofree char *text = words_of (picture, self->left);
  gtk_label_set_text (self->words, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->area),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  gtk_widget_queue_draw (self->area);
}

static void
follow_cb (GtkWidget *widget)
{
  Page *self = page_of (widget);
  OdlFrame *frame = odl_lab_side_frame (&self->side);
  const OdlRecipe *recipe = odl_lab_side_recipe (&self->side);
  const int item = self->side.item;
  const bool suits = item < recipe->n_items && odl_band_meter_suits (recipe, item);
  gtk_widget_set_visible (self->area, suits);
  gtk_widget_set_visible (GTK_WIDGET (self->words), suits);
  gtk_widget_set_visible (self->reason, !suits);
  if (suits && frame && gtk_widget_get_mapped (widget))
    odl_band_pictures_show (self->pictures, frame, self->side.other, item);
}

static void
page_free (void *data)
{
  Page *self = data;
  odl_band_pictures_free (self->pictures);
  g_clear_pointer (&self->shown, cairo_surface_destroy);
  odl_lab_side_release (&self->side);
  g_free (self);
}

static GtkWidget *
make (const OdlLabSide *side)
{
  Page *self = g_new0 (Page, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->side = *side;
  odl_lab_side_hold (&self->side);
  self->pictures = odl_band_pictures_new (made_cb, self);
  self->area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role",
                             GTK_ACCESSIBLE_ROLE_IMG, NULL);
  self->words = GTK_LABEL (odl_measure_caption (""));
  self->reason = odl_measure_caption (
      _ ("There are no bands after filters over time, or over time."));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->area),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filtered Coefficients"), -1);
  gtk_widget_set_size_request (self->area, WIDTH, HEIGHT);
  gtk_widget_set_vexpand (self->area, TRUE);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->area), draw_cb, self, NULL);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->words));
  gtk_box_append (GTK_BOX (box), self->area);
  gtk_box_append (GTK_BOX (box), self->reason);
  g_object_set_data_full (G_OBJECT (box), ODL_BANDS_PAGE, self, page_free);
  odl_lab_side_follow (side, box, follow_cb);
  follow_cb (box);
  return box;
}

static bool
suits (const OdlRecipe *recipe, int item)
{
  return recipe->items[item].filter->domain == ODL_DOMAIN_COEFFICIENT;
}

static void
add_rows (GtkWidget *widget, OdlLabTable *table)
{
  const Page *self = page_of (widget);
  for (int l = 0; self->shown && l < self->details.levels; l++) {
    odl_lab_table_begin (table);
    odl_lab_table_add (table, l + 1);
    odl_lab_table_add (table, self->left[l]);
  }
}

const OdlLabPage odl_lab_bands = {
  .name = "bands",
  .title = N_ ("Bands"),
  .nothing
  = N_ ("Filters of wavelet coefficients, such as Wavelet shrinkage, show here what "
        "they leave of each band."),
  .suits = suits,
  .make = make,
  .columns = "level,energy left",
  .add_rows = add_rows,
};

// ---- for tests -----------------------------------------------------------------------

bool
odl_bands_page_is_shown (GtkWidget *widget)
{
  return page_of (widget)->shown != NULL;
}

double
odl_bands_page_left (GtkWidget *widget, int level)
{
  return page_of (widget)->left[level];
}
