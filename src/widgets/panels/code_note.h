// SPDX-License-Identifier: MIT
// What is to be said of code of the user's own in the card of its filter.
#pragma once

#include <gtk/gtk.h>

#include "filter/own/own.h"

// NULL: nothing. Transfer full.
char *odl_code_note_text (const OdlOwnCode *code);

// A line that is seen while there is something to say, with what can be done about it.
GtkWidget *odl_code_note_new (const OdlOwnCode *code);
void odl_code_note_update (GtkWidget *note);
