// SPDX-License-Identifier: MIT
// The window of what was outlined in the picture (SEG, RTSTRUCT): each by colour and
// name, with a switch. Main thread.
#pragma once

#include "widgets/window/window.h"

GtkWindow *odl_segments_window_present (OdlMainWindow *parent);

// segments, which presents it.
void odl_segments_window_add_actions (const OdlWindowParts *parts);
