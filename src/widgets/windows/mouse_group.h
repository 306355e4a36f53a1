// SPDX-License-Identifier: MIT
// The part of the preferences that fills the table of the mouse: a set of all, and each
// row. Main thread.
#pragma once

#include <adwaita.h>

#include "widgets/settings.h"

// An AdwPreferencesGroup; `changed` is called after the settings were.
GtkWidget *
odl_mouse_group_new (OdlSettings *settings, void (*changed) (void *data), void *data);
