// SPDX-License-Identifier: MIT
// Windows that belong to a main window.
#pragma once

#include "widgets/window/window.h"

// An empty AdwWindow before `parent`, which is closed with it, and by Escape. `title` is
// translated.
GtkWidget *
odl_child_window_new (GtkWindow *parent, const char *title, int width, int height);

// What such a window shows while there is nothing for it. All but `icon` is translated.
GtkWidget *
odl_child_window_nothing (const char *icon, const char *title, const char *description);

// Presents the one window of `parent` that has data by the name `key`; where there is
// none, `make` makes it, and sets this data.
GtkWindow *odl_child_window_present (OdlMainWindow *parent,
                                     const char *key,
                                     GtkWidget *(*make) (OdlMainWindow *parent));
