// SPDX-License-Identifier: MIT
// Copies observed numbers from the GPU without waiting.
#pragma once

#include "engine/gl/compute/stores.h"

typedef struct _OdlGlObserver OdlGlObserver;

// GL current, as for all of these.
OdlGlObserver *odl_gl_observer_new (const OdlPlan *plan);
void odl_gl_observer_free (OdlGlObserver *observer); // NULL is fine

// Begins to copy this frame's numbers. Where too many copies have not arrived, the oldest
// is given up. Returns how many have not arrived.
int odl_gl_observer_send (OdlGlObserver *observer,
                          const OdlPlan *plan,
                          const OdlGlStores *stores);

// The newest numbers that have arrived; false: none since the last call. `waiting`: how
// many copies have not arrived.
bool odl_gl_observer_take (OdlGlObserver *observer, float *numbers, int *waiting);
