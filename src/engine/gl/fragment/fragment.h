// SPDX-License-Identifier: MIT
// The gl-fragment engine for tests and the canvas, beyond the contract.
#pragma once

#include "engine/engine.h"
#include "engine/gl/platform/program.h"
#include "engine/gl/texture_stores.h"

// NULL when `engine` is another one.
OdlGlPrograms *odl_gl_fragment_programs (OdlEngine *engine);

// The store of a slot of the prepared plan; NULL when nothing is prepared or `engine` is
// another one.
const OdlGlTextureStore *odl_gl_fragment_store (OdlEngine *engine, int slot);

// Whether the picture in a slot has 2 × 2 samples in a texel (texture_stores.h).
bool odl_gl_fragment_is_packed (OdlEngine *engine, int slot);

// How much the passes of the prepared plan, without LOAD, write per frame: for
// measurements.
OdlGlTexels odl_gl_fragment_texels (OdlEngine *engine);

// Of the textures of the prepared plan.
size_t odl_gl_fragment_texture_bytes (OdlEngine *engine);

// For tests: no textureGather, as in GL 3.3 and GLES 3.0, from the next choice of a
// variant on.
void odl_gl_fragment_forgo_gather (OdlEngine *engine);

// For tests: lowers the limit that prepare checks.
void odl_gl_fragment_set_max_side (OdlEngine *engine, int max_side);

// For tests: small pictures go in strips, from the next choice of a variant on.
void odl_gl_fragment_set_strips_from (OdlEngine *engine, int samples);
