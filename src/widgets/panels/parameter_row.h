// SPDX-License-Identifier: MIT
// One value of one filter, made from its row of the parameter table: a slider with a
// number entry, or a drop-down. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

G_BEGIN_DECLS

#define ODL_TYPE_PARAMETER_ROW (odl_parameter_row_get_type ())
G_DECLARE_FINAL_TYPE (OdlParameterRow,
                      odl_parameter_row,
                      ODL,
                      PARAMETER_ROW,
                      GtkListBoxRow)

// For the `index`-th value of `parameter` of filter number `item` of the session's
// recipe.
GtkWidget *odl_parameter_row_new (OdlSession *session,
                                  int item,
                                  const OdlParameter *parameter,
                                  int index);

// Shows the value of the session's recipe.
void odl_parameter_row_update (OdlParameterRow *row);

G_END_DECLS
