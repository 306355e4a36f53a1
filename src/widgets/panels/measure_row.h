// SPDX-License-Identifier: MIT
// What a filter measured in the frame shown: the noise, and for each detail band its
// threshold and a histogram of magnitudes. Live, with an accessible description. Main
// thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

G_BEGIN_DECLS

#define ODL_TYPE_MEASURE_ROW (odl_measure_row_get_type ())
G_DECLARE_FINAL_TYPE (OdlMeasureRow, odl_measure_row, ODL, MEASURE_ROW, GtkListBoxRow)

// For filter number `item` of the session's recipe, with `levels` levels.
GtkWidget *odl_measure_row_new (OdlSession *session, int item, int levels);

G_END_DECLS
