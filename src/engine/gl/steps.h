// SPDX-License-Identifier: MIT
// From the steps of a plan to draw calls.
#pragma once

#include "engine/gl/program.h"
#include "engine/gl/targets.h"
#include "engine/gl/variant.h"

typedef struct {
  int first, count; // draw calls of one step
  int parameters; // the step whose parameters they take as well; 0: none but their own
} OdlGlStepDraws;

typedef struct {
  const OdlPlan *plan;
  const OdlGlTargets *targets;
  OdlGlPrograms *programs;
  OdlGlVariant variant;
  // Where no kernel reaches a border, programs that do not fold: worth some more draw
  // calls on software rasterisers.
  bool interiors;
  bool gather; // textureGather is there
  OdlGlStepDraws *steps; // plan->n_steps of them, filled here
} OdlGlStepsParams;

// The draw calls of all steps (OdlGlDraw), in their order; LOAD has one with a
// framebuffer only, which odl_gl_upload_image completes. Links programs. ODL_ERROR_GPU.
// GL current.
GArray *odl_gl_steps_compile (const OdlGlStepsParams *params, GError **error);

// One step that is not of the transform (LOAD, LUMA, CONVOLVE, SHARPEN, RECOMBINE, and
// those over time), for engines with a storage of their own.
typedef struct {
  const OdlPlan *plan;
  OdlGlPrograms *programs;
  const OdlStep *step;
  const OdlGlSlot *target;
  const OdlGlSlot *sources[3]; // NULL where the step reads nothing
  GArray *draws; // OdlGlDraw
} OdlGlSpatialParams;

// Appends the draw calls of that step, as odl_gl_steps_compile does.
bool odl_gl_steps_compile_spatial (const OdlGlSpatialParams *params, GError **error);

// Copies the parameters of `step` that may change from frame to frame.
void odl_gl_step_parameters (const OdlStep *step, OdlGlUniforms *uniforms);
