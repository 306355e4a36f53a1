// SPDX-License-Identifier: MIT
// How good the results of A and of B are, beside the picture as it came: against a
// reference, and in the regions that were drawn; a page of the lab pane (side.h). Its
// widget has the data ODL_METRICS_PAGE. For tests, in the main thread.
#pragma once

#include "widgets/lab/side.h"

#define ODL_METRICS_PAGE "metrics-page"

// What stands in the row of that name (OdlStatisticRow) and group: original (0), then A
// and B, or the only result. NULL: there is no such row. Borrowed.
const char *
odl_metrics_page_text (GtkWidget *widget, int group, const char *name, int column);
