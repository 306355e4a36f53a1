// SPDX-License-Identifier: MIT
// Asks a node what it has, in the background; and whether it answers at all. Main thread.
#pragma once

#include "session/archive/found.h"
#include "session/archive/nodes.h"
#include "session/archive/work.h"

typedef struct {
  const OdlArchiveNode *node;
  OdlLevel level; // ODL_LEVEL_STUDY, ODL_LEVEL_SERIES
  // As typed; NULL or "": any. Of a study or series that was found, its UID.
  const char *wanted[ODL_N_KEYS];
  // OdlArchiveFound, some at a time, as they come.
  void (*found) (const GPtrArray *some, void *data);
  // `error` (NULL: none) says why it was given up; `notes` (borrowed sentences) what was
  // left out.
  void (*ended) (const GError *error, const GPtrArray *notes, void *data);
  void *data;
} OdlArchiveSearchParams;

// ODL_ERROR_USAGE, where what was typed cannot be asked for. To be dropped by the caller.
OdlArchiveWork *odl_archive_search_start (const OdlArchiveSearchParams *params,
                                          GError **error);

// Whether a node answers, and what it does: verifies, answers queries, gives and takes
// pictures. `text` is a sentence about all that.
typedef void (*OdlArchiveTested) (bool good, const char *text, void *data);

// As above.
OdlArchiveWork *odl_archive_test_start (const OdlArchiveNode *node,
                                        OdlArchiveTested tested,
                                        void *data,
                                        GError **error);
