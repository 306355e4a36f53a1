// SPDX-License-Identifier: MIT
// From the steps of a plan to draw calls.
#pragma once

#include "engine/gl/platform/program.h"
#include "engine/gl/texture_stores.h"
#include "engine/gl/variant.h"

typedef struct {
  int first, count; // draw calls of one step
  int parameters; // the step whose parameters they take as well; 0: none but their own
} OdlGlStepDraws;

typedef struct {
  const OdlPlan *plan;
  const OdlGlTextureStores *stores;
  OdlGlPrograms *programs;
  OdlGlVariant variant;
  // Where no kernel reaches a border, programs that do not fold: worth some more draw
  // calls on software rasterisers.
  bool interiors;
  bool gather; // textureGather is there
  OdlGlStepDraws *steps; // plan->n_steps of them, filled here
} OdlGlStepsParams;

// The draw calls of all steps (OdlGlDraw), in their order; LOAD has one with framebuffer
// and precision only, which odl_gl_upload_image completes. Links programs. ODL_ERROR_GPU.
// GL current.
GArray *odl_gl_steps_compile (const OdlGlStepsParams *params, GError **error);

// One step that is not of the transform (LOAD, LUMA, CONVOLVE, SHARPEN, RECOMBINE, and
// those over time), for engines with other stores.
typedef struct {
  const OdlPlan *plan;
  OdlGlPrograms *programs;
  const OdlStep *step;
  const OdlGlTextureStore *target;
  const OdlGlTextureStore *sources[3]; // NULL where the step reads nothing
  GArray *draws; // OdlGlDraw
} OdlGlSpatialParams;

// Appends the draw calls of that step, as odl_gl_steps_compile does.
bool odl_gl_steps_compile_spatial (const OdlGlSpatialParams *params, GError **error);

// Whether such steps can be compiled.
bool odl_gl_steps_have (const OdlStep *step);

// A spatial step has one shader text for draw calls and dispatches,
// shaders/spatial/NAME.glsl with the name of its kind's row. Whether it exists, and the
// lines before it: its name, its structural fields as numbers, its parameters as elements
// of a uniform, whether it reads a second picture, and the rule of its border.
bool odl_gl_has_spatial_shader (const OdlStep *step);
char *odl_gl_step_defines (const OdlPlan *plan, const OdlStep *step); // transfer full

// For shaders that shrink: the rule of `step`. Transfer full.
char *odl_gl_rule_defines (const OdlStep *step);

// The taps of a spatial step with a wavelet; nothing for others.
void odl_gl_step_taps (const OdlStep *step, OdlGlUniforms *uniforms);

// Copies the parameters of `step` that may change from frame to frame.
void odl_gl_step_parameters (const OdlStep *step, OdlGlUniforms *uniforms);
