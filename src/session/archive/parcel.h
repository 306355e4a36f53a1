// SPDX-License-Identifier: MIT
// Sends files to a node, in the background, through a queue on disk that survives a kill
// and a loss of power. Whose files they are is asked first. Main thread.
#pragma once

#include "session/archive/nodes.h"
#include "session/archive/work.h"

// ---- Whose they are ------------------------------------------------------------------

// A person that files name.
typedef struct {
  char *name, *number, *birth; // "": the files do not say
  guint n_files;
} OdlArchivePerson;

// OdlArchivePerson, of all files that say whose they are; `n_unknown`: the others.
typedef void (*OdlArchiveOwners) (const GPtrArray *persons, guint n_unknown, void *data);

// Paths are NULL-terminated.
OdlArchiveWork *odl_archive_owners_start (const char *const *paths,
                                          OdlArchiveOwners owners,
                                          void *data,
                                          GError **error);

// Whether what two sources say may be about one person: no words of the names differ but
// for case, accents and letters that are lost, and no dates of birth do. What one of both
// does not say is no difference.
bool odl_archive_may_be_one (const char *name,
                             const char *birth,
                             const char *other_name,
                             const char *other_birth);

// ---- Sending -------------------------------------------------------------------------

// What became of a file.
typedef struct {
  char *name; // of the file, without its folder
  char *text; // a sentence; NULL: there is nothing to say
  bool taken; // the node answered Success
} OdlArchiveSent;

typedef struct {
  guint n_sent;
  guint n_failed; // that were not sent, whether they wait or not
  guint n_waiting; // in the queue for that node now
  bool was_cancelled; // what was not sent does not wait then
} OdlArchiveSendCounts;

typedef struct {
  const OdlArchiveNode *node;
  const char *const *paths; // NULL-terminated; what waits from before goes, too
  bool waits_for_others; // where another one sends to that node, rather than fails
  void (*sent) (const OdlArchiveSent *sent, void *data); // one by one
  void (*ended) (const OdlArchiveSendCounts *counts, const GError *error, void *data);
  void *data;
} OdlArchiveSendParams;

OdlArchiveWork *odl_archive_send_start (const OdlArchiveSendParams *params,
                                        GError **error);

// How many files wait to be sent to a node. Reads a folder.
guint odl_archive_n_waiting (const OdlArchiveNode *node);
