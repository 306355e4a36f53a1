// SPDX-License-Identifier: MIT
#include "widgets/soft_canvas.h"

#include <string.h>

#include "base/clock.h"

struct _OdlSoftCanvas {
  GtkWidget parent_instance;
  OdlCanvasOwner owner;
  GBytes *bytes; // what was painted last: width × height words of cairo's RGB24
  int width;
  int height;
  OdlFrame *painted;
};

G_DEFINE_FINAL_TYPE (OdlSoftCanvas, odl_soft_canvas, GTK_TYPE_WIDGET)

bool
odl_scene_paint (const OdlScene *scene, int width, int height, uint8_t *rgba)
{
  const OdlFrame *frame = scene->frame;
  bool needs_original = scene->show_original || scene->wipe_x > 0;
  if (!frame || !frame->result || (needs_original && !frame->original))
    return false;
  OdlDisplayScene display = {
    .scaled = scene->show_original ? frame->original : frame->result,
    .display = scene->show_original ? scene->original_display : scene->display,
    .original = needs_original ? frame->original : NULL,
    .original_display = scene->original_display,
    .wipe_x = scene->show_original ? 0 : scene->wipe_x,
    .smooth = scene->smooth,
  };
  odl_display_render_view (&display, &scene->view, width, height, rgba);
  if (scene->badge && scene->badge->rgba)
    odl_badge_blend (scene->badge, rgba, width, height, scene->badge_x, scene->badge_y);
  return true;
}

// From bytes, red first, to cairo's words and back.
static void
swap_order (uint8_t *pixels, size_t n, bool to_words)
{
  const bool little = G_BYTE_ORDER == G_LITTLE_ENDIAN;

  for (size_t i = 0; i < n; i++) {
    uint32_t pixel;
    memcpy (&pixel, pixels + 4 * i, sizeof pixel);
    if (little)
      pixel = (pixel & 0xff00ff00u) | (pixel & 0xffu) << 16 | (pixel >> 16 & 0xffu);
    else
      pixel = to_words ? pixel >> 8 | 0xff000000u : pixel << 8 | 0xffu;
    memcpy (pixels + 4 * i, &pixel, sizeof pixel);
  }
}

static void
unref_bytes_cb (void *bytes)
{
  g_bytes_unref (bytes);
}

static void
capture (OdlSoftCanvas *self, const uint8_t *rgba, int width, int height)
{
  OdlImageInfo info = { .extent = { width, height, 1, 1 },
                        .channels = 4,
                        .pts_ns = odl_clock_now_ns () };
  GBytes *bytes = g_bytes_new (rgba, (size_t) width * height * 4);
  const uint8_t *copy = g_bytes_get_data (bytes, NULL);
  for (int c = 0; c < 4; c++)
    info.planes[c] = (OdlPlane){ copy + c, 4, (size_t) width * 4, 0, 0 };
  OdlImage *image = odl_image_wrap (&info, unref_bytes_cb, bytes, NULL);
  if (!image)
    g_bytes_unref (bytes);
  self->owner.captured (self->owner.data, image);
  odl_image_unref (image);
}

static void
paint (OdlSoftCanvas *self, int width, int height)
{
  OdlScene scene = { 0 };
  self->owner.compose (self->owner.data, width, height, &scene);
  size_t size = (size_t) width * height * 4;
  g_autofree uint8_t *rgba = g_malloc (size);
  // While a frame is still being computed the last picture stays.
  if (!odl_scene_paint (&scene, width, height, rgba))
    return;
  if (scene.capture)
    capture (self, rgba, width, height);
  swap_order (rgba, size / 4, true);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  self->bytes = g_bytes_new_take (g_steal_pointer (&rgba), size);
  self->width = width;
  self->height = height;
  if (self->painted == scene.frame)
    return;
  g_clear_pointer (&self->painted, odl_frame_unref);
  self->painted = odl_frame_ref (scene.frame);
  self->owner.painted (self->owner.data, scene.frame, 0);
}

// By way of cairo: GTK 4.8's renderer in software converts the pixels of a texture one by
// one, whatever their format, and that costs more than to compute them.
static void
draw (OdlSoftCanvas *self, GtkSnapshot *snapshot, int width, int height)
{
  const graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, width, height);
  gsize size;
  const void *pixels = g_bytes_get_data (self->bytes, &size);
  cairo_surface_t *surface
      = cairo_image_surface_create_for_data ((unsigned char *) pixels, CAIRO_FORMAT_RGB24,
                                             self->width, self->height, 4 * self->width);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &all);

  cairo_scale (cr, (double) width / self->width, (double) height / self->height);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
odl_soft_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  OdlSoftCanvas *self = ODL_SOFT_CANVAS (widget);
  int scale = gtk_widget_get_scale_factor (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  if (width < 1 || height < 1)
    return;
  paint (self, width * scale, height * scale);
  if (self->bytes)
    draw (self, snapshot, width, height);
}

GBytes *
odl_soft_canvas_grab (OdlSoftCanvas *self, int *width, int *height)
{
  if (!self->bytes)
    return NULL;
  *width = self->width;
  *height = self->height;
  gsize size;
  const void *bytes = g_bytes_get_data (self->bytes, &size);
  uint8_t *rgba = g_memdup2 (bytes, size);
  swap_order (rgba, size / 4, false);
  return g_bytes_new_take (rgba, size);
}

static void
odl_soft_canvas_finalize (GObject *object)
{
  OdlSoftCanvas *self = ODL_SOFT_CANVAS (object);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_clear_pointer (&self->painted, odl_frame_unref);
  G_OBJECT_CLASS (odl_soft_canvas_parent_class)->finalize (object);
}

static void
odl_soft_canvas_class_init (OdlSoftCanvasClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = odl_soft_canvas_finalize;
  GTK_WIDGET_CLASS (klass)->snapshot = odl_soft_canvas_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass),
                                        GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
odl_soft_canvas_init (OdlSoftCanvas *self)
{
}

GtkWidget *
odl_soft_canvas_new (const OdlCanvasOwner *owner)
{
  OdlSoftCanvas *self = g_object_new (ODL_TYPE_SOFT_CANVAS, NULL);
  self->owner = *owner;
  return GTK_WIDGET (self);
}
