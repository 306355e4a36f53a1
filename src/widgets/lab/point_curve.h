// SPDX-License-Identifier: MIT
// What a filter makes of each grey level, whatever surrounds it: the curve of those that
// look at one sample alone (page “curves” of the lab pane). Its widget has the data
// ODL_POINT_CURVE. Main thread.
#pragma once

#include "widgets/lab/side.h"
#include "widgets/plot/curve_plot.h"

#define ODL_POINT_CURVE "point-curve"

bool odl_point_curve_suits (const OdlFilter *filter);
GtkWidget *odl_point_curve_new (const OdlLabSide *side);
void odl_point_curve_add_rows (GtkWidget *widget, OdlLabTable *table);

// For tests: its first curve is no change, the second the filter's.
OdlCurvePlot *odl_point_curve_plot (GtkWidget *widget);
