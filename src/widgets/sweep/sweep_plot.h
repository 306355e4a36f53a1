// SPDX-License-Identifier: MIT
// The metric of a sweep as a picture: a curve over one parameter, a map over the first
// two; of further ones the best value counts. Arrow keys, or the pointer, mark a point;
// Enter or a click choose it. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/sweep.h"

#define ODL_TYPE_SWEEP_PLOT (odl_sweep_plot_get_type ())
G_DECLARE_FINAL_TYPE (OdlSweepPlot, odl_sweep_plot, ODL, SWEEP_PLOT, GtkWidget)

// Emits “marked” and “chosen”, each with an OdlSweepRow (a pointer; NULL: none).
GtkWidget *odl_sweep_plot_new (void);

// For the trial, which stays until the next call, without any points; NULL: none.
void odl_sweep_plot_begin (OdlSweepPlot *plot, const OdlTrial *trial);
// Rows stay until the next odl_sweep_plot_begin. Elements are OdlSweepRow.
void odl_sweep_plot_add (OdlSweepPlot *plot, const GPtrArray *rows);
// Marks the point that stands for the row; without telling it.
void odl_sweep_plot_mark (OdlSweepPlot *plot, const OdlSweepRow *row);
// Where a row's point lies in the widget; false: it has none. For tests, too.
bool
odl_sweep_plot_place (OdlSweepPlot *plot, const OdlSweepRow *row, double *x, double *y);
