// SPDX-License-Identifier: MIT
// A selection that the program makes and nobody else: the row of what the canvas shows.
// A list highlights rows that the pointer passes or the focus enters; here these change
// nothing, and only opening does. Main thread.
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

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

G_END_DECLS
