// SPDX-License-Identifier: MIT
// What follows by a published formula from things that were measured: which of them are
// its inputs is chosen, of all panes; follows them. Main thread.
#pragma once

#include "image/annotation/annotation.h"
#include "session/save/workspace.h"
#include "widgets/window/window.h"

// One for each window. Borrowed.
GtkWindow *odl_calculation_window_present (OdlMainWindow *parent);

// The result in that window as a row of a table (ODL_MEASURE_COLUMNS), and as a line for
// a report of the frame on screen, with its first input, which lies there (borrowed).
// NULL: there is none, or not all of its inputs lie on what the active pane shows.
// Transfer full.
char *odl_calculation_window_row (OdlMainWindow *parent);
char *odl_calculation_window_line (OdlMainWindow *parent, const OdlAnnotation **of);

// What is calculated, in a workspace, if that window is open, and back: it opens, and its
// inputs are chosen as soon as what was measured is there.
void odl_calculation_window_save (OdlMainWindow *parent, OdlWorkspace *workspace);
void odl_calculation_window_restore (OdlMainWindow *parent,
                                     const OdlWorkspace *workspace);
