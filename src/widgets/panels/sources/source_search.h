// SPDX-License-Identifier: MIT
// The search over the list of sources: rows whose words hold all that was typed, in any
// order, and the headings above them. Neither case nor accents count. What the list does
// not tell, such as names that are hidden, is not found either. Main thread.
#pragma once

#include <gtk/gtk.h>

typedef struct _OdlSourceSearch OdlSourceSearch;

// `items` are OdlSourceItem; `empty` says that none fits. `list` gets the focus with the
// arrow down, and its row is activated with Enter. All outlive it.
OdlSourceSearch *odl_source_search_new (GListModel *items,
                                        GtkSearchBar *bar,
                                        GtkSearchEntry *entry,
                                        GtkLabel *empty,
                                        GtkListView *list);
void odl_source_search_free (OdlSourceSearch *search);

// The rows that are found, all without a search. Borrowed.
GListModel *odl_source_search_found (OdlSourceSearch *search);

// Shows the entry, with the focus; or takes it away, and all rows are there again.
void odl_source_search_open (OdlSourceSearch *search);
void odl_source_search_close (OdlSourceSearch *search);

// The words of rows have changed.
void odl_source_search_update (OdlSourceSearch *search);
