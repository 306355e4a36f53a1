// SPDX-License-Identifier: MIT
// The rendered view of a volume beside its three planes: what it shows, and how it is
// turned.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/viewport/private.h"

// Degrees for a key.
#define KEY_TURN 5.0
#define TURN_PER_S 60.0 // by itself
#define AIR -500.0 // HU: what surrounds a body, and lungs, lie below
#define LEAST_AIR 1e-3 // of the samples of a CT
// Of the processor: about 200 × 200 while one turns it, more for a picture to take away.
#define SHOWN_RAYS 40000
#define SAVED_RAYS 250000
#define EXPORTED_SIDE 1080 // pixels

// ---- what is shown -------------------------------------------------------------------

// Until somebody has chosen, a graphics card shows what suits the unit.
static const OdlRenderPreset *
preset_of (OdlViewport *self)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  if (self->rendering.chosen)
    return self->rendering.preset;
  if (self->gl_level != ODL_GL_HARDWARE || odl_viewport_uses_soft (self) || !frame
      || !frame->volume)
    return NULL;
  const char *unit = odl_image_info (frame->volume)->value_map.unit;
  return odl_render_preset_find (g_str_equal (unit, "HU") ? "ct-bone" : "maximum");
}

void
odl_viewport_update_rendering (OdlViewport *self)
{
  if (self->session)
    odl_session_set_renders (self->session, preset_of (self) != NULL);
}

const char *
odl_viewport_rendering (OdlViewport *self)
{
  const OdlRenderPreset *preset = preset_of (self);
  return preset ? preset->name : "none";
}

// Whether so many samples of the volume lie as low as those of air. What its type could
// hold says nothing, and filters that interpolate leave single ones far below the others.
static bool
reaches_air (const OdlImage *volume)
{
  const OdlImageInfo *info = odl_image_info (volume);
  const OdlValueMap *map = &info->value_map;
  const double range = info->stored_max - info->stored_min;
  const int rows = info->extent.y * info->extent.z;
  const double enough = LEAST_AIR * info->extent.x * rows;
  g_autofree float *row = g_new (float, info->extent.x);
  int found = 0;
  for (int r = 0; r < rows && found < enough; r++) {
    odl_image_scaled_row (volume, 0, r % info->extent.y, r / info->extent.y, 0, row);
    for (int x = 0; x < info->extent.x; x++)
      found += map->slope * (info->stored_min + (double) row[x] * range) + map->intercept
               <= AIR;
  }
  return found >= enough;
}

// A transfer function in a unit says nothing about values in another one. Volumes without
// a unit may hold Hounsfield units if their samples reach down to those of air.
static bool
suits (OdlViewport *self, const OdlRenderPreset *preset)
{
  const OdlFrame *frame = odl_session_frame (self->session);
  if (!preset->unit || !frame || !frame->volume)
    return true;
  const char *unit = odl_image_info (frame->volume)->value_map.unit;
  return *unit == '\0' ? reaches_air (frame->volume) : g_str_equal (unit, preset->unit);
}

bool
odl_viewport_suits_rendering (OdlViewport *self, const char *name)
{
  return suits (self, odl_render_preset_find (name));
}

void
odl_viewport_set_rendering (OdlViewport *self, const char *name)
{
  const OdlRenderPreset *preset = odl_render_preset_find (name);
  if (preset && !suits (self, preset)) {
    g_autofree char *text
        = g_strdup_printf (_ ("“%s” is for values in %s, and this volume has others. "
                              "Choose another rendered view."),
                           _ (preset->title), preset->unit);
    g_signal_emit_by_name (self, "message", text);
    return;
  }
  if (preset && !preset_of (self) && odl_viewport_uses_soft (self))
    g_signal_emit_by_name (self, "message",
                           _ ("The processor draws the rendered view, at reduced size, "
                              "since there is no graphics card to do it."));
  self->rendering.chosen = true;
  self->rendering.preset = preset;
  odl_viewport_update_rendering (self);
  odl_viewport_changed (self);
}

const char *
odl_viewport_cut (OdlViewport *self)
{
  return odl_render_cut_names[self->rendering.cut];
}

void
odl_viewport_set_cut (OdlViewport *self, const char *name)
{
  for (int i = 0; i < ODL_RENDER_N_CUTS; i++)
    if (g_str_equal (odl_render_cut_names[i], name))
      self->rendering.cut = (OdlRenderCut) i;
  odl_viewport_changed (self);
}

static gboolean
rested_cb (void *data)
{
  OdlViewport *self = data;
  self->rendering.rest = 0;
  return G_SOURCE_REMOVE;
}

// Where the processor draws, one picture after the other would leave no time for anything
// else. With a graphics card every picture is one of the view turned further: where the
// screen takes longer than a period, resting would leave out every second one.
static gboolean
turn_cb (GtkWidget *widget, GdkFrameClock *clock, void *data)
{
  OdlViewport *self = ODL_VIEWPORT (widget);
  OdlRendering *rendering = &self->rendering;
  const int64_t now_us = gdk_frame_clock_get_frame_time (clock);
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  if (rendering->rest)
    return G_SOURCE_CONTINUE;
  if (odl_viewport_uses_soft (self) || !odl_viewport_has_gpu (self))
    rendering->rest = g_idle_add_full (G_PRIORITY_LOW, rested_cb, self, NULL);
  if (rendering->turned_us > 0 && frame && frame->body && preset_of (self)) {
    const double seconds = (double) (now_us - rendering->turned_us) / G_USEC_PER_SEC;
    rendering->look.yaw = fmod (rendering->look.yaw + TURN_PER_S * seconds, 360);
    odl_viewport_redraw (self);
  }
  rendering->turned_us = now_us;
  return G_SOURCE_CONTINUE;
}

void
odl_viewport_set_turns (OdlViewport *self, bool turns)
{
  OdlRendering *rendering = &self->rendering;
  if (turns == odl_viewport_turns (self))
    return;
  if (turns && !preset_of (self))
    odl_viewport_set_rendering (self, odl_render_preset_at (0)->name);
  rendering->turned_us = 0;
  if (turns)
    rendering->turning
        = gtk_widget_add_tick_callback (GTK_WIDGET (self), turn_cb, NULL, NULL);
  else {
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), rendering->turning);
    rendering->turning = 0;
  }
  odl_viewport_changed (self);
}

bool
odl_viewport_turns (OdlViewport *self)
{
  return self->rendering.turning != 0;
}

// ---- the scene -----------------------------------------------------------------------

// The quarter of the picture that no plane takes, on the canvas.
OdlRenderPlace
odl_viewport_render_place (const OdlFrame *frame,
                           const OdlView *view,
                           int width,
                           int height)
{
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  const OdlPlanePlace *right = &planes.planes[ODL_PLANE_SAGITTAL];
  const OdlPlanePlace *top = &planes.planes[ODL_PLANE_AXIAL];
  const OdlPoint a
      = odl_view_to_canvas (view, width, height, (OdlPoint){ right->x, top->y });
  const OdlPoint b = odl_view_to_canvas (
      view, width, height, (OdlPoint){ right->x + right->width, top->y + top->height });
  const int left = (int) ceil (MIN (a.x, b.x)), upper = (int) ceil (MIN (a.y, b.y));
  return (OdlRenderPlace){ left, upper, (int) floor (MAX (a.x, b.x)) - left,
                           (int) floor (MAX (a.y, b.y)) - upper };
}

bool
odl_viewport_render_scene (OdlViewport *self,
                           const OdlFrame *frame,
                           const OdlView *view,
                           int width,
                           int height,
                           OdlRenderScene *scene)
{
  const OdlRenderPreset *preset = preset_of (self);
  if (!preset || !frame->planes || !frame->body)
    return false;
  const OdlImageInfo *info = odl_image_info (frame->volume);
  *scene
      = (OdlRenderScene){ .body = frame->body,
                          .original = frame->original_body,
                          .preset = preset,
                          .invert
                          = odl_display_make (info, &self->window, ODL_NO_DETAILS).invert,
                          .look = self->rendering.look,
                          .cut = self->rendering.cut,
                          .voxel = frame->voxel,
                          .box = frame->box,
                          .place = odl_viewport_render_place (frame, view, width, height),
                          .most_rays = SAVED_RAYS };
  odl_render_find_points (info, &self->window, preset, scene->points);
  return scene->place.width > 0 && scene->place.height > 0
         && scene->points[0] != scene->points[1];
}

bool
odl_viewport_rendered (OdlViewport *self, OdlRenderScene *scene)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  if (!frame
      || !odl_viewport_render_scene (
          self, frame, &self->view, gtk_widget_get_width (GTK_WIDGET (self)) * scale,
          gtk_widget_get_height (GTK_WIDGET (self)) * scale, scene))
    return false;
  scene->body = scene->original = NULL;
  scene->place = (OdlRenderPlace){ 0, 0, EXPORTED_SIDE, EXPORTED_SIDE };
  return true;
}

void
odl_viewport_render_canvas (OdlViewport *self, int width, int height, OdlScene *scene)
{
  OdlRenderScene *render = &scene->render;
  scene->renders = odl_viewport_render_scene (self, scene->frame, &scene->view, width,
                                              height, render);
  if (!scene->renders)
    return;
  render->most_rays = SHOWN_RAYS;
  // The divider of the column that it lies in.
  const bool second
      = scene->again[1] > scene->again[0] && render->place.x >= scene->again[0];
  render->wipe_x = second ? scene->again[1] : scene->wipe_x;
  if (scene->show_original && render->original) {
    render->body = render->original;
    render->original = NULL;
  }
}

void
odl_viewport_add_render_marks (OdlViewport *self,
                               const OdlFrame *frame,
                               bool reduced,
                               GStrvBuilder *marks)
{
  const OdlRenderPreset *preset = preset_of (self);
  if (!preset || !frame->planes)
    return;
  if (!frame->body) {
    if (frame->renders)
      g_strv_builder_add (marks, _ ("NO MEMORY FOR A RENDERED VIEW"));
    return;
  }
  g_autofree char *text
      // Translators: a rendered view of a volume: “RENDERED (CT: Bone)”.
      = g_strdup_printf (reduced ? _ ("RENDERED AT REDUCED SIZE (%s)")
                                 : _ ("RENDERED (%s)"),
                         _ (preset->title));
  g_strv_builder_add (marks, text);
  if (self->rendering.cut != ODL_RENDER_WHOLE)
    g_strv_builder_add (marks, _ ("CUT AT THE CROSS-HAIR"));
  if (odl_box_cuts (&frame->box))
    g_strv_builder_add (marks, _ ("CUT TO A BOX"));
}

// ---- the tool ------------------------------------------------------------------------

bool
odl_viewport_is_over_rendering (OdlViewport *self, OdlPoint device)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  OdlRenderScene scene;
  if (!frame || frame->source_serial != self->view_serial
      || !odl_viewport_render_scene (
          self, frame, &self->view, gtk_widget_get_width (GTK_WIDGET (self)) * scale,
          gtk_widget_get_height (GTK_WIDGET (self)) * scale, &scene))
    return false;
  const OdlRenderPlace *place = &scene.place;
  return device.x >= place->x && device.y >= place->y
         && device.x < place->x + place->width && device.y < place->y + place->height;
}

static void
press (OdlViewport *self, const OdlToolEvent *event)
{
  self->panned = (OdlPoint){ 0, 0 };
  if (odl_viewport_measures (self))
    odl_viewport_refuse_rendering (self);
}

static void
drag (OdlViewport *self, const OdlToolEvent *event)
{
  const double side = MAX (MIN (gtk_widget_get_width (GTK_WIDGET (self)),
                                gtk_widget_get_height (GTK_WIDGET (self)))
                               / 2.0,
                           1);
  odl_look_turn (&self->rendering.look, (event->dx - self->panned.x) / side,
                 (event->dy - self->panned.y) / side);
  self->panned = (OdlPoint){ event->dx, event->dy };
  odl_viewport_changed (self);
}

static void
look_again (OdlViewport *self)
{
  self->rendering.look = (OdlLook){ 0 };
  odl_viewport_changed (self);
}

const OdlTool odl_tool_turn_volume = { .name = "turn-volume",
                                       .at_once = true,
                                       .press = press,
                                       .drag = drag,
                                       .double_click = look_again };

bool
odl_viewport_turn_rendering (OdlViewport *self, guint key, GdkModifierType state)
{
  const bool right = key == GDK_KEY_Right, left = key == GDK_KEY_Left;
  const bool down = key == GDK_KEY_Down, up = key == GDK_KEY_Up;
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  OdlLook *look = &self->rendering.look;
  const GdkModifierType others = GDK_CONTROL_MASK | GDK_ALT_MASK;
  if (!(state & GDK_SHIFT_MASK) || (state & others) || !(right || left || down || up)
      || !frame || !frame->body || !preset_of (self))
    return false;
  look->yaw = fmod (look->yaw + KEY_TURN * (right - left), 360);
  look->pitch = CLAMP (look->pitch + KEY_TURN * (down - up), -90, 90);
  odl_viewport_changed (self);
  return true;
}
