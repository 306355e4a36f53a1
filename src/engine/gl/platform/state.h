// SPDX-License-Identifier: MIT
// Saves and restores the GL state that passes change, since GTK draws in the same
// context.
#pragma once

#include <epoxy/gl.h>

#define ODL_GL_STATE_UNITS 4 // texture units that are saved
#define ODL_GL_STATE_SWITCHES 8

typedef struct {
  GLint draw_framebuffer, read_framebuffer;
  GLint program, vertex_array;
  GLint active_texture;
  GLint textures[ODL_GL_STATE_UNITS];
  GLint samplers[ODL_GL_STATE_UNITS];
  GLint unpack_buffer, pack_buffer;
  GLint pixel_store[8];
  GLint viewport[4];
  GLint scissor[4];
  GLint blend[6]; // functions and equations
  GLboolean color_mask[4];
  GLboolean switches[ODL_GL_STATE_SWITCHES];
} OdlGlState;

// Saves the state, and sets that of passes: no blending, tests or scissor, tight pixel
// rows, all colours written, no samplers. GL current.
void odl_gl_state_save (OdlGlState *state);
void odl_gl_state_restore (const OdlGlState *state);
