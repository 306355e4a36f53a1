// SPDX-License-Identifier: MIT
// The axes of a plot: a frame with numbers at its left and below it, and curves in it.
// Main thread.
#pragma once

#include <gtk/gtk.h>

// Where the curves lie in the widget, logical pixels, and what the edges mean.
typedef struct {
  double x, y, width, height;
  double from, to; // across
  double least, most; // up
} OdlPlotAxes;

// The distance of the numbers on an axis that is `range` long, so that there are about
// `most`: 1, 2 or 5 times a power of ten; and a number that stands at such a distance of
// others, as people write it. Transfer full.
double odl_plot_axes_step (double range, int most);
char *odl_plot_axes_number (double value, double step);

// Fills the widget but for the room that the numbers take. `from` and `to` differ, as do
// the others.
OdlPlotAxes
odl_plot_axes_fit (GtkWidget *widget, double from, double to, double least, double most);

double odl_plot_axes_x (const OdlPlotAxes *axes, double at);
double odl_plot_axes_y (const OdlPlotAxes *axes, double value);

// Numbers and the lines across. `unit` stands behind the last number below; its numbers
// are `factor` times what they are in `axes`.
void odl_plot_axes_draw (GtkWidget *widget,
                         cairo_t *cr,
                         const OdlPlotAxes *axes,
                         const GdkRGBA *ink,
                         const char *unit,
                         double factor);

// A line through `n` points.
void odl_plot_axes_draw_curve (cairo_t *cr,
                               const OdlPlotAxes *axes,
                               int n,
                               const double *at,
                               const double *values,
                               const GdkRGBA *colour);

// The colours of the first and of the second curve: that of the text, and the accent.
void odl_plot_axes_colours (GtkWidget *widget, GdkRGBA colours[2]);
