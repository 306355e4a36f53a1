// SPDX-License-Identifier: MIT
// The edge of a panel at the left, by which it is made wider. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "widgets/settings.h"

// A drag of `edge`, and the arrow keys on it, change the width of `panel`, which is kept
// in the setting `key`, in logical pixels. `settings` lives as long as the edge.
void odl_panel_grip_add (GtkWidget *edge,
                         GtkWidget *panel,
                         OdlSettings *settings,
                         const char *key);
