// SPDX-License-Identifier: MIT
// The points of a sweep as a table whose columns sort: parameters, metrics, time. Main
// thread.
#pragma once

#include <gtk/gtk.h>

#include "widgets/sweep/sweep_words.h"

typedef struct _OdlSweepSheet OdlSweepSheet;

// What is done with a row: it was chosen, or marked. NULL: none is marked.
typedef void (*OdlSweepRowCb) (const OdlSweepRow *row, void *data);

OdlSweepSheet *
odl_sweep_sheet_new (OdlSweepRowCb chosen, OdlSweepRowCb marked, void *data);
void odl_sweep_sheet_free (OdlSweepSheet *sheet);
GtkWidget *odl_sweep_sheet_widget (OdlSweepSheet *sheet); // owned by who packs it

// Columns for the trial of the words, which stay until the next call, and no rows; NULL:
// none.
void odl_sweep_sheet_begin (OdlSweepSheet *sheet, const OdlSweepWords *words);
// Rows stay until the next odl_sweep_sheet_begin. Elements are OdlSweepRow.
void odl_sweep_sheet_add (OdlSweepSheet *sheet, const GPtrArray *rows);
// Selects the row and shows it; without telling it.
void odl_sweep_sheet_mark (OdlSweepSheet *sheet, const OdlSweepRow *row);

void odl_sweep_sheet_focus (OdlSweepSheet *sheet); // so that arrow keys go through it
