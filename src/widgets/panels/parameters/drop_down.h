// SPDX-License-Identifier: MIT
// Lists to choose from, as narrow as their room: what is chosen is cut with an ellipsis,
// and shown whole by a tooltip; the list itself has whole names. Main thread.
#pragma once

#include <adwaita.h>

// For one of strings. Replaces what shows the chosen item, and keeps the list.
void odl_drop_down_narrow (GtkDropDown *list);

// What is typed while the list is open looks for what is called so, then for what else
// has the words in the text that `text_of` makes of an item (transfer full). `nothing`:
// the sentence where nothing was found. For lists of strings.
void odl_drop_down_search (GtkDropDown *list,
                           char *(*text_of) (GtkStringObject *item, void *),
                           const char *nothing);

// The list of a row has whole words, which libadwaita's cuts after twenty letters, and
// what is chosen stands below the title, where it has room. For lists of strings.
void odl_combo_row_widen (AdwComboRow *row);
