// SPDX-License-Identifier: MIT
// A selection model that only the program changes: its row is what the canvas shows.
// Pointer and focus, by which GTK's own models select, are ignored. Main thread.
#pragma once

#include <gtk/gtk.h>

#define ODL_TYPE_SHOWN_SELECTION (odl_shown_selection_get_type ())
G_DECLARE_FINAL_TYPE (OdlShownSelection,
                      odl_shown_selection,
                      ODL,
                      SHOWN_SELECTION,
                      GObject)

// Keeps a reference to `model`.
OdlShownSelection *odl_shown_selection_new (GListModel *model);

// GTK_INVALID_LIST_POSITION: no row.
void odl_shown_selection_set (OdlShownSelection *selection, guint position);
guint odl_shown_selection_get (OdlShownSelection *selection);
