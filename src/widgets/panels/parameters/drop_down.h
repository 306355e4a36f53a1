// SPDX-License-Identifier: MIT
// Lists to choose from, as narrow as their room: what is chosen is cut with an ellipsis,
// and shown whole by a tooltip; the list itself has whole names. Main thread.
#pragma once

#include <gtk/gtk.h>

// For one of strings. Replaces what shows the chosen item, and keeps the list.
void odl_drop_down_narrow (GtkDropDown *list);

// What is typed while the list is open looks for what begins so. For lists of strings.
void odl_drop_down_search (GtkDropDown *list);
