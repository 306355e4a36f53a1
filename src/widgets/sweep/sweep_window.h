// SPDX-License-Identifier: MIT
// Parameters of the chain that vary, how good each combination is as a sheet and a plot,
// and what puts one of them into the chain.
#pragma once

#include "widgets/window/window.h"

// Presents the one of this window.
GtkWindow *odl_sweep_window_present (OdlMainWindow *parent);

// Writes the table of what was found, once it has ended; what came of it is said. False:
// it was not written.
bool odl_sweep_window_save (GtkWindow *window, const char *path);
