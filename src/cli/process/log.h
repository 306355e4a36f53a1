// SPDX-License-Identifier: MIT
// What became of each input of `process`, as CSV: a whole row is appended when an input
// is done, so that a run that was stopped loses the rows of what it was working on alone.
#pragma once

#include "cli/inputs.h"

typedef struct {
  char *shown; // the name of the file, for messages
  int fd;
  GHashTable *done; // numbers of inputs, from 1 as gint64, that were written before
  GError *failure; // the first row that could not be written; none follows
} OdlLog;

// NULL: ODL_ERROR_IO. `resume`: rows that are there are kept, and told by `done`;
// otherwise the file must be new, unless `replace`.
OdlLog *odl_log_open (const char *path, bool resume, bool replace, GError **error);

// Whether the input was written by an earlier run.
bool odl_log_has (const OdlLog *log, const OdlJob *job);

// `marked` as for odl_process_moving; `said` are its messages, in lines. From one thread
// at a time.
void odl_log_add (OdlLog *log,
                  const OdlJob *job,
                  bool failed,
                  gint64 marked,
                  const char *said);

// Until everything is on the disk. ODL_ERROR_IO: also when a row could not be written.
bool odl_log_close (OdlLog *log, GError **error);

// Joins the logs of shards into one in the order of the inputs, to which every input has
// come that the notes (OdlShardNote, fitting) count; the last row of an input counts.
// Otherwise names the commands that make what is missing, and writes nothing.
// ODL_ERROR_IO, ODL_ERROR_USAGE.
bool odl_log_join (const char *out,
                   char *const *parts,
                   const GPtrArray *notes,
                   bool replace,
                   GError **error);
