// SPDX-License-Identifier: MIT
#include "engine/gl/stencil.h"

#include "config.h"
#include <glib/gi18n-lib.h>

#include "base/error.h"

typedef struct {
  GLenum face;
  GLenum names[7];
} FaceState;

static const FaceState front_state
    = { GL_FRONT,
        { GL_STENCIL_FUNC, GL_STENCIL_REF, GL_STENCIL_VALUE_MASK, GL_STENCIL_FAIL,
          GL_STENCIL_PASS_DEPTH_FAIL, GL_STENCIL_PASS_DEPTH_PASS,
          GL_STENCIL_WRITEMASK } };
static const FaceState back_state
    = { GL_BACK,
        { GL_STENCIL_BACK_FUNC, GL_STENCIL_BACK_REF, GL_STENCIL_BACK_VALUE_MASK,
          GL_STENCIL_BACK_FAIL, GL_STENCIL_BACK_PASS_DEPTH_FAIL,
          GL_STENCIL_BACK_PASS_DEPTH_PASS, GL_STENCIL_BACK_WRITEMASK } };

static void
save_face (const FaceState *face, GLint *values)
{
  for (size_t i = 0; i < G_N_ELEMENTS (face->names); i++)
    glGetIntegerv (face->names[i], &values[i]);
}

static void
restore_face (const FaceState *face, const GLint *values)
{
  glStencilFuncSeparate (face->face, (GLenum) values[0], values[1], (GLuint) values[2]);
  glStencilOpSeparate (face->face, (GLenum) values[3], (GLenum) values[4],
                       (GLenum) values[5]);
  glStencilMaskSeparate (face->face, (GLuint) values[6]);
}

void
odl_gl_stencil_begin (OdlGlStencilState *state)
{
  save_face (&front_state, state->front);
  save_face (&back_state, state->back);
  glStencilOp (GL_KEEP, GL_KEEP, GL_KEEP);
  glStencilMask (0);
}

void
odl_gl_stencil_end (const OdlGlStencilState *state)
{
  restore_face (&front_state, state->front);
  restore_face (&back_state, state->back);
}

// Sets `bit` in every second line along an axis, beginning with the second.
static void
mark (const OdlGlStencil *stencil, const OdlGlProgram *program, int lines, GLuint bit)
{
  const OdlGlUniforms uniforms = { .extent = { stencil->width, stencil->height } };

  glStencilFunc (GL_ALWAYS, (GLint) bit, bit);
  glStencilMask (bit);
  glUseProgram (program->id);
  odl_gl_set_uniforms (program, &uniforms);
  glDrawArrays (GL_TRIANGLES, 0, 6 * lines);
}

static bool
fill (const OdlGlStencil *stencil, OdlGlPrograms *programs, GError **error)
{
  const OdlGlProgram *columns = odl_gl_programs_get (
      programs, ODL_GL_PASS_MARK, true, "#define AXIS 0\n#define PARITY 1\n", error);
  const OdlGlProgram *rows
      = columns == NULL
            ? NULL
            : odl_gl_programs_get (programs, ODL_GL_PASS_MARK, true,
                                   "#define AXIS 1\n#define PARITY 1\n", error);

  if (rows == NULL)
    return false;
  glViewport (0, 0, stencil->width, stencil->height);
  glStencilMask (~0u);
  glClearBufferiv (GL_STENCIL, 0, (const GLint[]){ 0 });
  glEnable (GL_STENCIL_TEST);
  glStencilOp (GL_KEEP, GL_KEEP, GL_REPLACE);
  mark (stencil, columns, stencil->width / 2, ODL_GL_STENCIL_ODD_X);
  mark (stencil, rows, stencil->height / 2, ODL_GL_STENCIL_ODD_Y);
  glDisable (GL_STENCIL_TEST);
  return true;
}

bool
odl_gl_stencil_ensure (OdlGlStencil *stencil,
                       OdlGlPrograms *programs,
                       int width,
                       int height,
                       GError **error)
{
  OdlGlStencilState state;
  GLuint framebuffer;

  if (stencil->renderbuffer != 0 && stencil->width == width && stencil->height == height)
    return true;
  odl_gl_stencil_clear (stencil);
  *stencil = (OdlGlStencil){ .width = width, .height = height };
  glGenRenderbuffers (1, &stencil->renderbuffer);
  glBindRenderbuffer (GL_RENDERBUFFER, stencil->renderbuffer);
  glRenderbufferStorage (GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, width, height);
  glBindRenderbuffer (GL_RENDERBUFFER, 0);

  glGenFramebuffers (1, &framebuffer);
  glBindFramebuffer (GL_DRAW_FRAMEBUFFER, framebuffer);
  glFramebufferRenderbuffer (GL_DRAW_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT,
                             GL_RENDERBUFFER, stencil->renderbuffer);
  glDrawBuffers (1, (const GLenum[]){ GL_NONE });
  odl_gl_stencil_begin (&state);
  bool ok = glCheckFramebufferStatus (GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  if (!ok)
    g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
                 _ ("the graphics driver gave no stencil buffer of %d × %d pixels; "
                    "choose another variant of the engine"),
                 width, height);
  ok = ok && fill (stencil, programs, error);
  odl_gl_stencil_end (&state);
  glDeleteFramebuffers (1, &framebuffer);
  if (!ok)
    odl_gl_stencil_clear (stencil);
  return ok;
}

void
odl_gl_stencil_clear (OdlGlStencil *stencil)
{
  glDeleteRenderbuffers (1, &stencil->renderbuffer);
  *stencil = (OdlGlStencil){ 0 };
}
