// SPDX-License-Identifier: MIT
// What the panes of a window have in common with the active one, each when switched on:
// zoom and place, the slice by its position in the patient, grey levels, the clock. The
// active pane leads; the others follow it. Main thread.
//
// Actions, all on or off: link-view, link-slices, link-window, link-time; link-all.
#pragma once

#include "widgets/window/layout/pane.h"

typedef struct _OdlLinks OdlLinks;

// `panes`: OdlPane, borrowed, of the layout.
OdlLinks *odl_links_new (const OdlWindowParts *parts, const GPtrArray *panes);
void odl_links_free (OdlLinks *links);
void odl_links_add_actions (OdlLinks *links);

// Follows what a pane does from now on.
void odl_links_add (OdlLinks *links, OdlPane *pane);

// Another pane is active, or there are others.
void odl_links_update (OdlLinks *links);
