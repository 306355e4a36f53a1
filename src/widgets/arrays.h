// SPDX-License-Identifier: MIT
// Whether programs of the user may show arrays in the windows of this one
// (session/arrays/server.h): the action “app.arrays”, which is a switch, kept in the
// settings. Main thread.
#pragma once

#include <adwaita.h>

#include "widgets/settings.h"

typedef struct _OdlArrays OdlArrays;

// Adds the action to the application; on if the settings say so.
OdlArrays *odl_arrays_new (GtkApplication *application, OdlSettings *settings);
void odl_arrays_free (OdlArrays *arrays);

// From now on until the program ends, whatever the settings say. Errors: a sentence.
bool odl_arrays_allow (OdlArrays *arrays, GError **error);

// Its group in the preferences.
GtkWidget *odl_arrays_group_new (GtkApplication *application);
