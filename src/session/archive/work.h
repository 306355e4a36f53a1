// SPDX-License-Identifier: MIT
// Something that is done with a node in a thread of its own, which may take as long as
// the node likes: what it tells comes to the main thread in batches, so that a flood of
// answers leaves the window time to paint.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

typedef struct _OdlArchiveWork OdlArchiveWork;

typedef struct {
  void (*run) (OdlArchiveWork *work, void *job); // in the thread
  // In the main thread: what was told since the last call, and, last of all, that it has
  // ended. Neither comes after odl_archive_work_drop.
  void (*took) (GPtrArray *told, void *job);
  void (*ended) (void *job);
  GDestroyNotify free_job; // in any thread, when all is over
  GDestroyNotify free_told;
} OdlArchiveWorkClass;

// Takes the job, also on failure. NULL: ODL_ERROR_TOO_LARGE, there is no thread for it.
OdlArchiveWork *
odl_archive_work_start (const OdlArchiveWorkClass *klass, void *job, GError **error);

// Ends it early: `ended` still comes.
void odl_archive_work_cancel (OdlArchiveWork *self);
// Gives it up; nobody is told any more, and nobody waits for the thread. Accepts NULL.
void odl_archive_work_drop (OdlArchiveWork *self);

// For `run`. Takes what is told.
void odl_archive_work_tell (OdlArchiveWork *self, void *told);
GCancellable *odl_archive_work_cancellable (OdlArchiveWork *self);
// What went wrong after it was cancelled is that: ODL_ERROR_CANCELLED.
void odl_archive_work_explain (OdlArchiveWork *self, GError **error);
