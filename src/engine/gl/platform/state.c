// SPDX-License-Identifier: MIT
#include "engine/gl/platform/state.h"

#include <glib.h>

static const GLenum switches[]
    = { GL_BLEND,     GL_SCISSOR_TEST,       GL_DEPTH_TEST, GL_STENCIL_TEST,
        GL_CULL_FACE, GL_RASTERIZER_DISCARD, GL_DITHER,     GL_SAMPLE_ALPHA_TO_COVERAGE };

typedef struct {
  GLenum name;
  GLint wanted;
} PixelStore;

static const PixelStore pixel_stores[] = {
  { GL_UNPACK_ALIGNMENT, 1 },   { GL_UNPACK_ROW_LENGTH, 0 }, { GL_UNPACK_SKIP_ROWS, 0 },
  { GL_UNPACK_SKIP_PIXELS, 0 }, { GL_PACK_ALIGNMENT, 1 },    { GL_PACK_ROW_LENGTH, 0 },
  { GL_PACK_SKIP_ROWS, 0 },     { GL_PACK_SKIP_PIXELS, 0 },
};

static const GLenum blends[]
    = { GL_BLEND_SRC_RGB,   GL_BLEND_DST_RGB,      GL_BLEND_SRC_ALPHA,
        GL_BLEND_DST_ALPHA, GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA };

G_STATIC_ASSERT (G_N_ELEMENTS (switches) == ODL_GL_STATE_SWITCHES);
G_STATIC_ASSERT (G_N_ELEMENTS (pixel_stores)
                 == G_N_ELEMENTS (((OdlGlState *) 0)->pixel_store));
G_STATIC_ASSERT (G_N_ELEMENTS (blends) == G_N_ELEMENTS (((OdlGlState *) 0)->blend));

static void
save_textures (OdlGlState *state)
{
  glGetIntegerv (GL_ACTIVE_TEXTURE, &state->active_texture);
  for (int i = 0; i < ODL_GL_STATE_UNITS; i++) {
    glActiveTexture (GL_TEXTURE0 + i);
    glGetIntegerv (GL_TEXTURE_BINDING_2D, &state->textures[i]);
    glGetIntegerv (GL_SAMPLER_BINDING, &state->samplers[i]);
    glBindSampler (i, 0);
  }
  glActiveTexture (GL_TEXTURE0);
}

void
odl_gl_state_save (OdlGlState *state)
{
  glGetIntegerv (GL_DRAW_FRAMEBUFFER_BINDING, &state->draw_framebuffer);
  glGetIntegerv (GL_READ_FRAMEBUFFER_BINDING, &state->read_framebuffer);
  glGetIntegerv (GL_CURRENT_PROGRAM, &state->program);
  glGetIntegerv (GL_VERTEX_ARRAY_BINDING, &state->vertex_array);
  glGetIntegerv (GL_PIXEL_UNPACK_BUFFER_BINDING, &state->unpack_buffer);
  glGetIntegerv (GL_PIXEL_PACK_BUFFER_BINDING, &state->pack_buffer);
  glGetIntegerv (GL_VIEWPORT, state->viewport);
  glGetIntegerv (GL_SCISSOR_BOX, state->scissor);
  glGetBooleanv (GL_COLOR_WRITEMASK, state->color_mask);
  save_textures (state);
  for (size_t i = 0; i < G_N_ELEMENTS (blends); i++)
    glGetIntegerv (blends[i], &state->blend[i]);
  for (size_t i = 0; i < G_N_ELEMENTS (switches); i++) {
    state->switches[i] = glIsEnabled (switches[i]);
    if (state->switches[i])
      glDisable (switches[i]);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (pixel_stores); i++) {
    glGetIntegerv (pixel_stores[i].name, &state->pixel_store[i]);
    glPixelStorei (pixel_stores[i].name, pixel_stores[i].wanted);
  }
  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, 0);
  glBindBuffer (GL_PIXEL_PACK_BUFFER, 0);
  glColorMask (GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void
odl_gl_state_restore (const OdlGlState *state)
{
  for (size_t i = 0; i < G_N_ELEMENTS (pixel_stores); i++)
    glPixelStorei (pixel_stores[i].name, state->pixel_store[i]);
  for (size_t i = 0; i < G_N_ELEMENTS (switches); i++) {
    if (state->switches[i])
      glEnable (switches[i]);
    else
      glDisable (switches[i]);
  }
  for (int i = 0; i < ODL_GL_STATE_UNITS; i++) {
    glActiveTexture (GL_TEXTURE0 + i);
    glBindTexture (GL_TEXTURE_2D, (GLuint) state->textures[i]);
    glBindSampler (i, (GLuint) state->samplers[i]);
  }
  glActiveTexture ((GLenum) state->active_texture);
  glBlendFuncSeparate ((GLenum) state->blend[0], (GLenum) state->blend[1],
                       (GLenum) state->blend[2], (GLenum) state->blend[3]);
  glBlendEquationSeparate ((GLenum) state->blend[4], (GLenum) state->blend[5]);
  glColorMask (state->color_mask[0], state->color_mask[1], state->color_mask[2],
               state->color_mask[3]);
  glScissor (state->scissor[0], state->scissor[1], state->scissor[2], state->scissor[3]);
  glViewport (state->viewport[0], state->viewport[1], state->viewport[2],
              state->viewport[3]);
  glBindBuffer (GL_PIXEL_PACK_BUFFER, (GLuint) state->pack_buffer);
  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, (GLuint) state->unpack_buffer);
  glBindVertexArray ((GLuint) state->vertex_array);
  glUseProgram ((GLuint) state->program);
  glBindFramebuffer (GL_DRAW_FRAMEBUFFER, (GLuint) state->draw_framebuffer);
  glBindFramebuffer (GL_READ_FRAMEBUFFER, (GLuint) state->read_framebuffer);
}
