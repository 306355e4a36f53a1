// SPDX-License-Identifier: MIT
// What a filter works on inside a transform, in its card: details, or a low band. Main
// thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

GtkWidget *odl_at_row_new (OdlSession *session, int item);

// Of a row that it made: its drop-down, for tests.
GtkDropDown *odl_at_row_choice (GtkWidget *row);
