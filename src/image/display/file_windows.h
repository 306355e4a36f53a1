// SPDX-License-Identifier: MIT
// OdlFileWindows: the grey levels that a file offers to choose from, its default first.
// Immutable, counted by reference.
#pragma once

#include "image/display/value_map.h"

G_BEGIN_DECLS

// A window, or a table of levels.
typedef struct {
  char *name; // as the file calls it; "": it has no name
  double centre, width; // in values; width > 0, but for a table
  const OdlCurve *curve; // NULL: a window
  double first, last; // values of the first and last entry of the table, ascending
} OdlFileWindow;

typedef struct {
  gatomicrefcount ref_count;
  int n;
  OdlFileWindow items[];
} OdlFileWindows;

// Copies the rows with their names, and references the tables.
OdlFileWindows *odl_file_windows_new (const OdlFileWindow *items, int n);

// Both accept NULL.
const OdlFileWindows *odl_file_windows_ref (const OdlFileWindows *windows);
void odl_file_windows_unref (const OdlFileWindows *windows);

// `map` with the window or table number `choice`, from 0, in the place of its own.
// Unchanged if there is none of that number, or for 0, which is its own.
OdlValueMap odl_file_windows_choose (const OdlFileWindows *windows,
                                     const OdlValueMap *map,
                                     int choice);

G_END_DECLS
