// SPDX-License-Identifier: MIT
// Panes beside and below each other, all of one size; where the last row is not full, its
// panes share its width. Main thread.
#pragma once

#include <gtk/gtk.h>

#define ODL_TYPE_PANE_GRID (odl_pane_grid_get_type ())
G_DECLARE_FINAL_TYPE (OdlPaneGrid, odl_pane_grid, ODL, PANE_GRID, GtkWidget)

// Its children are laid out in their order, those that are not visible take no room.
void odl_pane_grid_append (OdlPaneGrid *grid, GtkWidget *child);

// At first 1.
void odl_pane_grid_set_columns (OdlPaneGrid *grid, int n_columns);
