// SPDX-License-Identifier: MIT
// The display in GL: draws pictures of engines or images through an OdlView into the
// bound framebuffer. All functions need the GL context that was current in
// odl_gl_canvas_new.
#pragma once

#include "engine/engine.h"
#include "image/display/display.h"
#include "image/render/render.h"
#include "image/surface/look.h"

typedef struct _OdlGlCanvas OdlGlCanvas;

// A picture on the GPU, borrowed from an engine or from the canvas.
typedef struct {
  unsigned texture; // scaled values; R or RGBA
  bool
      packed; // 2 × 2 samples in a texel (texture_stores.h); of colours `texture` has red
  unsigned green_texture, blue_texture; // of packed colours
  unsigned alpha_texture; // alpha in its A channel; 0: opaque
  int width;
  int height;
  int channels; // 1 or 3
  float bias; // to be added to the texture's values, except to details
} OdlGlPicture;

// Two lie over the picture, the second over the first: drawings and the badge.
#define ODL_GL_OVERLAYS 2

typedef struct {
  bool shown;
  int x, y; // canvas pixels, top left
} OdlGlOverlay;

// Which shaders cast the rays of rendered views.
typedef enum {
  ODL_GL_RAYS_AUTO, // compute shaders, where there are some and a GPU runs them
  ODL_GL_RAYS_COMPUTE,
  ODL_GL_RAYS_FRAGMENTS,
} OdlGlRays;

typedef struct {
  OdlGlPicture picture;
  OdlDisplay display;
  OdlGlPicture original; // texture 0: none
  OdlDisplay original_display;
  const OdlView *original_view; // NULL: that of the picture
  int wipe_x; // canvas pixels left of it show the original; 0: none
  int again[2]; // and so do these columns, as in OdlDisplayScene
  bool smooth; // bilinear; nearest otherwise
  const OdlLens *lenses; // over the pictures, never smooth
  int n_lenses;
  OdlGlOverlay overlays[ODL_GL_OVERLAYS];
  const OdlLookScene *surface; // drawn in the place of the pictures; NULL: none
  const OdlRenderScene *render; // drawn over part of them; NULL: none
  OdlGlRays rays; // for comparison
} OdlGlScene;

// Compiles the display programs. ODL_ERROR_GPU on failure.
OdlGlCanvas *odl_gl_canvas_new (GError **error);
void odl_gl_canvas_free (OdlGlCanvas *canvas);

// Largest side of a picture that GL can hold here.
int odl_gl_canvas_max_side (const OdlGlCanvas *canvas);

// A pool for sources: this canvas and engines of its context that have it
// (OdlEngine.pool) read its images without a copy. Borrowed; NULL where GL has no such
// memory.
OdlImagePool *odl_gl_canvas_pool (const OdlGlCanvas *canvas);

// Text for the diagnostic line: renderer and GL version. Transfer none.
const char *odl_gl_canvas_renderer (const OdlGlCanvas *canvas);

// A text that identifies GPU and driver. Transfer none.
const char *odl_gl_canvas_gpu (const OdlGlCanvas *canvas);

// True for a rasteriser in software (llvmpipe, softpipe, swrast).
bool odl_gl_canvas_is_software (const OdlGlCanvas *canvas);

// Uploads an image of any sample type (slice 0, frame 0) as scaled values, for pictures
// that the CPU made. `which` 0 or 1 selects one of two places, whose texture is reused
// while the geometry stays. ODL_ERROR_TOO_LARGE beyond the texture limit.
bool odl_gl_canvas_upload (OdlGlCanvas *canvas,
                           int which,
                           OdlImage *image,
                           OdlGlPicture *picture,
                           GError **error);

// One of the overlays: premultiplied RGBA8, rows of `stride` bytes. Kept until changed.
void odl_gl_canvas_set_overlay (OdlGlCanvas *canvas,
                                int which,
                                const uint8_t *rgba,
                                int width,
                                int height,
                                int stride);

// Draws into the framebuffer bound now, of width × height pixels, all of it; row 0 of the
// picture is at the top of a window. Restores the GL state that GTK relies on. On failure
// (a program that the driver refuses, a volume that is too large) part of the picture is
// missing, and would be again: ODL_ERROR_GPU or ODL_ERROR_TOO_LARGE. What the driver
// reports late is for the caller to ask for (odl_gl_check).
bool odl_gl_canvas_draw (OdlGlCanvas *canvas,
                         const OdlGlScene *scene,
                         const OdlView *view,
                         int width,
                         int height,
                         GError **error);

// The picture in a slot of a GL engine after run: the source or the result of the plan;
// texture 0 when `engine` is no GL engine. Valid until the next prepare, run or close.
OdlGlPicture odl_gl_engine_picture (OdlEngine *engine, const OdlPlan *plan, int slot);
