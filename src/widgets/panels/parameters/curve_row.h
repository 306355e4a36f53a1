// SPDX-License-Identifier: MIT
// The curve of a filter that shrinks coefficients, in its card: what is left of one, by
// the rule in force. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

// Whether the card of a filter has one.
bool odl_curve_row_suits (const OdlFilter *filter);

GtkWidget *odl_curve_row_new (OdlSession *session, int item);

// For tests: as if the point nearest to a magnitude `at` of a curve that is drawn by hand
// were dragged to `to`, both in thresholds.
void odl_curve_row_drag (GtkWidget *row, double at, double to);
