// SPDX-License-Identifier: MIT
// Settings that are changed seldom. Main thread.
#pragma once

#include "widgets/window/window.h"

// Opens it over the main window.
GtkWindow *odl_preferences_window_present (OdlMainWindow *parent);

// Takes a file as a measurement of the screen, or says there why it is none; nothing when
// the window of the preferences was closed meanwhile.
void odl_preferences_load_screen (OdlMainWindow *parent, GFile *file);
