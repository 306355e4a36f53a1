// SPDX-License-Identifier: MIT
// The window that a DICOM node is named in. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "widgets/settings.h"

// `name`: the one that is changed; NULL: a new one. `saved` is called with `data` when it
// is in the settings. `page` is a widget of the window that this one is before; it closes
// with it.
void odl_node_window_present (GtkWidget *page,
                              OdlSettings *settings,
                              const char *name,
                              void (*saved) (void *data),
                              void *data);
