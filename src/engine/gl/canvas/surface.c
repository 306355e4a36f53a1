// SPDX-License-Identifier: MIT
#include "engine/gl/canvas/surface.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "image/display/display.h"

#define SAMPLES 4
// Lines of the net lie this far before the surface, as a share of the depth.
#define LIFT 0.004f

enum { MESH, ORIGINAL, NET, N_PARTS };

// A mesh on the GPU, kept while it is the same.
typedef struct {
  OdlMesh *mesh; // a reference; NULL: none
  GLuint positions, normals; // textures with a texel for each vertex
} Part;

struct _OdlGlSurface {
  const OdlGlCaps *caps;
  OdlGlPrograms *programs;
  Part parts[N_PARTS];
  GLuint framebuffers[2]; // with samples and depth; with what these became
  GLuint buffers[3]; // colours and depth with samples, colours
  int width, height; // of the buffers
};

OdlGlSurface *
odl_gl_surface_new (const OdlGlCaps *caps, OdlGlPrograms *programs)
{
  OdlGlSurface *self = g_new0 (OdlGlSurface, 1);

  self->caps = caps;
  self->programs = programs;
  return self;
}

static void
clear_part (Part *part)
{
  glDeleteTextures (1, &part->positions);
  glDeleteTextures (1, &part->normals);
  g_clear_pointer (&part->mesh, odl_mesh_unref);
  *part = (Part){ 0 };
}

static void
clear_buffers (OdlGlSurface *self)
{
  glDeleteFramebuffers (G_N_ELEMENTS (self->framebuffers), self->framebuffers);
  glDeleteRenderbuffers (G_N_ELEMENTS (self->buffers), self->buffers);
  self->width = self->height = 0;
}

void
odl_gl_surface_free (OdlGlSurface *self)
{
  if (self == NULL)
    return;
  for (int i = 0; i < N_PARTS; i++)
    clear_part (&self->parts[i]);
  if (self->width > 0)
    clear_buffers (self);
  g_free (self);
}

static GLuint
upload (const OdlMesh *mesh, const float *vectors)
{
  GLuint texture = 0;

  glGenTextures (1, &texture);
  glBindTexture (GL_TEXTURE_2D, texture);
  glTexImage2D (GL_TEXTURE_2D, 0, GL_RGB32F, mesh->columns, mesh->rows, 0, GL_RGB,
                GL_FLOAT, vectors);
  // Such textures have no other filter in GLES.
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  return texture;
}

// `mesh` may be NULL.
static void
take (Part *part, OdlMesh *mesh)
{
  if (part->mesh == mesh)
    return;
  clear_part (part);
  if (mesh == NULL)
    return;
  part->mesh = odl_mesh_ref (mesh);
  part->positions = upload (mesh, mesh->positions);
  if (mesh->normals != NULL)
    part->normals = upload (mesh, mesh->normals);
}

static void
add_buffer (GLuint buffer,
            GLenum place,
            GLenum format,
            int samples,
            int width,
            int height)
{
  glBindRenderbuffer (GL_RENDERBUFFER, buffer);
  glRenderbufferStorageMultisample (GL_RENDERBUFFER, samples, format, width, height);
  glFramebufferRenderbuffer (GL_DRAW_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer);
}

static bool
ensure_buffers (OdlGlSurface *self, int width, int height, GError **error)
{
  if (self->width == width && self->height == height)
    return true;
  if (self->width > 0)
    clear_buffers (self);
  self->width = width;
  self->height = height;
  glGenFramebuffers (G_N_ELEMENTS (self->framebuffers), self->framebuffers);
  glGenRenderbuffers (G_N_ELEMENTS (self->buffers), self->buffers);
  glBindFramebuffer (GL_DRAW_FRAMEBUFFER, self->framebuffers[0]);
  add_buffer (self->buffers[0], GL_COLOR_ATTACHMENT0, GL_RGBA8, SAMPLES, width, height);
  add_buffer (self->buffers[1], GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, SAMPLES, width,
              height);
  bool good = glCheckFramebufferStatus (GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glBindFramebuffer (GL_DRAW_FRAMEBUFFER, self->framebuffers[1]);
  add_buffer (self->buffers[2], GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, width, height);
  good
      = good && glCheckFramebufferStatus (GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glBindRenderbuffer (GL_RENDERBUFFER, 0);
  if (!good) {
    clear_buffers (self);
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_GPU,
                         _ ("this graphics driver cannot draw surfaces"));
  }
  return good;
}

static void
set_look (OdlGlUniforms *uniforms, const OdlLookMatrix *matrix, int width, int height)
{
  const OdlLookColours *colours = &odl_look_colours;
  const float shine[]
      = { colours->ambient, colours->fill, colours->diffuse, colours->gloss };
  const float reach[] = { 2 * matrix->scale / (float) width,
                          2 * matrix->scale / (float) height, matrix->depth };

  memcpy (uniforms->centre, matrix->centre, sizeof uniforms->centre);
  memcpy (uniforms->turn, matrix->turn, sizeof uniforms->turn);
  memcpy (uniforms->reach, reach, sizeof reach);
  memcpy (uniforms->front, colours->front, sizeof colours->front);
  memcpy (uniforms->back, colours->back, sizeof colours->back);
  memcpy (uniforms->light, colours->light, sizeof colours->light);
  memcpy (uniforms->shine, shine, sizeof shine);
  uniforms->sharpness = colours->sharpness;
  uniforms->lift = LIFT;
}

// Draws a part into columns from … to − 1.
static bool
draw_part (OdlGlSurface *self,
           int which,
           OdlGlDraw *draw,
           int from,
           int to,
           GError **error)
{
  const Part *part = &self->parts[which];
  const OdlGlPassId pass = which == NET ? ODL_GL_PASS_NET : ODL_GL_PASS_SURFACE;

  if (part->mesh == NULL || from >= to)
    return true;
  const int columns = part->mesh->columns, rows = part->mesh->rows;
  draw->program = odl_gl_programs_get (self->programs, pass, false, NULL, error);
  if (draw->program == NULL)
    return false;
  draw->draws_lines = which == NET;
  draw->vertices = which == NET ? 2 * ((columns - 1) * rows + columns * (rows - 1))
                                : 6 * (columns - 1) * (rows - 1);
  draw->textures[0] = part->positions;
  draw->textures[1] = part->normals;
  if (which == NET)
    memcpy (draw->uniforms.front, odl_look_colours.net, sizeof draw->uniforms.front);
  glScissor (from, 0, to - from, self->height);
  odl_gl_draw (draw);
  return true;
}

static void
copy (GLuint from, GLuint to, int width, int height)
{
  glBindFramebuffer (GL_READ_FRAMEBUFFER, from);
  glBindFramebuffer (GL_DRAW_FRAMEBUFFER, to);
  glBlitFramebuffer (0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                     GL_NEAREST);
}

bool
odl_gl_surface_draw (OdlGlSurface *self,
                     const OdlLookScene *scene,
                     int width,
                     int height,
                     GError **error)
{
  const float level = ODL_CANVAS_LEVEL / 255.0f;
  const int wipe = scene->original != NULL ? CLAMP (scene->wipe_x, 0, width) : 0;
  const OdlLookMatrix matrix = odl_look_matrix (scene, width, height);
  GLint target = 0;

  glGetIntegerv (GL_DRAW_FRAMEBUFFER_BINDING, &target);
  glActiveTexture (GL_TEXTURE0);
  take (&self->parts[MESH], scene->mesh);
  take (&self->parts[ORIGINAL], scene->original);
  take (&self->parts[NET], scene->net);
  bool good = ensure_buffers (self, width, height, error);
  if (good) {
    OdlGlDraw draw
        = { .framebuffer = self->framebuffers[0], .viewport = { 0, 0, width, height } };
    set_look (&draw.uniforms, &matrix, width, height);
    glBindFramebuffer (GL_DRAW_FRAMEBUFFER, self->framebuffers[0]);
    glClearBufferfv (GL_COLOR, 0, (const GLfloat[]){ level, level, level, 1 });
    glClearBufferfv (GL_DEPTH, 0, (const GLfloat[]){ 1 });
    glEnable (GL_DEPTH_TEST);
    glEnable (GL_SCISSOR_TEST);
    good = draw_part (self, ORIGINAL, &draw, 0, wipe, error)
           && draw_part (self, MESH, &draw, wipe, width, error)
           && draw_part (self, NET, &draw, wipe, width, error);
    glDisable (GL_SCISSOR_TEST);
    glDisable (GL_DEPTH_TEST);
    // Two steps: samples only become pixels of the same format.
    copy (self->framebuffers[0], self->framebuffers[1], width, height);
    copy (self->framebuffers[1], (GLuint) target, width, height);
  }
  glBindFramebuffer (GL_DRAW_FRAMEBUFFER, (GLuint) target);
  return good;
}
