// SPDX-License-Identifier: MIT
// What tests and the canvas want from the gl-fragment engine beyond the contract.
#pragma once

#include "engine/engine.h"
#include "engine/gl/program.h"
#include "engine/gl/targets.h"

// NULL when `engine` is another one.
OdlGlPrograms *odl_gl_fragment_programs (OdlEngine *engine);

// The slot of the prepared plan; NULL when nothing is prepared or `engine` is another
// one.
const OdlGlSlot *odl_gl_fragment_slot (OdlEngine *engine, int slot);

// Textures of the prepared plan.
size_t odl_gl_fragment_texture_count (OdlEngine *engine);

// The context's limit that prepare checks; tests lower it.
void odl_gl_fragment_set_max_side (OdlEngine *engine, int max_side);
