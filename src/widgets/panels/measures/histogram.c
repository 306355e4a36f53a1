// SPDX-License-Identifier: MIT
#include "widgets/panels/measures/histogram.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/plot/axes.h"

#define HEIGHT 96
#define MOST_ROWS 512 // that are looked at, and columns
#define BESIDE 0.06 // of the range, left and right of it
#define STRIP 14.0 // for the numbers below it, logical pixels
#define NUMBERS 0.75 // of the size of other letters
#define MOST_NUMBERS 5
#define GRIP 8.0 // logical pixels about an end of the window
#define KEY_STEP 0.01 // of the range

typedef enum { NOTHING, LOW_END, HIGH_END, WHOLE } Grip;

struct _OdlHistogram {
  GtkWidget parent;
  bool shown; // there is a picture
  OdlHistogramCounts counts;
  double centre, width; // of the window
  Grip grip;
  double first_centre, first_width; // when the drag began
};

G_DEFINE_FINAL_TYPE (OdlHistogram, odl_histogram, GTK_TYPE_WIDGET)

enum { CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

// ---- Counting ------------------------------------------------------------------------

// One row of values, of colours of luma.
static void
read_row (const OdlImage *image, int y, float *line, float *channel)
{
  static const float weights[] = { 0.2126f, 0.7152f, 0.0722f };
  const OdlImageInfo *info = odl_image_info (image);
  const int width = info->extent.x;

  if (info->ycbcr.used) {
    float *const rgb[] = { channel, channel + width, channel + 2 * width };
    odl_image_rgb_span (image, 0, width, y, rgb);
  } else {
    for (int c = 0; c < MIN (info->channels, 3); c++)
      odl_image_scaled_row (image, c, y, 0, 0, channel + (gsize) c * width);
  }
  const bool grey = !info->ycbcr.used && info->channels < 3;
  for (int x = 0; x < width; x++)
    line[x] = grey ? channel[x]
                   : weights[0] * channel[x] + weights[1] * channel[width + x]
                         + weights[2] * channel[2 * width + x];
}

static double
value_of (const OdlImageInfo *info, float scaled)
{
  const double range = info->ycbcr.used ? 255 : info->stored_max - info->stored_min;
  const double stored = (info->ycbcr.used ? 0 : info->stored_min) + range * scaled;

  return info->channels == 1 && !info->ycbcr.used
             ? info->value_map.slope * stored + info->value_map.intercept
             : stored;
}

void
odl_histogram_count (const OdlImage *image,
                     const OdlImage *came,
                     OdlHistogramCounts *counts)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlImageInfo *unit = odl_image_info (came ? came : image);
  const int width = info->extent.x, height = info->extent.y;
  const int down = (height + MOST_ROWS - 1) / MOST_ROWS;
  const int across = (width + MOST_ROWS - 1) / MOST_ROWS;
  g_autofree float *line = g_new (float, width);
  g_autofree float *channel = g_new (float, 3 * (gsize) width);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  *counts = (OdlHistogramCounts){ .least = INFINITY, .most = -INFINITY };
  for (int y = 0; y < height; y += down) {
    read_row (image, y, line, channel);
    for (int x = 0; x < width; x += across) {
      const double value = value_of (unit, line[x]);
      if (!isfinite (value))
        continue;
      counts->least = fmin (counts->least, value);
      counts->most = fmax (counts->most, value);
      g_array_append_val (values, value);
    }
  }
  if (values->len == 0)
    counts->least = counts->most = 0;
  const double range = counts->most - counts->least;
  for (guint i = 0; range > 0 && i < values->len; i++) {
    const double at = (g_array_index (values, double, i) - counts->least) / range;
    counts->counts[MIN ((int) (at * ODL_HISTOGRAM_BINS), ODL_HISTOGRAM_BINS - 1)]++;
  }
}

// ---- Places --------------------------------------------------------------------------

static double
range_of (const OdlHistogram *self)
{
  return self->counts.most > self->counts.least ? self->counts.most - self->counts.least
                                                : 1;
}

double
odl_histogram_place (OdlHistogram *self, double value)
{
  return (BESIDE + (value - self->counts.least) / range_of (self)) / (1 + 2 * BESIDE);
}

// Of so many pixels of the widget.
static double
value_of_pixels (OdlHistogram *self, double pixels)
{
  return pixels / MAX (gtk_widget_get_width (GTK_WIDGET (self)), 1) * (1 + 2 * BESIDE)
         * range_of (self);
}

// ---- Drawing -------------------------------------------------------------------------

static double
bars_height (OdlHistogram *self)
{
  return fmax (gtk_widget_get_height (GTK_WIDGET (self)) - STRIP, 1);
}

// Values below the bars.
static void
snapshot_numbers (OdlHistogram *self, GtkSnapshot *snapshot, const GdkRGBA *colour)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double step = odl_plot_axes_step (range_of (self), MOST_NUMBERS);
  const int first = (int) ceil (self->counts.least / step - 1e-9);
  const int last = (int) floor (self->counts.most / step + 1e-9);
  for (int i = first; i <= last; i++) {
    g_autofree char *text = odl_plot_axes_number (i * step, step);
    g_autoptr (PangoLayout) layout
        = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
    g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
    int wide;
    pango_attr_list_insert (attributes, pango_attr_scale_new (NUMBERS));
    pango_layout_set_attributes (layout, attributes);
    pango_layout_get_pixel_size (layout, &wide, NULL);
    const double x = width * odl_histogram_place (self, i * step) - wide / 2.0;
    gtk_snapshot_save (snapshot);
    gtk_snapshot_translate (snapshot,
                            &GRAPHENE_POINT_INIT ((float) CLAMP (x, 0, width - wide),
                                                  (float) bars_height (self)));
    gtk_snapshot_append_layout (snapshot, layout, colour);
    gtk_snapshot_restore (snapshot);
  }
}

// Roots, so that rare values are seen beside a black background.
static void
snapshot_bars (OdlHistogram *self, GtkSnapshot *snapshot, const GdkRGBA *colour)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double height = bars_height (self);
  const double step = width / (1 + 2 * BESIDE) / ODL_HISTOGRAM_BINS;
  guint most = 1;

  for (int i = 0; i < ODL_HISTOGRAM_BINS; i++)
    most = MAX (most, self->counts.counts[i]);
  for (int i = 0; i < ODL_HISTOGRAM_BINS; i++) {
    const double high = (height - 4) * sqrt ((double) self->counts.counts[i] / most);
    const double left = width * BESIDE / (1 + 2 * BESIDE) + i * step;
    gtk_snapshot_append_color (snapshot, colour,
                               &GRAPHENE_RECT_INIT ((float) left, (float) (height - high),
                                                    (float) step, (float) high));
  }
}

static void
snapshot_line (GtkSnapshot *snapshot, const GdkRGBA *colour, double x, double height)
{
  gtk_snapshot_append_color (
      snapshot, colour,
      &GRAPHENE_RECT_INIT ((float) round (x) - 1, 0, 2, (float) height));
}

static void
snapshot_cb (GtkWidget *widget, GtkSnapshot *snapshot)
{
  OdlHistogram *self = ODL_HISTOGRAM (widget);
  const double width = gtk_widget_get_width (widget);
  const double height = bars_height (self);
  const double low = width * odl_histogram_place (self, self->centre - self->width / 2);
  const double high = width * odl_histogram_place (self, self->centre + self->width / 2);
  GdkRGBA text, accent;

  if (!self->shown)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &text);
  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (widget),
                                       "accent_color", &accent))
    accent = text;
  const double left = CLAMP (low, 0, width), right = CLAMP (high, 0, width);
  GdkRGBA inside = accent, bars = text;
  inside.alpha = 0.15f;
  bars.alpha = 0.55f;
  gtk_snapshot_append_color (
      snapshot, &inside,
      &GRAPHENE_RECT_INIT ((float) left, 0, (float) (right - left), (float) height));
  snapshot_bars (self, snapshot, &bars);
  snapshot_numbers (self, snapshot, &text);
  if (low >= 0 && low <= width)
    snapshot_line (snapshot, &accent, low, height);
  if (high >= 0 && high <= width)
    snapshot_line (snapshot, &accent, high, height);
}

// ---- Choosing ------------------------------------------------------------------------

static void
choose (OdlHistogram *self, double centre, double width)
{
  g_signal_emit (self, signals[CHOSEN], 0, centre, fmax (width, range_of (self) / 1e6));
}

static void
begin_cb (GtkGestureDrag *drag, double x, double y, OdlHistogram *self)
{
  const double all = gtk_widget_get_width (GTK_WIDGET (self));
  const double low = all * odl_histogram_place (self, self->centre - self->width / 2);
  const double high = all * odl_histogram_place (self, self->centre + self->width / 2);

  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->first_centre = self->centre;
  self->first_width = self->width;
  // The nearer end; of a window as narrow as a grip its middle moves the whole.
  self->grip = WHOLE;
  if (fabs (x - low) <= GRIP && fabs (x - low) < fabs (x - high))
    self->grip = LOW_END;
  else if (fabs (x - high) <= GRIP)
    self->grip = HIGH_END;
}

static void
update_cb (GtkGestureDrag *drag, double dx, double dy, OdlHistogram *self)
{
  const double by = value_of_pixels (self, dx);

  switch (self->grip) {
  case LOW_END:
    choose (self, self->first_centre + fmin (by, self->first_width) / 2,
            self->first_width - by);
    break;
  case HIGH_END:
    choose (self, self->first_centre + fmax (by, -self->first_width) / 2,
            self->first_width + by);
    break;
  case WHOLE:
    choose (self, self->first_centre + by, self->first_width);
    break;
  case NOTHING:
    break;
  }
}

static gboolean
key_cb (GtkEventControllerKey *keys,
        guint key,
        guint code,
        GdkModifierType state,
        OdlHistogram *self)
{
  const double step = KEY_STEP * range_of (self);
  const int by = key == GDK_KEY_Left ? -1 : key == GDK_KEY_Right ? 1 : 0;

  if (by == 0 || !self->shown || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if (state & GDK_SHIFT_MASK)
    choose (self, self->centre, self->width + by * step);
  else
    choose (self, self->centre + by * step, self->width);
  return TRUE;
}

// ---- From outside --------------------------------------------------------------------

void
odl_histogram_set_picture (OdlHistogram *self,
                           const OdlImage *image,
                           const OdlImage *came)
{
  self->shown = image != NULL;
  if (image != NULL)
    odl_histogram_count (image, came, &self->counts);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const OdlHistogramCounts *
odl_histogram_counts (OdlHistogram *self)
{
  return self->shown ? &self->counts : NULL;
}

void
odl_histogram_set_window (OdlHistogram *self, double centre, double width)
{
  self->centre = centre;
  self->width = width;
  g_autofree char *text = g_strdup_printf (_ ("centre %.4g, width %.4g"), centre, width);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

// ---- The object ----------------------------------------------------------------------

static void
odl_histogram_class_init (OdlHistogramClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  widget->snapshot = snapshot_cb;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget, "histogram");
  signals[CHOSEN]
      = g_signal_new ("chosen", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
odl_histogram_init (OdlHistogram *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->width = 1;
  gtk_widget_set_size_request (GTK_WIDGET (self), -1, HEIGHT);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (update_cb), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "ew-resize");
  gtk_widget_set_tooltip_text (
      GTK_WIDGET (self),
      _ ("Values of the picture and the grey levels shown: drag their ends or what lies "
         "between; Left and Right move them, with Shift they change the width"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Values of the picture and the grey levels shown"),
                                  -1);
}
