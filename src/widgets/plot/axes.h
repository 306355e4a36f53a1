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
