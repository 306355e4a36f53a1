// SPDX-License-Identifier: MIT
// Gets a study or series of a node into the spool, in the background. Main thread.
#pragma once

#include "session/archive/nodes.h"
#include "session/archive/work.h"

typedef struct {
  guint n_arrived; // pictures that are there
  guint n_missing; // that the node has, and that did not come
  guint n_others; // of another patient than was asked for
} OdlArchiveCounts;

typedef struct {
  const OdlArchiveNode *node;
  const char *study, *series; // UIDs; NULL or "": all series
  guint64 most_bytes; // of the spool with it; 0: ODL_SPOOL_MOST_BYTES
  // A picture is there: its file, and the folder of all.
  void (*arrived) (const char *path, const char *folder, void *data);
  // `error` (NULL: none): why it was given up; `said`: borrowed sentences, among them the
  // names of what is missing.
  void (*ended) (const OdlArchiveCounts *counts,
                 const GPtrArray *said,
                 const GError *error,
                 void *data);
  void *data;
} OdlArchiveFetchParams;

// To be dropped by the caller: what came stays, until the spool is cleared.
OdlArchiveWork *odl_archive_fetch_start (const OdlArchiveFetchParams *params,
                                         GError **error);
