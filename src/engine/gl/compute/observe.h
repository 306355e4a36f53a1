// SPDX-License-Identifier: MIT
// Observed numbers on their way from the GPU, which nobody waits for.
#pragma once

#include "engine/gl/compute/stores.h"

typedef struct _OdlGlObserver OdlGlObserver;

// GL current, as for all of these.
OdlGlObserver *odl_gl_observer_new (const OdlPlan *plan);
void odl_gl_observer_free (OdlGlObserver *observer); // NULL is fine

// Sends the numbers that this frame made on their way, in the place of the oldest ones
// when those of too many frames are. Returns how many are on their way.
int odl_gl_observer_send (OdlGlObserver *observer,
                          const OdlPlan *plan,
                          const OdlGlStores *stores);

// The newest numbers that have arrived; false: none since the last call. `waiting`: how
// many frames' are still on their way.
bool odl_gl_observer_take (OdlGlObserver *observer, float *numbers, int *waiting);
