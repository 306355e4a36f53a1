// SPDX-License-Identifier: MIT
// The stencil buffer that tells even samples from odd ones, for the variant that draws
// each parity over everything.
#pragma once

#include "engine/gl/program.h"

typedef struct {
  GLuint renderbuffer; // 0: none
  int width, height;
} OdlGlStencil;

// Makes the buffer at least width × height, or keeps it when it is that. Its bits under
// ODL_GL_STENCIL_ODD_X and …_Y say which columns and rows are odd. ODL_ERROR_GPU. GL
// current, between odl_gl_state_save and …_restore, an empty vertex array bound.
bool odl_gl_stencil_ensure (OdlGlStencil *stencil,
                            OdlGlPrograms *programs,
                            int width,
                            int height,
                            GError **error);
void odl_gl_stencil_clear (OdlGlStencil *stencil); // GL current

// What drawing through a stencil changes and odl_gl_state_save does not know.
typedef struct {
  GLint front[7], back[7];
} OdlGlStencilState;

void odl_gl_stencil_begin (OdlGlStencilState *state); // saves; then nothing is written
void odl_gl_stencil_end (const OdlGlStencilState *state);
