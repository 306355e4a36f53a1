// SPDX-License-Identifier: MIT
// What functions share that make the dispatches of one step.
#pragma once

#include "engine/gl/compute/steps.h"

typedef struct {
  const OdlGlDispatchParams *params;
  GArray *dispatches;
  int index; // of the step
  const OdlStep *step;
  const OdlStep *sum; // of a convolution: the ADD that takes its result; NULL: none
  GError **error;
} OdlGlStepCompiler;

static inline const OdlGlStore *
store_at (const OdlGlDispatchParams *params, int slot)
{
  return odl_gl_stores_at (params->stores, slot);
}

static inline OdlGlDispatch
new_dispatch (const OdlGlStepCompiler *c)
{
  return (OdlGlDispatch){ .step = c->index, .parameters = c->index };
}

// `target`: the binding that the dispatch writes.
void odl_gl_bind_numbers (const OdlGlStepCompiler *c,
                          const OdlStep *step,
                          int target,
                          OdlGlDispatch *dispatch);

// Sets the fields that all passes over quads of a picture share; `size` is the picture's.
void odl_gl_cover_quads (OdlGlDispatch *dispatch,
                         int width,
                         int height,
                         const OdlGlStore *target,
                         int planes);

// The same for passes that look at nothing but a sample and its other channels: the
// slices of a volume are one tall picture.
void odl_gl_cover_tall (OdlGlDispatch *dispatch,
                        int width,
                        int height,
                        const OdlGlStore *target,
                        int channels);

// Appends `dispatch` with that program. ODL_ERROR_GPU.
bool odl_gl_add_dispatch (const OdlGlStepCompiler *c,
                          OdlGlPassId pass,
                          const char *defines,
                          OdlGlDispatch *dispatch);

// Appends a pass over the quads of the slot that the step writes, one plane per channel,
// unless `dispatch` has groups; it binds what the step reads, then what it writes.
bool odl_gl_add_quads (OdlGlStepCompiler *c,
                       OdlGlPassId pass,
                       const char *more_defines,
                       OdlGlDispatch dispatch);

// Steps of the class SPATIAL that have shaders of their own, and all others.
bool odl_gl_compile_add (OdlGlStepCompiler *c);
bool odl_gl_compile_convolution (OdlGlStepCompiler *c);
bool odl_gl_compile_fourier (OdlGlStepCompiler *c);
bool odl_gl_compile_bank (OdlGlStepCompiler *c, const OdlBank *bank);
bool odl_gl_compile_median (OdlGlStepCompiler *c);
bool odl_gl_compile_non_local_means (OdlGlStepCompiler *c);
bool odl_gl_compile_spatial (OdlGlStepCompiler *c);

// Steps of the class BANDS. JOIN: ODL_ERROR_UNSUPPORTED where shaders see too few
// buffers.
bool odl_gl_compile_band (OdlGlStepCompiler *c);
bool odl_gl_compile_join (OdlGlStepCompiler *c);
bool odl_gl_compile_shift (OdlGlStepCompiler *c);
bool odl_gl_compile_scan_convert (OdlGlStepCompiler *c);

// FORWARD and INVERSE along z, and THRESHOLD of octants.
bool odl_gl_compile_depth (OdlGlStepCompiler *c);
bool odl_gl_compile_depth_threshold (OdlGlStepCompiler *c);

// Steps of the class TENSOR. ODL_ERROR_UNSUPPORTED where shaders see too few buffers.
bool odl_gl_compile_tensor (OdlGlStepCompiler *c);

// Steps of the class MEASURE but SNAKES. ODL_ERROR_UNSUPPORTED likewise.
bool odl_gl_compile_measure (OdlGlStepCompiler *c);

// ODL_ERROR_UNSUPPORTED where work groups share too little memory.
bool odl_gl_compile_bm3d (OdlGlStepCompiler *c);
bool odl_gl_compile_bm3d_time (OdlGlStepCompiler *c);

// Steps of the dual tree: those along both axes of a level are one dispatch, in the place
// of the last. ODL_ERROR_UNSUPPORTED likewise.
bool odl_gl_compile_dual_tree (OdlGlStepCompiler *c);
