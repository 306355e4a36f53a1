// SPDX-License-Identifier: MIT
// The noise, and for each detail band its threshold in a histogram of magnitudes: of
// BayesShrink, and of others that find their thresholds.
#include <glib/gi18n-lib.h>
#include <string.h>

#include "filter/noise.h"
#include "plan/numbers.h"
#include "widgets/panels/measures/measure.h"
#include "widgets/units.h"

// One band of one level.
typedef struct {
  float numbers[ODL_BAND_NUMBERS];
  GtkWidget *box;
  GtkWidget *histogram;
  GtkLabel *threshold;
} Cell;

typedef struct {
  int levels;
  GtkLabel *sigma;
  Cell cells[ODL_MAX_LEVELS][ODL_DETAIL_BANDS];
} Bayes;

#define STATE "bayes"

static const char *const band_names[ODL_DETAIL_BANDS] = { "HL", "LH", "HH" };

// Magnitudes from 1/16 to 16 times the band's noise, on a logarithmic scale, what is
// beyond at either end; the line is the threshold.
static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, void *data)
{
  const Cell *cell = data;
  const double step = (double) width / ODL_BAND_BINS;
  float most = 1;
  for (int i = 0; i < ODL_BAND_BINS; i++)
    most = MAX (most, cell->numbers[ODL_BAND_HISTOGRAM + i]);
  odl_measure_use_bars (area, cr, 0.4);
  for (int i = 0; i < ODL_BAND_BINS; i++) {
    const double count = (double) cell->numbers[ODL_BAND_HISTOGRAM + i];
    const double tall = odl_measure_bar (count, (double) most, height);
    cairo_rectangle (cr, i * step, height - tall, step, tall);
  }
  cairo_fill (cr);
  const double noise = (double) cell->numbers[ODL_BAND_NOISE];
  if (!(noise > 0))
    return;
  const double place
      = odl_band_place ((double) cell->numbers[ODL_BAND_THRESHOLD] / noise);
  const double x = CLAMP (place / ODL_BAND_BINS, 0, 1) * (width - 2);
  odl_measure_use_line (area, cr);
  cairo_rectangle (cr, x, 0, 2, height);
  cairo_fill (cr);
}

// What rounding leaves counts as nothing.
static double
share_of (float value)
{
  return (double) value < ODL_NO_NOISE ? 0 : (double) value;
}

static void
show_cell (Cell *cell,
           int level,
           OdlDetailBand band,
           const float *numbers,
           const OdlImage *image,
           OdlUnit unit)
{
  const double share = share_of (numbers[ODL_BAND_THRESHOLD]);
  memcpy (cell->numbers, numbers, sizeof cell->numbers);
  g_autofree char *number = odl_measure_number (share * odl_units_scale_in (image, unit));
  g_autofree char *threshold = odl_units_amount_in (image, unit, share);
  g_autofree char *deviation
      = odl_units_amount_in (image, unit, share_of (numbers[ODL_BAND_DEVIATION]));
  g_autofree char *text
      = g_strdup_printf (_ ("Level %d, band %s: threshold %s, standard deviation %s"),
                         level, band_names[band], threshold, deviation);
  gtk_label_set_text (cell->threshold, number);
  gtk_widget_set_tooltip_text (cell->box, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (cell->box),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_queue_draw (cell->histogram);
}

static char *
describe_noise (double sigma, const OdlImage *image, OdlUnit unit)
{
  const bool none = sigma < ODL_NO_NOISE;
  g_autofree char *number
      = odl_units_amount_in (image, unit, none ? ODL_NO_NOISE : sigma);
  // Translators: the noise that was measured, with its unit.
  return g_strdup_printf (none ? _ ("No noise in this frame: σ is below %s")
                               : _ ("Noise in this frame: σ = %s"),
                          number);
}

static void
show (GtkWidget *widget,
      const OdlStep *step,
      const float *numbers,
      const OdlImage *image,
      OdlUnit unit)
{
  Bayes *bayes = g_object_get_data (G_OBJECT (widget), STATE);
  if (step->kind == ODL_STEP_NOISE) {
    g_autofree char *text
        = describe_noise ((double) numbers[ODL_NOISE_SIGMA], image, unit);
    gtk_label_set_text (bayes->sigma, text);
  } else if (step->kind == ODL_STEP_BAYES && step->level <= bayes->levels) {
    // Those of one band, where that is a picture, or of all three.
    const int first = MAX (step->band - 1, 0);
    for (int b = first; b < (step->band > 0 ? first + 1 : ODL_DETAIL_BANDS); b++)
      show_cell (&bayes->cells[step->level - 1][b], step->level, b,
                 numbers + (b - first) * ODL_BAND_NUMBERS, image, unit);
  }
}

static GtkWidget *
make_cell (Cell *cell)
{
  cell->box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL,
                            "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
  cell->histogram = gtk_drawing_area_new ();
  gtk_widget_set_size_request (cell->histogram, 48, 32);
  gtk_widget_set_hexpand (cell->histogram, TRUE);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (cell->histogram), draw_cb, cell,
                                  NULL);
  GtkWidget *threshold = gtk_label_new ("–");
  cell->threshold = GTK_LABEL (threshold);
  gtk_widget_add_css_class (threshold, "caption");
  gtk_widget_add_css_class (threshold, "numeric");
  gtk_box_append (GTK_BOX (cell->box), cell->histogram);
  gtk_box_append (GTK_BOX (cell->box), threshold);
  return cell->box;
}

static GtkWidget *
make_grid (Bayes *bayes)
{
  GtkWidget *grid = odl_measure_band_grid (bayes->levels, 1);
  for (int l = 0; l < bayes->levels; l++) {
    for (int b = 0; b < ODL_DETAIL_BANDS; b++)
      gtk_grid_attach (GTK_GRID (grid), make_cell (&bayes->cells[l][b]), b + 1, l + 1, 1,
                       1);
  }
  return grid;
}

static GtkWidget *
make (int levels)
{
  Bayes *bayes = g_new0 (Bayes, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *sigma = odl_measure_text (_ ("Nothing is measured yet."));
  g_object_set_data_full (G_OBJECT (box), STATE, bayes, g_free);
  bayes->levels = MIN (levels, ODL_MAX_LEVELS);
  bayes->sigma = GTK_LABEL (sigma);
  gtk_box_append (GTK_BOX (box), sigma);
  gtk_box_append (GTK_BOX (box), make_grid (bayes));
  gtk_box_append (GTK_BOX (box),
                  odl_measure_caption (_ ("Thresholds, in each band’s histogram")));
  return box;
}

const OdlMeasure odl_bayes_measure = {
  .filter = ODL_FILTER_BAYES_SHRINK,
  .make = make,
  .show = show,
};
