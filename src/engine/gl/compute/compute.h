// SPDX-License-Identifier: MIT
// The gl-compute engine for tests and the canvas, beyond the contract.
#pragma once

#include "engine/gl/canvas/canvas.h"
#include "engine/gl/platform/program.h"

// NULL when `engine` is another one.
OdlGlPrograms *odl_gl_compute_programs (OdlEngine *engine);

// The picture in a slot, copied into a texture when it changed: the source or the result
// of the prepared plan. Texture 0 for other slots and engines. GL current.
OdlGlPicture odl_gl_compute_picture (OdlEngine *engine, int slot);

// For tests: another limit than the driver's.
void odl_gl_compute_set_max_storage (OdlEngine *engine, int bytes);

// For measurements: runs the prepared plan once more on the samples that the last run
// loaded, without loading them, or only its synthesis from the coefficients that are
// there. GL current.
void odl_gl_compute_repeat (OdlEngine *engine, bool synthesis_only);
