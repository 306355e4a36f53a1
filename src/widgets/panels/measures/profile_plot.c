// SPDX-License-Identifier: MIT
#include "widgets/panels/measures/profile_plot.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/plot/axes.h"

#define LEAST_MM 0.1 // of a line whose places are in millimetres
#define LEAST_WIDTH 240
#define LEAST_HEIGHT 160
#define BESIDE 0.06 // of the range of values, above and below it

struct _OdlProfilePlot {
  GtkWidget parent;
  OdlProfile profile;
  double at; // of the crosshair; NAN: none
  bool points;
};

G_DEFINE_FINAL_TYPE (OdlProfilePlot, odl_profile_plot, GTK_TYPE_WIDGET)

enum { POINTED, N_SIGNALS };

static guint signals[N_SIGNALS];

// ---- drawing -------------------------------------------------------------------------

static void
find_range (const OdlProfile *profile, double *least, double *most)
{
  *least = INFINITY;
  *most = -INFINITY;
  for (int i = 0; i < profile->n; i++) {
    *least = fmin (*least, profile->before[i]);
    *most = fmax (*most, profile->before[i]);
    if (profile->after) {
      *least = fmin (*least, profile->after[i]);
      *most = fmax (*most, profile->after[i]);
    }
  }
  const double range = *most > *least ? *most - *least : fmax (fabs (*most), 1) * 0.1;
  *least -= BESIDE * range;
  *most += BESIDE * range;
}

static OdlPlotAxes
find_axes (OdlProfilePlot *self)
{
  const double length = self->profile.at[self->profile.n - 1];
  double least, most;

  find_range (&self->profile, &least, &most);
  return odl_plot_axes_fit (GTK_WIDGET (self), 0, length, least, most);
}

static void
set_colour (cairo_t *cr, const GdkRGBA *colour, double alpha)
{
  cairo_set_source_rgba (cr, colour->red, colour->green, colour->blue,
                         colour->alpha * alpha);
}

static int
sample_at (const OdlProfile *profile, double at)
{
  const double length = profile->at[profile->n - 1];

  return (int) CLAMP (round (at / length * (profile->n - 1)), 0, profile->n - 1);
}

static void
draw_crosshair (OdlProfilePlot *self,
                cairo_t *cr,
                const OdlPlotAxes *axes,
                const GdkRGBA colours[2])
{
  const OdlProfile *profile = &self->profile;
  const int i = sample_at (profile, self->at);
  const double x = odl_plot_axes_x (axes, profile->at[i]);
  const double *const curves[] = { profile->before, profile->after };

  set_colour (cr, &colours[0], 0.6);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, round (x) + 0.5, axes->y);
  cairo_line_to (cr, round (x) + 0.5, axes->y + axes->height);
  cairo_stroke (cr);
  for (int c = 0; c < 2; c++)
    if (curves[c]) {
      set_colour (cr, &colours[c], 1);
      cairo_arc (cr, x, odl_plot_axes_y (axes, curves[c][i]), 3.5, 0, 2 * G_PI);
      cairo_fill (cr);
    }
}

static void
snapshot_cb (GtkWidget *widget, GtkSnapshot *snapshot)
{
  OdlProfilePlot *self = ODL_PROFILE_PLOT (widget);
  GdkRGBA colours[2];

  if (self->profile.n < 2)
    return;
  const OdlProfile *profile = &self->profile;
  const OdlPlotAxes axes = find_axes (self);
  const bool is_small = g_str_equal (profile->at_unit, "mm") && axes.to < LEAST_MM;
  odl_plot_axes_colours (widget, colours);
  cairo_t *cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                     (float) gtk_widget_get_height (widget)));
  odl_plot_axes_draw (widget, cr, &axes, &colours[0], is_small ? "µm" : profile->at_unit,
                      is_small ? 1000 : 1);
  odl_plot_axes_draw_curve (cr, &axes, profile->n, profile->at, profile->before,
                            &colours[0]);
  if (profile->after)
    odl_plot_axes_draw_curve (cr, &axes, profile->n, profile->at, profile->after,
                              &colours[1]);
  if (isfinite (self->at))
    draw_crosshair (self, cr, &axes, colours);
  cairo_destroy (cr);
  if (gtk_widget_has_visible_focus (widget))
    gtk_snapshot_render_focus (snapshot, gtk_widget_get_style_context (widget), 0, 0,
                               gtk_widget_get_width (widget),
                               gtk_widget_get_height (widget));
}

// ---- the crosshair -------------------------------------------------------------------

static void
point (OdlProfilePlot *self, double at, bool points)
{
  self->points = points;
  odl_profile_plot_set_at (self, at);
  g_signal_emit (self, signals[POINTED], 0);
}

static void
motion_cb (GtkEventController *motion, double x, double y, OdlProfilePlot *self)
{
  if (self->profile.n < 2)
    return;
  const OdlPlotAxes axes = find_axes (self);
  point (self, CLAMP ((x - axes.x) / axes.width, 0, 1) * axes.to, true);
}

static void
leave_cb (GtkEventController *motion, OdlProfilePlot *self)
{
  point (self, NAN, false);
}

static gboolean
key_cb (GtkEventController *keys,
        guint key,
        guint code,
        GdkModifierType state,
        OdlProfilePlot *self)
{
  const int by = key == GDK_KEY_Left ? -1 : key == GDK_KEY_Right ? 1 : 0;
  const int last = self->profile.n - 1;
  if (by == 0 || last < 1)
    return FALSE;
  const int step = state & GDK_SHIFT_MASK ? MAX (last / 10, 1) : 1;
  const int from
      = isfinite (self->at) ? sample_at (&self->profile, self->at) + by * step : last / 2;
  point (self, self->profile.at[CLAMP (from, 0, last)], true);
  return TRUE;
}

// ---- what is shown -------------------------------------------------------------------

void
odl_profile_plot_take (OdlProfilePlot *self, OdlProfile *profile)
{
  odl_profile_clear (&self->profile);
  self->profile = *profile;
  *profile = (OdlProfile){ 0 };
  if (isfinite (self->at))
    self->at = fmin (self->at, self->profile.at[self->profile.n - 1]);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const OdlProfile *
odl_profile_plot_get (OdlProfilePlot *self)
{
  return &self->profile;
}

double
odl_profile_plot_at (OdlProfilePlot *self)
{
  return self->at;
}

void
odl_profile_plot_set_at (OdlProfilePlot *self, double at)
{
  if (at == self->at || (isnan (at) && isnan (self->at)))
    return;
  self->at = at;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

bool
odl_profile_plot_points (OdlProfilePlot *self)
{
  return self->points;
}

char *
odl_profile_plot_text (OdlProfilePlot *self)
{
  const OdlProfile *profile = &self->profile;

  if (profile->n < 2 || !isfinite (self->at))
    return NULL;
  const int i = sample_at (profile, self->at);
  const OdlMeasurement place = {
    .unit = profile->at_unit, .value = profile->at[i], .after = NAN, .decimals = 1
  };
  const OdlMeasurement value
      = { .unit = profile->unit,
          .value = profile->before[i],
          .after = profile->after ? profile->after[i] : NAN,
          .decimals = odl_scale_decimals_of (
              (profile->n > 1 ? fabs (profile->before[i]) : 0) / 1000) };
  g_autofree char *at = odl_measurement_to_text (&place);
  g_autofree char *values = odl_measurement_to_text (&value);
  return g_strdup_printf ("%s: %s", at, values);
}

// ---- the widget ----------------------------------------------------------------------

static void
finalize (GObject *object)
{
  odl_profile_clear (&ODL_PROFILE_PLOT (object)->profile);
  G_OBJECT_CLASS (odl_profile_plot_parent_class)->finalize (object);
}

static void
odl_profile_plot_class_init (OdlProfilePlotClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget->snapshot = snapshot_cb;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  signals[POINTED]
      = g_signal_new ("pointed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 0);
}

static void
odl_profile_plot_init (OdlProfilePlot *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->at = NAN;
  gtk_widget_set_size_request (GTK_WIDGET (self), LEAST_WIDTH, LEAST_HEIGHT);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Plot of the Profile"), -1);
}

GtkWidget *
odl_profile_plot_new (void)
{
  return g_object_new (ODL_TYPE_PROFILE_PLOT, NULL);
}
