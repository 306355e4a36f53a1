// SPDX-License-Identifier: MIT
// Histograms of the bands that a filter of thresholds or gains reads, as frames go by;
// the threshold is drawn in, or what the gain makes of them, and dragged there: a page of
// the lab pane (side.h). Its widget has the data ODL_BAND_HISTOGRAMS. For tests, in the
// main thread.
#pragma once

#include <gtk/gtk.h>

#include "widgets/lab/side.h"

#define ODL_BAND_HISTOGRAMS "bands"

// The threshold, or gain, that is drawn, and what moves it; the number of coefficients of
// a band that were counted, the share up to its threshold, and their σ.
typedef struct {
  double threshold, n, zeroed, sigma;
} OdlBandShown;
// `band` is one of OdlMetered: an OdlDetailBand, or of the dual tree an orientation.
OdlBandShown odl_band_histograms_shown (GtkWidget *widget, int level, int band);
void odl_band_histograms_drag (GtkWidget *widget, int level, int band, double value);
