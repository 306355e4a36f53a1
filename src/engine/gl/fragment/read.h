// SPDX-License-Identifier: MIT
// Slots of gl-fragment, back in memory.
#pragma once

#include "engine/gl/steps.h"

typedef struct {
  const OdlPlan *plan; // of the structure in place
  OdlGlVariant variant;
  int slot;
  int before; // the step before which the frame stands; n_steps: it is complete
  const OdlGlTextureStores *stores;
  OdlGlPrograms *programs;
  const OdlGlStepDraws *steps;
  const GArray *draws; // OdlGlDraw, with the parameters of the last run
  GLuint framebuffer; // to read from
  float *texels; // room for four times the slot's samples of a channel; NULL: it is
                 // allocated
} OdlGlReadParams;

// The samples of a slot, interleaved, without bias: width × height × channels of them.
// Draws again what has no store. ODL_ERROR_TOO_LARGE, ODL_ERROR_GPU. GL current, an empty
// vertex array bound.
bool odl_gl_read_slot (const OdlGlReadParams *params, float *out, GError **error);
