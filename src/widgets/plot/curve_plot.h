// SPDX-License-Identifier: MIT
// Two curves over one axis, such as a function of analysis and of synthesis. Main
// thread.
#pragma once

#include <gtk/gtk.h>

#define ODL_TYPE_CURVE_PLOT (odl_curve_plot_get_type ())
G_DECLARE_FINAL_TYPE (OdlCurvePlot, odl_curve_plot, ODL, CURVE_PLOT, GtkWidget)

// `title` is translated, and what it is called.
GtkWidget *odl_curve_plot_new (const char *title);

// Values at equal distances; copied. `n` is 0, where there is no such curve, or 2 or
// more.
typedef struct {
  int n;
  double first, step;
  const double *values;
} OdlPlotted;

// Shows these two, the second in the accent colour, and then the first dashed. `unit` of
// the places is translated.
void
odl_curve_plot_set (OdlCurvePlot *plot, const OdlPlotted curves[2], const char *unit);

// A curve that is shown, whose values are borrowed until others are.
OdlPlotted odl_curve_plot_get (OdlCurvePlot *plot, int curve);

// The value of a curve at the nearest place; NAN beyond its ends.
double odl_curve_plot_at (OdlCurvePlot *plot, int curve, double place);
