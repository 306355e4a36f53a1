// SPDX-License-Identifier: MIT
// What tests and the canvas want from the gl-lookup engine beyond the contract.
#pragma once

#include "engine/gl/canvas/canvas.h"
#include "engine/gl/platform/program.h"

// NULL when `engine` is another one.
OdlGlPrograms *odl_gl_lookup_programs (OdlEngine *engine);

// The picture in a slot after run: the source or the result of the prepared plan. Texture
// 0 for others, and when `engine` is another one.
OdlGlPicture odl_gl_lookup_picture (OdlEngine *engine, int slot);

// Textures of the prepared plan, tables included.
size_t odl_gl_lookup_texture_count (OdlEngine *engine);

// The context's limit that prepare checks; tests lower it.
void odl_gl_lookup_set_max_side (OdlEngine *engine, int max_side);
