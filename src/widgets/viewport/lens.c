// SPDX-License-Identifier: MIT
// The magnifier: a square about the pointer that shows the samples of the picture larger
// and not smoothed; beside each other both pictures have one, at the same place. What is
// recorded has none, since its frame is no part of the canvas.
#include <math.h>

#include "widgets/viewport/private.h"

#define SIDE 220 // logical pixels
#define LEAST_SIDE 16 // device pixels; a smaller one is not shown
#define LEAST_FACTOR 2
#define MOST_FACTOR 8
#define BEYOND 1.5 // how much larger than the picture it shows at least

// How many pixels of the screen a sample takes: the factor chosen, or more in a picture
// that is shown larger itself.
static double
zoom_of (const OdlViewport *self, double shown)
{
  double zoom = self->lens_factor;
  while (zoom < BEYOND * shown && zoom < ODL_VIEW_ZOOM_MAX)
    zoom *= 2;
  return fmin (zoom, ODL_VIEW_ZOOM_MAX);
}

static void
add (OdlViewport *self,
     OdlScene *scene,
     const OdlView *view,
     OdlPoint at,
     int side,
     bool original,
     int width,
     int height)
{
  const OdlPoint place = odl_view_to_image (view, width, height, at);
  // Beside the picture there is nothing to magnify.
  if (!(place.x >= 0 && place.x < view->image_width && place.y >= 0
        && place.y < view->image_height))
    return;
  OdlLens *lens = &scene->lenses[scene->n_lenses++];
  *lens = (OdlLens){ .x = (int) round (at.x) - side / 2,
                     .y = (int) round (at.y) - side / 2,
                     .side = side,
                     .original = original,
                     .view = *view };
  odl_view_zoom_at (&lens->view, width, height, at,
                    zoom_of (self, view->zoom) / view->zoom);
}

void
odl_viewport_make_lenses (OdlViewport *self,
                          const OdlPanes *panes,
                          int width,
                          int height,
                          OdlScene *scene)
{
  scene->n_lenses = 0;
  if (!self->magnifies || !self->pointer_inside || self->capture || scene->surface
      || scene->renders)
    return;
  const OdlPoint at = odl_viewport_to_device (self, self->pointer.x, self->pointer.y);
  const int side = SIDE * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  if (panes->second == 0) {
    add (self, scene, &scene->view, at, side,
         scene->show_original || at.x < scene->wipe_x
             || (at.x >= scene->again[0] && at.x < scene->again[1]),
         width, height);
    return;
  }
  const double x = at.x - (at.x >= panes->second ? panes->second : 0);
  // None reaches into the other picture.
  const int room = 2 * (int) floor (fmin (x, panes->width - x) - 1);
  const int least = MIN (side, room);
  if (least < LEAST_SIDE)
    return;
  add (self, scene, &scene->original_view, (OdlPoint){ x, at.y }, least, true, width,
       height);
  add (self, scene, &scene->view, (OdlPoint){ x + panes->second, at.y }, least,
       scene->show_original, width, height);
}

// ---- frames --------------------------------------------------------------------------

void
odl_viewport_add_lens_frames (OdlViewport *self)
{
  for (int i = 0; i < ODL_MOST_LENSES; i++) {
    GtkWidget *frame = gtk_label_new (NULL);
    gtk_widget_add_css_class (frame, "lens");
    gtk_label_set_xalign (GTK_LABEL (frame), 0);
    gtk_label_set_yalign (GTK_LABEL (frame), 0);
    gtk_widget_set_can_target (frame, FALSE);
    gtk_widget_set_visible (frame, FALSE);
    gtk_widget_set_parent (frame, GTK_WIDGET (self));
    self->lens_frames[i] = frame;
  }
  self->lens_factor = 2 * LEAST_FACTOR;
}

void
odl_viewport_remove_lens_frames (OdlViewport *self)
{
  for (int i = 0; i < ODL_MOST_LENSES; i++)
    g_clear_pointer (&self->lens_frames[i], gtk_widget_unparent);
}

// Where the canvas will show them.
void
odl_viewport_allocate_lens_frames (OdlViewport *self, int width, int height)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const OdlPanes panes = odl_viewport_panes (self, width * scale);
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  OdlScene scene = { .surface = odl_viewport_shows_surface (self),
                     .renders = frame && frame->renders };
  odl_viewport_layout (self, &self->view, panes.width, height * scale);
  scene.view = odl_viewport_pane_view (self, &panes, panes.second, width * scale);
  scene.original_view = odl_viewport_pane_view (self, &panes, 0, width * scale);
  if (frame)
    odl_viewport_make_lenses (self, &panes, width * scale, height * scale, &scene);
  for (int i = 0; i < ODL_MOST_LENSES; i++) {
    GtkWidget *label = self->lens_frames[i];
    const OdlLens *lens = &scene.lenses[i];
    gtk_widget_set_child_visible (label, i < scene.n_lenses);
    if (i >= scene.n_lenses)
      continue;
    const int x = lens->x / scale, y = lens->y / scale, side = lens->side / scale;
    const GtkAllocation place = { x, y, side, side };
    gtk_widget_size_allocate (label, &place, -1);
  }
}

void
odl_viewport_update_lenses (OdlViewport *self)
{
  g_autofree char *text
      = g_strdup_printf ("×%g", zoom_of (self, odl_viewport_zoom (self)));
  for (int i = 0; i < ODL_MOST_LENSES; i++) {
    gtk_label_set_text (GTK_LABEL (self->lens_frames[i]), text);
    gtk_widget_set_visible (self->lens_frames[i], self->magnifies && !self->capture);
  }
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

// ---- switches ------------------------------------------------------------------------

void
odl_viewport_set_magnifies (OdlViewport *self, bool magnifies)
{
  self->magnifies = magnifies;
  odl_viewport_update_lenses (self);
  odl_viewport_changed (self);
}

bool
odl_viewport_magnifies (OdlViewport *self)
{
  return self->magnifies;
}

void
odl_viewport_next_magnification (OdlViewport *self)
{
  self->lens_factor *= 2;
  if (self->lens_factor > MOST_FACTOR)
    self->lens_factor = LEAST_FACTOR;
  odl_viewport_set_magnifies (self, true);
}
