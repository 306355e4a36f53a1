// SPDX-License-Identifier: MIT
// The rows of the source panel: a small picture or an icon, and the name. Main thread.
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

// Logical pixels of a thumbnail's longer side.
#define ODL_SOURCE_ROW_SIDE 48

// Makes rows for items of OdlSourceItem. `bound` is called with `data` after a row got
// its item.
GtkListItemFactory *odl_source_row_factory_new (void (*bound) (void *data), void *data);

G_END_DECLS
