// SPDX-License-Identifier: MIT
// A pipeline of three concurrent stages: one thread reads items, the calling thread
// processes them, another thread writes them. Items keep their order. At most
// ODL_STAGES_WAITING items wait between two stages, so memory stays bounded.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#define ODL_STAGES_WAITING 2

typedef struct {
  // Runs in its own thread. NULL without an error: end of input.
  void *(*read) (void *data, GError **error);
  // Runs in the calling thread. Consumes `item`, returns the item to write; NULL: an
  // error.
  void *(*work) (void *data, void *item, GError **error);
  // Runs in its own thread. Consumes `item`.
  bool (*write) (void *data, void *item, GError **error);
  // Free items that were read, or processed, but not passed on.
  GDestroyNotify free_read;
  GDestroyNotify free_worked;
  void *data;
} OdlStages;

// Runs until the last item is written, a stage fails or `cancellable` (may be NULL) is
// cancelled; both threads have ended on return. If `read` fails, items read before are
// still written; if another stage fails, all stop. Errors: that of the stage that failed
// first; ODL_ERROR_CANCELLED; ODL_ERROR_TOO_LARGE: there is no memory for a thread.
bool odl_stages_run (const OdlStages *stages, GCancellable *cancellable, GError **error);
