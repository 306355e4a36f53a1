// SPDX-License-Identifier: MIT
// What tests and the canvas want from the gl-fragment engine beyond the contract.
#pragma once

#include "engine/engine.h"
#include "engine/gl/program.h"
#include "engine/gl/targets.h"

typedef enum {
  ODL_GL_LINES_AUTO, // split on graphics hardware, whole on software rasterisers
  ODL_GL_LINES_SPLIT, // even and odd lines, a program each
  ODL_GL_LINES_WHOLE, // one program that picks its taps
} OdlGlLines;

// NULL when `engine` is another one.
OdlGlPrograms *odl_gl_fragment_programs (OdlEngine *engine);

// The slot of the prepared plan; NULL when nothing is prepared or `engine` is another
// one.
const OdlGlSlot *odl_gl_fragment_slot (OdlEngine *engine, int slot);

// How synthesis runs from the next prepare of another structure on.
void odl_gl_fragment_set_lines (OdlEngine *engine, OdlGlLines lines);

// Textures of the prepared plan.
size_t odl_gl_fragment_texture_count (OdlEngine *engine);

// The context's limit that prepare checks; tests lower it.
void odl_gl_fragment_set_max_side (OdlEngine *engine, int max_side);
