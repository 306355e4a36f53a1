// SPDX-License-Identifier: MIT
// Three stages that work at the same time on a row of items: one thread reads, the
// calling thread works, another thread writes. Items keep their order; between two stages
// at most ODL_STAGES_WAITING of them wait, so that memory stays bounded however long the
// row is.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

G_BEGIN_DECLS

#define ODL_STAGES_WAITING 2

typedef struct {
  // In a thread of its own. NULL without an error: there is nothing more.
  void *(*read) (void *data, GError **error);
  // In the calling thread. Takes `item` and gives what is written; NULL: an error.
  void *(*work) (void *data, void *item, GError **error);
  // In a thread of its own. Takes `item`.
  bool (*write) (void *data, void *item, GError **error);
  // For items that no stage wants any more: what read gave, what work gave.
  GDestroyNotify free_read;
  GDestroyNotify free_worked;
  void *data;
} OdlStages;

// Runs until the last item is written, a stage fails or `cancellable` (may be NULL) is
// cancelled; both threads have ended on return. What was read before the reader failed is
// written; after a failure of the other two nothing more is done. Errors: those of the
// stage that failed first, ODL_ERROR_CANCELLED.
bool odl_stages_run (const OdlStages *stages, GCancellable *cancellable, GError **error);

G_END_DECLS
