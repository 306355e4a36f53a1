// SPDX-License-Identifier: MIT
// The row of the source on the canvas. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

// The file of "FILE:/NAME", which names something in it; of others the same. Transfer
// full.
char *odl_shown_file (const char *location);

// `failed`: location whose failure page covers the canvas, or NULL. `studies`: OdlSeries
// that are listed, NULL: files are. GTK_INVALID_LIST_POSITION: it has no row.
guint odl_shown_row (GListModel *rows,
                     OdlSession *session,
                     const char *failed,
                     const GPtrArray *studies);
