// SPDX-License-Identifier: MIT
#include "widgets/viewport/gl_area.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/clock.h"
#include "base/debug.h"
#include "base/error.h"
#include "engine/gl/canvas/canvas.h"
#include "engine/gl/platform/caps.h"
#include "engine/gl/canvas/capture.h"
#include "engine/gl/canvas/grab.h"
#include "plan/flow.h"
#include "session/render/engine_pair.h"
#include "widgets/viewport/surface/surface_meshes.h"

#define OBSERVE_MS 20
#define COMPILING_MS 8

struct _OdlGlArea {
  GtkGLArea parent_instance;
  OdlCanvasOwner owner;
  OdlGlCanvas *canvas; // NULL while not realized or without GL
  OdlGlCapture *capture; // NULL: not needed yet
  int dividers[2]; // of the scene that was drawn
  bool wants_capture; // of the last scene
  OdlEnginePair engines; // of frames that needed one
  OdlFrame *frame; // frame whose samples are in the textures
  OdlGlPicture picture;
  OdlGlPicture original;
  bool waits; // both are the frame as it came, until its filters are compiled
  guint wait_id; // draws again then
  OdlSurfaceMeshes meshes;
  guint observe_id; // polls for numbers; 0: none are expected
  char *overlay_keys[ODL_GL_OVERLAYS]; // of those in the canvas
};

G_DEFINE_FINAL_TYPE (OdlGlArea, odl_gl_area, GTK_TYPE_GL_AREA)

// Some drivers return exactly the requested version, so the version with compute shaders
// comes first.
static const struct {
  GdkGLAPI api;
  int major, minor;
} ladder[] = {
  { GDK_GL_API_GL, 4, 3 },
  { GDK_GL_API_GL, 3, 3 },
  { GDK_GL_API_GLES, 3, 1 },
  { GDK_GL_API_GLES, 3, 0 },
};

// GtkGLArea would try one kind of GL only.
static GdkGLContext *
create_context_cb (GtkGLArea *area)
{
  GError *error = NULL;
  GdkSurface *surface
      = gtk_native_get_surface (gtk_widget_get_native (GTK_WIDGET (area)));
  for (size_t i = 0; i < G_N_ELEMENTS (ladder); i++) {
    g_clear_error (&error);
    g_autoptr (GdkGLContext) context = gdk_surface_create_gl_context (surface, &error);
    if (!context)
      break;
    gdk_gl_context_set_allowed_apis (context, ladder[i].api);
    gdk_gl_context_set_required_version (context, ladder[i].major, ladder[i].minor);
    if (gdk_gl_context_realize (context, &error))
      return g_steal_pointer (&context);
  }
  gtk_gl_area_set_error (area, error);
  g_clear_error (&error);
  return NULL;
}

static void
report_failure (OdlGlArea *self, const GError *cause)
{
  g_autoptr (GError) error = g_error_new (
      ODL_ERROR, ODL_ERROR_GPU,
      _ ("OpenGL cannot be used here, so the processor draws the picture: %s"),
      cause->message);
  self->owner.gl_failed (self->owner.data, error);
}

static void
forget_overlays (OdlGlArea *self)
{
  for (int i = 0; i < ODL_GL_OVERLAYS; i++)
    g_clear_pointer (&self->overlay_keys[i], g_free);
}

static void
odl_gl_area_realize (GtkWidget *widget)
{
  OdlGlArea *self = ODL_GL_AREA (widget);
  GTK_WIDGET_CLASS (odl_gl_area_parent_class)->realize (widget);
  gtk_gl_area_make_current (GTK_GL_AREA (self));
  // Without GL the render signal is never emitted, so the fall-back starts here. No GL
  // call may precede this check.
  const GError *missing = gtk_gl_area_get_error (GTK_GL_AREA (self));
  if (missing) {
    report_failure (self, missing);
    return;
  }
  g_autoptr (GError) error = NULL;
  self->canvas = odl_gl_canvas_new (&error);
  if (!self->canvas) {
    report_failure (self, error);
    return;
  }
  forget_overlays (self);
  self->owner.pool_changed (self->owner.data, odl_gl_canvas_pool (self->canvas));
  bool software = odl_gl_canvas_is_software (self->canvas);
  OdlCanvasGpu gpu
      = { odl_gl_canvas_renderer (self->canvas), odl_gl_canvas_gpu (self->canvas) };
  self->owner.gl_ready (self->owner.data, software ? ODL_GL_SOFTWARE : ODL_GL_HARDWARE,
                        odl_gl_canvas_max_side (self->canvas), &gpu);
}

static void
forget_pictures (OdlGlArea *self)
{
  self->picture.texture = 0;
  self->original.texture = 0;
}

static void
odl_gl_area_unrealize (GtkWidget *widget)
{
  OdlGlArea *self = ODL_GL_AREA (widget);
  if (gtk_gl_area_get_context (GTK_GL_AREA (self))) {
    gtk_gl_area_make_current (GTK_GL_AREA (self));
    self->owner.pool_changed (self->owner.data, NULL);
    g_clear_handle_id (&self->observe_id, g_source_remove);
    g_clear_handle_id (&self->wait_id, g_source_remove);
    odl_gl_area_flush_captures (self);
    g_clear_pointer (&self->capture, odl_gl_capture_free);
    odl_engine_pair_clear (&self->engines);
    g_clear_pointer (&self->canvas, odl_gl_canvas_free);
  }
  g_clear_pointer (&self->frame, odl_frame_unref);
  self->waits = false;
  odl_surface_meshes_clear (&self->meshes);
  forget_pictures (self);
  GTK_WIDGET_CLASS (odl_gl_area_parent_class)->unrealize (widget);
}

// `patient`: ODL_ERROR_PENDING while the driver compiles.
static OdlEngine *
run_engine (OdlGlArea *self, OdlFrame *frame, bool patient, GError **error)
{
  OdlEngine *engine = odl_engine_pair_take (&self->engines, frame, error);
  if (!engine)
    return NULL;
  engine->timing = true;
  engine->observing = true;
  engine->patient = patient && !odl_gl_canvas_is_software (self->canvas);
  engine->pool = odl_gl_canvas_pool (self->canvas);
  return odl_engine_prepare (engine, frame->plan, error)
                 && odl_engine_run (engine, frame->plan, odl_frame_came (frame), error)
             ? engine
             : NULL;
}

static bool
run_and_show (OdlGlArea *self, OdlFrame *frame, GError **error)
{
  OdlEngine *engine = run_engine (self, frame, true, error);
  if (!engine)
    return false;
  self->picture = odl_gl_engine_picture (engine, frame->plan, frame->plan->result);
  self->original.texture = 0;
  return !frame->original
         || odl_gl_canvas_upload (self->canvas, 1, frame->original, &self->original,
                                  error);
}

bool
odl_gl_area_run (OdlGlArea *self, OdlFrame *frame)
{
  if (!self->canvas)
    return false;
  gtk_gl_area_make_current (GTK_GL_AREA (self));
  odl_gl_forget_errors ();
  return run_engine (self, frame, false, NULL)
         && odl_gl_check (_ ("running earlier frames"), NULL);
}

static bool
upload (OdlGlArea *self, OdlFrame *frame, GError **error)
{
  OdlImage *original = frame->original ? frame->original : frame->input;
  return !odl_debug_fault ("canvas", "upload", error)
         && odl_gl_canvas_upload (self->canvas, 0, frame->result, &self->picture, error)
         && odl_gl_canvas_upload (self->canvas, 1, original, &self->original, error);
}

static gboolean observe_cb (void *data);

// Passes on the numbers that have arrived, and is called again for the others.
static void
observe (OdlGlArea *self)
{
  OdlEngine *engine = odl_engine_pair_shown (&self->engines);
  OdlPlan *plan = self->frame ? self->frame->plan : NULL;
  const int n = plan ? odl_plan_count_observed (plan) : 0;
  if (!engine || n == 0)
    return;
  g_autofree float *numbers = g_new0 (float, n);
  if (odl_engine_observe (engine, plan, numbers))
    self->owner.measured (self->owner.data, plan, numbers);
  if (engine->n_observing > 0 && !self->observe_id)
    self->observe_id = g_timeout_add (OBSERVE_MS, observe_cb, self);
}

static gboolean
observe_cb (void *data)
{
  OdlGlArea *self = data;
  self->observe_id = 0;
  gtk_gl_area_make_current (GTK_GL_AREA (self));
  observe (self);
  return G_SOURCE_REMOVE;
}

static gboolean
draw_again_cb (void *data)
{
  OdlGlArea *self = data;
  self->wait_id = 0;
  gtk_gl_area_queue_render (GTK_GL_AREA (self));
  return G_SOURCE_REMOVE;
}

// Shows a frame as it came, once, and looks again soon. False: it cannot.
static bool
wait_for_engine (OdlGlArea *self, OdlFrame *frame)
{
  OdlImage *original = frame->original ? frame->original : frame->input;
  if (!self->wait_id)
    self->wait_id = g_timeout_add (COMPILING_MS, draw_again_cb, self);
  if (self->waits && self->frame == frame)
    return true;
  if (!odl_gl_canvas_upload (self->canvas, 1, original, &self->original, NULL))
    return false;
  self->picture = self->original;
  g_clear_pointer (&self->frame, odl_frame_unref);
  self->frame = odl_frame_ref (frame);
  self->waits = true;
  return true;
}

// Uploads a frame to textures. On failure the current ones stay.
static bool
take_frame (OdlGlArea *self, OdlFrame *frame)
{
  if (self->frame == frame && !self->waits)
    return true;
  g_autoptr (GError) error = NULL;
  OdlGlPicture picture = self->picture;
  OdlGlPicture original = self->original;
  bool gl_engine = frame->result == NULL;
  if (!(gl_engine ? run_and_show (self, frame, &error) : upload (self, frame, &error))) {
    self->picture = picture;
    self->original = original;
    if (g_error_matches (error, ODL_ERROR, ODL_ERROR_PENDING))
      return wait_for_engine (self, frame);
    // If the engine needs no GL, the canvas failed, and would also fail with the picture
    // of another engine.
    if (!gl_engine) {
      report_failure (self, error);
      return false;
    }
    // The engine's textures may have been resized in part.
    if (odl_engine_pair_shown (&self->engines))
      forget_pictures (self);
    OdlEngineChoice choice = { frame->engine, frame->variant };
    self->owner.engine_failed (self->owner.data, choice, error);
    return false;
  }
  g_clear_pointer (&self->frame, odl_frame_unref);
  self->frame = odl_frame_ref (frame);
  self->waits = false;
  self->owner.painted (self->owner.data, frame,
                       gl_engine ? odl_engine_pair_shown (&self->engines)->frame_ns : 0);
  if (gl_engine)
    observe (self);
  return true;
}

// The unfiltered picture of a frame of the GL engine; only if it is visible, since
// engines may have to compute it.
static void
take_original (OdlGlArea *self)
{
  OdlEngine *engine = odl_engine_pair_shown (&self->engines);
  if (self->original.texture == 0 && self->frame->result == NULL && engine)
    self->original
        = odl_gl_engine_picture (engine, self->frame->plan, self->frame->plan->source);
}

static OdlGlOverlay
take_overlay (OdlGlArea *self, int which, const OdlBadge *badge, int x, int y)
{
  if (!badge || !badge->rgba)
    return (OdlGlOverlay){ .shown = false };
  if (g_strcmp0 (self->overlay_keys[which], badge->key) != 0) {
    odl_gl_canvas_set_overlay (self->canvas, which, badge->rgba, badge->width,
                               badge->height, badge->stride);
    g_free (self->overlay_keys[which]);
    self->overlay_keys[which] = g_strdup (badge->key);
  }
  return (OdlGlOverlay){ true, x, y };
}

// Errors that the driver reports late (out of memory, lost context) are attributed to the
// engine if it needs GL, else to the canvas, as is `failure`, of drawing; NULL: it drew.
static bool
check_drawn (OdlGlArea *self, const GError *failure)
{
  g_autoptr (GError) late = NULL;
  if (!failure && !odl_debug_fault ("canvas", "draw", &late)
      && odl_gl_check (_ ("drawing the canvas"), &late))
    return true;
  OdlEngineChoice choice = { self->frame->engine, self->frame->variant };
  forget_pictures (self);
  if (failure || self->frame->result)
    report_failure (self, failure ? failure : late);
  else
    self->owner.engine_failed (self->owner.data, choice, late);
  g_clear_pointer (&self->frame, odl_frame_unref);
  return false;
}

// The result of a GL engine is computed once more, to be read back: grids are small.
static bool
take_meshes (OdlGlArea *self)
{
  OdlFrame *frame = self->frame;
  if (self->meshes.of == frame)
    return true;
  g_autoptr (OdlImage) result = frame->result ? odl_image_ref (frame->result)
                                              : odl_gl_area_read_back (self, frame, NULL);
  if (!result)
    return false;
  if (!frame->result) {
    self->picture = odl_gl_engine_picture (odl_engine_pair_shown (&self->engines),
                                           frame->plan, frame->plan->result);
    self->original.texture = 0;
    gtk_gl_area_attach_buffers (GTK_GL_AREA (self));
  }
  odl_surface_meshes_take (&self->meshes, frame, result);
  return true;
}

static bool
draw (OdlGlArea *self, int width, int height)
{
  odl_gl_forget_errors ();
  OdlScene scene = { 0 };
  const bool waited = self->waits;
  self->owner.compose (self->owner.data, width, height, &scene);
  if (scene.frame)
    take_frame (self, scene.frame);
  // What stands in the picture tells of the one that is drawn.
  if (self->waits != waited) {
    self->owner.waits (self->owner.data, self->waits);
    scene = (OdlScene){ 0 };
    self->owner.compose (self->owner.data, width, height, &scene);
  }
  self->wants_capture = scene.capture;
  memcpy (self->dividers, scene.dividers, sizeof self->dividers);
  if (!self->frame || !self->picture.texture)
    return false;
  const bool surface = scene.surface && take_meshes (self);
  OdlLookScene look = { 0 };
  if (surface)
    look = odl_surface_meshes_scene (&self->meshes, &scene);
  else if (scene.show_original || scene.wipe_x > 0)
    take_original (self);
  bool only_original = scene.show_original && self->original.texture;
  OdlGlScene gl = {
    .picture = only_original ? self->original : self->picture,
    .display = only_original ? scene.original_display : scene.display,
    .original = self->original,
    .original_display = scene.original_display,
    .original_view = scene.beside ? &scene.original_view : NULL,
    .wipe_x = only_original && !scene.beside ? 0 : scene.wipe_x,
    .again = { scene.again[0], scene.again[1] },
    .smooth = scene.smooth,
    .lenses = scene.lenses,
    .n_lenses = scene.n_lenses,
    .surface = surface ? &look : NULL,
    .render = scene.renders ? &scene.render : NULL,
    .overlays = { take_overlay (self, 0, scene.drawing, scene.drawing_x, scene.drawing_y),
                  take_overlay (self, 1, scene.badge, scene.badge_x, scene.badge_y) },
  };
  g_autoptr (GError) failure = NULL;
  odl_gl_canvas_draw (self->canvas, &gl, &scene.view, width, height, &failure);
  return check_drawn (self, failure);
}

static void
device_size (OdlGlArea *self, int *width, int *height)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  *width = gtk_widget_get_width (GTK_WIDGET (self)) * scale;
  *height = gtk_widget_get_height (GTK_WIDGET (self)) * scale;
}

static void
hand_on_captures (OdlGlArea *self, bool wait)
{
  OdlImage *image;
  int dividers[2];
  while ((image = odl_gl_capture_take (self->capture, wait, dividers)) != NULL) {
    self->owner.captured (self->owner.data, image, dividers);
    odl_image_unref (image);
  }
}

static void
capture (OdlGlArea *self, int width, int height)
{
  if (!self->capture)
    self->capture = odl_gl_capture_new ();
  hand_on_captures (self, false);
  if (!odl_gl_capture_begin (self->capture, width, height, odl_clock_now_ns (),
                             self->dividers))
    self->owner.captured (self->owner.data, NULL, self->dividers);
}

void
odl_gl_area_flush_captures (OdlGlArea *self)
{
  if (!self->capture)
    return;
  gtk_gl_area_make_current (GTK_GL_AREA (self));
  hand_on_captures (self, true);
}

static gboolean
odl_gl_area_render (GtkGLArea *area, GdkGLContext *context)
{
  OdlGlArea *self = ODL_GL_AREA (area);
  if (!self->canvas)
    return FALSE;
  int width, height;
  device_size (self, &width, &height);
  if (!draw (self, width, height))
    odl_gl_clear ();
  else if (self->wants_capture)
    capture (self, width, height);
  return TRUE;
}

GBytes *
odl_gl_area_grab (OdlGlArea *self, int *width, int *height)
{
  if (!self->canvas)
    return NULL;
  device_size (self, width, height);
  gtk_gl_area_make_current (GTK_GL_AREA (self));
  gtk_gl_area_attach_buffers (GTK_GL_AREA (self));
  if (!draw (self, *width, *height))
    return NULL;
  size_t size = (size_t) *width * *height * 4;
  uint8_t *rgba = g_malloc (size);
  odl_gl_grab (*width, *height, rgba);
  return g_bytes_new_take (rgba, size);
}

OdlImage *
odl_gl_area_read_back (OdlGlArea *self, OdlFrame *frame, GError **error)
{
  OdlEngine *engine = odl_engine_pair_shown (&self->engines);
  if (!self->canvas || !engine || self->frame != frame || self->waits) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_GPU,
                         _ ("The picture is not computed yet. Try again."));
    return NULL;
  }
  gtk_gl_area_make_current (GTK_GL_AREA (self));
  engine->moment = frame->moment;
  engine->patient = false;
  return odl_engine_process (engine, frame->plan, odl_frame_came (frame), error);
}

static void
odl_gl_area_finalize (GObject *object)
{
  forget_overlays (ODL_GL_AREA (object));
  G_OBJECT_CLASS (odl_gl_area_parent_class)->finalize (object);
}

static void
odl_gl_area_class_init (OdlGlAreaClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = odl_gl_area_finalize;
  GTK_WIDGET_CLASS (klass)->realize = odl_gl_area_realize;
  GTK_WIDGET_CLASS (klass)->unrealize = odl_gl_area_unrealize;
  GTK_GL_AREA_CLASS (klass)->render = odl_gl_area_render;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass),
                                        GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
odl_gl_area_init (OdlGlArea *self)
{
  gtk_gl_area_set_auto_render (GTK_GL_AREA (self), FALSE);
  g_signal_connect (self, "create-context", G_CALLBACK (create_context_cb), NULL);
}

GtkWidget *
odl_gl_area_new (const OdlCanvasOwner *owner)
{
  OdlGlArea *self = g_object_new (ODL_TYPE_GL_AREA, NULL);
  self->owner = *owner;
  return GTK_WIDGET (self);
}
