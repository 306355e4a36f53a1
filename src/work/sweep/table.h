// SPDX-License-Identifier: MIT
// The table of a sweep: CSV, to which whole rows are appended, and which an interrupted
// sweep continues.
#pragma once

#include "work/sweep/trial.h"
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
  // Of a table that is joined from parts:
  gint64 *places; // where the row of each point begins in its part; NULL: no such table
  gint64 shard, shards; // part that is being read, from 0
  const char *problem; // of a row that is none; NULL: that of another sweep
} OdlTable;

// Opens `path`, or creates it with a header. Rows that are there are read; a torn last
// line is cut off. ODL_ERROR_IO: cannot be opened or written, is written by another
// sweep, or holds another table. ODL_ERROR_TOO_LARGE. To be cleared in any case.
bool
odl_table_open (OdlTable *table, const OdlTrial *trial, const char *path, GError **error);
void odl_table_clear (OdlTable *table);

// A table that is joined from parts: it has no file, and at first no rows.
// ODL_ERROR_TOO_LARGE. To be cleared in any case.
bool odl_table_begin (OdlTable *table, const OdlTrial *trial, GError **error);

// Reads the rows of shard `shard` (from 0) of `shards`; a torn last line is left out.
// ODL_ERROR_IO: the file cannot be read, is being written, or holds other rows than those
// of that shard, each once.
bool odl_table_read_part (OdlTable *table,
                          const char *path,
                          gint64 shard,
                          gint64 shards,
                          GError **error);

// Writes the whole table in the order of its points, which are all there. `paths` are
// those of the shards, by their numbers from 0 as gint64; shards without points may be
// missing. ODL_ERROR_IO: also when a part changed after it was read.
bool
odl_table_write (OdlTable *table, GHashTable *paths, OdlOutput *output, GError **error);

// NaN: not known, or without a value.
double odl_table_metric (const OdlTable *table, gint64 point);

// Appends the row of a point. On failure (ODL_ERROR_IO) the file holds the rows before
// it.
bool
odl_table_add (OdlTable *table, gint64 point, const OdlScores *scores, GError **error);

// Writes the header, and a row for each of these points, as odl_table_add does. Of the
// trial's pictures only the range is needed. ODL_ERROR_IO.
bool odl_table_export (const OdlTrial *trial,
                       const gint64 *points,
                       const OdlScores *scores,
                       gsize n,
                       OdlOutput *output,
                       GError **error);

// Until everything is on the disk. ODL_ERROR_IO.
bool odl_table_sync (OdlTable *table, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlTable, odl_table_clear)
