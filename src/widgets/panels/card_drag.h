// SPDX-License-Identifier: MIT
// Rows of the chain that are dragged to another place. Main thread.
#pragma once

#include <gtk/gtk.h>

// A handle by which `card` is dragged; `card` takes others, of the same type, which it
// puts before itself, or behind, by `dropped`.
typedef void (*OdlCardDropped) (GtkWidget *card, GtkWidget *dragged, bool behind);

GtkWidget *odl_card_drag_handle_new (GtkWidget *card, OdlCardDropped dropped);
