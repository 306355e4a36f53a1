// SPDX-License-Identifier: MIT
// Textures that show what compute shaders left in buffers, for the canvas. Who asked for
// a picture will ask for the next: then the last level of synthesis writes the texture
// itself (shaders/include/target.glsl).
#pragma once

#include "engine/gl/compute/steps.h"

typedef struct {
  int slot;
  GLuint texture; // 0: none
  GLenum format;
  OdlGlDispatch dispatch; // copies the slot
  size_t frame; // that it holds; 0: none
} OdlGlShown;

// A texture for `slot`; counts it in `created`. ODL_ERROR_GPU. GL current.
bool odl_gl_shown_init (OdlGlShown *shown,
                        const OdlGlDispatchParams *params,
                        int slot,
                        size_t *created,
                        GError **error);
void odl_gl_shown_clear (OdlGlShown *shown); // GL current

// Copies the slot, whose picture is that of `frame`. GL current.
void odl_gl_shown_copy (OdlGlShown *shown, size_t frame);

// The one of `dispatches` that can write the texture of the plan's result in the place of
// the slot; −1: none.
int odl_gl_shown_writer (const OdlPlan *plan, const GArray *dispatches);

// Runs that one into the texture. ODL_ERROR_GPU. GL current.
bool odl_gl_shown_write (OdlGlShown *shown,
                         OdlGlPrograms *programs,
                         const OdlGlDispatch *writer,
                         size_t frame,
                         GError **error);
