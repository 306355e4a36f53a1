// SPDX-License-Identifier: MIT
// The page of the preferences that gives commands other keys. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "widgets/settings.h"

// `changed` is called with `data` after each change.
GtkWidget *
odl_keys_page_new (OdlSettings *settings, void (*changed) (void *data), void *data);
