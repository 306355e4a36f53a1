// SPDX-License-Identifier: MIT
// What the controls of the panels have in common. Main thread.
#pragma once

#include <gtk/gtk.h>

// What screen readers call it.
void odl_control_name (GtkWidget *control, const char *name);

// A row of a list that holds controls, and is none itself: only they take the focus.
void odl_control_hold (GtkWidget *row);
