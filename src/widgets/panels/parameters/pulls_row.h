// SPDX-License-Identifier: MIT
// The row of points that are pulled by hand (filter/pulls.h): how many there are, a
// button that takes up the tool, and one that lets them all go back. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

#define ODL_TYPE_PULLS_ROW (odl_pulls_row_get_type ())
G_DECLARE_FINAL_TYPE (OdlPullsRow, odl_pulls_row, ODL, PULLS_ROW, GtkListBoxRow)

// For `parameter` of filter number `item` of the session's recipe.
GtkWidget *
odl_pulls_row_new (OdlSession *session, int item, const OdlParameter *parameter);
