// SPDX-License-Identifier: MIT
// Work that is done beside the picture: by another thread, which rests 19 times as long
// as it worked, and a tenth of a second at least, so that a picture that plays loses a
// twentieth at most, but as its kind says. What is wanted faster than it can be done is
// skipped, but for the last. Main thread.
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct _OdlAside OdlAside;

typedef struct {
  bool (*work) (void *job); // in the other thread; false: nothing came of it
  void (*done) (void *job, void *data); // in the main thread, if something did
  void (*free_job) (void *job); // in any thread
  // Whether nothing plays beside it, such as where a volume is looked at, so that it
  // rests three seconds at most. NULL: no.
  bool (*is_still) (const void *job);
} OdlAsideKind;

// `kind` is static; `data` lives as long as the work.
OdlAside *odl_aside_new (const OdlAsideKind *kind, void *data);
// Returns at once; `done` is not called again. NULL: nothing.
void odl_aside_free (OdlAside *aside);

// Takes ownership of `job`.
void odl_aside_want (OdlAside *aside, void *job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlAside, odl_aside_free)
