// SPDX-License-Identifier: MIT
// Inhibits the screen saver.
#pragma once

#include <gtk/gtk.h>

typedef struct _OdlStayAwake OdlStayAwake;

// From the time `window` is mapped until odl_stay_awake_free, which must come before the
// window's end. Uses GTK, or where GTK has no session manager, the D-Bus interface
// org.freedesktop.ScreenSaver. Main thread; does not block.
OdlStayAwake *odl_stay_awake_new (GtkWindow *window);
void odl_stay_awake_free (OdlStayAwake *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlStayAwake, odl_stay_awake_free)
