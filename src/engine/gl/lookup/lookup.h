// SPDX-License-Identifier: MIT
// The gl-lookup engine for tests and the canvas, beyond the contract.
#pragma once

#include "engine/gl/canvas/canvas.h"
#include "engine/gl/platform/program.h"

// NULL when `engine` is another one.
OdlGlPrograms *odl_gl_lookup_programs (OdlEngine *engine);

// The picture in a slot after run: the source or the result of the prepared plan. Texture
// 0 for other slots and engines.
OdlGlPicture odl_gl_lookup_picture (OdlEngine *engine, int slot);

// The context's limit that prepare checks; tests lower it.
void odl_gl_lookup_set_max_side (OdlEngine *engine, int max_side);
