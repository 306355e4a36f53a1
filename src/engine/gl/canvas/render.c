// SPDX-License-Identifier: MIT
#include "engine/gl/canvas/render.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "image/display/display.h"

// Texture units, bound here, since a draw call binds pictures of two dimensions alone.
#define BODY_UNIT 0
#define TABLE_UNIT 1
#define BRICKS_UNIT 2
#define GROUP 8 // pixels of a work group along an axis, as in render.comp

// A body on the GPU, kept while it is the same.
typedef struct {
  OdlBody *body; // a reference; NULL: none
  GLuint texture;
  GLuint bricks; // 0 without compute shaders
} Part;

// A texture that a compute shader draws the view into.
typedef struct {
  GLuint texture;
  int width, height;
} Picture;

struct _OdlGlRender {
  const OdlGlCaps *caps;
  OdlGlPrograms *programs;
  Part parts[2]; // the body, the original
  GLuint table; // of levels
  const OdlRenderPreset *preset; // whose levels the table has, for that thickness
  double thickness;
  Picture picture;
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
  glDeleteTextures (1, &part->bricks);
  g_clear_pointer (&part->body, odl_body_unref);
  part->texture = part->bricks = 0;
}

void
odl_gl_render_free (OdlGlRender *self)
{
  if (self == NULL)
    return;
  for (size_t i = 0; i < G_N_ELEMENTS (self->parts); i++)
    clear_part (&self->parts[i]);
  glDeleteTextures (1, &self->table);
  glDeleteTextures (1, &self->picture.texture);
  g_free (self);
}

static void
set_sampling (GLint filter)
{
  glTexParameteri (GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri (GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, filter);
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

// As floats, which both APIs have. Half floats round the volume, so that what is between
// voxels may come to lie a little beyond the least and the largest of them.
static void
upload_bricks (const OdlGlRender *self, Part *part, const OdlBody *body)
{
  const float slack = self->caps->is_es ? 1.0f / 2048 : 1.0f / G_MAXUINT16;
  const int *size = body->n_bricks;
  const size_t n = (size_t) size[0] * (size_t) size[1] * (size_t) size[2];
  g_autofree float (*values)[2] = g_malloc (n * sizeof *values);

  for (size_t i = 0; i < n; i++) {
    values[i][0] = (float) body->bricks[i].low / (float) G_MAXUINT16 - slack;
    values[i][1] = (float) body->bricks[i].high / (float) G_MAXUINT16 + slack;
  }
  glGenTextures (1, &part->bricks);
  glBindTexture (GL_TEXTURE_3D, part->bricks);
  glTexImage3D (GL_TEXTURE_3D, 0, GL_RG32F, size[0], size[1], size[2], 0, GL_RG, GL_FLOAT,
                values);
  set_sampling (GL_NEAREST);
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
                    "OpenGL can render here along an axis"),
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
  set_sampling (GL_LINEAR);
  upload_slices (self, body);
  if (self->caps->compute)
    upload_bricks (self, part, body);
  glBindTexture (GL_TEXTURE_3D, 0);
  if (!odl_gl_check (_ ("loading the volume"), error)) {
    clear_part (part);
    return false;
  }
  part->body = odl_body_ref (body);
  return true;
}

// For each entry the first visible one from there on.
static void
find_visible (float levels[2][ODL_RENDER_LEVELS][4])
{
  float visible = ODL_RENDER_LEVELS;

  for (int i = ODL_RENDER_LEVELS - 1; i >= 0; i--) {
    if (levels[0][i][3] > 0)
      visible = (float) i;
    levels[1][i][0] = visible;
  }
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
  g_autofree float (*levels)[ODL_RENDER_LEVELS][4] = g_malloc0 (2 * sizeof *levels);
  odl_render_preset_fill (preset, thickness, levels[0]);
  find_visible (levels);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexImage2D (GL_TEXTURE_2D, 0, GL_RGBA32F, ODL_RENDER_LEVELS, 2, 0, GL_RGBA, GL_FLOAT,
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

// Whether there is a picture of the canvas's size to draw into.
static bool
make_picture (Picture *picture, int width, int height, GError **error)
{
  if (picture->texture != 0 && picture->width == width && picture->height == height)
    return true;
  glDeleteTextures (1, &picture->texture);
  *picture = (Picture){ .width = width, .height = height };
  odl_gl_forget_errors ();
  glGenTextures (1, &picture->texture);
  glActiveTexture (GL_TEXTURE0);
  glBindTexture (GL_TEXTURE_2D, picture->texture);
  glTexStorage2D (GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  if (odl_gl_check (_ ("making a picture for the rendered view"), error))
    return true;
  glDeleteTextures (1, &picture->texture);
  picture->texture = 0;
  return false;
}

// Casts the rays of the pixels in `area` (x and y from the lower left, width, height).
static void
cast_rays (OdlGlRender *self, const Part *part, const OdlGlDraw *draw, const int area[4])
{
  OdlGlUniforms uniforms = draw->uniforms;

  for (int i = 0; i < 2; i++) {
    uniforms.origin[i] = area[i];
    uniforms.size[i] = area[2 + i];
  }
  for (int i = 0; i < 3; i++)
    uniforms.brick_scale[i] = (float) part->body->size[i] / ODL_BRICK_SIDE;
  glActiveTexture (GL_TEXTURE0 + BRICKS_UNIT);
  glBindTexture (GL_TEXTURE_3D, part->bricks);
  glUseProgram (draw->program->id);
  odl_gl_set_uniforms (draw->program, &uniforms);
  glBindImageTexture (0, self->picture.texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
  glDispatchCompute ((GLuint) (area[2] + GROUP - 1) / GROUP,
                     (GLuint) (area[3] + GROUP - 1) / GROUP, 1);
  glBindImageTexture (0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
  glActiveTexture (GL_TEXTURE0 + BRICKS_UNIT);
  glBindTexture (GL_TEXTURE_3D, 0);
}

// Draws a body into the pixels of `area`; by a compute shader into the picture.
static bool
draw_part (OdlGlRender *self,
           const OdlRenderScene *scene,
           const Part *part,
           OdlGlDraw *draw,
           bool compute,
           const int area[4],
           GError **error)
{
  static const OdlGlPassId passes[2][2]
      = { { ODL_GL_PASS_RENDER, ODL_GL_PASS_RENDER_MAXIMUM },
          { ODL_GL_PASS_COMPUTE_RENDER, ODL_GL_PASS_COMPUTE_RENDER_MAXIMUM } };

  if (area[2] <= 0 || area[3] <= 0 || part->body == NULL)
    return true;
  const OdlRenderRays rays = odl_render_rays (scene, part->body);
  draw->program = odl_gl_programs_get (
      self->programs, passes[compute][scene->preset->maximum], false, NULL, error);
  if (draw->program == NULL)
    return false;
  take_table (self, scene->preset, rays.thickness);
  set_rays (&draw->uniforms, &rays);
  glActiveTexture (GL_TEXTURE0 + BODY_UNIT);
  glBindTexture (GL_TEXTURE_3D, part->texture);
  if (compute) {
    cast_rays (self, part, draw, area);
  } else {
    glScissor (area[0], area[1], area[2], area[3]);
    odl_gl_draw (draw);
  }
  glActiveTexture (GL_TEXTURE0 + BODY_UNIT);
  glBindTexture (GL_TEXTURE_3D, 0);
  return true;
}

// Columns from … to − 1 of the place, as far as they lie on the canvas.
static void
find_area (const OdlRenderPlace *place,
           int from,
           int to,
           const int canvas[2],
           int area[4])
{
  const int left = MAX (place->x + from, 0), right = MIN (place->x + to, canvas[0]);
  const int top = MAX (place->y, 0), end = MIN (place->y + place->height, canvas[1]);

  area[0] = left;
  area[1] = canvas[1] - end;
  area[2] = right - left;
  area[3] = end - top;
}

// Draws what compute shaders have made.
static bool
show_picture (OdlGlRender *self, OdlGlDraw *draw, const int area[4], GError **error)
{
  draw->program
      = odl_gl_programs_get (self->programs, ODL_GL_PASS_COPY, false, NULL, error);
  if (draw->program == NULL || area[2] <= 0 || area[3] <= 0)
    return draw->program != NULL;
  glMemoryBarrier (GL_TEXTURE_FETCH_BARRIER_BIT);
  glScissor (area[0], area[1], area[2], area[3]);
  draw->textures[0] = self->picture.texture;
  odl_gl_draw (draw);
  return true;
}

bool
odl_gl_render_draw (OdlGlRender *self,
                    const OdlRenderScene *scene,
                    int width,
                    int height,
                    bool compute,
                    GError **error)
{
  const OdlRenderPlace *place = &scene->place;
  const int canvas[2] = { width, height };
  const int wipe = scene->original != NULL && scene->wipe_x > 0
                       ? CLAMP (scene->wipe_x - place->x, 0, place->width)
                       : 0;
  int before[4], after[4], all[4];
  GLint target = 0;

  if (place->width < 1 || place->height < 1)
    return true;
  compute = compute && self->caps->compute;
  glGetIntegerv (GL_DRAW_FRAMEBUFFER_BINDING, &target);
  if (!take (self, &self->parts[0], scene->body, error)
      || (wipe > 0 && !take (self, &self->parts[1], scene->original, error))
      || (compute && !make_picture (&self->picture, width, height, error)))
    return false;
  find_area (place, 0, wipe, canvas, before);
  find_area (place, wipe, place->width, canvas, after);
  find_area (place, 0, place->width, canvas, all);
  OdlGlDraw draw = { .framebuffer = (GLuint) target,
                     .viewport = { 0, 0, width, height },
                     .vertices = 3 };
  draw.uniforms.canvas_height = height;
  draw.uniforms.canvas_level = ODL_CANVAS_LEVEL / 255.0f;
  draw.uniforms.invert = scene->invert ? 1 : 0;
  glEnable (GL_SCISSOR_TEST);
  const bool good
      = draw_part (self, scene, &self->parts[1], &draw, compute, before, error)
        && draw_part (self, scene, &self->parts[0], &draw, compute, after, error)
        && (!compute || show_picture (self, &draw, all, error));
  glDisable (GL_SCISSOR_TEST);
  return good;
}
