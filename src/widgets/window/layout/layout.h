// SPDX-License-Identifier: MIT
// One to four panes of the window. One of them is active: panels, transport, keys, menus
// and title are about it, by session, playback, viewport, page and filter panel of the
// window's parts. Main thread.
//
// Actions: layout (“1x1”, “1x2”, “2x1”, “2x2”; rows first), next-pane (±1), pane-alone,
// close-pane, open-in-other (a location), and those of links.h.
#pragma once

#include "widgets/window/layout/pane.h"

#define ODL_MOST_PANES 4

typedef struct _OdlLayout OdlLayout;

// Makes the first pane, and sets what of `parts` is about the active one.
OdlLayout *odl_layout_new (OdlWindowParts *parts);
void odl_layout_add_actions (OdlLayout *layout); // when all other parts are there
void odl_layout_start (OdlLayout *layout); // the window is up
void odl_layout_stop (OdlLayout *layout); // the window is disposed

int odl_layout_count (const OdlLayout *layout);
OdlPane *odl_layout_nth (const OdlLayout *layout, int n);
OdlPane *odl_layout_active (const OdlLayout *layout);
bool odl_layout_is_active (const OdlLayout *layout, const OdlPane *pane);

// Makes a pane active. The window emits “pane-changed” when it was not.
void odl_layout_activate (OdlLayout *layout, OdlPane *pane);
// The same for the one at a position of the window, if there is one.
void odl_layout_activate_at (OdlLayout *layout, double x, double y);

// Shows the active pane alone, or all of them again.
void odl_layout_set_alone (OdlLayout *layout, bool alone);
bool odl_layout_alone (const OdlLayout *layout);

// After what a pane shows has changed.
void odl_layout_update (OdlLayout *layout);

// Whether there is a picture in a pane that is seen, which no page covers, or one that
// moves.
bool odl_layout_shows (const OdlLayout *layout, bool moving);

// Whether one of these has no corners that tell of grey levels and zoom.
bool odl_layout_lacks_corners (const OdlLayout *layout);

// Down to where the lowest panes are free between `left` and `right`, which are, as the
// lower edge `bottom` of all, in coordinates of `widget`: as odl_viewport_words_top.
int odl_layout_words_top (const OdlLayout *layout,
                          GtkWidget *widget,
                          int left,
                          int right,
                          int bottom);

// “Pane 2 of 4. ”, with a blank at its end; empty when there is one. Transfer full.
char *odl_layout_words (const OdlLayout *layout, const OdlPane *pane);
