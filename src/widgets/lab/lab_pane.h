// SPDX-License-Identifier: MIT
// The lab pane: pages about the filters of A and of B beside each other, or of the one
// recipe that there is. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "widgets/window/window.h"

#define ODL_TYPE_LAB_PANE (odl_lab_pane_get_type ())
G_DECLARE_FINAL_TYPE (OdlLabPane, odl_lab_pane, ODL, LAB_PANE, GtkWidget)

GtkWidget *odl_lab_pane_new (const OdlWindowParts *parts);

// The page by its name, which the action “win.lab-page” has; unknown ones are the first.
void odl_lab_pane_set_page (OdlLabPane *pane, const char *name);
const char *odl_lab_pane_page (OdlLabPane *pane);

// What is shown as a table of comma-separated values, with decimal points in all
// languages, and as a widget that can be drawn; NULL: there is nothing yet. Transfer
// full; none.
char *odl_lab_pane_to_csv (OdlLabPane *pane);
GtkWidget *odl_lab_pane_plot (OdlLabPane *pane);

// Another pane of the window is active.
void odl_lab_pane_take_session (OdlLabPane *pane);

// Whether it stands in a window of its own, as its button then says.
void odl_lab_pane_set_detached (OdlLabPane *pane, bool detached);
