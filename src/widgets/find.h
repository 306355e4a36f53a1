// SPDX-License-Identifier: MIT
// Parts of GTK's own widgets, which have no names. Main thread.
#pragma once

#include <gtk/gtk.h>

// The first widget of that type at or below `root`; borrowed. NULL: there is none.
GtkWidget *odl_find_inside (GtkWidget *root, GType type);
