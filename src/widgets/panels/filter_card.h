// SPDX-License-Identifier: MIT
// One filter of the chain: a drop-down to choose it, buttons to move and remove it, and a
// row for each of its parameters. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

#define ODL_TYPE_FILTER_CARD (odl_filter_card_get_type ())
G_DECLARE_FINAL_TYPE (OdlFilterCard, odl_filter_card, ODL, FILTER_CARD, GtkWidget)

// For filter number `item`. A recipe without filters has one card, which shows
// pass-through.
GtkWidget *odl_filter_card_new (OdlSession *session, int item);

// Shows the values of the session's recipe. False when the card does not fit the recipe
// any more (another filter, another number of levels, another place) and must be made
// anew.
bool odl_filter_card_update (OdlFilterCard *card);

const OdlFilter *odl_filter_card_filter (const OdlFilterCard *card);

// Puts the focus on the drop-down that says which filter it is.
void odl_filter_card_focus_chooser (OdlFilterCard *card);

// Puts the focus on the button that moves the filter earlier (−1) or later (1), or on the
// other one where that has come to the end.
void odl_filter_card_focus_mover (OdlFilterCard *card, int by);
