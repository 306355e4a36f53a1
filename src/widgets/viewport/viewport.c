// SPDX-License-Identifier: MIT
#include "widgets/viewport/private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "widgets/names.h"
#include "widgets/viewport/gl_area.h"
#include "widgets/viewport/gpu_device.h"
#include "widgets/viewport/soft_canvas.h"
#include "widgets/viewport/wipe.h"

// After the last change of size.
#define SETTLED_MS 400

G_DEFINE_FINAL_TYPE (OdlViewport, odl_viewport, GTK_TYPE_WIDGET)

enum { SIGNAL_CHANGED, SIGNAL_PAINTED, SIGNAL_MESSAGE, SIGNAL_FAILURE, N_SIGNALS };

static guint signals[N_SIGNALS];

// All that is said about the frame that is seen.
static void
update_words (OdlViewport *self, unsigned stale)
{
  if (stale & ODL_STALE_VALUE)
    odl_viewport_update_probe (self);
  if (stale & ODL_STALE_CORNERS)
    odl_viewport_update_corners (self);
  if (stale != ODL_STALE_ALL)
    return;
  odl_viewport_update_empty_quarter (self);
  odl_wipe_set_words (self->wipe_bar, odl_viewport_half (self, true),
                      odl_viewport_half (self, false));
}

// ---- the canvases --------------------------------------------------------------------

// Postponed, because the picture has then been handed over for display.
static gboolean
tell_painted_cb (void *data)
{
  OdlViewport *self = data;
  self->painted_id = 0;
  if (self->waiting_us > 0)
    self->latency_us = g_get_monotonic_time () - self->waiting_us;
  self->waiting_us = 0;
  odl_viewport_update_corners (self); // what painting found out, such as the engine
  g_signal_emit (self, signals[SIGNAL_PAINTED], 0);
  return G_SOURCE_REMOVE;
}

static void
painted_cb (void *data, OdlFrame *frame, int64_t gpu_ns)
{
  OdlViewport *self = data;
  self->gpu_ns = gpu_ns;
  self->painted++;
  // Painting the same frame again, such as when the view moves, does not change its
  // latency.
  if (frame->arrival != self->painted_arrival && frame->arrived_us > 0)
    self->waiting_us = frame->arrived_us;
  self->painted_arrival = frame->arrival;
  g_clear_pointer (&self->painted_frame, odl_frame_unref);
  self->painted_frame = odl_frame_ref (frame);
  odl_session_painted (self->session, frame);
  if (!self->painted_id)
    self->painted_id
        = g_idle_add_full (G_PRIORITY_HIGH_IDLE, tell_painted_cb, self, NULL);
}

static OdlCanvasOwner make_owner (OdlViewport *self);

static bool
asks_for_gl (OdlViewport *self)
{
  const OdlEngineClass *asked = odl_session_engine_request (self->session)->choice.klass;
  return asked && asked->needs_gl;
}

static bool
fits_textures (OdlViewport *self)
{
  OdlFrame *frame = odl_session_frame (self->session);
  if (!frame || self->gl_level < ODL_GL_SOFTWARE)
    return true;
  const OdlGeometry *geometry = &frame->plan->geometry;
  const OdlExtent shown = odl_image_info (frame->input)->extent;
  return MAX (MAX (geometry->width, geometry->height), MAX (shown.x, shown.y))
         <= self->gl_max_side;
}

// GL draws if there is a graphics processor, or if the user requests an engine that needs
// GL; a software rasteriser would compete with the CPU engine.
static bool
wants_gl (OdlViewport *self)
{
  if (self->gl_broken || !fits_textures (self))
    return false;
  return asks_for_gl (self)
         || (odl_gpu_device_exists () && self->gl_level != ODL_GL_SOFTWARE);
}

static void
add_canvas (OdlViewport *self, GtkWidget **place, GtkWidget *canvas)
{
  *place = canvas;
  gtk_widget_insert_before (canvas, GTK_WIDGET (self), self->wipe_bar);
}

static void
choose_canvas (OdlViewport *self)
{
  OdlCanvasOwner owner = make_owner (self);
  bool gl = wants_gl (self);
  if (gl && !self->gl_area)
    add_canvas (self, &self->gl_area, odl_gl_area_new (&owner));
  if (!gl && !self->soft_canvas)
    add_canvas (self, &self->soft_canvas, odl_soft_canvas_new (&owner));
  if (self->gl_area)
    gtk_widget_set_visible (self->gl_area, gl);
  if (self->soft_canvas)
    gtk_widget_set_visible (self->soft_canvas, !gl);
  // Not realized yet; gl_ready or gl_failed will be called.
  if (gl && self->gl_level == ODL_GL_UNKNOWN)
    return;
  OdlGlLevel level = self->gl_level == ODL_GL_UNKNOWN ? ODL_GL_NONE : self->gl_level;
  // The software canvas uploads no pictures.
  odl_session_set_gpu (self->session, gl ? self->gpu : "");
  odl_session_set_canvas (self->session, level, self->gl_max_side, !gl);
  odl_viewport_update_rendering (self);
  odl_viewport_redraw (self);
}

// Postponed, since the area is being realized, or painted, when this is requested:
// neither it nor labels may change then.
static gboolean
choose_canvas_cb (void *data)
{
  OdlViewport *self = data;
  g_autofree char *trouble = g_steal_pointer (&self->gl_trouble);
  if (trouble && g_strcmp0 (trouble, self->gl_told) != 0)
    g_signal_emit (self, signals[SIGNAL_FAILURE], 0, trouble);
  if (trouble) {
    g_free (self->gl_told);
    self->gl_told = g_steal_pointer (&trouble);
  }
  if (self->gl_broken && self->gl_area)
    g_clear_pointer (&self->gl_area, gtk_widget_unparent);
  choose_canvas (self);
  return G_SOURCE_REMOVE;
}

static void
queue_choose_canvas (OdlViewport *self)
{
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, choose_canvas_cb, g_object_ref (self),
                   g_object_unref);
}

static void
gl_ready_cb (void *data, OdlGlLevel level, int max_side, const OdlCanvasGpu *gpu)
{
  OdlViewport *self = data;
  g_free (self->gpu);
  self->gpu = g_strdup (gpu->key);
  self->gl_level = level;
  self->gl_max_side = max_side;
  g_free (self->renderer);
  self->renderer = g_strdup (gpu->name);
  queue_choose_canvas (self);
}

static void
gl_failed_cb (void *data, const GError *error)
{
  OdlViewport *self = data;
  // It may be painted again before the other canvas exists.
  if (self->gl_broken)
    return;
  self->gl_drew = self->gl_level != ODL_GL_UNKNOWN;
  self->gl_broken_size[0] = gtk_widget_get_width (GTK_WIDGET (self));
  self->gl_broken_size[1] = gtk_widget_get_height (GTK_WIDGET (self));
  self->gl_level = ODL_GL_NONE;
  self->gl_max_side = 0;
  self->gl_broken = true;
  g_free (self->renderer);
  // Translators: stands in the diagnostic line in place of a graphics card's name.
  self->renderer = g_strdup (_ ("no OpenGL"));
  self->gl_trouble = g_strdup (error->message);
  queue_choose_canvas (self);
}

// What a canvas failed with, such as a lack of memory, need not be so of another file or
// size. One that was never ready will not be.
static gboolean
try_again_cb (void *data)
{
  OdlViewport *self = data;
  self->gl_again_id = 0;
  if (!self->gl_broken || !self->gl_drew)
    return G_SOURCE_REMOVE;
  self->gl_broken = self->gl_drew = false;
  self->gl_level = ODL_GL_UNKNOWN;
  queue_choose_canvas (self);
  return G_SOURCE_REMOVE;
}

// When nobody drags the window's border any more.
static void
try_again_at (OdlViewport *self, int width, int height)
{
  if (!self->gl_broken
      || (width == self->gl_broken_size[0] && height == self->gl_broken_size[1]))
    return;
  self->gl_broken_size[0] = width;
  self->gl_broken_size[1] = height;
  g_clear_handle_id (&self->gl_again_id, g_source_remove);
  self->gl_again_id = g_timeout_add (SETTLED_MS, try_again_cb, self);
}

static void
pool_changed_cb (void *data, OdlImagePool *pool)
{
  OdlViewport *self = data;
  if (self->session)
    odl_session_set_pool (self->session, pool);
}

static gboolean
tell_engine_failed_cb (void *data)
{
  OdlViewport *self = data;
  self->failure_id = 0;
  g_autoptr (GError) error = g_steal_pointer (&self->failure);
  odl_session_engine_failed (self->session, self->failed_engine, error);
  return G_SOURCE_REMOVE;
}

// Called during painting, when the session must not change the frame.
static void
engine_failed_cb (void *data, OdlEngineChoice engine, const GError *error)
{
  OdlViewport *self = data;
  if (self->failure_id)
    return;
  self->failed_engine = engine;
  self->failure = g_error_copy (error);
  self->failure_id
      = g_idle_add_full (G_PRIORITY_HIGH_IDLE, tell_engine_failed_cb, self, NULL);
}

static void
waits_cb (void *data, bool waits)
{
  OdlViewport *self = data;
  self->waits = waits;
  if (!self->painted_id)
    self->painted_id
        = g_idle_add_full (G_PRIORITY_HIGH_IDLE, tell_painted_cb, self, NULL);
}

static void
captured_cb (void *data, OdlImage *image, const int dividers[2])
{
  OdlViewport *self = data;
  GtkWidget *widget = GTK_WIDGET (self);
  const int scale = gtk_widget_get_scale_factor (widget);
  int ends[2];
  for (int i = 0; i < 2; i++)
    ends[i] = scale * odl_viewport_divider_end (self, dividers[i] / scale);
  if (self->capture && image && dividers[0])
    odl_wipe_words_draw (&self->wipe_words, odl_viewport_half (self, true),
                         odl_viewport_half (self, false),
                         gtk_widget_get_pango_context (widget), image, dividers, ends,
                         scale);
  if (self->capture)
    self->capture (image, self->capture_data);
}

void
odl_viewport_set_capture (OdlViewport *self, OdlCaptureCb cb, void *data)
{
  if (!cb && self->gl_area)
    odl_gl_area_flush_captures (ODL_GL_AREA (self->gl_area));
  self->capture = cb;
  self->capture_data = data;
  odl_viewport_update_probe (self);
  odl_viewport_update_corners (self);
  odl_viewport_redraw (self);
}

static void
measured_cb (void *data, OdlPlan *plan, const float *numbers)
{
  OdlViewport *self = data;
  odl_session_take_observed (self->session, plan, numbers);
}

static OdlCanvasOwner
make_owner (OdlViewport *self)
{
  return (OdlCanvasOwner){
    .compose = odl_viewport_compose,
    .gl_ready = gl_ready_cb,
    .gl_failed = gl_failed_cb,
    .pool_changed = pool_changed_cb,
    .engine_failed = engine_failed_cb,
    .waits = waits_cb,
    .painted = painted_cb,
    .measured = measured_cb,
    .captured = captured_cb,
    .data = self,
  };
}

void
odl_viewport_start (OdlViewport *self)
{
  if (self->gl_area || self->soft_canvas)
    return;
  // Translators: stands in the diagnostic line in place of a graphics card's name.
  self->renderer = g_strdup (_ ("no graphics processor"));
  choose_canvas (self);
  g_signal_connect_object (self->session, "notify::engine", G_CALLBACK (choose_canvas),
                           self, G_CONNECT_SWAPPED);
}

// ---- frames --------------------------------------------------------------------------

// ---- from source to source
// -------------------------------------------------------------

// Sources of the same kind can share a window, because their values have the same
// meaning; without a unit they also need the same range. Transfer full.
static char *
make_kind (OdlViewport *self, const OdlImageInfo *info)
{
  const char *format = odl_session_info (self->session)->format;
  const char *modality = odl_session_detail (self->session, "modality");
  const char *unit = info->value_map.unit;
  const int n = format ? (int) strcspn (format, ",") : 0;
  const bool plain = !unit || !*unit;
  return g_strdup_printf ("%.*s/%s/%s/%d/%g…%g", n, format ? format : "",
                          modality ? modality : "", plain ? "" : unit, info->channels,
                          plain ? info->stored_min : 0, plain ? info->stored_max : 0);
}

static void
begin (OdlViewport *self, const OdlImageInfo *info)
{
  const OdlView before = self->view;
  const OdlWindow window = self->window;
  g_autofree char *kind_before = self->kind;
  self->kind = make_kind (self, info);
  self->view = odl_view_make (info->extent.x, info->extent.y, info->pixel_aspect);
  self->window = (OdlWindow){ .mode = ODL_WINDOW_FILE, .map = window.map };
  self->look = (OdlLook){ 0 };
  self->show_original = false;
  odl_viewport_stop_typing (self);
  self->annotating = (OdlAnnotating){ 0 };
  odl_viewport_clear_graphics (self);
  odl_viewport_clear_outlines (self);
  if (self->has_later) {
    self->view = self->later_view;
    self->window = self->later_window;
    self->has_later = false;
  } else if (self->keeps_view && g_strcmp0 (self->kind, kind_before) == 0
             && before.image_width == self->view.image_width
             && before.image_height == self->view.image_height
             && before.pixel_aspect == self->view.pixel_aspect) {
    self->view.fit = before.fit;
    self->view.zoom = before.zoom;
    self->view.centre = before.centre;
    self->window = window;
    self->window.invert = false;
  }
}

static void
frame_ready_cb (OdlViewport *self)
{
  OdlFrame *frame = odl_session_frame (self->session);
  const OdlImageInfo *info = odl_image_info (frame->input);
  if (frame->source_serial != self->view_serial) {
    self->view_serial = frame->source_serial;
    g_clear_pointer (&self->gl_told, g_free);
    g_clear_handle_id (&self->gl_again_id, g_source_remove);
    try_again_cb (self);
    odl_viewport_forget_before_after (self);
    begin (self, info);
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  } else if (info->extent.x != self->view.image_width
             || info->extent.y != self->view.image_height) {
    self->view = odl_view_make (info->extent.x, info->extent.y, info->pixel_aspect);
  }
  gtk_widget_set_visible (self->wipe_bar, self->wipe || self->beside);
  odl_viewport_update_rendering (self);
  odl_viewport_check_tool (self);
  // Another size may need the other canvas.
  if (wants_gl (self) == odl_viewport_uses_soft (self))
    queue_choose_canvas (self);
  odl_viewport_redraw (self);
  // Now, since they are laid out before the canvas paints: words of a frame and its
  // picture come to the screen together.
  update_words (self, ODL_STALE_ALL);
}

static void
names_cb (OdlViewport *self)
{
  odl_viewport_update_corners (self);
  odl_viewport_changed (self);
}

static bool
run_cb (OdlFrame *frame, void *data)
{
  OdlViewport *self = data;
  return self->gl_area && odl_gl_area_run (ODL_GL_AREA (self->gl_area), frame);
}

void
odl_viewport_set_session (OdlViewport *self, OdlSession *session)
{
  g_set_object (&self->session, session);
  odl_session_set_run (session, run_cb, self);
  g_signal_connect_object (session, "frame-ready", G_CALLBACK (frame_ready_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "annotations-changed",
                           G_CALLBACK (odl_viewport_annotations_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (odl_names_of (session), "changed", G_CALLBACK (names_cb), self,
                           G_CONNECT_SWAPPED);
  // Marks of a camera.
  g_signal_connect_object (session, "notify::playing",
                           G_CALLBACK (odl_viewport_update_corners), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "trouble-changed",
                           G_CALLBACK (odl_viewport_update_corners), self,
                           G_CONNECT_SWAPPED);
}

// ---- widget --------------------------------------------------------------------------

static void
odl_viewport_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  *minimum = 160;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 480 : 360;
}

static void
odl_viewport_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  OdlViewport *self = ODL_VIEWPORT (widget);
  GtkAllocation all = { 0, 0, width, height };
  if (self->gl_area && gtk_widget_get_visible (self->gl_area))
    gtk_widget_size_allocate (self->gl_area, &all, -1);
  if (odl_viewport_uses_soft (self))
    gtk_widget_size_allocate (self->soft_canvas, &all, -1);
  try_again_at (self, width, height);
  odl_viewport_allocate_lens_frames (self, width, height);
  odl_viewport_allocate_wipe (
      self, width, height,
      odl_viewport_allocate_corners (self, width, height,
                                     odl_viewport_divider (self, width, height)));
  odl_viewport_allocate_empty_quarter (self);
  odl_viewport_allocate_probe (self, width);
  odl_viewport_find_pointer (self);
  if (self->menu)
    gtk_popover_present (GTK_POPOVER (self->menu));
  if (self->typing)
    gtk_popover_present (GTK_POPOVER (self->typing));
}

// The canvas first: it paints the frame, or keeps the one before where an engine failed,
// which words about another one would not be true of.
static void
odl_viewport_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  OdlViewport *self = ODL_VIEWPORT (widget);
  GtkWidget *child = gtk_widget_get_first_child (widget);
  for (; child; child = gtk_widget_get_next_sibling (child)) {
    const bool tells
        = child == GTK_WIDGET (self->probe) || gtk_widget_has_css_class (child, "corner");
    if (!tells || self->words_of == self->painted_frame)
      gtk_widget_snapshot_child (widget, child, snapshot);
  }
}

static void
odl_viewport_dispose (GObject *object)
{
  OdlViewport *self = ODL_VIEWPORT (object);
  g_clear_handle_id (&self->painted_id, g_source_remove);
  g_clear_handle_id (&self->failure_id, g_source_remove);
  g_clear_handle_id (&self->gl_again_id, g_source_remove);
  g_clear_handle_id (&self->pointer_id, g_source_remove);
  g_clear_handle_id (&self->rendering.rest, g_source_remove);
  g_clear_error (&self->failure);
  g_clear_pointer (&self->gl_area, gtk_widget_unparent);
  g_clear_pointer (&self->soft_canvas, gtk_widget_unparent);
  g_clear_pointer (&self->wipe_bar, gtk_widget_unparent);
  odl_viewport_remove_lens_frames (self);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  self->annotating.typing = false;
  g_clear_pointer (&self->typing, gtk_widget_unparent);
  if (self->probe)
    gtk_widget_unparent (GTK_WIDGET (self->probe));
  self->probe = NULL;
  g_clear_pointer (&self->empty_quarter, gtk_widget_unparent);
  odl_viewport_remove_corners (self);
  if (self->session)
    odl_session_set_run (self->session, NULL, NULL);
  odl_viewport_forget_items (self);
  odl_viewport_forget_read (self);
  odl_viewport_forget_before_after (self);
  g_clear_pointer (&self->detail_meter, odl_detail_meter_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (odl_viewport_parent_class)->dispose (object);
}

static void
odl_viewport_finalize (GObject *object)
{
  OdlViewport *self = ODL_VIEWPORT (object);
  g_clear_pointer (&self->painted_frame, odl_frame_unref);
  g_clear_pointer (&self->words_of, odl_frame_unref);
  odl_badge_clear (&self->badge);
  for (int i = 0; i < 2; i++)
    odl_badge_clear (&self->half_badges[i]);
  odl_drawing_clear (&self->drawing);
  odl_wipe_words_clear (&self->wipe_words);
  odl_viewport_clear_screen (self);
  odl_viewport_clear_graphics (self);
  odl_viewport_clear_outlines (self);
  g_ptr_array_unref (self->tables);
  g_free (self->kind);
  g_free (self->renderer);
  g_free (self->gl_trouble);
  g_free (self->gl_told);
  g_free (self->gpu);
  G_OBJECT_CLASS (odl_viewport_parent_class)->finalize (object);
}

static void
odl_viewport_class_init (OdlViewportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  object_class->dispose = odl_viewport_dispose;
  object_class->finalize = odl_viewport_finalize;
  widget_class->measure = odl_viewport_measure;
  widget_class->size_allocate = odl_viewport_size_allocate;
  widget_class->snapshot = odl_viewport_snapshot;
  gtk_widget_class_set_css_name (widget_class, "viewport-canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  GType type = G_TYPE_FROM_CLASS (klass);
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 0);
  // Its words are to be updated (ODL_STALE_…), before anybody else hears of it.
  g_signal_new_class_handler ("stale", type, G_SIGNAL_RUN_FIRST,
                              G_CALLBACK (update_words), NULL, NULL, NULL, G_TYPE_NONE, 1,
                              G_TYPE_UINT);
  signals[SIGNAL_PAINTED] = g_signal_new ("painted", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 0);
  // “message” is about the present state, such as why a tool cannot be used, and goes
  // with the next action. “failure” is about the graphics card.
  signals[SIGNAL_MESSAGE] = g_signal_new ("message", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_FAILURE] = g_signal_new ("failure", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
wipe_moved_cb (double position, void *self)
{
  odl_viewport_set_wipe_position (self, position);
}

static void
details_measured_cb (void *viewport)
{
  odl_viewport_redraw (viewport);
}

static void
odl_viewport_init (OdlViewport *self)
{
  self->detail_meter = odl_detail_meter_new (details_measured_cb, self);
  self->view = odl_view_make (1, 1, 1);
  self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_curve_unref);
  self->wipe_position = 0.5;
  self->tool = self->first_tool = odl_tool_at (0);
  self->measuring = odl_annotation_kind_at (0);
  odl_mouse_table_read (&self->mouse, NULL);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  self->wipe_bar = odl_wipe_new (wipe_moved_cb, self);
  gtk_widget_set_visible (self->wipe_bar, FALSE);
  gtk_widget_set_parent (self->wipe_bar, GTK_WIDGET (self));
  odl_viewport_add_lens_frames (self);
  odl_viewport_add_probe (self);
  odl_viewport_add_corners (self);
  odl_viewport_add_empty_quarter (self);
  odl_viewport_add_gestures (self);
}

void
odl_viewport_set_mouse (OdlViewport *self, const char *text)
{
  odl_mouse_table_read (&self->mouse, text);
}
