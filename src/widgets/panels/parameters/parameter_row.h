// SPDX-License-Identifier: MIT
// One value of one filter, made from its row of the parameter table: a slider with a
// number entry, or a drop-down; of a matrix one level, with its bands. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

#define ODL_TYPE_PARAMETER_ROW (odl_parameter_row_get_type ())
G_DECLARE_FINAL_TYPE (OdlParameterRow,
                      odl_parameter_row,
                      ODL,
                      PARAMETER_ROW,
                      GtkListBoxRow)

// For `parameter`, of a single value, of filter number `item` of the session's recipe.
GtkWidget *
odl_parameter_row_new (OdlSession *session, int item, const OdlParameter *parameter);

// Appends the rows of a level (0 the finest) of a matrix: one for the three bands, which
// shows the largest of them and moves them in proportion, and one for each, hidden until
// a button on the first shows them. Another button links the bands, which are equal then.
void odl_parameter_row_add_level (GtkListBox *list,
                                  OdlSession *session,
                                  int item,
                                  const OdlParameter *parameter,
                                  int level);

// Shows the value of the session's recipe.
void odl_parameter_row_update (OdlParameterRow *row);
