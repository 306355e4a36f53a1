// SPDX-License-Identifier: MIT
// How often each value occurs in the result of either side, with the grey-level window: a
// page of the lab pane (side.h). Its widget has the data ODL_GREY_LEVELS_PAGE. For tests,
// in the main thread.
#pragma once

#include "widgets/lab/side.h"
#include "widgets/panels/measures/histogram.h"

#define ODL_GREY_LEVELS_PAGE "grey-levels-page"

OdlHistogram *odl_grey_levels_page_histogram (GtkWidget *widget);
// What was counted; NULL: nothing. Borrowed.
const OdlImage *odl_grey_levels_page_counted (GtkWidget *widget);
