// SPDX-License-Identifier: MIT
// The points of a sweep as a table whose columns sort: parameters, metrics, time. Main
// thread.
#pragma once

#include <gtk/gtk.h>

#include "session/sweep.h"

typedef struct _OdlSweepSheet OdlSweepSheet;

// What is done with a row: it was chosen, or marked by a key. NULL: none is marked.
typedef void (*OdlSweepRowCb) (const OdlSweepRow *row, void *data);

OdlSweepSheet *
odl_sweep_sheet_new (OdlSweepRowCb chosen, OdlSweepRowCb marked, void *data);
void odl_sweep_sheet_free (OdlSweepSheet *sheet);
GtkWidget *odl_sweep_sheet_widget (OdlSweepSheet *sheet); // owned by who packs it

// Columns for the trial, which stays until the next call, and no rows; NULL: none.
void odl_sweep_sheet_begin (OdlSweepSheet *sheet, const OdlTrial *trial);
// Rows stay until the next odl_sweep_sheet_begin. Elements are OdlSweepRow.
void odl_sweep_sheet_add (OdlSweepSheet *sheet, const GPtrArray *rows);
// Selects the row and shows it; without telling it.
void odl_sweep_sheet_mark (OdlSweepSheet *sheet, const OdlSweepRow *row);

void odl_sweep_sheet_focus (OdlSweepSheet *sheet); // so that arrow keys go through it

// "Threshold", or where several filters have that one "Threshold (Soft Threshold)".
// Transfer full.
char *odl_sweep_axis_title (const OdlTrial *trial, guint axis);
// "PSNR (dB)"; `unit` may be NULL or "", and is translated here. Transfer full.
char *odl_sweep_with_unit (const char *title, const char *unit);
// "31.20 dB" of a score, in the locale; "∞", "none". Transfer full.
char *odl_sweep_score_text (int score, double value);
// "Threshold 0.05, Levels 3". Transfer full.
char *odl_sweep_point_text (const OdlTrial *trial, const OdlSweepRow *row);
