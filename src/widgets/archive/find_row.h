// SPDX-License-Identifier: MIT
// How studies and series of a node stand in the lists of the window that finds them. Main
// thread.
#pragma once

#include <gtk/gtk.h>

#include "session/archive/found.h"

// Columns of studies: a patient, a date, what was examined.
typedef enum {
  ODL_FIND_PATIENT,
  ODL_FIND_DATE,
  ODL_FIND_STUDY,
  ODL_N_FIND_COLUMNS,
} OdlFindColumn;

// The two lines of a cell. `hidden`: stands for who the patient is; NULL: names are
// shown. Transfer full.
char *odl_find_row_title (const OdlArchiveFound *found,
                          OdlFindColumn column,
                          const char *hidden);
char *odl_find_row_subtitle (const OdlArchiveFound *found,
                             OdlFindColumn column,
                             bool hides_names);

// A series, or of a study all that belongs to it, in a line. Transfer full.
char *odl_find_row_of_part (const OdlArchiveFound *found);

// By which a column is sorted. Transfer full.
GtkSorter *odl_find_row_sorter (OdlFindColumn column);

// A name as it is read: "Müller^Erika" as "Müller, Erika". Transfer full.
char *odl_find_row_name (const char *name);
