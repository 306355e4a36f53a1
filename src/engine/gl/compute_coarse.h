// SPDX-License-Identifier: MIT
// The coarsest levels of a wavelet filter as one dispatch (shaders/coarse.comp):
// analysis, shrinkage and synthesis in tiles of shared memory. It saves what starting a
// dispatch costs, most of the time of small pictures.
#pragma once

#include "engine/gl/caps.h"
#include "engine/gl/pass.h"
#include "plan/plan.h"

// A way to cut a picture into tiles.
typedef struct {
  int levels;
  int side; // samples of a tile
  int pairs[ODL_GL_COARSE_LEVELS]; // of samples, that an invocation lifts at a level
  int samples; // of pictures for which it is taken, at most
} OdlGlTile;

// Ends with levels 0; the first that fits is taken.
extern const OdlGlTile odl_gl_tiles[];

// Steps that one dispatch does, in the place of the last of them.
typedef struct {
  const OdlGlTile *tile;
  int forward; // step, FORWARD x of the finest of the levels
  int inverse; // step, INVERSE x of the same: the last one
  int coarsest; // step, INVERSE y of the coarsest level: the first of the synthesis
  int thresholds[ODL_GL_COARSE_LEVELS]; // steps, the finest level first; −1: none
} OdlGlCoarse;

// All such parts of `plan` (OdlGlCoarse) that `caps` allow. Transfer full.
GArray *odl_gl_coarse_find (const OdlPlan *plan, const OdlGlCaps *caps);

// The part that `step` belongs to; NULL for none.
const OdlGlCoarse *odl_gl_coarse_at (const GArray *coarse, int step);

// Samples of a tile that are its own, on either axis.
int odl_gl_tile_core (const OdlGlTile *tile);

// Lines of #define that shaders/coarse.comp wants. Transfer full.
char *odl_gl_coarse_defines (const OdlGlCoarse *part, const OdlPlan *plan);

// The limits of this frame's `plan`.
void odl_gl_coarse_parameters (const OdlGlCoarse *part,
                               const OdlPlan *plan,
                               OdlGlUniforms *uniforms);
