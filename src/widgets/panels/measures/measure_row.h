// SPDX-License-Identifier: MIT
// What a filter measured in the frame shown (measure.h). Live, with an accessible
// description. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

// Numbers that change faster than this cannot be read.
#define ODL_MEASURE_PERIOD_MS 100

#define ODL_TYPE_MEASURE_ROW (odl_measure_row_get_type ())
G_DECLARE_FINAL_TYPE (OdlMeasureRow, odl_measure_row, ODL, MEASURE_ROW, GtkListBoxRow)

// Whether there is such a row for the filter.
bool odl_measure_row_suits (const OdlFilter *filter);

// For filter number `item` of the session's recipe, which is `filter`, with `levels`
// levels (0: it has none).
GtkWidget *
odl_measure_row_new (OdlSession *session, int item, const OdlFilter *filter, int levels);

// The noise that filter number `item` measured in a frame that was shown, of full scale.
bool odl_measured_noise (OdlSession *session, int item, double *sigma);
