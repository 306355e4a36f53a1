// SPDX-License-Identifier: MIT
#include "widgets/window/layout/links.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "image/annotation/scale.h"
#include "widgets/window/parts.h"

typedef enum {
  LINK_VIEW,
  LINK_SLICES,
  LINK_WINDOW,
  LINK_TIME,
  N_LINKS,
} Link;

#define SAME_MM 0.05 // what is rounded to 0.0 is no distance

static const char *const names[N_LINKS]
    = { "link-view", "link-slices", "link-window", "link-time" };

struct _OdlLinks {
  const OdlWindowParts *parts;
  bool on[N_LINKS];
  bool busy; // what changes now follows from a link
};

// ---- slices --------------------------------------------------------------------------

// Where the slices of a pane's source lie. NULL: the file does not say.
static const OdlSlicePlaces *
places_of (const OdlPane *pane)
{
  return odl_session_slice_places (pane->session);
}

static bool
has_slices (const OdlPane *pane)
{
  return odl_session_counts_slices (pane->session)
         || odl_session_info (pane->session)->is_stack
         || odl_session_is_volume (pane->session);
}

// Of one person, in one frame of reference.
static bool
share_space (const OdlPane *from, const OdlPane *to)
{
  const OdlSlicePlaces *a = places_of (from), *b = places_of (to);
  return a && b && !odl_session_are_strangers (from->session, to->session)
         && odl_slice_places_share_frame (a, b);
}

static bool
is_by_place (const OdlPane *from, const OdlPane *to)
{
  return share_space (from, to)
         && odl_slice_places_are_parallel (places_of (from), places_of (to));
}

// The slice of the volume that is shown, or of the stack.
static int
slice_of (const OdlPane *pane)
{
  const OdlSourceInfo *info = odl_session_info (pane->session);
  const int64_t position = odl_playback_position (odl_session_playback (pane->session));
  return (int) (info->n_slices > 1 ? position % info->n_slices : position);
}

static void
show_slice (const OdlPane *pane, int slice)
{
  const OdlSourceInfo *info = odl_session_info (pane->session);
  OdlPlayback *playback = odl_session_playback (pane->session);
  const int64_t now = odl_playback_position (playback);
  const int64_t first = info->n_slices > 1 ? now / info->n_slices * info->n_slices : 0;
  if (!odl_playback_is_moving (playback) || now == first + slice)
    return;
  odl_session_set_playing (pane->session, false);
  odl_playback_seek (playback, first + slice);
}

// Where both panes show three planes, moves the cross-hair of `to` to the voxel at the
// same place of the patient, however the two volumes are stored. Returns how many mm that
// place lies outside of the volume of `to`, 0 inside; −1: the cross-hairs cannot be
// linked.
static double
link_cross_hair (const OdlPane *from, const OdlPane *to)
{
  const OdlFrame *frame = odl_session_frame (from->session);
  const OdlFrame *other = odl_session_frame (to->session);
  const OdlSlicePlaces *a = places_of (from), *b = places_of (to);
  if (!frame->planes || !other->planes || !a->steps || !b->steps)
    return -1;
  const OdlImageInfo *info = odl_image_info (other->volume);
  const double *ours = odl_image_info (frame->volume)->spacing_mm;
  const double *theirs = info->spacing_mm;
  const int extent[3] = { info->extent.x, info->extent.y, info->extent.z };
  const OdlVoxel voxel = odl_session_voxel (from->session);
  const OdlVoxel now = odl_session_voxel (to->session);
  double at[3], beyond = 0;
  if (!(ours[0] > 0 && ours[1] > 0 && theirs[0] > 0 && theirs[1] > 0)
      || !odl_slice_places_same_voxel (a, ours, b, theirs, voxel.at, at))
    return -1;
  OdlVoxel there;
  for (int axis = 0; axis < 3; axis++) {
    const double inside = CLAMP (at[axis], -0.5, extent[axis] - 0.5);
    there.at[axis] = CLAMP ((int) floor (at[axis] + 0.5), 0, extent[axis] - 1);
    beyond = hypot (beyond, (at[axis] - inside) * theirs[axis]);
  }
  if (memcmp (there.at, now.at, sizeof now.at) != 0)
    odl_session_set_voxel (to->session, &there);
  return beyond;
}

static void
link_slices (const OdlPane *from, OdlPane *to)
{
  if (!has_slices (from) && !places_of (from))
    return;
  double beyond = -1;
  if (is_by_place (from, to)) {
    const OdlSlicePlaces *a = places_of (from), *b = places_of (to);
    double distance;
    const int slice = odl_slice_places_find (a, slice_of (from), b, &distance);
    if (link_cross_hair (from, to) < 0)
      show_slice (to, slice);
    g_autofree char *away = g_strdup_printf (
        odl_slice_places_is_near (a, b, distance)
            ? _ ("Nearest slice, %.1f mm from this place")
            : _ ("No slice at this place; the nearest one is %.1f mm away"),
        distance);
    odl_pane_set_note (to, distance < SAME_MM ? _ ("Slice at the same place") : away);
  } else if (share_space (from, to) && (beyond = link_cross_hair (from, to)) >= 0) {
    g_autofree char *away = g_strdup_printf (
        _ ("The cross-hair's place lies %.1f mm outside of this volume"), beyond);
    odl_pane_set_note (to, beyond < SAME_MM ? _ ("Cross-hair at the same place") : away);
  } else if (has_slices (from) && has_slices (to)) {
    const int n = odl_session_info (to->session)->n_slices > 1
                      ? odl_session_info (to->session)->n_slices
                      : (int) odl_playback_n_frames (odl_session_playback (to->session));
    const int slice = slice_of (from), last = MAX (n, 1) - 1;
    show_slice (to, CLAMP (slice, 0, last));
    odl_pane_set_note (to, slice > last
                               ? _ ("Last slice: there is none of the same number")
                               : _ ("Slice of the same number, not of the same place"));
  } else
    odl_pane_set_note (to, NULL);
}

// ---- grey levels ---------------------------------------------------------------------

// Values mean the same where unit and modality are the same.
static bool
has_same_values (const OdlPane *a, const OdlPane *b)
{
  const OdlImageInfo *one = odl_image_info (odl_session_frame (a->session)->input);
  const OdlImageInfo *other = odl_image_info (odl_session_frame (b->session)->input);
  const char *unit = one->value_map.unit, *other_unit = other->value_map.unit;
  return g_strcmp0 (unit ? unit : "", other_unit ? other_unit : "") == 0
         && g_strcmp0 (odl_session_detail (a->session, "modality"),
                       odl_session_detail (b->session, "modality"))
                == 0
         && one->channels == other->channels
         && (one->stored_max - one->stored_min) * fabs (one->value_map.slope)
                == (other->stored_max - other->stored_min)
                       * fabs (other->value_map.slope);
}

static void
link_window (const OdlPane *from, OdlPane *to)
{
  double centre, width, own_centre, own_width;
  if (!has_same_values (from, to))
    return;
  odl_viewport_get_window (from->viewport, &centre, &width);
  odl_viewport_get_window (to->viewport, &own_centre, &own_width);
  if (centre != own_centre || width != own_width)
    odl_viewport_set_window (to->viewport, centre, width);
}

// ---- zoom and place ------------------------------------------------------------------

static void
lay_out (OdlViewport *viewport, OdlView *view)
{
  GtkWidget *widget = GTK_WIDGET (viewport);
  const int scale = gtk_widget_get_scale_factor (widget);
  const int width
      = gtk_widget_get_width (widget) / (odl_viewport_beside (viewport) ? 2 : 1);
  odl_viewport_layout (viewport, view, MAX (width * scale, 1),
                       MAX (gtk_widget_get_height (widget) * scale, 1));
}

static double
fitting_zoom (OdlViewport *viewport)
{
  OdlView view = *odl_viewport_view (viewport);
  odl_view_fit (&view);
  lay_out (viewport, &view);
  return view.zoom;
}

static bool
is_in_mm (const OdlFrame *frame, OdlScale *scale)
{
  *scale = odl_scale_of (odl_image_info (frame->input));
  return scale->known && scale->place == ODL_SPACING_IN_OBJECT && !frame->planes
         && !frame->renders;
}

static OdlPoint
same_point (OdlPoint at,
            const OdlScale *from,
            const OdlSlicePlaces *a,
            const OdlScale *to,
            const OdlSlicePlaces *b)
{
  double point[2];
  odl_slice_places_same_point (a, (double[]){ from->x, from->y }, b,
                               (double[]){ to->x, to->y }, (double[]){ at.x, at.y },
                               point);
  return (OdlPoint){ point[0], point[1] };
}

// `to` takes the zoom and the place at which `from` shows its picture. A view that fits
// makes the other one fit. Else where both pictures are in millimetres
// of what is seen, these are as long in both: about the same point of the patient, if
// `a` and `b` say where the pictures lie in one frame of reference and their planes and
// directions are the same, else about a point as far from the middle. Pictures without
// millimetres, and three planes, are as much larger than when they fit, about the same
// fraction of their sides. Turned and mirrored is each by itself.
static void
take_view (OdlViewport *from,
           const OdlFrame *from_frame,
           OdlViewport *to,
           const OdlFrame *to_frame,
           const OdlSlicePlaces *a,
           const OdlSlicePlaces *b)
{
  OdlView leads = *odl_viewport_view (from);
  const OdlView before = *odl_viewport_view (to);
  const OdlWindow window = odl_viewport_window (to);
  OdlView view = before;
  OdlScale from_scale, to_scale;
  lay_out (from, &leads);
  view.fit = leads.fit;
  const bool in_mm = is_in_mm (from_frame, &from_scale) && is_in_mm (to_frame, &to_scale);
  if (leads.fit) {
    odl_view_fit (&view);
  } else if (in_mm) {
    view.zoom = leads.zoom * to_scale.y / from_scale.y;
    view.centre = a && b && odl_slice_places_run_alike (a, b)
                      ? same_point (leads.centre, &from_scale, a, &to_scale, b)
                      : (OdlPoint){
                          view.image_width / 2.0
                              + (leads.centre.x - leads.image_width / 2.0) * from_scale.x
                                    / to_scale.x,
                          view.image_height / 2.0
                              + (leads.centre.y - leads.image_height / 2.0) * from_scale.y
                                    / to_scale.y,
                        };
  } else {
    view.zoom = fitting_zoom (to) * leads.zoom / fitting_zoom (from);
    view.centre = (OdlPoint){
      leads.centre.x / leads.image_width * view.image_width,
      leads.centre.y / leads.image_height * view.image_height,
    };
  }
  if (view.fit != before.fit || view.zoom != before.zoom
      || view.centre.x != before.centre.x || view.centre.y != before.centre.y)
    odl_viewport_restore (to, &view, &window, false);
}

static void
link_view (const OdlPane *from, OdlPane *to)
{
  const OdlSlicePlaces *a = places_of (from), *b = places_of (to);
  const bool same = share_space (from, to);
  take_view (from->viewport, odl_session_frame (from->session), to->viewport,
             odl_session_frame (to->session), same ? a : NULL, same ? b : NULL);
}

// ---- the clock -----------------------------------------------------------------------

// Pictures that are one after the other in time, of a length that is known.
static bool
has_time (const OdlPane *pane)
{
  const OdlSourceInfo *info = odl_session_info (pane->session);
  OdlPlayback *playback = odl_session_playback (pane->session);
  return odl_playback_is_moving (playback) && !info->is_stack && !info->live
         && !info->capture && !odl_session_counts_slices (pane->session)
         && odl_playback_n_frames (playback) > 1;
}

// The last frame that begins at that time at the latest; a volume of several is a frame.
static int64_t
frame_at (OdlPlayback *playback, double time_s)
{
  const int64_t group = odl_playback_group (playback);
  int64_t low = 0, high = odl_playback_n_frames (playback) / group - 1;
  while (low < high) {
    const int64_t middle = low + (high - low + 1) / 2;
    if (odl_playback_time_s (playback, middle * group) <= time_s + 1e-9)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static void
link_time (const OdlPane *from, OdlPane *to)
{
  const OdlFrame *frame = odl_session_frame (from->session);
  OdlPlayback *leads = odl_session_playback (from->session);
  OdlPlayback *follows = odl_session_playback (to->session);
  if (!has_time (from) || !has_time (to))
    return;
  odl_session_set_playing (to->session, false);
  const int64_t group = odl_playback_group (follows);
  const int64_t due = frame_at (follows, odl_playback_time_s (leads, frame->index));
  if (odl_playback_position (follows) / group != due)
    odl_playback_seek_group (follows, due);
}

// ---- following -----------------------------------------------------------------------

static bool
leads (const OdlLinks *self, const OdlPane *pane)
{
  return pane == self->parts->state->active;
}

static void
follow (OdlLinks *self, Link link)
{
  static void (*const functions[N_LINKS]) (const OdlPane *from, OdlPane *to)
      = { link_view, link_slices, link_window, link_time };
  const OdlPane *active = self->parts->state->active;
  const GPtrArray *panes = self->parts->state->panes;
  if (!self->on[link] || self->busy || !active || !odl_session_frame (active->session)
      || self->parts->state->presenting)
    return;
  self->busy = true;
  for (guint i = 0; i < panes->len; i++) {
    OdlPane *pane = panes->pdata[i];
    if (pane != active && odl_session_frame (pane->session)
        && !odl_session_opening (pane->session))
      functions[link](active, pane);
  }
  self->busy = false;
}

void
odl_links_update (OdlLinks *self)
{
  const OdlPane *active = self->parts->state->active;
  const GPtrArray *panes = self->parts->state->panes;
  for (guint i = 0; i < panes->len; i++) {
    OdlPane *pane = panes->pdata[i];
    odl_pane_set_note (pane, NULL);
    odl_pane_set_stranger (
        pane, active && odl_session_are_strangers (active->session, pane->session));
  }
  for (int link = 0; link < N_LINKS; link++)
    follow (self, link);
}

static void
frame_cb (OdlPane *pane)
{
  OdlLinks *self = pane->links;
  const guint64 serial = odl_session_frame (pane->session)->source_serial;
  const bool is_new = pane->linked_serial != serial;
  pane->linked_serial = serial;
  if (is_new)
    odl_links_update (self); // it may be the one that leads, or one that follows
  else if (leads (self, pane)) {
    follow (self, LINK_SLICES);
    follow (self, LINK_TIME);
  }
}

static void
changed_cb (OdlPane *pane)
{
  OdlLinks *self = pane->links;
  if (!leads (self, pane))
    return;
  follow (self, LINK_VIEW);
  follow (self, LINK_WINDOW);
}

void
odl_links_add (OdlLinks *self, OdlPane *pane)
{
  pane->links = self;
  g_signal_connect_swapped (pane->session, "frame-ready", G_CALLBACK (frame_cb), pane);
  g_signal_connect_swapped (pane->viewport, "changed", G_CALLBACK (changed_cb), pane);
}

// ---- actions -------------------------------------------------------------------------

static void
set_link (OdlLinks *self, Link link, bool on)
{
  self->on[link] = on;
  odl_window_set_switch (self->parts, names[link], on);
}

static void
link_cb (OdlLinks *self, GVariant *parameter, GAction *action)
{
  for (int link = 0; link < N_LINKS; link++)
    if (g_str_equal (names[link], g_action_get_name (action)))
      set_link (self, link, !self->on[link]);
  odl_links_update (self);
}

// All, unless all are.
static void
all_cb (OdlLinks *self, GVariant *parameter)
{
  bool all = true;
  for (int link = 0; link < N_LINKS; link++)
    all = all && self->on[link];
  for (int link = 0; link < N_LINKS; link++)
    set_link (self, link, !all);
  odl_links_update (self);
  odl_messages_say_of_state (
      self->parts->messages,
      all ? _ ("Each pane by itself")
          : _ ("Panes follow the active one: zoom, slice, grey levels and time"));
}

void
odl_links_add_actions (OdlLinks *self)
{
  static const OdlWindowAction actions[] = {
    { "link-view", G_CALLBACK (link_cb), NULL, "false" },
    { "link-slices", G_CALLBACK (link_cb), NULL, "false" },
    { "link-window", G_CALLBACK (link_cb), NULL, "false" },
    { "link-time", G_CALLBACK (link_cb), NULL, "false" },
    { "link-all", G_CALLBACK (all_cb) },
  };
  odl_window_add_actions (self->parts, actions, G_N_ELEMENTS (actions), self);
}

OdlLinks *
odl_links_new (const OdlWindowParts *parts)
{
  OdlLinks *self = g_new0 (OdlLinks, 1);
  self->parts = parts;
  return self;
}

void
odl_links_free (OdlLinks *self)
{
  g_free (self);
}
