// SPDX-License-Identifier: MIT
// GPU time of each step, read some frames later so that nothing waits.
#pragma once

#include "engine/engine.h"
#include "engine/gl/platform/caps.h"

typedef struct _OdlGlTimer OdlGlTimer;

// For `n_steps` steps. NULL where the context has no timer queries. GL current.
OdlGlTimer *odl_gl_timer_new (const OdlGlCaps *caps, int n_steps);
void odl_gl_timer_free (OdlGlTimer *timer); // GL current; NULL is fine

// Around a frame. `frame_begin` stores finished results in engine->step_ns and frame_ns.
// False when this frame cannot be measured: all queries are in use.
bool odl_gl_timer_frame_begin (OdlGlTimer *timer, OdlEngine *engine);
void odl_gl_timer_frame_end (OdlGlTimer *timer);

// Around a step of a measured frame; steps in their order, some may be left out but not
// the last. Times of those left out are 0.
void odl_gl_timer_step_begin (OdlGlTimer *timer, int step);
void odl_gl_timer_step_end (OdlGlTimer *timer);
