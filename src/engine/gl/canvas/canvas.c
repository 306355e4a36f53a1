// SPDX-License-Identifier: MIT
#include "engine/gl/canvas/canvas.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/debug.h"
#include "base/error.h"
#include "engine/gl/canvas/render.h"
#include "engine/gl/canvas/surface.h"
#include "engine/gl/canvas/tables.h"
#include "engine/gl/compute/compute.h"
#include "engine/gl/fragment/fragment.h"
#include "engine/gl/lookup/lookup.h"
#include "engine/gl/platform/ring.h"
#include "engine/gl/platform/state.h"
#include "engine/gl/platform/upload.h"

#define PLACES 2

typedef enum {
  KIND_GREY,
  KIND_COLOUR,
  KIND_ALPHA,
  KIND_PACKED,
  FIRST_LATE_KIND, // linked on first use, so that windows open without waiting
  KIND_PACKED_COLOUR = FIRST_LATE_KIND,
  KIND_PACKED_ALPHA,
  N_KINDS,
} Kind;

static const char *const kind_defines[N_KINDS] = {
  "",
  "#define COLOUR\n",
  "#define COLOUR\n#define ALPHA\n",
  "#define PACKED\n",
  "#define PACKED\n#define COLOUR\n",
  "#define PACKED\n#define COLOUR\n#define ALPHA\n",
};

// The program that shows a kind of picture; linked on first use.
enum {
  WAY_SMOOTH = 1,
  WAY_CURVE = 2,
  WAY_GRAPHICS = 4,
  WAY_MAP = 8,
  N_WAYS = 16,
};

// A picture from the CPU, on the GPU.
typedef struct {
  OdlGlUpload *upload;
  GLuint texture, framebuffer;
  int width, height, channels;
} Place;

struct _OdlGlCanvas {
  OdlGlCaps caps;
  OdlEngineCounters counters;
  OdlGlPrograms *programs;
  OdlGlRing *ring; // NULL where buffers cannot stay mapped
  OdlImagePool *pool; // the ring's
  const OdlGlProgram *display[N_KINDS][N_WAYS];
  const OdlGlProgram *overlay;
  GLuint vertex_array;
  Place places[PLACES];
  struct {
    GLuint texture; // 0: not set
    int width, height;
  } overlays[ODL_GL_OVERLAYS];
  OdlGlTables tables;
  OdlGlSurface *surface; // NULL: none was drawn yet
  OdlGlRender *render; // likewise
};

static const OdlGlProgram *
link_display (OdlGlCanvas *canvas, Kind kind, int ways, GError **error)
{
  g_autofree char *defines
      = g_strconcat (kind_defines[kind], ways & WAY_SMOOTH ? "#define SMOOTH\n" : "",
                     ways & WAY_CURVE ? "#define CURVE\n" : "",
                     ways & WAY_GRAPHICS ? "#define GRAPHICS\n" : "",
                     ways & WAY_MAP ? "#define MAP\n" : "", NULL);

  return odl_gl_programs_get (canvas->programs, ODL_GL_PASS_DISPLAY, false, defines,
                              error);
}

static bool
link_programs (OdlGlCanvas *canvas, GError **error)
{
  for (Kind kind = 0; kind < FIRST_LATE_KIND; kind++)
    for (int ways = 0; ways <= WAY_SMOOTH; ways++) {
      canvas->display[kind][ways] = link_display (canvas, kind, ways, error);
      if (canvas->display[kind][ways] == NULL)
        return false;
    }
  canvas->overlay
      = odl_gl_programs_get (canvas->programs, ODL_GL_PASS_OVERLAY, false, NULL, error);
  return canvas->overlay != NULL;
}

OdlGlCanvas *
odl_gl_canvas_new (GError **error)
{
  OdlGlCanvas *canvas = g_new0 (OdlGlCanvas, 1);

  if (!odl_gl_caps_init (&canvas->caps, error)) {
    g_free (canvas);
    return NULL;
  }
  canvas->programs = odl_gl_programs_new (&canvas->caps, &canvas->counters.programs);
  canvas->ring = odl_gl_ring_new (&canvas->caps);
  canvas->pool = odl_gl_ring_pool (canvas->ring);
  for (int i = 0; i < PLACES; i++)
    canvas->places[i].upload = odl_gl_upload_new (&canvas->caps, canvas->programs,
                                                  &canvas->counters, &canvas->pool);
  glGenVertexArrays (1, &canvas->vertex_array);
  if (!link_programs (canvas, error)) {
    odl_gl_canvas_free (canvas);
    return NULL;
  }
  return canvas;
}

static void
clear_picture (Place *place)
{
  glDeleteFramebuffers (1, &place->framebuffer);
  glDeleteTextures (1, &place->texture);
  place->framebuffer = place->texture = 0;
}

void
odl_gl_canvas_free (OdlGlCanvas *canvas)
{
  if (canvas == NULL)
    return;
  for (int i = 0; i < PLACES; i++) {
    clear_picture (&canvas->places[i]);
    odl_gl_upload_free (canvas->places[i].upload);
  }
  for (int i = 0; i < ODL_GL_OVERLAYS; i++)
    glDeleteTextures (1, &canvas->overlays[i].texture);
  odl_gl_tables_clear (&canvas->tables);
  glDeleteVertexArrays (1, &canvas->vertex_array);
  odl_gl_surface_free (canvas->surface);
  odl_gl_render_free (canvas->render);
  odl_gl_programs_free (canvas->programs);
  // GDK's contexts share objects with a context that lives as long as the display, so
  // lent buffers stay mapped.
  odl_gl_ring_close (canvas->ring);
  g_free (canvas);
}

OdlImagePool *
odl_gl_canvas_pool (const OdlGlCanvas *canvas)
{
  return canvas->pool;
}

int
odl_gl_canvas_max_side (const OdlGlCanvas *canvas)
{
  return canvas->caps.max_side;
}

const char *
odl_gl_canvas_renderer (const OdlGlCanvas *canvas)
{
  return canvas->caps.renderer;
}

const char *
odl_gl_canvas_gpu (const OdlGlCanvas *canvas)
{
  return canvas->caps.gpu;
}

bool
odl_gl_canvas_is_software (const OdlGlCanvas *canvas)
{
  return canvas->caps.is_software;
}

static int
precision_of (const OdlGlCanvas *canvas)
{
  return canvas->caps.float_targets ? 32 : 16;
}

static bool
ensure_picture (OdlGlCanvas *canvas,
                Place *place,
                const OdlImageInfo *info,
                GError **error)
{
  const int width = info->extent.x;
  const int height = info->extent.y;

  if (place->texture != 0 && place->width == width && place->height == height
      && place->channels == info->channels)
    return true;
  if (!odl_gl_check_size (&canvas->caps, width, height, error))
    return false;

  clear_picture (place);
  place->texture = odl_gl_texture_new (info->channels == 1 ? 1 : 4, precision_of (canvas),
                                       width, height);
  canvas->counters.textures++;
  if (place->texture != 0)
    place->framebuffer = odl_gl_framebuffer_new (&place->texture, 1);
  if (place->framebuffer == 0) {
    clear_picture (place);
    g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
                 _ ("the graphics driver gave no memory to show %d × %d pixels"), width,
                 height);
    return false;
  }
  place->width = width;
  place->height = height;
  place->channels = info->channels;
  return true;
}

static bool
upload (OdlGlCanvas *canvas, Place *place, const OdlImage *image, GError **error)
{
  OdlGlDraw draw = { 0 };

  if (!ensure_picture (canvas, place, odl_image_info (image), error)
      || !odl_gl_upload_image (place->upload, image, precision_of (canvas), &draw, error))
    return false;
  draw.framebuffer = place->framebuffer;
  draw.uniforms.bias = odl_gl_bias (precision_of (canvas));
  glBindVertexArray (canvas->vertex_array);
  odl_gl_draw (&draw);
  return true;
}

bool
odl_gl_canvas_upload (OdlGlCanvas *canvas,
                      int which,
                      OdlImage *image,
                      OdlGlPicture *picture,
                      GError **error)
{
  OdlGlState state;

  g_return_val_if_fail (which >= 0 && which < PLACES, false);

  Place *place = &canvas->places[which];
  odl_gl_state_save (&state);
  bool ok = upload (canvas, place, image, error);
  odl_gl_state_restore (&state);
  if (!ok)
    return false;
  *picture = (OdlGlPicture){
    .texture = place->texture,
    .alpha_texture = place->channels == 4 ? place->texture : 0,
    .width = place->width,
    .height = place->height,
    .channels = place->channels == 1 ? 1 : 3,
    .bias = odl_gl_bias (precision_of (canvas)),
  };
  return true;
}

void
odl_gl_canvas_set_overlay (OdlGlCanvas *canvas,
                           int which,
                           const uint8_t *rgba,
                           int width,
                           int height,
                           int stride)
{
  OdlGlState state;

  g_return_if_fail (which >= 0 && which < ODL_GL_OVERLAYS);
  g_return_if_fail (rgba != NULL && width > 0 && height > 0 && stride >= 4 * width
                    && stride % 4 == 0);

  odl_gl_state_save (&state);
  if (canvas->overlays[which].texture == 0) {
    glGenTextures (1, &canvas->overlays[which].texture);
    canvas->counters.textures++;
  }
  glBindTexture (GL_TEXTURE_2D, canvas->overlays[which].texture);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glPixelStorei (GL_UNPACK_ROW_LENGTH, stride / 4);
  glTexImage2D (GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                rgba);
  canvas->overlays[which].width = width;
  canvas->overlays[which].height = height;
  odl_gl_state_restore (&state);
}

static Kind
kind_of (const OdlGlPicture *picture)
{
  const Kind kind = picture->channels == 1        ? KIND_GREY
                    : picture->alpha_texture == 0 ? KIND_COLOUR
                                                  : KIND_ALPHA;

  return picture->packed ? KIND_PACKED + kind : kind;
}

// Settings that do not depend on the picture.
static void
set_view (OdlGlUniforms *uniforms,
          const OdlView *view,
          int width,
          int height,
          bool *minifies)
{
  double matrix[6];

  odl_view_matrix (view, width, height, matrix);
  for (int i = 0; i < 3; i++) {
    uniforms->column[i] = (float) matrix[i];
    uniforms->row[i] = (float) matrix[3 + i];
  }
  uniforms->display_taps = odl_display_taps (matrix);
  uniforms->canvas_height = height;
  uniforms->canvas_level = ODL_CANVAS_LEVEL / 255.0f;
  *minifies = uniforms->display_taps > 1;
}

static int
ways_of (const OdlGlPicture *picture, const OdlDisplay *display, bool smooth)
{
  const int tables = odl_gl_tables_of (picture, display);

  return (smooth ? WAY_SMOOTH : 0) | (tables & ODL_GL_TABLE_CURVE ? WAY_CURVE : 0)
         | (tables & ODL_GL_TABLE_GRAPHICS ? WAY_GRAPHICS : 0)
         | (tables & ODL_GL_TABLE_MAP ? WAY_MAP : 0);
}

static void
set_display (OdlGlDraw *draw, const OdlGlPicture *picture, const OdlDisplay *display)
{
  OdlGlUniforms *uniforms = &draw->uniforms;
  const bool has_details = display->details.levels > 0;

  // A picture of one texture is bound to all three units, since none may be empty.
  draw->textures[0] = picture->texture;
  draw->textures[1]
      = picture->green_texture != 0 ? picture->green_texture : picture->texture;
  draw->textures[2]
      = picture->blue_texture != 0 ? picture->blue_texture : picture->texture;
  draw->textures[3] = picture->channels == 3 ? picture->alpha_texture : 0;
  uniforms->size[0] = picture->width;
  uniforms->size[1] = picture->height;
  uniforms->gain = display->gain;
  uniforms->offset = display->offset + display->gain * picture->bias;
  uniforms->invert = display->invert ? 1 : 0;
  for (int c = 0; c < 3; c++)
    uniforms->weights[c] = display->luma[c];
  memcpy (uniforms->detail_gains, display->detail_gains, sizeof display->detail_gains);
  uniforms->detail_zero = odl_details_zero (&display->details);
  uniforms->detail_levels = MIN (display->details.levels, ODL_DETAIL_LEVELS);
  uniforms->approx_size[0] = has_details ? display->details.width : picture->width;
  uniforms->approx_size[1] = has_details ? display->details.height : picture->height;
}

// NULL if the driver rejects the program for this kind.
static const OdlGlProgram *
display_program (OdlGlCanvas *canvas,
                 const OdlGlPicture *picture,
                 int ways,
                 GError **error)
{
  const OdlGlProgram **program = &canvas->display[kind_of (picture)][ways];

  if (odl_debug_fault ("canvas", "program", error))
    return NULL;
  if (*program == NULL)
    *program = link_display (canvas, kind_of (picture), ways, error);
  return *program;
}

// Draws into the part of the canvas that the scissors leave.
static bool
draw_cut (OdlGlCanvas *canvas,
          OdlGlDraw *draw,
          const OdlGlPicture *picture,
          const OdlDisplay *display,
          bool smooth,
          GError **error)
{
  if (picture->texture == 0) {
    const float level = ODL_CANVAS_LEVEL / 255.0f;
    glClearBufferfv (GL_COLOR, 0, (const GLfloat[]){ level, level, level, 1 });
    return true;
  }
  const int ways = ways_of (picture, display, smooth);
  draw->program = display_program (canvas, picture, ways, error);
  if (draw->program == NULL)
    return false;
  set_display (draw, picture, display);
  canvas->counters.textures
      += odl_gl_tables_set (&canvas->tables, draw, picture, display);
  odl_gl_draw (draw);
  return true;
}

// Draws into columns from … to − 1 of the canvas.
static bool
draw_picture (OdlGlCanvas *canvas,
              OdlGlDraw *draw,
              const OdlGlPicture *picture,
              const OdlDisplay *display,
              bool smooth,
              int from,
              int to,
              GError **error)
{
  if (from >= to)
    return true;
  glScissor (from, 0, to - from, draw->viewport[3]);
  return draw_cut (canvas, draw, picture, display, smooth, error);
}

static bool
draw_lens (OdlGlCanvas *canvas,
           const OdlGlScene *scene,
           const OdlLens *lens,
           OdlGlDraw *draw,
           GError **error)
{
  const bool original = lens->original && scene->original.texture != 0;
  bool minifies;

  set_view (&draw->uniforms, &lens->view, draw->viewport[2], draw->viewport[3],
            &minifies);
  glScissor (lens->x, draw->viewport[3] - lens->y - lens->side, lens->side, lens->side);
  return draw_cut (canvas, draw, original ? &scene->original : &scene->picture,
                   original ? &scene->original_display : &scene->display, false, error);
}

static void
draw_overlay (const OdlGlCanvas *canvas,
              int which,
              const OdlGlOverlay *overlay,
              OdlGlDraw *draw)
{
  const int height = draw->viewport[3];

  if (!overlay->shown || canvas->overlays[which].texture == 0)
    return;
  draw->program = canvas->overlay;
  draw->textures[0] = canvas->overlays[which].texture;
  draw->textures[1] = 0;
  draw->uniforms.origin[0] = overlay->x;
  draw->uniforms.origin[1] = overlay->y;
  glScissor (overlay->x, height - overlay->y - canvas->overlays[which].height,
             canvas->overlays[which].width, canvas->overlays[which].height);
  glEnable (GL_BLEND);
  glBlendEquation (GL_FUNC_ADD);
  glBlendFunc (GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  odl_gl_draw (draw);
}

static bool
draw_surface (OdlGlCanvas *canvas,
              const OdlLookScene *scene,
              int width,
              int height,
              GError **error)
{
  if (canvas->surface == NULL)
    canvas->surface = odl_gl_surface_new (&canvas->caps, canvas->programs);
  return odl_gl_surface_draw (canvas->surface, scene, width, height, error);
}

static bool
draw_render (OdlGlCanvas *canvas,
             const OdlGlScene *scene,
             int width,
             int height,
             GError **error)
{
  if (canvas->render == NULL)
    canvas->render = odl_gl_render_new (&canvas->caps, canvas->programs);
  const bool compute = scene->rays == ODL_GL_RAYS_COMPUTE
                       || (scene->rays == ODL_GL_RAYS_AUTO && !canvas->caps.is_software);
  const bool good = !odl_debug_fault ("canvas", "rays", error)
                    && odl_gl_render_draw (canvas->render, scene->render, width, height,
                                           compute, error);
  glEnable (GL_SCISSOR_TEST);
  return good;
}

// The original where it is seen, and the result beside it.
static bool
draw_pictures (OdlGlCanvas *canvas,
               OdlGlDraw *draw,
               const OdlGlScene *scene,
               const OdlView *view,
               GError **error)
{
  const int width = draw->viewport[2], height = draw->viewport[3];
  const int wipe = scene->original.texture != 0 ? CLAMP (scene->wipe_x, 0, width) : 0;
  const int again = CLAMP (scene->again[0], wipe, width);
  const int end = wipe > 0 ? CLAMP (scene->again[1], again, width) : again;
  bool minifies;

  set_view (&draw->uniforms, scene->original_view != NULL ? scene->original_view : view,
            width, height, &minifies);
  const bool smooth = scene->smooth && !minifies;
  if (!draw_picture (canvas, draw, &scene->original, &scene->original_display, smooth, 0,
                     wipe, error)
      || !draw_picture (canvas, draw, &scene->original, &scene->original_display, smooth,
                        again, end, error))
    return false;
  set_view (&draw->uniforms, view, width, height, &minifies);
  const bool smooth_result = scene->smooth && !minifies;
  return draw_picture (canvas, draw, &scene->picture, &scene->display, smooth_result,
                       wipe, again, error)
         && draw_picture (canvas, draw, &scene->picture, &scene->display, smooth_result,
                          end, width, error);
}

bool
odl_gl_canvas_draw (OdlGlCanvas *canvas,
                    const OdlGlScene *scene,
                    const OdlView *view,
                    int width,
                    int height,
                    GError **error)
{
  OdlGlState state;

  odl_gl_state_save (&state);
  OdlGlDraw draw = {
    .framebuffer = (GLuint) state.draw_framebuffer,
    .viewport = { 0, 0, width, height },
    .vertices = 3,
  };
  glBindVertexArray (canvas->vertex_array);
  bool good = scene->surface == NULL
              || draw_surface (canvas, scene->surface, width, height, error);
  glEnable (GL_SCISSOR_TEST);
  if (scene->surface == NULL)
    good = draw_pictures (canvas, &draw, scene, view, error);
  if (good && scene->render != NULL)
    good = draw_render (canvas, scene, width, height, error);
  for (int i = 0; good && i < scene->n_lenses; i++)
    good = draw_lens (canvas, scene, &scene->lenses[i], &draw, error);
  for (int i = 0; good && i < ODL_GL_OVERLAYS; i++)
    draw_overlay (canvas, i, &scene->overlays[i], &draw);
  if (good && odl_debug_wants (ODL_DEBUG_SHADERS))
    good = odl_gl_check (_ ("drawing the canvas"), error);
  odl_gl_state_restore (&state);
  return good;
}

OdlGlPicture
odl_gl_engine_picture (OdlEngine *engine, const OdlPlan *plan, int slot)
{
  const OdlGlTextureStore *stored = odl_gl_fragment_store (engine, slot);
  const OdlGlTextureStore *source = odl_gl_fragment_store (engine, plan->source);

  if (stored == NULL) {
    const OdlGlPicture looked_up = odl_gl_lookup_picture (engine, slot);
    return looked_up.texture != 0 ? looked_up : odl_gl_compute_picture (engine, slot);
  }
  if (plan->slots[slot].kind != ODL_SLOT_PICTURE)
    return (OdlGlPicture){ 0 };

  const bool packed = odl_gl_fragment_is_packed (engine, slot);
  const GLuint *textures
      = stored->textures + (packed ? ODL_GL_PICTURE_PACKED : ODL_GL_PICTURE_FLAT);
  const bool planes = packed && plan->slots[slot].channels == 3;
  return (OdlGlPicture){
    .texture = textures[0],
    .packed = packed,
    .green_texture = planes ? textures[1] : 0,
    .blue_texture = planes ? textures[2] : 0,
    .alpha_texture = plan->geometry.channels == 4 ? source->textures[0] : 0,
    .width = stored->width,
    .height = stored->height,
    .channels = plan->slots[slot].channels,
    .bias = odl_gl_bias (plan->precision),
  };
}
