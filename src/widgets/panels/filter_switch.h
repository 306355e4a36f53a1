// SPDX-License-Identifier: MIT
// What the row of a filter in the chain and its card have in common: the switch that lets
// it act, and what has to be said of it. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

// For filter `item` of the session's recipe.
GtkWidget *odl_filter_switch_new (OdlSession *session, int item);

// Shows whether it is on in the session's recipe.
void odl_filter_switch_update (GtkWidget *toggle);

// Why the filter does nothing here, or is not what it was: a sentence, translated. NULL:
// there is nothing to say.
const char *odl_filter_note (OdlSession *session, int item);

// The notes themselves, which have places of their own on cards.
const char *odl_filter_note_still (void);
const char *odl_filter_note_before (void);

// Whether a filter over time stands before a picture that has no frames before it.
bool odl_filter_is_still (OdlSession *session, const OdlFilter *filter);
