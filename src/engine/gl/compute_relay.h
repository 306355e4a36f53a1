// SPDX-License-Identifier: MIT
// Dispatches that follow each other without a barrier (shaders/include/relay.glsl): what
// runs beside all of them, the copy of the next frame, goes on from one to the next,
// where a barrier would let the bus run dry. By itself a frame gains nothing from it.
// This needs a driver that starts the work groups of dispatches in their order.
#pragma once

#include "engine/gl/compute_steps.h"

#define ODL_GL_RELAY_BINDING 4

// Places that are counted at: dispatch i of a frame at i. All zero: not in use.
typedef struct {
  GLuint progress; // buffer
  guint32 *counted; // by place: work groups of all frames so far
  int open; // the last dispatch, if no barrier followed; −1: one did
} OdlGlRelay;

// True when all of `dispatches` after LOAD are lifting, so that no barrier is left.
bool odl_gl_relay_suits (const GArray *dispatches);

// For frames of `n` dispatches; cheap when it is there. `created` counts buffers.
// ODL_ERROR_GPU. GL current, as for all of these.
bool odl_gl_relay_ensure (OdlGlRelay *relay, guint n, size_t *created, GError **error);
void odl_gl_relay_clear (OdlGlRelay *relay);

// Makes `dispatch`, a copy of number `index` of `dispatches`, part of a frame that is
// issued one by one to its end. ODL_ERROR_GPU.
bool odl_gl_relay_join (OdlGlRelay *relay,
                        OdlGlPrograms *programs,
                        const GArray *dispatches,
                        guint index,
                        OdlGlDispatch *dispatch,
                        GError **error);

// After a frame. When it did not come to its end (`ok` false), counting begins anew.
void odl_gl_relay_end (OdlGlRelay *relay, bool ok);
