// SPDX-License-Identifier: MIT
#include "widgets/panels/measure_row.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "config.h"
#include "plan/flow.h"
#include "plan/numbers.h"
#include "widgets/diagnostics.h"

// Numbers that change faster than this cannot be read.
#define PERIOD_MS 100

// One band of one level.
typedef struct {
  float numbers[ODL_BAND_NUMBERS];
  GtkWidget *box;
  GtkWidget *histogram;
  GtkLabel *threshold;
} Cell;

struct _OdlMeasureRow {
  GtkListBoxRow parent_instance;
  OdlSession *session;
  int item;
  int levels;
  GtkLabel *sigma;
  Cell cells[ODL_MAX_LEVELS][ODL_DETAIL_BANDS];
  guint update_id; // 0: nothing new is waiting
};

G_DEFINE_FINAL_TYPE (OdlMeasureRow, odl_measure_row, GTK_TYPE_LIST_BOX_ROW)

static const char *const band_names[ODL_DETAIL_BANDS] = { "HL", "LH", "HH" };

// Magnitudes from 1/16 to 16 times the band's noise, on a logarithmic scale, what is
// beyond at either end; the line is the threshold. Heights are square roots, so that few
// large ones are seen beside many small.
static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, void *data)
{
  const Cell *cell = data;
  GtkStyleContext *style = gtk_widget_get_style_context (GTK_WIDGET (area));
  GdkRGBA colour, accent;
  float most = 1;
  gtk_style_context_get_color (style, &colour);
  if (!gtk_style_context_lookup_color (style, "accent_color", &accent))
    accent = colour;
  for (int i = 0; i < ODL_BAND_BINS; i++)
    most = MAX (most, cell->numbers[ODL_BAND_HISTOGRAM + i]);
  colour.alpha *= 0.4F;
  gdk_cairo_set_source_rgba (cr, &colour);
  for (int i = 0; i < ODL_BAND_BINS; i++) {
    const double share = (double) (cell->numbers[ODL_BAND_HISTOGRAM + i] / most);
    const double tall = sqrt (share) * height, step = (double) width / ODL_BAND_BINS;
    cairo_rectangle (cr, i * step, height - tall, step, tall);
  }
  cairo_fill (cr);
  const double noise = (double) cell->numbers[ODL_BAND_NOISE];
  if (!(noise > 0))
    return;
  const double place
      = odl_band_place ((double) cell->numbers[ODL_BAND_THRESHOLD] / noise);
  const double x = CLAMP (place / ODL_BAND_BINS, 0, 1) * (width - 2);
  gdk_cairo_set_source_rgba (cr, &accent);
  cairo_rectangle (cr, x, 0, 2, height);
  cairo_fill (cr);
}

// Three digits: more would flicker.
static char *
short_number (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (buffer, sizeof buffer, "%.3g", value);
  return odl_diagnostics_number (g_ascii_strtod (buffer, NULL));
}

static void
update_cell (Cell *cell, int level, OdlDetailBand band, const float *numbers)
{
  memcpy (cell->numbers, numbers, sizeof cell->numbers);
  g_autofree char *threshold = short_number ((double) numbers[ODL_BAND_THRESHOLD]);
  g_autofree char *deviation = short_number ((double) numbers[ODL_BAND_DEVIATION]);
  g_autofree char *text
      = g_strdup_printf (_ ("Level %d, band %s: threshold %s, standard deviation %s"),
                         level, band_names[band], threshold, deviation);
  gtk_label_set_text (cell->threshold, threshold);
  gtk_widget_set_tooltip_text (cell->box, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (cell->box),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_queue_draw (cell->histogram);
}

static void
update (OdlMeasureRow *self)
{
  const OdlPlan *plan = NULL;
  const float *numbers = odl_session_observed (self->session, &plan);
  for (int i = 0; numbers && i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const int at = odl_plan_observed_at (plan, step->writes);
    if (step->item != self->item || at < 0 || step->level > self->levels)
      continue;
    if (step->kind == ODL_STEP_NOISE) {
      g_autofree char *sigma = short_number ((double) numbers[at + ODL_NOISE_SIGMA]);
      // Translators: the noise that was measured, a fraction of full scale.
      g_autofree char *text = g_strdup_printf (_ ("Noise in this frame: σ = %s"), sigma);
      gtk_label_set_text (self->sigma, text);
    } else if (step->kind == ODL_STEP_BAYES) {
      for (int b = 0; b < ODL_DETAIL_BANDS; b++)
        update_cell (&self->cells[step->level - 1][b], step->level, b,
                     numbers + at + b * ODL_BAND_NUMBERS);
    }
  }
}

static gboolean
update_cb (void *data)
{
  OdlMeasureRow *self = data;
  self->update_id = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

static void
measured_cb (OdlMeasureRow *self)
{
  if (!self->update_id)
    self->update_id = g_timeout_add (PERIOD_MS, update_cb, self);
}

static GtkWidget *
make_caption (const char *text)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  return label;
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
make_grid (OdlMeasureRow *self)
{
  GtkWidget *grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (grid), 9);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  for (int b = 0; b < ODL_DETAIL_BANDS; b++)
    gtk_grid_attach (GTK_GRID (grid), make_caption (band_names[b]), b + 1, 0, 1, 1);
  for (int l = 0; l < self->levels; l++) {
    g_autofree char *number = g_strdup_printf ("%d", l + 1);
    gtk_grid_attach (GTK_GRID (grid), make_caption (number), 0, l + 1, 1, 1);
    for (int b = 0; b < ODL_DETAIL_BANDS; b++)
      gtk_grid_attach (GTK_GRID (grid), make_cell (&self->cells[l][b]), b + 1, l + 1, 1,
                       1);
  }
  return grid;
}

static void
odl_measure_row_dispose (GObject *object)
{
  OdlMeasureRow *self = ODL_MEASURE_ROW (object);
  g_clear_handle_id (&self->update_id, g_source_remove);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (odl_measure_row_parent_class)->dispose (object);
}

static void
odl_measure_row_class_init (OdlMeasureRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = odl_measure_row_dispose;
}

static void
odl_measure_row_init (OdlMeasureRow *self)
{
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (self), FALSE);
  gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
}

GtkWidget *
odl_measure_row_new (OdlSession *session, int item, int levels)
{
  OdlMeasureRow *self = g_object_new (ODL_TYPE_MEASURE_ROW, NULL);
  self->session = g_object_ref (session);
  self->item = item;
  self->levels = MIN (levels, ODL_MAX_LEVELS);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *sigma = gtk_label_new (_ ("Nothing is measured yet."));
  self->sigma = GTK_LABEL (sigma);
  gtk_label_set_xalign (self->sigma, 0);
  gtk_label_set_wrap (self->sigma, TRUE);
  gtk_widget_add_css_class (box, "parameter");
  gtk_box_append (GTK_BOX (box), sigma);
  gtk_box_append (GTK_BOX (box), make_grid (self));
  gtk_box_append (GTK_BOX (box),
                  make_caption (_ ("Thresholds, in each band’s histogram")));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  g_signal_connect_object (session, "observed", G_CALLBACK (measured_cb), self,
                           G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}
