// SPDX-License-Identifier: MIT
// Where the lab pane stands: below the picture, as high as somebody dragged it, or in a
// window of its own, which puts it back when it is closed. Main thread.
//
// Actions: show-lab, detach-lab, lab-page (the name of a page), save-lab (“csv”, “svg” or
// “png”: asks where).
#pragma once

#include "widgets/lab/lab_pane.h"

typedef struct _OdlLab OdlLab;

OdlLab *odl_lab_new (const OdlWindowParts *parts);
void odl_lab_stop (OdlLab *lab); // the window is disposed
void odl_lab_keep (OdlLab *lab); // its size, when the window closes

// Shown where it is wanted and there is a picture, and not in full screen.
void odl_lab_update (OdlLab *lab);

// Shows a page of it.
void odl_lab_show_page (OdlLab *lab, const char *page);

OdlLabPane *odl_lab_widget (OdlLab *lab); // borrowed
GtkWindow *odl_lab_window (OdlLab *lab); // borrowed; NULL: it stands below the picture
