// SPDX-License-Identifier: MIT
#include "widgets/viewport/soft_canvas.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

struct _OdlSoftCanvas {
  GtkWidget parent_instance;
  OdlCanvasOwner owner;
  // Two in turn: while one is painted, GTK may still hold the other one, which cairo
  // would have to copy.
  cairo_surface_t *sheets[2];
  cairo_surface_t *shown; // the one painted last; NULL: none
  GdkRectangle picture; // the part of it with the picture, except for the badge
  GdkRectangle badge;
  GdkRectangle drawing;
  OdlFrame *painted;
  OdlSurfaceMeshes meshes;
};

G_DEFINE_FINAL_TYPE (OdlSoftCanvas, odl_soft_canvas, GTK_TYPE_WIDGET)

static bool
paint_surface (const OdlScene *scene,
               OdlSurfaceMeshes *meshes,
               int width,
               int height,
               bool blue_first,
               uint8_t *rgba)
{
  odl_surface_meshes_take (meshes, scene->frame, scene->frame->result);
  const OdlLookScene look = odl_surface_meshes_scene (meshes, scene);
  return odl_look_draw (&look, width, height, blue_first, rgba);
}

bool
odl_scene_paint (const OdlScene *scene,
                 OdlSurfaceMeshes *meshes,
                 int width,
                 int height,
                 bool blue_first,
                 uint8_t *rgba)
{
  const OdlFrame *frame = scene->frame;
  bool needs_original = scene->show_original || scene->wipe_x > 0;
  if (!frame || !frame->result || (needs_original && !frame->original))
    return false;
  if (scene->surface && !paint_surface (scene, meshes, width, height, blue_first, rgba))
    return false;
  OdlDisplayScene display = {
    .scaled = scene->show_original ? frame->original : frame->result,
    .display = scene->show_original ? scene->original_display : scene->display,
    .original = needs_original ? frame->original : NULL,
    .original_display = scene->original_display,
    .original_view = scene->beside ? &scene->original_view : NULL,
    .wipe_x = scene->show_original && !scene->beside ? 0 : scene->wipe_x,
    .again = { scene->again[0], scene->again[1] },
    .smooth = scene->smooth,
    .blue_first = blue_first,
  };
  if (!scene->surface)
    odl_display_render_view (&display, &scene->view, width, height, rgba);
  for (int i = 0; i < scene->n_lenses; i++)
    odl_display_render_lens (&display, &scene->lenses[i], width, height, rgba);
  if (scene->renders)
    odl_render_draw (&scene->render, width, height, blue_first, rgba);
  if (scene->drawing && scene->drawing->rgba)
    odl_badge_blend (scene->drawing, rgba, width, height, scene->drawing_x,
                     scene->drawing_y, blue_first);
  if (scene->badge && scene->badge->rgba)
    odl_badge_blend (scene->badge, rgba, width, height, scene->badge_x, scene->badge_y,
                     blue_first);
  return true;
}

// The part of the canvas that changes with each frame: the picture.
static GdkRectangle
picture_place (const OdlScene *scene, int width, int height)
{
  if (scene->surface || scene->beside || scene->n_lenses > 0)
    return (GdkRectangle){ 0, 0, width, height };
  const OdlView *view = &scene->view;
  const OdlPoint corners[]
      = { odl_view_to_canvas (view, width, height, (OdlPoint){ 0, 0 }),
          odl_view_to_canvas (view, width, height,
                              (OdlPoint){ view->image_width, view->image_height }) };
  const double left = MIN (corners[0].x, corners[1].x) - 1;
  const double top = MIN (corners[0].y, corners[1].y) - 1;
  const double right = MAX (corners[0].x, corners[1].x) + 1;
  const double bottom = MAX (corners[0].y, corners[1].y) + 1;
  const int x = (int) floor (CLAMP (left, 0, width));
  const int y = (int) floor (CLAMP (top, 0, height));

  return (GdkRectangle){ x, y, (int) ceil (CLAMP (right, 0, width)) - x,
                         (int) ceil (CLAMP (bottom, 0, height)) - y };
}

static GdkRectangle
badge_place (const OdlBadge *badge, int x, int y, int width, int height)
{
  GdkRectangle place = { 0 };

  if (badge && badge->rgba) {
    const GdkRectangle all = { 0, 0, width, height };
    const GdkRectangle whole = { x, y, badge->width, badge->height };
    gdk_rectangle_intersect (&all, &whole, &place);
  }
  return place;
}

// A copy of what a sheet shows, as RGBA bytes.
static GBytes *
rgba_of (cairo_surface_t *sheet)
{
  const size_t size = (size_t) cairo_image_surface_get_stride (sheet)
                      * (size_t) cairo_image_surface_get_height (sheet);
  const uint8_t *words = cairo_image_surface_get_data (sheet);
  uint8_t *rgba = g_malloc (size);

  for (size_t i = 0; i < size; i += 4) {
    uint32_t word;
    memcpy (&word, words + i, sizeof word);
    rgba[i] = (uint8_t) (word >> 16);
    rgba[i + 1] = (uint8_t) (word >> 8);
    rgba[i + 2] = (uint8_t) word;
    rgba[i + 3] = 255;
  }
  return g_bytes_new_take (rgba, size);
}

static void
unref_bytes_cb (void *bytes)
{
  g_bytes_unref (bytes);
}

static void
capture (OdlSoftCanvas *self, cairo_surface_t *sheet, const int dividers[2])
{
  const int width = cairo_image_surface_get_width (sheet);
  const int height = cairo_image_surface_get_height (sheet);
  OdlImageInfo info = { .extent = { width, height, 1, 1 },
                        .channels = 4,
                        .pts_ns = odl_clock_now_ns () };
  GBytes *bytes = rgba_of (sheet);
  const uint8_t *rgba = g_bytes_get_data (bytes, NULL);
  for (int c = 0; c < 4; c++)
    info.planes[c] = (OdlPlane){ rgba + c, 4, (size_t) width * 4, 0, 0 };
  OdlImage *image = odl_image_wrap (&info, unref_bytes_cb, bytes, NULL);
  if (!image)
    g_bytes_unref (bytes);
  self->owner.captured (self->owner.data, image, dividers);
  odl_image_unref (image);
}

// The hidden sheet, of that size; NULL: no memory. Borrowed.
static cairo_surface_t *
take_sheet (OdlSoftCanvas *self, int width, int height)
{
  cairo_surface_t **sheet = &self->sheets[self->shown == self->sheets[0] ? 1 : 0];

  if (*sheet && cairo_image_surface_get_width (*sheet) == width
      && cairo_image_surface_get_height (*sheet) == height) {
    cairo_surface_flush (*sheet);
    return *sheet;
  }
  g_clear_pointer (sheet, cairo_surface_destroy);
  cairo_surface_t *fresh = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  if (cairo_surface_status (fresh) != CAIRO_STATUS_SUCCESS
      || cairo_image_surface_get_stride (fresh) != 4 * width) {
    cairo_surface_destroy (fresh);
    return NULL;
  }
  *sheet = fresh;
  return fresh;
}

// Cairo's words have blue in their lowest byte.
static void
make_words (uint8_t *bgra, size_t pixels)
{
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    return;
  for (size_t i = 0; i < pixels; i++) {
    uint32_t pixel;
    memcpy (&pixel, bgra + 4 * i, sizeof pixel);
    pixel = GUINT32_SWAP_LE_BE (pixel);
    memcpy (bgra + 4 * i, &pixel, sizeof pixel);
  }
}

static void
paint (OdlSoftCanvas *self, int width, int height)
{
  OdlScene scene = { 0 };
  self->owner.compose (self->owner.data, width, height, &scene);
  cairo_surface_t *sheet = take_sheet (self, width, height);
  if (!sheet)
    return;
  uint8_t *pixels = cairo_image_surface_get_data (sheet);
  // The last picture stays while a frame is being computed.
  if (!odl_scene_paint (&scene, &self->meshes, width, height, true, pixels))
    return;
  make_words (pixels, (size_t) width * height);
  cairo_surface_mark_dirty (sheet);
  if (scene.capture)
    capture (self, sheet, scene.dividers);
  self->shown = sheet;
  self->picture = picture_place (&scene, width, height);
  self->badge = badge_place (scene.badge, scene.badge_x, scene.badge_y, width, height);
  self->drawing
      = badge_place (scene.drawing, scene.drawing_x, scene.drawing_y, width, height);
  if (self->painted == scene.frame)
    return;
  g_clear_pointer (&self->painted, odl_frame_unref);
  self->painted = odl_frame_ref (scene.frame);
  self->owner.painted (self->owner.data, scene.frame, 0);
}

// Drawn with cairo: GTK 4.8's software renderer converts the pixels of textures of any
// format one by one, which takes longer than computing them.
static void
draw_part (GtkSnapshot *snapshot,
           cairo_surface_t *surface,
           const GdkRectangle *part,
           double scale_x,
           double scale_y)
{
  if (part->width < 1 || part->height < 1)
    return;
  const graphene_rect_t bounds = GRAPHENE_RECT_INIT (
      (float) (part->x * scale_x), (float) (part->y * scale_y),
      (float) (part->width * scale_x), (float) (part->height * scale_y));
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);

  cairo_scale (cr, scale_x, scale_y);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_destroy (cr);
}

// The empty canvas beside the picture. It does not change between frames, and GTK only
// sends changed parts to the screen.
static void
draw_margins (GtkSnapshot *snapshot,
              const graphene_rect_t *all,
              const graphene_rect_t *picture)
{
  const float level = ODL_CANVAS_LEVEL / 255.0f;
  const GdkRGBA colour = { level, level, level, 1 };
  const float right = picture->origin.x + picture->size.width;
  const float bottom = picture->origin.y + picture->size.height;
  const graphene_rect_t margins[] = {
    GRAPHENE_RECT_INIT (0, 0, all->size.width, picture->origin.y),
    GRAPHENE_RECT_INIT (0, bottom, all->size.width, all->size.height - bottom),
    GRAPHENE_RECT_INIT (0, picture->origin.y, picture->origin.x, picture->size.height),
    GRAPHENE_RECT_INIT (right, picture->origin.y, all->size.width - right,
                        picture->size.height),
  };

  for (size_t i = 0; i < G_N_ELEMENTS (margins); i++)
    if (margins[i].size.width > 0 && margins[i].size.height > 0)
      gtk_snapshot_append_color (snapshot, &colour, &margins[i]);
}

static void
draw (OdlSoftCanvas *self, GtkSnapshot *snapshot, int width, int height)
{
  cairo_surface_t *sheet = self->shown;
  const double scale_x = (double) width / cairo_image_surface_get_width (sheet);
  const double scale_y = (double) height / cairo_image_surface_get_height (sheet);
  const GdkRectangle *picture = &self->picture;
  const graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, width, height);
  const graphene_rect_t place = GRAPHENE_RECT_INIT (
      (float) (picture->x * scale_x), (float) (picture->y * scale_y),
      (float) (picture->width * scale_x), (float) (picture->height * scale_y));

  draw_margins (snapshot, &all, &place);
  draw_part (snapshot, sheet, picture, scale_x, scale_y);
  draw_part (snapshot, sheet, &self->drawing, scale_x, scale_y);
  draw_part (snapshot, sheet, &self->badge, scale_x, scale_y);
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
  if (self->shown)
    draw (self, snapshot, width, height);
}

GBytes *
odl_soft_canvas_grab (OdlSoftCanvas *self, int *width, int *height)
{
  if (!self->shown)
    return NULL;
  *width = cairo_image_surface_get_width (self->shown);
  *height = cairo_image_surface_get_height (self->shown);
  return rgba_of (self->shown);
}

static void
odl_soft_canvas_finalize (GObject *object)
{
  OdlSoftCanvas *self = ODL_SOFT_CANVAS (object);
  for (size_t i = 0; i < G_N_ELEMENTS (self->sheets); i++)
    g_clear_pointer (&self->sheets[i], cairo_surface_destroy);
  g_clear_pointer (&self->painted, odl_frame_unref);
  odl_surface_meshes_clear (&self->meshes);
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
