// SPDX-License-Identifier: MIT
// The metric of a sweep as a picture: a curve over one parameter, a map over the first
// two; of filters that stand in for each other a curve for each, over the range of its
// first parameter. Of further ones the best value counts. The pointer shows a point;
// arrow keys or a click mark it; Enter or a double click choose it. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "widgets/sweep/sweep_words.h"

#define ODL_TYPE_SWEEP_PLOT (odl_sweep_plot_get_type ())
G_DECLARE_FINAL_TYPE (OdlSweepPlot, odl_sweep_plot, ODL, SWEEP_PLOT, GtkWidget)

// Emits “shown”, “marked” and “chosen”, each with an OdlSweepRow (a pointer; NULL: none).
GtkWidget *odl_sweep_plot_new (void);

// For the trial of the words, which stay until the next call, without any points; NULL:
// none.
void odl_sweep_plot_begin (OdlSweepPlot *plot, const OdlSweepWords *words);
// Rows stay until the next odl_sweep_plot_begin. Elements are OdlSweepRow.
void odl_sweep_plot_add (OdlSweepPlot *plot, const GPtrArray *rows);
// Marks the point that stands for the row; without telling it.
void odl_sweep_plot_mark (OdlSweepPlot *plot, const OdlSweepRow *row);
// Where a row's point lies in the widget; false: it has none. For tests, too.
bool
odl_sweep_plot_place (OdlSweepPlot *plot, const OdlSweepRow *row, double *x, double *y);
