// SPDX-License-Identifier: MIT
// Levels of a wavelet filter that go together in one dispatch: fewer dispatches, and less
// that goes through memory. What lies between the levels of a part is never stored.
#pragma once

#include "engine/gl/platform/caps.h"
#include "engine/gl/platform/pass.h"
#include "plan/plan.h"

typedef enum {
  ODL_GL_PART_ANALYSIS, // two levels: shaders/wavelet/forward_two.comp
  ODL_GL_PART_SYNTHESIS, // of the same levels: shaders/wavelet/inverse_two.comp
  // Analysis, shrinkage and synthesis of the coarsest levels, in tiles of shared memory:
  // shaders/wavelet/coarse.comp.
  ODL_GL_PART_COARSE,
} OdlGlPartKind;

// A way to cut a picture into tiles, for ODL_GL_PART_COARSE.
typedef struct {
  int levels;
  int side; // samples of a tile
  int pairs[ODL_GL_PART_LEVELS]; // of samples, that an invocation lifts at a level
  int samples; // of pictures for which it is taken, at most
} OdlGlTile;

// Ends with levels 0; the first that fits is taken.
extern const OdlGlTile odl_gl_tiles[];

// Steps that one dispatch does, in the place of the last of them.
typedef struct {
  OdlGlPartKind kind;
  int levels;
  const OdlGlTile *tile; // NULL but for ODL_GL_PART_COARSE
  int forward; // step, FORWARD x of the finest of the levels
  int inverse; // step, INVERSE x of the same
  int coarsest; // step, INVERSE y of the coarsest of the levels
  bool all_rows; // synthesis also lifts the halo rows along x
  GLuint kept; // buffer of the coefficients of ODL_GL_PART_COARSE; 0: none
  int thresholds[ODL_GL_PART_LEVELS]; // steps, the finest level first; −1: none
} OdlGlPart;

// How levels are taken together.
typedef enum {
  ODL_GL_PARTS_NONE,
  ODL_GL_PARTS_BY_SIZE, // as measured on one card
  ODL_GL_PARTS_PAIRS, // two at a time, whatever their size
} OdlGlPartsRule;

// All parts of `plan` (OdlGlPart) that `caps` allow. Transfer full.
GArray *
odl_gl_parts_find (const OdlPlan *plan, OdlGlPartsRule rule, const OdlGlCaps *caps);

// The part that `step` belongs to; NULL for none.
const OdlGlPart *odl_gl_part_at (const GArray *parts, int step);

// The step in whose place the part is done.
int odl_gl_part_last (const OdlGlPart *part);

// The FORWARD y step of a level, 0 for the finest of the part: it writes the bands.
int odl_gl_part_bands_step (const OdlGlPart *part, int level);

// True when the part writes the slot of `step`, one of its steps: all of it, or (LL is
// passed on) its detail.
bool odl_gl_part_stores (const OdlGlPart *part, int step);
bool odl_gl_part_stores_detail (const OdlGlPart *part, int step);

// Samples of a tile that are its own, on either axis.
int odl_gl_tile_core (const OdlGlTile *tile);

// Lines of #define that the part's shader wants. Transfer full.
char *odl_gl_part_defines (const OdlGlPart *part, const OdlPlan *plan);

// The limits of this frame's `plan`.
void odl_gl_part_parameters (const OdlGlPart *part,
                             const OdlPlan *plan,
                             OdlGlUniforms *uniforms);
