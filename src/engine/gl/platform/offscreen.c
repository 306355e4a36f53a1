// SPDX-License-Identifier: MIT
#include "engine/gl/platform/offscreen.h"

#include <epoxy/gl.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"

struct _OdlGlOffscreen {
  GLuint colours, framebuffer;
};

OdlGlOffscreen *
odl_gl_offscreen_new (int width, int height, GError **error)
{
  OdlGlOffscreen *offscreen = g_new0 (OdlGlOffscreen, 1);

  glGenRenderbuffers (1, &offscreen->colours);
  glBindRenderbuffer (GL_RENDERBUFFER, offscreen->colours);
  glRenderbufferStorage (GL_RENDERBUFFER, GL_RGBA8, width, height);
  glBindRenderbuffer (GL_RENDERBUFFER, 0);
  glGenFramebuffers (1, &offscreen->framebuffer);
  glBindFramebuffer (GL_FRAMEBUFFER, offscreen->framebuffer);
  glFramebufferRenderbuffer (GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                             offscreen->colours);
  if (glCheckFramebufferStatus (GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE)
    return offscreen;
  odl_gl_offscreen_free (offscreen);
  return odl_error_null (error, ODL_ERROR_GPU,
                         _ ("the graphics driver gave no memory to show %d × %d pixels"),
                         width, height);
}

void
odl_gl_offscreen_free (OdlGlOffscreen *offscreen)
{
  if (offscreen == NULL)
    return;
  glBindFramebuffer (GL_FRAMEBUFFER, 0);
  glDeleteFramebuffers (1, &offscreen->framebuffer);
  glDeleteRenderbuffers (1, &offscreen->colours);
  g_free (offscreen);
}

void
odl_gl_offscreen_show (OdlGlOffscreen *offscreen)
{
  (void) offscreen; // referenced by commands
  glFlush ();
}
