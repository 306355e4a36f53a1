// SPDX-License-Identifier: MIT
// The values along the profile on the canvas as a plot, before and after the filters;
// follows the picture. What plot and line point at is the same place. Main thread.
#pragma once

#include "widgets/window/window.h"

// One for each window. Borrowed.
GtkWindow *odl_profile_window_present (OdlMainWindow *parent);
