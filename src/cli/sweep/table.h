// SPDX-License-Identifier: MIT
// The table of a sweep: CSV, to which whole rows are appended, and which an interrupted
// sweep continues.
#pragma once

#include "cli/sweep/trial.h"
#include "output/output.h"

typedef struct {
  const OdlTrial *trial;
  char *shown; // the name of the file, for messages
  int fd;
  bool regular; // a file, which can be continued; else a device or a pipe
  gint64 bytes; // of whole rows
  char *input, *noise, *reference; // cells that are the same in each row
  double *metric; // of each point that is done; NaN: without a value
  bool *done;
  gint64 points, n_done;
} OdlTable;

// Opens `path`, or creates it with a header. Rows that are there are read; a torn last
// line is cut off. ODL_ERROR_IO: cannot be opened or written, is written by another
// sweep, or holds another table. ODL_ERROR_TOO_LARGE. To be cleared in any case.
bool
odl_table_open (OdlTable *table, const OdlTrial *trial, const char *path, GError **error);
void odl_table_clear (OdlTable *table);

// NaN: not known, or without a value.
double odl_table_metric (const OdlTable *table, gint64 point);

// Appends the row of a point. On failure (ODL_ERROR_IO) the file holds the rows before
// it.
bool
odl_table_add (OdlTable *table, gint64 point, const OdlScores *scores, GError **error);

// Until everything is on the disk. ODL_ERROR_IO.
bool odl_table_sync (OdlTable *table, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlTable, odl_table_clear)

// The metric of a sweep as a picture: SVG, which needs no library.

// Whether it can be drawn. ODL_ERROR_USAGE: the second parameter has too many values.
bool odl_plot_check (const OdlTrial *trial, GError **error);

// One line for each value of the second parameter over the values of the first. Of
// further parameters the best value counts. Words lie side by side in equal distances.
bool odl_plot_write (OdlOutput *output, const OdlTable *table, GError **error);
