// SPDX-License-Identifier: MIT
// Keeps the screen saver away.
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _OdlStayAwake OdlStayAwake;

// From when `window` is on screen until odl_stay_awake_free, which comes before the
// window's end. Asks the session through GTK, and where that has nobody to ask, the
// screen saver of the freedesktop.org convention. Main thread, which never waits.
OdlStayAwake *odl_stay_awake_new (GtkWindow *window);
void odl_stay_awake_free (OdlStayAwake *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlStayAwake, odl_stay_awake_free)

G_END_DECLS
