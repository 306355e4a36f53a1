// SPDX-License-Identifier: MIT
// The steps that can be undone and redone, as a list in a popover: choosing one goes
// there. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

G_BEGIN_DECLS

GtkWidget *odl_history_list_new (OdlSession *session);

G_END_DECLS
