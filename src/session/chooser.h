// SPDX-License-Identifier: MIT
// Has the engines measured in the background, once for each kind of work, and remembers
// what came out. Main thread; the measurement has a thread of the least priority.
#pragma once

#include "engine/choice.h"

G_BEGIN_DECLS

typedef struct _OdlChooser OdlChooser;

// A measurement has begun, ended, or given something new.
typedef void (*OdlChooserCb) (void *data);

// `path` is the cache, see engine/choice_cache.h.
OdlChooser *odl_chooser_new (const char *path, OdlChooserCb changed, void *data);

// Cancels what is being measured and waits for the frame in progress.
void odl_chooser_free (OdlChooser *chooser);

// What is known for this plan on this GPU; measures nothing. Borrowed until the next
// call. `gpu` as in odl_choice_key.
const OdlRanking *
odl_chooser_look_up (OdlChooser *chooser, const OdlPlan *plan, const char *gpu);

// Measures what is missing, a little later; a measurement of something else is
// cancelled. Nothing happens when nothing is missing, or when the machine was too busy
// several times. `afresh` forgets what is known, and waits for nothing.
void odl_chooser_measure (OdlChooser *chooser,
                          const OdlPlan *plan,
                          OdlImage *image,
                          const char *gpu,
                          bool afresh);

// Ends what is being measured, or would be.
void odl_chooser_cancel (OdlChooser *chooser);

bool odl_chooser_is_measuring (const OdlChooser *chooser);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlChooser, odl_chooser_free)

G_END_DECLS
