// SPDX-License-Identifier: MIT
// The coefficients that a filter leaves as a picture of all bands, and how much of each
// level's energy stays: a page of the lab pane (side.h). Its widget has the data
// ODL_BANDS_PAGE. For tests, in the main thread.
#pragma once

#include "widgets/lab/side.h"

#define ODL_BANDS_PAGE "bands-page"

// Whether there is a picture; the share of the energy that stays of a level, from 0 on.
bool odl_bands_page_is_shown (GtkWidget *widget);
double odl_bands_page_left (GtkWidget *widget, int level);
