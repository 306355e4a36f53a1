// SPDX-License-Identifier: MIT
#include "engine/gl/platform/copies.h"

#include <epoxy/gl.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/platform/device_buffer.h"
#include "engine/gl/platform/program.h"
#include "engine/gl/texture_stores.h"

#define QUADS_OF_A_GROUP 256
#define MOST_GROUPS 32768 // in a row; GL guarantees 65535
#define IMAGE_GROUP_X 32
#define IMAGE_GROUP_Y 8

// The resources of one kind of copy.
typedef struct {
  OdlGlCaps caps;
  size_t linked;
  OdlGlPrograms *programs;
  GLuint textures[2], buffers[2], framebuffer, vertex_array;
  OdlGlDraw draw;
  GLuint groups[2];
} Copier;

static const struct {
  const char *name;
  OdlGlPassId pass;
} copies[ODL_GL_N_COPIES] = {
  [ODL_GL_COPY_FRAGMENT] = { "fragment", ODL_GL_PASS_COPY },
  [ODL_GL_COPY_IMAGE] = { "image", ODL_GL_PASS_COMPUTE_COPY_IMAGE },
  [ODL_GL_COPY_BUFFER] = { "buffer", ODL_GL_PASS_COMPUTE_COPY },
};

const char *
odl_gl_copy_name (OdlGlCopy copy)
{
  g_return_val_if_fail (copy < ODL_GL_N_COPIES, NULL);
  return copies[copy].name;
}

static void
make_textures (Copier *copier, int width, int height)
{
  for (int i = 0; i < 2; i++) {
    copier->textures[i] = odl_gl_texture_new (1, 32, width, height);
    copier->draw.viewport[2] = width;
    copier->draw.viewport[3] = height;
  }
  copier->draw.textures[0] = copier->textures[0];
}

static void
prepare_fragment (Copier *copier, int width, int height)
{
  make_textures (copier, width, height);
  copier->framebuffer = odl_gl_framebuffer_new (&copier->textures[1], 1);
  copier->draw.framebuffer = copier->framebuffer;
  copier->draw.vertices = 3;
  glGenVertexArrays (1, &copier->vertex_array);
  glBindVertexArray (copier->vertex_array);
}

static void
prepare_image (Copier *copier, int width, int height)
{
  make_textures (copier, width, height);
  // An image that is written must have a fixed size in OpenGL ES.
  glDeleteTextures (1, &copier->textures[1]);
  glGenTextures (1, &copier->textures[1]);
  glBindTexture (GL_TEXTURE_2D, copier->textures[1]);
  glTexStorage2D (GL_TEXTURE_2D, 1, GL_R32F, width, height);
  glBindImageTexture (0, copier->textures[1], 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32F);
  copier->draw.uniforms.n = width;
  copier->groups[0] = (width + IMAGE_GROUP_X - 1) / IMAGE_GROUP_X;
  copier->groups[1] = (height + IMAGE_GROUP_Y - 1) / IMAGE_GROUP_Y;
}

static void
prepare_buffer (Copier *copier, int width, int height)
{
  const size_t quads = ((size_t) width * height + 3) / 4;
  const size_t groups = (quads + QUADS_OF_A_GROUP - 1) / QUADS_OF_A_GROUP;

  for (GLuint i = 0; i < 2; i++) {
    copier->buffers[i] = odl_gl_device_buffer_new (&copier->caps, quads * 16);
    glBindBufferBase (GL_SHADER_STORAGE_BUFFER, i, copier->buffers[i]);
  }
  copier->draw.uniforms.n = (int) quads;
  copier->groups[0] = (GLuint) MIN (groups, MOST_GROUPS);
  copier->groups[1] = (GLuint) ((groups + MOST_GROUPS - 1) / MOST_GROUPS);
}

static void
copier_clear (Copier *copier)
{
  // Unbinds everything, since engines restore the previous bindings.
  glUseProgram (0);
  glBindVertexArray (0);
  glBindFramebuffer (GL_FRAMEBUFFER, 0);
  glBindTexture (GL_TEXTURE_2D, 0);
  if (copier->caps.compute) {
    glBindImageTexture (0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32F);
    glBindBuffer (GL_SHADER_STORAGE_BUFFER, 0);
    for (GLuint i = 0; i < 2; i++)
      glBindBufferBase (GL_SHADER_STORAGE_BUFFER, i, 0);
  }
  glDeleteFramebuffers (1, &copier->framebuffer);
  glDeleteVertexArrays (1, &copier->vertex_array);
  glDeleteTextures (2, copier->textures);
  glDeleteBuffers (2, copier->buffers);
  g_clear_pointer (&copier->programs, odl_gl_programs_free);
}

static void
draw_once (void *data)
{
  odl_gl_draw (&((Copier *) data)->draw);
}

static void
dispatch_once (void *data)
{
  Copier *copier = data;

  glUseProgram (copier->draw.program->id);
  if (copier->draw.textures[0] != 0) {
    glActiveTexture (GL_TEXTURE0);
    glBindTexture (GL_TEXTURE_2D, copier->draw.textures[0]);
  }
  odl_gl_set_uniforms (copier->draw.program, &copier->draw.uniforms);
  glDispatchCompute (copier->groups[0], copier->groups[1], 1);
  glMemoryBarrier (GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
}

static bool
check_context (Copier *copier, OdlGlCopy copy, int width, int height, GError **error)
{
  if (!odl_gl_caps_init (&copier->caps, error)
      || !odl_gl_check_size (&copier->caps, width, height, error))
    return false;
  if ((copy == ODL_GL_COPY_FRAGMENT ? copier->caps.float_targets : copier->caps.compute)
      && (copy != ODL_GL_COPY_BUFFER
          || (double) width * height * 4 <= copier->caps.max_storage))
    return true;
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("%s cannot copy %d × %d floats this way"),
                        copier->caps.renderer, width, height);
}

bool
odl_gl_copy_time (OdlGlCopy copy,
                  int width,
                  int height,
                  int64_t budget_ns,
                  OdlGlTimes *times,
                  GError **error)
{
  static void (*const prepare[]) (Copier *, int, int) = {
    [ODL_GL_COPY_FRAGMENT] = prepare_fragment,
    [ODL_GL_COPY_IMAGE] = prepare_image,
    [ODL_GL_COPY_BUFFER] = prepare_buffer,
  };
  g_autofree Copier *copier = g_new0 (Copier, 1);

  g_return_val_if_fail (copy < ODL_GL_N_COPIES, false);
  if (!check_context (copier, copy, width, height, error))
    return false;
  odl_gl_forget_errors ();
  copier->programs = odl_gl_programs_new (&copier->caps, &copier->linked);
  copier->draw.program
      = odl_gl_programs_get (copier->programs, copies[copy].pass, false, NULL, error);
  bool ok = copier->draw.program != NULL;
  if (ok) {
    prepare[copy](copier, width, height);
    ok = odl_gl_check (_ ("preparing the filter"), error);
  }
  if (ok)
    odl_gl_meter (copy == ODL_GL_COPY_FRAGMENT ? draw_once : dispatch_once, copier,
                  budget_ns, times);
  copier_clear (copier);
  return ok;
}
