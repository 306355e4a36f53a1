// SPDX-License-Identifier: MIT
// The files among the rows of the sources (OdlSourceItem), which have phantoms and
// cameras too. Main thread.
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

// Most characters of a name.
#define ODL_SOURCE_NAME_CHARS 120

bool odl_file_rows_has (GListModel *items, guint index);

// A row for a location, by its name, or (NULL) as the file is called; at the end at most.
void
odl_file_rows_add (GListStore *items, const char *location, const char *name, guint at);

// A row at the end for a generated source whose thumbnail is made from `picture`.
void odl_file_rows_add_generated (GListStore *items,
                                  const char *location,
                                  const char *picture,
                                  const char *name);

// Rows for files, at the end; at once, so that the list is told of thousands one time.
void odl_file_rows_add_all (GListStore *items, char **paths);

// The place among them of a file that has no row yet.
guint odl_file_rows_place (GListModel *items, const char *path);

// Names them; while names are hidden, they have numbers.
void odl_file_rows_name (GListModel *items, bool hidden);

// The next one in that direction, from `index`: cameras and phantoms are skipped, since
// they are only opened on purpose. GTK_INVALID_LIST_POSITION: none, or before the first.
guint odl_file_rows_next (GListModel *items, guint index, int by);
