// SPDX-License-Identifier: MIT
// The first thing in the panel of filters: presets by name, and one slider for how much
// they do. Its menu activates actions of the window. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

#define ODL_TYPE_PRESET_BAR (odl_preset_bar_get_type ())
G_DECLARE_FINAL_TYPE (OdlPresetBar, odl_preset_bar, ODL, PRESET_BAR, GtkWidget)

void odl_preset_bar_set_up (OdlPresetBar *bar, OdlSession *session);

// A preset takes the place of all filters. False: it cannot be used, as the error says,
// and the filters stay.
bool odl_preset_bar_use (OdlPresetBar *bar, const char *name, GError **error);

// The preset that the filters are; NULL: none, or one that was changed since.
const char *odl_preset_bar_name (OdlPresetBar *bar);

// The filters were saved under that name, or their preset has it now; NULL: no preset.
void odl_preset_bar_set_name (OdlPresetBar *bar, const char *name);
