// SPDX-License-Identifier: MIT
// The steps that can be undone and redone, as a list in a popover: choosing one goes
// there. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

GtkWidget *odl_history_list_new (OdlSession *session);
