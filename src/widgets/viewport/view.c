// SPDX-License-Identifier: MIT
// How the picture lies on the viewport, its window, the original and the wipe.
#include <string.h>

#include "widgets/viewport/legend.h"
#include "widgets/viewport/private.h"
#include "widgets/viewport/wipe.h"

// ---- view ----------------------------------------------------------------------------

void
odl_viewport_fit (OdlViewport *self)
{
  if (odl_viewport_shows_surface (self))
    self->look = (OdlLook){ 0 };
  else
    odl_view_fit (&self->view);
  odl_viewport_changed (self);
}

// ---- one band ------------------------------------------------------------------------

#define BAND_SHARE 0.96 // of the canvas, so that its lines are seen

typedef struct {
  OdlBandPlace place;
  int level;
  bool is_detail;
  int slice; // of a volume, of those that the band has; −1: a picture
} Band;

// The i-th of those that the picture, or the slice of a volume, shows.
static bool
find_band (OdlViewport *self, int i, Band *band)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  if (i < 0 || !frame || frame->planes || self->show_original
      || !odl_view_is_analysis (frame->plan->view))
    return false;
  const bool octants = odl_plan_has_octants (frame->plan);
  const int n = octants ? 2 * ODL_BANDS : ODL_BANDS, z = octants ? frame->voxel.at[2] : 0;
  for (int level = 1; level <= frame->plan->details.levels; level++)
    for (int b = 1; b <= n; b++) { // the low one is the last
      *band = (Band){ .level = level, .is_detail = b < n };
      if (odl_plan_find_band (frame->plan, level, b % n, &band->place)
          && z >= band->place.from[2] && z < band->place.to[2] && i-- == 0) {
        band->slice = octants ? z - band->place.from[2] : -1;
        return true;
      }
    }
  return false;
}

static OdlView
view_of (OdlViewport *self, const Band *band)
{
  OdlView view = self->view;
  int width, height;
  odl_viewport_device_size (self, &width, &height);
  width = odl_viewport_panes (self, width).width;
  const bool turned = view.quarter_turns & 1;
  const double across
      = fmax (band->place.to[0] - band->place.from[0], 1) * view.pixel_aspect;
  const double down = fmax (band->place.to[1] - band->place.from[1], 1);
  view.fit = false;
  view.zoom
      = BAND_SHARE
        * fmin (width / (turned ? down : across), height / (turned ? across : down));
  view.centre = (OdlPoint){ (band->place.from[0] + band->place.to[0]) / 2.0,
                            (band->place.from[1] + band->place.to[1]) / 2.0 };
  odl_view_layout (&view, width, height);
  return view;
}

bool
odl_viewport_show_band (OdlViewport *self, int i)
{
  Band band;
  if (!find_band (self, i, &band))
    return false;
  self->view = view_of (self, &band);
  odl_viewport_changed (self);
  return true;
}

int
odl_viewport_shown_band (OdlViewport *self)
{
  Band band;
  for (int i = 0; !self->view.fit && find_band (self, i, &band); i++) {
    const OdlView view = view_of (self, &band);
    if (view.zoom == self->view.zoom && view.centre.x == self->view.centre.x
        && view.centre.y == self->view.centre.y)
      return i;
  }
  return -1;
}

char *
odl_viewport_band_name (OdlViewport *self, int i)
{
  Band band;
  return find_band (self, i, &band)
             ? g_strdup_printf ("%s %d", band.place.name, band.level)
             : NULL;
}

// The band at an image position; −1: none.
static int
band_at (OdlViewport *self, OdlPoint at, Band *band)
{
  for (int i = 0; find_band (self, i, band); i++)
    if (at.x >= band->place.from[0] && at.x < band->place.to[0]
        && at.y >= band->place.from[1] && at.y < band->place.to[1])
      return i;
  return -1;
}

char *
odl_viewport_place_in_band (OdlViewport *self, OdlPoint at, bool *is_detail)
{
  Band band;
  if (band_at (self, at, &band) < 0)
    return NULL;
  *is_detail = band.is_detail;
  const int x = (int) floor (at.x) - band.place.from[0];
  const int y = (int) floor (at.y) - band.place.from[1];
  return band.slice < 0
             ? g_strdup_printf ("%s %d · %d, %d", band.place.name, band.level, x, y)
             : g_strdup_printf ("%s %d · %d, %d, %d", band.place.name, band.level, x, y,
                                band.slice);
}

bool
odl_viewport_enlarge_at (OdlViewport *self, double x, double y)
{
  const OdlPoint at = odl_viewport_to_image (self, x, y);
  Band band;
  if (!find_band (self, 0, &band))
    return false;
  if (odl_viewport_shown_band (self) >= 0)
    odl_viewport_fit (self);
  else
    odl_viewport_show_band (self, band_at (self, at, &band));
  return true;
}

void
odl_viewport_actual_size (OdlViewport *self)
{
  if (odl_viewport_shows_surface (self))
    self->look.zoom = 1;
  else
    odl_view_actual_size (&self->view);
  odl_viewport_changed (self);
}

void
odl_viewport_zoom_at (OdlViewport *self, OdlPoint device, double factor)
{
  int width, height;
  odl_viewport_device_size (self, &width, &height);
  if (odl_viewport_shows_surface (self))
    odl_look_zoom (&self->look, factor);
  else if (odl_viewport_is_over_rendering (self, device))
    odl_look_zoom (&self->rendering.look, factor);
  else {
    const OdlPanes panes = odl_viewport_panes (self, width);
    odl_view_zoom_at (&self->view, panes.width, height,
                      odl_viewport_in_pane (self, &panes, device), factor);
  }
  odl_viewport_changed (self);
}

void
odl_viewport_zoom_by (OdlViewport *self, double factor)
{
  int width, height;
  odl_viewport_device_size (self, &width, &height);
  const OdlPanes panes = odl_viewport_panes (self, width);
  odl_viewport_zoom_at (self, (OdlPoint){ panes.width / 2.0, height / 2.0 }, factor);
}

void
odl_viewport_pan (OdlViewport *self, double dx, double dy)
{
  odl_view_pan (&self->view, dx, dy);
  odl_viewport_changed (self);
}

void
odl_viewport_rotate (OdlViewport *self, int quarter_turns)
{
  OdlView *view = &self->view;
  // Views are mirrored after they were turned; people turn what they see.
  const int seen
      = view->flip_horizontal != view->flip_vertical ? -quarter_turns : quarter_turns;
  if (odl_viewport_shows_surface (self))
    self->look.yaw += 90 * quarter_turns;
  else
    view->quarter_turns = (view->quarter_turns + seen + 4) % 4;
  odl_viewport_changed (self);
}

void
odl_viewport_flip (OdlViewport *self, bool horizontal)
{
  bool *flip = horizontal ? &self->view.flip_horizontal : &self->view.flip_vertical;
  // A surface is seen from the other side.
  if (odl_viewport_shows_surface (self))
    self->look.yaw += 180;
  else
    *flip = !*flip;
  odl_viewport_changed (self);
}

const OdlView *
odl_viewport_view (OdlViewport *self)
{
  return &self->view;
}

double
odl_viewport_zoom (OdlViewport *self)
{
  if (odl_viewport_shows_surface (self))
    return MAX (self->look.zoom, 0) + (self->look.zoom == 0);
  // A view that fits gets its zoom when it is drawn; the words about it come before.
  OdlView view = self->view;
  int width, height;
  odl_viewport_device_size (self, &width, &height);
  if (width > 0 && height > 0)
    odl_viewport_layout (self, &view, odl_viewport_panes (self, width).width, height);
  return view.zoom;
}

void
odl_viewport_get_window (OdlViewport *self, double *centre, double *width)
{
  *centre = *width = 0;
  OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  if (!frame)
    return;
  const OdlWindow window
      = self->show_original ? self->window : odl_viewport_result_window (self, frame);
  odl_display_window (odl_image_info (frame->input), &window, centre, width);
}

OdlWindow
odl_viewport_window (OdlViewport *self)
{
  return self->window;
}

void
odl_viewport_set_window (OdlViewport *self, double centre, double width)
{
  self->window.mode = ODL_WINDOW_CUSTOM;
  self->window.centre = centre;
  self->window.width = MAX (width, 1e-6);
  odl_viewport_changed (self);
}

void
odl_viewport_set_table (OdlViewport *self,
                        const OdlCurve *table,
                        double first,
                        double last)
{
  // Windows that were handed out, or are kept for later, still name the ones before.
  g_ptr_array_add (self->tables, (void *) odl_curve_ref (table));
  self->window.mode = ODL_WINDOW_TABLE;
  self->window.table = table;
  self->window.table_first = first;
  self->window.table_last = last;
  odl_viewport_changed (self);
}

void
odl_viewport_show_area (OdlViewport *self, const OdlShownArea *area)
{
  OdlView *view = &self->view;
  int width, height;
  odl_viewport_device_size (self, &width, &height);
  view->quarter_turns = area->quarter_turns & 3;
  view->flip_horizontal = area->flip;
  view->flip_vertical = false;
  if (area->pixel_aspect > 0)
    view->pixel_aspect = area->pixel_aspect;
  view->fit = !area->has_area;
  if (area->has_area) {
    const bool lying = view->quarter_turns % 2 == 1;
    const double across = MAX (area->right - area->left, 1) * view->pixel_aspect;
    const double down = MAX (area->bottom - area->top, 1);
    const double room = odl_viewport_panes (self, width).width;
    const double fitting
        = MIN (room / (lying ? down : across), height / (lying ? across : down));
    view->zoom = area->magnification > 0 ? area->magnification : fitting;
    view->centre = (OdlPoint){ (area->left + area->right) / 2.0,
                               (area->top + area->bottom) / 2.0 };
  }
  odl_viewport_changed (self);
}

void
odl_viewport_reset_window (OdlViewport *self)
{
  odl_viewport_choose_window (self, 0);
}

void
odl_viewport_choose_window (OdlViewport *self, int choice)
{
  self->window.mode = ODL_WINDOW_FILE;
  self->window.choice = choice;
  odl_viewport_changed (self);
}

void
odl_viewport_restore (OdlViewport *self,
                      const OdlView *view,
                      const OdlWindow *window,
                      bool later)
{
  self->has_later = view && later;
  if (self->has_later) {
    self->later_view = *view;
    self->later_window = *window;
  } else if (view) {
    self->view = *view;
    self->window = *window;
    odl_viewport_changed (self);
  }
}

void
odl_viewport_set_colour_map (OdlViewport *self, const OdlColourMap *map)
{
  self->window.map = map;
  odl_viewport_redraw (self);
  odl_viewport_changed (self);
}

const OdlColourMap *
odl_viewport_colour_map (OdlViewport *self)
{
  return self->window.map;
}

void
odl_viewport_set_invert (OdlViewport *self, bool invert)
{
  self->window.invert = invert;
  odl_viewport_changed (self);
}

bool
odl_viewport_invert (OdlViewport *self)
{
  return self->window.invert;
}

void
odl_viewport_set_overlays (OdlViewport *self, bool show)
{
  self->window.hide_overlay = !show;
  odl_viewport_changed (self);
}

bool
odl_viewport_overlays (OdlViewport *self)
{
  return !self->window.hide_overlay;
}

void
odl_viewport_set_show_original (OdlViewport *self, bool show)
{
  if (self->show_original == show)
    return;
  self->show_original = show;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  odl_viewport_changed (self);
}

bool
odl_viewport_shows_original (OdlViewport *self)
{
  return self->show_original;
}

static void
compare (OdlViewport *self)
{
  const bool two = self->wipe || self->beside;
  odl_wipe_set_fixed (self->wipe_bar, self->beside);
  // Hidden without a picture.
  gtk_widget_set_visible (self->wipe_bar, two && odl_session_frame (self->session));
  odl_viewport_tell_stale (self, ODL_STALE_CORNERS);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  odl_viewport_changed (self);
}

void
odl_viewport_set_wipe (OdlViewport *self, bool wipe)
{
  self->wipe = wipe;
  self->beside &= !wipe;
  compare (self);
}

void
odl_viewport_set_beside (OdlViewport *self, bool beside)
{
  self->beside = beside;
  self->wipe &= !beside;
  compare (self);
}

bool
odl_viewport_beside (OdlViewport *self)
{
  return self->beside;
}

bool
odl_viewport_wipe (OdlViewport *self)
{
  return self->wipe;
}

void
odl_viewport_set_wipe_position (OdlViewport *self, double fraction)
{
  self->wipe_position = CLAMP (fraction, 0, 1);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  odl_viewport_changed (self);
}

double
odl_viewport_wipe_position (OdlViewport *self)
{
  return self->wipe_position;
}

const char *
odl_viewport_renderer (OdlViewport *self)
{
  return self->renderer;
}

bool
odl_viewport_uses_gl (OdlViewport *self)
{
  return self->gl_area && !odl_viewport_uses_soft (self);
}

guint64
odl_viewport_painted (OdlViewport *self)
{
  return self->painted;
}

int64_t
odl_viewport_latency_us (OdlViewport *self)
{
  return self->latency_us;
}

int64_t
odl_viewport_gpu_ns (OdlViewport *self)
{
  return self->gpu_ns;
}

void
odl_viewport_set_keeps_view (OdlViewport *self, bool keeps)
{
  self->keeps_view = keeps;
}
