// SPDX-License-Identifier: MIT
// The threshold at a trough, in the unit of the picture, and where it lies in the
// histogram, in which it can be dragged.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "image/probe.h"
#include "plan/numbers.h"
#include "plan/trough.h"
#include "widgets/panels/measures/measure.h"

#define HEIGHT 64
#define MARK 5 // height of a trough's mark
#define PAGE 10 // bins

typedef struct {
  GtkLabel *text;
  GtkWidget *histogram;
  float counts[ODL_TROUGH_MOST_BINS];
  int troughs[ODL_TROUGH_MOST_BINS]; // bins that they lie before
  int n_troughs;
  OdlTroughBins bins; // without any, nothing has been measured
  int first, n; // bins that are drawn, from the first with samples to the last
  double edge; // the threshold, in bins; < 0: there is none
  bool low; // the low side is kept
  double grabbed; // where a drag began, x
} Trough;

#define STATE "trough"

// Where an edge between bins is drawn.
static double
place_of (const Trough *trough, double bin, int width)
{
  return CLAMP ((bin - trough->first) * width / MAX (trough->n, 1), 0, width);
}

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
draw_bars (const Trough *trough, GtkDrawingArea *area, cairo_t *cr, int width, int height)
{
  const double edge = trough->edge < 0 ? -1 : place_of (trough, trough->edge, width);
  // What is saturated, or was never exposed, fills the first bin or the last one, and
  // would leave nothing to see of the others: these bars are cut off.
  double most = 1;
  for (int i = 1; i < trough->n - 1; i++)
    most = MAX (most, (double) trough->counts[trough->first + i]);
  for (int kept = 0; kept < 2; kept++) {
    odl_measure_use_bars (area, cr, kept ? 0.6 : 0.2);
    for (int x = 0; x < width; x++)
      if (kept == (edge < 0 || (x < edge) == trough->low)) {
        const double count = MIN (column_of (trough, x, width), most);
        const double tall = odl_measure_bar (count, most, height);
        cairo_rectangle (cr, x, height - tall, 1, tall);
      }
    cairo_fill (cr);
  }
}

// Troughs are marked below the bars, the threshold crosses them.
static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, void *data)
{
  const Trough *trough = data;
  if (trough->n == 0)
    return;
  draw_bars (trough, area, cr, width, height - MARK - 1);
  odl_measure_use_bars (area, cr, 1);
  for (int i = 0; i < trough->n_troughs; i++) {
    const double x = place_of (trough, trough->troughs[i], width);
    cairo_move_to (cr, x, height - MARK);
    cairo_line_to (cr, x - 0.6 * MARK, height);
    cairo_line_to (cr, x + 0.6 * MARK, height);
    cairo_close_path (cr);
  }
  cairo_fill (cr);
  if (trough->edge < 0)
    return;
  odl_measure_use_line (area, cr);
  cairo_rectangle (
      cr, CLAMP (round (place_of (trough, trough->edge, width)) - 1, 0, width - 2), 0, 2,
      height);
  cairo_fill (cr);
}

// ---- setting the threshold -----------------------------------------------------------

static void
set_threshold (Trough *trough, double value)
{
  gtk_widget_activate_action (trough->histogram, "measure.set", "(sd)", "threshold",
                              value);
}

// To an edge in bins; between samples where they are whole.
static void
set_edge (Trough *trough, double edge)
{
  const OdlTroughBins *bins = &trough->bins;
  if (trough->n == 0)
    return;
  edge = CLAMP (edge, trough->first, trough->first + trough->n);
  const double value = bins->width > 0 ? floor (edge * bins->width + 0.5) / bins->steps
                                       : edge / bins->count;
  trough->edge = edge;
  gtk_widget_queue_draw (trough->histogram);
  set_threshold (trough, MIN (value, 1));
}

static void
set_place (Trough *trough, double x)
{
  const int width = MAX (gtk_widget_get_width (trough->histogram), 1);
  set_edge (trough, trough->first + CLAMP (x / width, 0, 1) * trough->n);
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, void *data)
{
  Trough *trough = data;
  (void) gesture, (void) y;
  trough->grabbed = x;
  gtk_widget_grab_focus (trough->histogram);
  set_place (trough, x);
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, void *data)
{
  Trough *trough = data;
  (void) gesture, (void) dy;
  set_place (trough, trough->grabbed + dx);
}

static gboolean
key_cb (GtkEventControllerKey *keys,
        guint key,
        guint code,
        GdkModifierType state,
        void *data)
{
  Trough *trough = data;
  const double edge = trough->edge < 0 ? trough->first + trough->n / 2 : trough->edge;
  (void) keys, (void) code;
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  switch (key) {
  case GDK_KEY_Left:
    set_edge (trough, edge - 1);
    return TRUE;
  case GDK_KEY_Right:
    set_edge (trough, edge + 1);
    return TRUE;
  case GDK_KEY_Page_Down:
    set_edge (trough, edge - PAGE);
    return TRUE;
  case GDK_KEY_Page_Up:
    set_edge (trough, edge + PAGE);
    return TRUE;
  case GDK_KEY_Delete:
  case GDK_KEY_BackSpace:
    set_threshold (trough, ODL_VALUE_AUTO);
    return TRUE;
  default:
    return FALSE;
  }
}

static void
add_controllers (Trough *trough)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), trough);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), trough);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), trough);
  gtk_widget_add_controller (trough->histogram, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (trough->histogram, keys);
  gtk_widget_set_cursor_from_name (trough->histogram, "col-resize");
  gtk_widget_set_focusable (trough->histogram, TRUE);
  gtk_widget_add_css_class (trough->histogram, "threshold");
}

// ---- what was measured ---------------------------------------------------------------

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

static void
find_troughs (Trough *trough, const OdlStep *step, double limit)
{
  const int n = trough->bins.count;
  g_autofree guint32 *counts = g_new (guint32, n);
  for (int i = 0; i < n; i++)
    counts[i] = (guint32) trough->counts[i];
  trough->n_troughs
      = odl_trough_list (counts, n, step->parameters.smoothing, trough->low,
                         ABS (limit) < ODL_TROUGH_NO_EDGE / 2, trough->troughs);
}

static char *
describe (const OdlStep *step,
          const float *numbers,
          double fraction,
          const OdlImage *image,
          OdlUnit unit)
{
  if (numbers[ODL_TROUGH_FOUND] <= 0)
    return g_strdup (_ ("No threshold in this frame: no trough has a peak beyond it that "
                        "is large enough."));
  g_autofree char *value = odl_probe_fraction_to_text (image, fraction, unit);
  if (step->parameters.edge >= 0)
    // Translators: a value with its unit.
    return g_strdup_printf (_ ("Threshold set by hand: %s."), value);
  g_autofree char *share = odl_measure_number (100 * (double) numbers[ODL_TROUGH_SHARE]);
  // Translators: a value with its unit, and how many per cent of the picture.
  return g_strdup_printf (
      _ ("Threshold in this frame: %s; the peak beyond it holds %s %% of the picture."),
      value, share);
}

static void
show (GtkWidget *widget,
      const OdlStep *step,
      const float *numbers,
      const OdlImage *image,
      OdlUnit unit)
{
  Trough *trough = g_object_get_data (G_OBJECT (widget), STATE);
  if (step->kind != ODL_STEP_TROUGH)
    return;
  const OdlTroughBins bins = odl_trough_bins (step->bins, step->parameters.unit);
  // The edge is exact in whole units; the threshold as a fraction has been rounded.
  const double edge = (double) numbers[ODL_TROUGH_EDGE];
  const double fraction = bins.width > 0 ? edge / bins.steps : edge;
  trough->bins = bins;
  take_counts (trough, numbers, bins.count);
  trough->low = step->parameters.low != 0;
  trough->edge = numbers[ODL_TROUGH_FOUND] <= 0 ? -1
                 : bins.width > 0               ? edge / bins.width
                                                : edge * bins.count;
  find_troughs (trough, step, (double) numbers[ODL_TROUGH_LIMIT]);
  g_autofree char *text = describe (step, numbers, fraction, image, unit);
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
  add_controllers (trough);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (trough->histogram), draw_cb, trough,
                                  NULL);
  gtk_box_append (GTK_BOX (box), text);
  gtk_box_append (GTK_BOX (box), trough->histogram);
  gtk_box_append (GTK_BOX (box),
                  odl_measure_caption (_ ("Histogram; what is faint is removed. Drag the "
                                          "threshold; Delete has it found again")));
  return box;
}

const OdlMeasure odl_trough_measure = {
  .filter = ODL_FILTER_TROUGH_THRESHOLD,
  .make = make,
  .show = show,
};
