// SPDX-License-Identifier: MIT
// Fusions: several levels of a wavelet filter in one dispatch, which saves dispatches and
// memory traffic. What lies between the levels of a fusion is never stored.
#pragma once

#include "engine/gl/platform/caps.h"
#include "engine/gl/platform/pass.h"
#include "plan/group.h"

typedef enum {
  ODL_GL_FUSION_ANALYSIS, // two levels: shaders/wavelet/forward_two.comp
  ODL_GL_FUSION_SYNTHESIS, // of the same levels: shaders/wavelet/inverse_two.comp
  // Analysis, shrinkage and synthesis of the coarsest levels, in tiles of shared memory:
  // shaders/wavelet/coarse.comp.
  ODL_GL_FUSION_COARSE,
} OdlGlFusionKind;

// A way to cut a picture into tiles, for ODL_GL_FUSION_COARSE.
typedef struct {
  int levels;
  int side; // samples of a tile
  int pairs[ODL_GL_FUSION_LEVELS]; // of samples, that an invocation lifts at a level
  int samples; // of pictures for which it is taken, at most
} OdlGlTile;

// Ends with levels 0; the first that fits is taken.
extern const OdlGlTile odl_gl_tiles[];

// Steps that one dispatch does when it is the turn of the last of them.
typedef struct {
  OdlGlFusionKind kind;
  int levels;
  const OdlGlTile *tile; // NULL but for ODL_GL_FUSION_COARSE
  OdlGroupLevel level[ODL_GL_FUSION_LEVELS]; // steps, the finest level first
  bool all_rows; // synthesis also lifts the halo rows along x
  GLuint kept; // buffer of the coefficients of ODL_GL_FUSION_COARSE; 0: none
} OdlGlFusion;

// How levels are fused.
typedef enum {
  ODL_GL_FUSE_NONE,
  ODL_GL_FUSE_BY_SIZE, // where it is faster, as measured on one card
  ODL_GL_FUSE_PAIRS, // two levels at a time, whatever their size
} OdlGlFusionRule;

// All fusions of `plan` (OdlGlFusion) that `caps` allow. Transfer full.
GArray *
odl_gl_fusions_find (const OdlPlan *plan, OdlGlFusionRule rule, const OdlGlCaps *caps);

// The fusion that `step` belongs to; NULL for none.
const OdlGlFusion *odl_gl_fusion_at (const GArray *fusions, int step);

// The last step of the fusion: the dispatch takes its place.
int odl_gl_fusion_last (const OdlGlFusion *fusion);

// True when the fusion writes the slot of `step`, one of its steps: all of it, or (LL is
// passed on) its detail.
bool odl_gl_fusion_stores (const OdlGlFusion *fusion, int step);
bool odl_gl_fusion_stores_detail (const OdlGlFusion *fusion, int step);

// Samples of a tile that no other tile writes, on either axis.
int odl_gl_tile_core (const OdlGlTile *tile);

// The slot of the measured thresholds of one of its levels; ODL_PLAN_NO_SLOT: none.
int odl_gl_fusion_numbers (const OdlGlFusion *fusion, const OdlPlan *plan, int level);

// Lines of #define for the shader of the fusion. Transfer full.
char *odl_gl_fusion_defines (const OdlGlFusion *fusion, const OdlPlan *plan);

// The limits of this frame's `plan`.
void odl_gl_fusion_parameters (const OdlGlFusion *fusion,
                               const OdlPlan *plan,
                               OdlGlUniforms *uniforms);
