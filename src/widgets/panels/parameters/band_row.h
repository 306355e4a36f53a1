// SPDX-License-Identifier: MIT
// Histograms of the bands that a filter of thresholds or gains reads, in its card, as
// frames go by; the threshold is drawn in, or what the gain makes of them, and dragged
// there. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

// Whether the card of a filter has one.
bool odl_band_row_suits (const OdlFilter *filter);

GtkWidget *odl_band_row_new (OdlSession *session, int item, int levels);

// For tests: the threshold, or gain, that is drawn, and what moves it; the number of
// coefficients of a band that were counted, the share up to its threshold, and their σ.
typedef struct {
  double threshold, n, zeroed, sigma;
} OdlBandShown;
// `band` is one of OdlMetered: an OdlDetailBand, or of the dual tree an orientation.
OdlBandShown odl_band_row_shown (GtkWidget *row, int level, int band);
void odl_band_row_drag (GtkWidget *row, int level, int band, double value);
