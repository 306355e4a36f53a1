// SPDX-License-Identifier: MIT
// Draw calls, and the uniforms of passes.
#include <string.h>

#include "engine/gl/platform/program.h"
#include "engine/gl/platform/state.h"

GLenum
odl_gl_uniform_gl_type (OdlGlUniformType type)
{
  static const GLenum types[] = {
    [ODL_GL_INT] = GL_INT,         [ODL_GL_IVEC2] = GL_INT_VEC2,
    [ODL_GL_FLOAT] = GL_FLOAT,     [ODL_GL_VEC2] = GL_FLOAT_VEC2,
    [ODL_GL_VEC3] = GL_FLOAT_VEC3, [ODL_GL_VEC4] = GL_FLOAT_VEC4,
  };

  return types[type];
}

static void
set_uniform (const OdlGlUniform *uniform, int location, int count, const void *values)
{
  switch (uniform->type) {
  case ODL_GL_INT:
    glUniform1iv (location, count, values);
    break;
  case ODL_GL_IVEC2:
    glUniform2iv (location, count, values);
    break;
  case ODL_GL_FLOAT:
    glUniform1fv (location, count, values);
    break;
  case ODL_GL_VEC2:
    glUniform2fv (location, count, values);
    break;
  case ODL_GL_VEC3:
    glUniform3fv (location, count, values);
    break;
  case ODL_GL_VEC4:
    glUniform4fv (location, count, values);
    break;
  }
}

void
odl_gl_set_uniforms (const OdlGlProgram *program, const OdlGlUniforms *uniforms)
{
  static const size_t words[] = {
    [ODL_GL_INT] = 1,  [ODL_GL_IVEC2] = 2, [ODL_GL_FLOAT] = 1,
    [ODL_GL_VEC2] = 2, [ODL_GL_VEC3] = 3,  [ODL_GL_VEC4] = 4,
  };

  for (int i = 0; i < program->n_uniforms; i++) {
    const OdlGlBoundUniform *bound = &program->uniforms[i];
    const size_t bytes = 4 * words[bound->uniform->type] * (size_t) bound->count;
    const char *wanted = (const char *) uniforms + bound->uniform->offset;
    char *present = (char *) program->present + bound->uniform->offset;
    // Few of them change from frame to frame.
    if (memcmp (present, wanted, bytes) == 0)
      continue;
    set_uniform (bound->uniform, bound->location, bound->count, wanted);
    memcpy (present, wanted, bytes);
  }
}

void
odl_gl_draw (const OdlGlDraw *draw)
{
  glBindFramebuffer (GL_DRAW_FRAMEBUFFER, draw->framebuffer);
  glViewport (draw->viewport[0], draw->viewport[1], draw->viewport[2], draw->viewport[3]);
  glUseProgram (draw->program->id);
  for (int i = 0; i < ODL_GL_PASS_SAMPLERS && draw->textures[i] != 0; i++) {
    glActiveTexture (GL_TEXTURE0 + i);
    glBindTexture (GL_TEXTURE_2D, draw->textures[i]);
  }
  odl_gl_set_uniforms (draw->program, &draw->uniforms);
  glDrawArrays (draw->draws_lines ? GL_LINES : GL_TRIANGLES, 0, draw->vertices);
  // Few draw calls use more units than are saved for the others: these are left empty.
  for (int i = ODL_GL_STATE_UNITS; i < ODL_GL_PASS_SAMPLERS && draw->textures[i] != 0;
       i++) {
    glActiveTexture (GL_TEXTURE0 + i);
    glBindTexture (GL_TEXTURE_2D, 0);
  }
}
