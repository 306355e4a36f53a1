// SPDX-License-Identifier: MIT
// Measures the engines in the background, once for each kind of work, and keeps the
// results in a cache. Main thread; the measurement runs on a thread of the least
// priority.
#pragma once

#include "engine/choice.h"

typedef struct _OdlChooser OdlChooser;

// A measurement has begun, ended, or has a new result.
typedef void (*OdlChooserCb) (void *data);

// `path` is the cache, see engine/choice_cache.h.
OdlChooser *odl_chooser_new (const char *path, OdlChooserCb changed, void *data);

// Cancels the measurement and waits for its current frame.
void odl_chooser_free (OdlChooser *chooser);

// The results for this plan on this GPU; measures nothing. Borrowed until the next call.
// `gpu` as in odl_choice_key.
const OdlRanking *
odl_chooser_look_up (OdlChooser *chooser, const OdlPlan *plan, const char *gpu);

// Measures missing results after a short delay; cancels a measurement for another plan.
// Does nothing when none is missing, or when the machine was too busy several times.
// `afresh` drops the known results and measures at once.
void odl_chooser_measure (OdlChooser *chooser,
                          const OdlPlan *plan,
                          OdlImage *image,
                          const char *gpu,
                          bool afresh);

// Measures, once and after a short delay, what convolutions cost on that GPU
// (engine/prices.h), for the structures that come. Does nothing while it is measured.
void odl_chooser_price (OdlChooser *chooser, const char *gpu);

// Stops that, and does not wait; it is begun anew when odl_chooser_price is called again.
void odl_chooser_stop_pricing (OdlChooser *chooser);

bool odl_chooser_is_measuring (const OdlChooser *chooser);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlChooser, odl_chooser_free)
