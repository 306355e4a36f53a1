// SPDX-License-Identifier: MIT
// One filter in the list of a chain: its place, name, numbers, a switch, and a handle by
// which it is dragged to another place. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

#define ODL_TYPE_OVERVIEW_ROW (odl_overview_row_get_type ())
G_DECLARE_FINAL_TYPE (OdlOverviewRow, odl_overview_row, ODL, OVERVIEW_ROW, GtkListBoxRow)

// For filter number `item`. Moves activate the action “panel.move”.
GtkWidget *odl_overview_row_new (OdlSession *session, int item);

// Shows the session's recipe, which has that filter.
void odl_overview_row_update (OdlOverviewRow *row);

// Whether the card of the filter is seen below, as an arrow says.
void odl_overview_row_set_unfolded (OdlOverviewRow *row, bool unfolded);

// As if row `dragged` of the same chain had been dropped before, or behind, `row`.
void odl_overview_row_drop (OdlOverviewRow *row, OdlOverviewRow *dragged, bool behind);
