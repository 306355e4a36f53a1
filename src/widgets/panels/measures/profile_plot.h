// SPDX-License-Identifier: MIT
// Values along a line as a plot: before the filters, and after them where they are known,
// with a crosshair that pointer and arrow keys move. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "image/annotation/profile.h"

#define ODL_TYPE_PROFILE_PLOT (odl_profile_plot_get_type ())
G_DECLARE_FINAL_TYPE (OdlProfilePlot, odl_profile_plot, ODL, PROFILE_PLOT, GtkWidget)

// Emits "pointed" when pointer or keys have moved the crosshair.
GtkWidget *odl_profile_plot_new (void);

// Takes what `profile` holds, which has at least two samples, and leaves it empty.
void odl_profile_plot_take (OdlProfilePlot *plot, OdlProfile *profile);
// Borrowed, until the next one.
const OdlProfile *odl_profile_plot_get (OdlProfilePlot *plot);

// Where the crosshair stands, as a distance from the first end; NAN: nowhere.
double odl_profile_plot_at (OdlProfilePlot *plot);
void odl_profile_plot_set_at (OdlProfilePlot *plot, double at);

// The pointer is over the plot, or the keyboard has placed the crosshair.
bool odl_profile_plot_points (OdlProfilePlot *plot);

// The place and the values there, of the nearest sample: "12.5 mm: 40 → 38.5 HU".
// Transfer full; NULL: there is no crosshair.
char *odl_profile_plot_text (OdlProfilePlot *plot);
