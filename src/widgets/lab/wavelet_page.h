// SPDX-License-Identifier: MIT
// What the wavelet of a filter looks like: scaling function, wavelet and what its filters
// let through, a page of the lab pane (side.h). Its widget has the data ODL_WAVELET_PAGE.
// For tests, in the main thread.
#pragma once

#include "widgets/lab/side.h"
#include "widgets/plot/curve_plot.h"

#define ODL_WAVELET_PAGE "wavelet-page"

// Scaling function, wavelet, gains of the low-pass and of the high-pass filter. Of each
// the first curve is that of the analysis, the second one of the synthesis, where that
// is another one.
#define ODL_WAVELET_PLOTS 4
OdlCurvePlot *odl_wavelet_page_plot (GtkWidget *widget, int plot);
