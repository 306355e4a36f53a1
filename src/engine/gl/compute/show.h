// SPDX-License-Identifier: MIT
// Textures for the canvas of pictures that lie in buffers. When the canvas asked for the
// last frame's picture, the last level of synthesis writes the next one into the texture
// itself (shaders/include/target.glsl).
#pragma once

#include "engine/gl/compute/steps.h"

typedef struct {
  int slot;
  GLuint texture; // 0: none
  GLenum format;
  OdlGlDispatch dispatch; // copies the slot
  size_t frame; // whose picture it holds; 0: none
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

// The dispatch that can write the plan's result into the texture instead of its slot; −1:
// none.
int odl_gl_shown_writer (const OdlPlan *plan, const GArray *dispatches);

// Runs that dispatch into the texture. ODL_ERROR_GPU. GL current.
bool odl_gl_shown_write (OdlGlShown *shown,
                         OdlGlPrograms *programs,
                         const OdlGlDispatch *writer,
                         size_t frame,
                         GError **error);
