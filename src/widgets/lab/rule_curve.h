// SPDX-License-Identifier: MIT
// The curve of a filter that shrinks coefficients: what is left of one, by the rule in
// force, a page of the lab pane (side.h). Its widget has the data ODL_RULE_CURVE. Main
// thread.
#pragma once

#include <gtk/gtk.h>

#include "widgets/lab/side.h"

#define ODL_RULE_CURVE "shown"

// For tests: as if the point nearest to a magnitude `at` of a curve that is drawn by hand
// were dragged to `to`, both in thresholds.
void odl_rule_curve_drag (GtkWidget *widget, double at, double to);
