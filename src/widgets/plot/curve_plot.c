// SPDX-License-Identifier: MIT
#include "widgets/plot/curve_plot.h"

#include <math.h>

#include "widgets/plot/axes.h"

#define LEAST_WIDTH 140
#define LEAST_HEIGHT 96
#define DASH ((const double[]){ 5, 3 })
#define BESIDE 0.06 // of the range of values, above and below it

// Owned.
typedef struct {
  int n;
  double *at, *values;
} Curve;

struct _OdlCurvePlot {
  GtkWidget parent_instance;
  Curve curves[2];
  char *unit;
};

G_DEFINE_FINAL_TYPE (OdlCurvePlot, odl_curve_plot, GTK_TYPE_WIDGET)

// The ends of all curves; false: there is nothing to see.
static bool
find_axes (OdlCurvePlot *self, OdlPlotAxes *axes)
{
  double from = INFINITY, to = -INFINITY, least = 0, most = 0;
  for (int c = 0; c < 2; c++) {
    const Curve *curve = &self->curves[c];
    for (int i = 0; i < curve->n; i++) {
      least = fmin (least, curve->values[i]);
      most = fmax (most, curve->values[i]);
    }
    from = curve->n > 0 ? fmin (from, curve->at[0]) : from;
    to = curve->n > 0 ? fmax (to, curve->at[curve->n - 1]) : to;
  }
  if (!(to > from) || !(most > least) || !isfinite (most - least))
    return false;
  const double beside = BESIDE * (most - least);
  *axes = odl_plot_axes_fit (GTK_WIDGET (self), from, to, least - beside, most + beside);
  return true;
}

static void
snapshot_cb (GtkWidget *widget, GtkSnapshot *snapshot)
{
  OdlCurvePlot *self = ODL_CURVE_PLOT (widget);
  GdkRGBA colours[2];
  OdlPlotAxes axes;
  if (!find_axes (self, &axes))
    return;
  odl_plot_axes_colours (widget, colours);
  cairo_t *cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                     (float) gtk_widget_get_height (widget)));
  odl_plot_axes_draw (widget, cr, &axes, &colours[0], self->unit, 1);
  for (int c = 0; c < 2; c++) {
    cairo_set_dash (cr, DASH, 2, 0);
    if (c == 1 || self->curves[1].n == 0)
      cairo_set_dash (cr, NULL, 0, 0);
    odl_plot_axes_draw_curve (cr, &axes, self->curves[c].n, self->curves[c].at,
                              self->curves[c].values, &colours[c]);
  }
  cairo_destroy (cr);
}

static void
curve_clear (Curve *curve)
{
  g_clear_pointer (&curve->at, g_free);
  g_clear_pointer (&curve->values, g_free);
  curve->n = 0;
}

void
odl_curve_plot_set (OdlCurvePlot *self, const OdlPlotted curves[2], const char *unit)
{
  for (int c = 0; c < 2; c++) {
    Curve *curve = &self->curves[c];
    const OdlPlotted *given = &curves[c];
    curve_clear (curve);
    curve->n = given->n;
    curve->at = g_new (double, given->n);
    curve->values = g_memdup2 (given->values, (gsize) given->n * sizeof (double));
    for (int i = 0; i < given->n; i++)
      curve->at[i] = given->first + i * given->step;
  }
  g_free (self->unit);
  self->unit = g_strdup (unit);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

OdlPlotted
odl_curve_plot_get (OdlCurvePlot *self, int c)
{
  const Curve *curve = &self->curves[c];
  return (OdlPlotted){ curve->n, curve->n > 0 ? curve->at[0] : 0,
                       curve->n > 1 ? curve->at[1] - curve->at[0] : 0, curve->values };
}

double
odl_curve_plot_at (OdlCurvePlot *self, int c, double place)
{
  const Curve *curve = &self->curves[c];
  if (curve->n < 2)
    return NAN;
  const double i = round ((place - curve->at[0]) / (curve->at[1] - curve->at[0]));
  return i >= 0 && i < curve->n ? curve->values[(int) i] : NAN;
}

static void
finalize (GObject *object)
{
  OdlCurvePlot *self = ODL_CURVE_PLOT (object);
  curve_clear (&self->curves[0]);
  curve_clear (&self->curves[1]);
  g_free (self->unit);
  G_OBJECT_CLASS (odl_curve_plot_parent_class)->finalize (object);
}

static void
odl_curve_plot_class_init (OdlCurvePlotClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget->snapshot = snapshot_cb;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
odl_curve_plot_init (OdlCurvePlot *self)
{
  gtk_widget_set_size_request (GTK_WIDGET (self), LEAST_WIDTH, LEAST_HEIGHT);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}

GtkWidget *
odl_curve_plot_new (const char *title)
{
  GtkWidget *plot = g_object_new (ODL_TYPE_CURVE_PLOT, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (plot), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title, -1);
  return plot;
}
