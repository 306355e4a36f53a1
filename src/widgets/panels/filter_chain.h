// SPDX-License-Identifier: MIT
// The filters of a recipe in their order, what each does, and below them the card of the
// one that is selected: what was added, moved or changed last, or clicked. Main thread.
//
// Signals:
//   selected ()  odl_filter_chain_selected may be another one
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

#define ODL_TYPE_FILTER_CHAIN (odl_filter_chain_get_type ())
G_DECLARE_FINAL_TYPE (OdlFilterChain, odl_filter_chain, ODL, FILTER_CHAIN, GtkWidget)

void odl_filter_chain_set_up (OdlFilterChain *chain, OdlSession *session);

// Card and row of filter number `item`; NULL: there is none. A chain of one has no rows.
GtkWidget *odl_filter_chain_card (OdlFilterChain *chain, int item);
GtkWidget *odl_filter_chain_row (OdlFilterChain *chain, int item);

// Shows the card of filter number `item`, and hides that of the one before. A click on
// the row of what is selected, or Enter, folds its card, or unfolds it.
void odl_filter_chain_select (OdlFilterChain *chain, int item);
int odl_filter_chain_selected (const OdlFilterChain *chain);
bool odl_filter_chain_is_folded (const OdlFilterChain *chain);

void odl_filter_chain_add (OdlFilterChain *chain, const OdlFilter *filter);

// `by_button`: of the card, on which the focus stays.
void odl_filter_chain_move (OdlFilterChain *chain, int from, int to, bool by_button);

// Adds a card that does nothing yet, and opens its list of names, which gets what is
// typed meanwhile.
void odl_filter_chain_search (OdlFilterChain *chain);
