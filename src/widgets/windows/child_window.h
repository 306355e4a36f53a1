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

// A button with a picture; `words`, translated, say what it does. `clicked` is called
// with `data`.
GtkWidget *odl_child_window_button (const char *icon,
                                    const char *words,
                                    GCallback clicked,
                                    void *data);

// Calls `update` with `data` at once, and at this interval as long as `window` is there:
// for what no signal tells, such as the pointer's place and what is being drawn. Once for
// each window.
void odl_child_window_follow (GtkWidget *window,
                              guint interval_ms,
                              GSourceFunc update,
                              void *data);

// Presents the one window of `parent` that has data by the name `key`; where there is
// none, `make` makes it, and sets this data.
GtkWindow *odl_child_window_present (OdlMainWindow *parent,
                                     const char *key,
                                     GtkWidget *(*make) (OdlMainWindow *parent));
