// SPDX-License-Identifier: MIT
// The threshold at a trough, in the unit of the picture, and where it lies in the
// histogram.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "config.h"
#include "image/probe.h"
#include "plan/numbers.h"
#include "plan/trough.h"
#include "widgets/panels/measure.h"

#define HEIGHT 64

typedef struct {
  GtkLabel *text;
  GtkWidget *histogram;
  float counts[ODL_TROUGH_MOST_BINS];
  int first, n; // bins that are drawn, from the first with samples to the last
  int bin; // that the threshold lies before; 0: there is none
  bool low; // the low side is kept
} Trough;

#define STATE "trough"

// The largest count of the bins in column x of the drawing.
static double
column_of (const Trough *trough, int x, int width)
{
  const int from = (int) ((int64_t) x * trough->n / width);
  const int to = (int) ((int64_t) (x + 1) * trough->n / width);
  float most = 0;
  for (int i = from; i < MAX (to, from + 1); i++)
    most = MAX (most, trough->counts[trough->first + i]);
  return (double) most;
}

// Bins of samples that become 0 are drawn fainter: black, or white in some X-rays.
static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, void *data)
{
  const Trough *trough = data;
  const int edge
      = trough->bin > 0 && trough->n > 0
            ? (int) round ((double) (trough->bin - trough->first) * width / trough->n)
            : -1;
  double most = 1;
  for (int x = 0; x < width; x++)
    most = MAX (most, column_of (trough, x, width));
  for (int kept = 0; kept < 2; kept++) {
    odl_measure_use_bars (area, cr, kept ? 0.6 : 0.2);
    for (int x = 0; x < width; x++)
      if (kept == (edge < 0 || (x < edge) == trough->low)) {
        const double tall = odl_measure_bar (column_of (trough, x, width), most, height);
        cairo_rectangle (cr, x, height - tall, 1, tall);
      }
    cairo_fill (cr);
  }
  if (edge < 0)
    return;
  odl_measure_use_line (area, cr);
  cairo_rectangle (cr, CLAMP (edge - 1, 0, width - 2), 0, 2, height);
  cairo_fill (cr);
}

static void
take_counts (Trough *trough, const float *numbers, int count)
{
  int first = 0, last = count - 1;
  memcpy (trough->counts, numbers + ODL_TROUGH_HISTOGRAM,
          (size_t) count * sizeof *numbers);
  while (first < last && trough->counts[first] <= 0)
    first++;
  while (last > first && trough->counts[last] <= 0)
    last--;
  trough->first = first;
  trough->n = last - first + 1;
}

static char *
describe (const float *numbers, double fraction, const OdlImage *image)
{
  if (numbers[ODL_TROUGH_FOUND] <= 0)
    return g_strdup (_ ("No threshold in this frame: no trough has a peak beyond it that "
                        "is large enough."));
  g_autofree char *value = odl_probe_fraction_to_text (image, fraction);
  g_autofree char *share = odl_measure_number (100 * (double) numbers[ODL_TROUGH_SHARE]);
  // Translators: a value with its unit, and how many per cent of the picture.
  return g_strdup_printf (
      _ ("Threshold in this frame: %s; the peak beyond it holds %s %% of the picture."),
      value, share);
}

static void
show (GtkWidget *widget, const OdlStep *step, const float *numbers, const OdlImage *image)
{
  Trough *trough = g_object_get_data (G_OBJECT (widget), STATE);
  if (step->kind != ODL_STEP_TROUGH)
    return;
  const OdlTroughBins bins = odl_trough_bins (step->bins, step->parameters.unit);
  // The edge is exact in whole units; the threshold as a fraction has been rounded.
  const double edge = (double) numbers[ODL_TROUGH_EDGE];
  const double fraction = bins.width > 0 ? edge / bins.steps : edge;
  take_counts (trough, numbers, bins.count);
  trough->low = step->parameters.low != 0;
  trough->bin = numbers[ODL_TROUGH_FOUND] <= 0 ? 0
                : bins.width > 0               ? (int) (edge / bins.width)
                                               : (int) round (edge * bins.count);
  g_autofree char *text = describe (numbers, fraction, image);
  gtk_label_set_text (trough->text, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (trough->histogram),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_queue_draw (trough->histogram);
}

static GtkWidget *
make (int levels)
{
  Trough *trough = g_new0 (Trough, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *text = odl_measure_text (_ ("Nothing is measured yet."));
  (void) levels;
  g_object_set_data_full (G_OBJECT (box), STATE, trough, g_free);
  trough->text = GTK_LABEL (text);
  trough->histogram = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role",
                                    GTK_ACCESSIBLE_ROLE_IMG, NULL);
  gtk_widget_set_size_request (trough->histogram, -1, HEIGHT);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (trough->histogram), draw_cb, trough,
                                  NULL);
  gtk_box_append (GTK_BOX (box), text);
  gtk_box_append (GTK_BOX (box), trough->histogram);
  gtk_box_append (GTK_BOX (box),
                  odl_measure_caption (_ ("Histogram; what is faint is removed")));
  return box;
}

const OdlMeasure odl_trough_measure = {
  .filter = ODL_FILTER_TROUGH_THRESHOLD,
  .make = make,
  .show = show,
};
