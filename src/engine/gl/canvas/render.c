// SPDX-License-Identifier: MIT
#include "engine/gl/canvas/render.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "config.h"
#include "image/display/display.h"

// Texture units, bound here, since a draw call binds pictures of two dimensions alone.
#define BODY_UNIT 0
#define TABLE_UNIT 1

// A body on the GPU, kept while it is the same.
typedef struct {
  OdlBody *body; // a reference; NULL: none
  GLuint texture;
} Part;

struct _OdlGlRender {
  const OdlGlCaps *caps;
  OdlGlPrograms *programs;
  Part parts[2]; // the body, the original
  GLuint table; // of levels
  const OdlRenderPreset *preset; // whose levels the table has, for that thickness
  double thickness;
};

OdlGlRender *
odl_gl_render_new (const OdlGlCaps *caps, OdlGlPrograms *programs)
{
  OdlGlRender *self = g_new0 (OdlGlRender, 1);

  self->caps = caps;
  self->programs = programs;
  return self;
}

static void
clear_part (Part *part)
{
  glDeleteTextures (1, &part->texture);
  g_clear_pointer (&part->body, odl_body_unref);
  part->texture = 0;
}

void
odl_gl_render_free (OdlGlRender *self)
{
  if (self == NULL)
    return;
  for (size_t i = 0; i < G_N_ELEMENTS (self->parts); i++)
    clear_part (&self->parts[i]);
  glDeleteTextures (1, &self->table);
  g_free (self);
}

static void
set_sampling (void)
{
  glTexParameteri (GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri (GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri (GL_TEXTURE_3D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri (GL_TEXTURE_3D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri (GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
}

// GLES has no 16-bit whole numbers that are interpolated, so it gets half floats.
static void
upload_slices (const OdlGlRender *self, const OdlBody *body)
{
  const size_t n = (size_t) body->size[0] * (size_t) body->size[1];
  g_autofree float *floats = self->caps->is_es ? g_new (float, n) : NULL;

  for (int z = 0; z < body->size[2]; z++) {
    const uint16_t *values = body->values + (size_t) z * n;
    for (size_t i = 0; floats != NULL && i < n; i++)
      floats[i] = (float) values[i] / (float) G_MAXUINT16;
    glTexSubImage3D (GL_TEXTURE_3D, 0, 0, 0, z, body->size[0], body->size[1], 1, GL_RED,
                     floats != NULL ? GL_FLOAT : GL_UNSIGNED_SHORT,
                     floats != NULL ? (const void *) floats : values);
  }
}

static bool
take (OdlGlRender *self, Part *part, OdlBody *body, GError **error)
{
  GLint most = 0;

  if (part->body == body)
    return true;
  clear_part (part);
  glGetIntegerv (GL_MAX_3D_TEXTURE_SIZE, &most);
  if (MAX (MAX (body->size[0], body->size[1]), body->size[2]) > most) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("the volume of %d × %d × %d voxels is larger than the %d that "
                    "OpenGL can render here along an axis; its slices can be seen"),
                 body->size[0], body->size[1], body->size[2], most);
    return false;
  }
  odl_gl_forget_errors ();
  glGenTextures (1, &part->texture);
  glActiveTexture (GL_TEXTURE0 + BODY_UNIT);
  glBindTexture (GL_TEXTURE_3D, part->texture);
  glTexImage3D (GL_TEXTURE_3D, 0, self->caps->is_es ? GL_R16F : GL_R16, body->size[0],
                body->size[1], body->size[2], 0, GL_RED,
                self->caps->is_es ? GL_FLOAT : GL_UNSIGNED_SHORT, NULL);
  set_sampling ();
  upload_slices (self, body);
  glBindTexture (GL_TEXTURE_3D, 0);
  if (!odl_gl_check (_ ("loading the volume"), error)) {
    clear_part (part);
    return false;
  }
  part->body = odl_body_ref (body);
  return true;
}

// Binds the table; a maximum needs none.
static void
take_table (OdlGlRender *self, const OdlRenderPreset *preset, double thickness)
{
  if (preset->maximum)
    return;
  if (self->table == 0)
    glGenTextures (1, &self->table);
  glActiveTexture (GL_TEXTURE0 + TABLE_UNIT);
  glBindTexture (GL_TEXTURE_2D, self->table);
  if (self->preset == preset && self->thickness == thickness)
    return;
  g_autofree float (*levels)[4] = g_malloc0 (ODL_RENDER_LEVELS * sizeof *levels);
  odl_render_preset_fill (preset, thickness, levels);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexImage2D (GL_TEXTURE_2D, 0, GL_RGBA32F, ODL_RENDER_LEVELS, 1, 0, GL_RGBA, GL_FLOAT,
                levels);
  self->preset = preset;
  self->thickness = thickness;
}

static void
set_rays (OdlGlUniforms *uniforms, const OdlRenderRays *rays)
{
  const OdlRenderShine *shine = &odl_render_shine;
  const float lights[] = { shine->ambient, shine->diffuse, shine->gloss, shine->steep };
  const size_t size = sizeof rays->origin;

  memcpy (uniforms->ray_frame[0], rays->origin, size);
  memcpy (uniforms->ray_frame[1], rays->right, size);
  memcpy (uniforms->ray_frame[2], rays->down, size);
  memcpy (uniforms->ray_forward, rays->forward, size);
  memcpy (uniforms->ray_box[0], rays->low, size);
  memcpy (uniforms->ray_box[1], rays->high, size);
  memcpy (uniforms->ray_cut[0], rays->corner, size);
  memcpy (uniforms->ray_cut[1], rays->beyond, size);
  memcpy (uniforms->texel, rays->texel, size);
  memcpy (uniforms->slope, rays->slope, size);
  memcpy (uniforms->towards[0], rays->light, size);
  memcpy (uniforms->towards[1], rays->view, size);
  memcpy (uniforms->shine, lights, sizeof lights);
  uniforms->sharpness = shine->sharpness;
  uniforms->n = (int) rays->steps;
  uniforms->gain = rays->gain;
  uniforms->offset = rays->offset;
}

// Draws a body into columns from … to − 1 of the place.
static bool
draw_part (OdlGlRender *self,
           const OdlRenderScene *scene,
           const Part *part,
           OdlGlDraw *draw,
           int from,
           int to,
           GError **error)
{
  const OdlGlPassId pass
      = scene->preset->maximum ? ODL_GL_PASS_RENDER_MAXIMUM : ODL_GL_PASS_RENDER;

  if (from >= to || part->body == NULL)
    return true;
  const OdlRenderRays rays = odl_render_rays (scene, part->body);
  draw->program = odl_gl_programs_get (self->programs, pass, false, NULL, error);
  if (draw->program == NULL)
    return false;
  take_table (self, scene->preset, rays.thickness);
  set_rays (&draw->uniforms, &rays);
  glActiveTexture (GL_TEXTURE0 + BODY_UNIT);
  glBindTexture (GL_TEXTURE_3D, part->texture);
  const OdlRenderPlace *place = &scene->place;
  glScissor (place->x + from, draw->viewport[3] - place->y - place->height, to - from,
             place->height);
  odl_gl_draw (draw);
  glActiveTexture (GL_TEXTURE0 + BODY_UNIT);
  glBindTexture (GL_TEXTURE_3D, 0);
  return true;
}

bool
odl_gl_render_draw (OdlGlRender *self,
                    const OdlRenderScene *scene,
                    int width,
                    int height,
                    GError **error)
{
  const OdlRenderPlace *place = &scene->place;
  const int wipe = scene->original != NULL && scene->wipe_x > 0
                       ? CLAMP (scene->wipe_x - place->x, 0, place->width)
                       : 0;
  GLint target = 0;

  if (place->width < 1 || place->height < 1)
    return true;
  glGetIntegerv (GL_DRAW_FRAMEBUFFER_BINDING, &target);
  if (!take (self, &self->parts[0], scene->body, error)
      || (wipe > 0 && !take (self, &self->parts[1], scene->original, error)))
    return false;
  OdlGlDraw draw = { .framebuffer = (GLuint) target,
                     .viewport = { 0, 0, width, height },
                     .vertices = 3 };
  draw.uniforms.canvas_height = height;
  draw.uniforms.canvas_level = ODL_CANVAS_LEVEL / 255.0f;
  draw.uniforms.invert = scene->invert ? 1 : 0;
  glEnable (GL_SCISSOR_TEST);
  const bool good
      = draw_part (self, scene, &self->parts[1], &draw, 0, wipe, error)
        && draw_part (self, scene, &self->parts[0], &draw, wipe, place->width, error);
  glDisable (GL_SCISSOR_TEST);
  return good;
}
