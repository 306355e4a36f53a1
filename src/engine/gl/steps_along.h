// SPDX-License-Identifier: MIT
// Draw calls of the steps along an axis.
#pragma once

#include "engine/gl/compiler.h"

// One sample of a channel a texel (flat), or 2 × 2 samples (packed).
bool odl_gl_compile_flat_forward (OdlGlCompiler *c);
bool odl_gl_compile_flat_inverse (OdlGlCompiler *c);
bool odl_gl_compile_packed (OdlGlCompiler *c);

// When `step` is synthesis along x of a half that is stored in strips: its draw calls and
// those of INVERSE y of its level become calls of this step, strip by strip.
void odl_gl_packed_in_strips (const OdlGlStepsParams *params, GArray *draws, int step);
