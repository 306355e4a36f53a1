// SPDX-License-Identifier: MIT
// The focus after a choice in a menu. Main thread.
#pragma once

#include <gtk/gtk.h>

// All menu buttons below `widget`, whatever menus they get: after a choice by pointer the
// keys are those of the picture again (action "win.focus-picture"), so that Space plays;
// after one by key the button has the focus. GTK 4.8 leaves the focus in the page of a
// submenu that is closed, where every key is lost.
void odl_menus_leave (GtkWidget *widget);
