// SPDX-License-Identifier: MIT
// The rows of the source panel: a small picture or an icon, and the name. Main thread.
#pragma once

#include <gtk/gtk.h>

// Makes rows for items of OdlSourceItem, with thumbnails whose longer side has `side`
// logical pixels. `bound` is called with `data` after a row got its item.
// They can be dragged into a pane, and have a menu.
GtkListItemFactory *
odl_source_row_factory_new (int side, void (*bound) (void *data), void *data);
// Ctrl+Return in a list of such rows opens the one that has the focus in another pane.
void odl_source_row_add_keys (GtkWidget *list);
