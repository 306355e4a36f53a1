// SPDX-License-Identifier: MIT
// Rows of the source panel for patients, studies and series. Main thread.
#pragma once

#include <gio/gio.h>

#include "session/browse/studies.h"

// Has a row for each patient, below it one for each study and, which can be opened, one
// for each series, in the place of what there is. Rows that were there stay, with their
// small pictures. `series` are OdlSeries, sorted; `hides_names`: patients have numbers.
void odl_study_rows_set (GListStore *items, const GPtrArray *series, bool hides_names);

// The location of the row that has the series of `file`; NULL: there is none.
const char *
odl_study_rows_find (const GPtrArray *series, const char *file, const char *series_uid);
