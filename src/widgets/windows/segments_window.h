// SPDX-License-Identifier: MIT
// The window of what was outlined in the picture (SEG, RTSTRUCT): each by colour and
// name, with a switch. Main thread.
#pragma once

#include "widgets/window/window.h"

GtkWindow *odl_segments_window_present (OdlMainWindow *parent);

// Others are there, or shown; nothing where the window is not open.
void odl_segments_window_update (OdlMainWindow *parent);
