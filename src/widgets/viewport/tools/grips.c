// SPDX-License-Identifier: MIT
// A plane that is turned and a box that is drawn in, by pointer and keys, where the
// picture is three planes of a volume.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "image/grips.h"
#include "image/volume/oblique.h"
#include "widgets/viewport/private.h"

// Logical pixels from the middle of a handle.
#define REACH 12.0
// For a key.
#define KEY_DEGREES 5.0
#define KEY_SHARE 0.05

static const OdlFrame *
frame_of (OdlViewport *self)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  return frame && frame->planes && frame->source_serial == self->view_serial ? frame
                                                                             : NULL;
}

static OdlPlanesLook
look_of (OdlViewport *self)
{
  return (OdlPlanesLook){ .voxel = odl_session_voxel (self->session),
                          .slab = odl_session_slab (self->session),
                          .oblique = odl_session_oblique (self->session),
                          .box = odl_session_box (self->session) };
}

// ---- pointer -------------------------------------------------------------------------

static bool
find_grip (OdlViewport *self, double x, double y, OdlPlanesGrip *grip)
{
  const OdlFrame *frame = frame_of (self);
  OdlPlanesGrip grips[ODL_PLANES_MOST_GRIPS];
  if (!frame)
    return false;
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const int width = gtk_widget_get_width (GTK_WIDGET (self)) * scale;
  const int height = gtk_widget_get_height (GTK_WIDGET (self)) * scale;
  const OdlPoint at = odl_viewport_to_device (self, x, y);
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  const OdlPlanesLook look = look_of (self);
  const int n = odl_planes_grips (&planes, &look, grips);
  double nearest = REACH * scale;
  bool found = false;
  for (int i = 0; i < n; i++) {
    const OdlPoint place = odl_view_to_canvas (&self->view, width, height,
                                               (OdlPoint){ grips[i].x, grips[i].y });
    const double away = hypot (place.x - at.x, place.y - at.y);
    if (away > nearest)
      continue;
    nearest = away;
    *grip = grips[i];
    found = true;
  }
  return found;
}

static void
press (OdlViewport *self, const OdlToolEvent *event)
{
  self->dragged_to = event->pressed;
}

static void
drag (OdlViewport *self, const OdlToolEvent *event)
{
  const OdlFrame *frame = frame_of (self);
  if (!frame)
    return;
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  const double from[2] = { self->dragged_to.x, self->dragged_to.y };
  const double to[2] = { event->at.x, event->at.y };
  OdlPlanesLook look = look_of (self);
  odl_planes_drag (&planes, &self->grip, from, to, &look);
  self->dragged_to = event->at;
  if (self->grip.axis < 0)
    odl_session_set_oblique (self->session, &look.oblique);
  else
    odl_session_set_box (self->session, &look.box);
}

static const OdlTool move_grip
    = { .name = "move-grip", .at_once = true, .press = press, .drag = drag };

const OdlTool *
odl_viewport_grip_tool (OdlViewport *self, double x, double y)
{
  return find_grip (self, x, y, &self->grip) ? &move_grip : NULL;
}

// ---- keys ----------------------------------------------------------------------------

// The plane under the pointer, else the last one that was.
static OdlPlaneKind
pointed_plane (OdlViewport *self)
{
  OdlVoxel voxel;
  const OdlPlaneKind plane
      = self->pointer_inside ? odl_viewport_find_plane (
            self, odl_viewport_to_image (self, self->pointer.x, self->pointer.y), &voxel)
                             : ODL_N_PLANES;
  return plane != ODL_N_PLANES ? plane : self->plane;
}

// False: no planes are shown.
static bool
find_planes (OdlViewport *self, OdlPlanes *planes)
{
  const OdlFrame *frame = frame_of (self);
  if (frame)
    *planes = odl_planes_of (odl_image_info (frame->volume));
  return frame != NULL;
}

void
odl_viewport_turn_plane (OdlViewport *self)
{
  const OdlOblique now = odl_session_oblique (self->session);
  OdlOblique next = { 0 };
  OdlPlanes planes;
  if (!now.turned && find_planes (self, &planes))
    next = odl_oblique_straight (&planes, pointed_plane (self));
  odl_session_set_oblique (self->session, &next);
}

void
odl_viewport_lean_plane (OdlViewport *self, int right, int down)
{
  OdlOblique oblique = odl_session_oblique (self->session);
  OdlPlanes planes;
  if (!find_planes (self, &planes))
    return;
  if (!oblique.turned)
    oblique = odl_oblique_straight (&planes, pointed_plane (self));
  odl_oblique_lean (&planes, &oblique, right * KEY_DEGREES * G_PI / 180,
                    down * KEY_DEGREES * G_PI / 180);
  odl_session_set_oblique (self->session, &oblique);
}

void
odl_viewport_show_box (OdlViewport *self)
{
  const OdlBox now = odl_session_box (self->session);
  OdlBox next = { 0 };
  if (!now.shown)
    next = odl_box_whole ();
  odl_session_set_box (self->session, &next);
}

void
odl_viewport_push_box (OdlViewport *self, int x, int y, bool opposite)
{
  OdlBox box = odl_session_box (self->session);
  OdlPlanes planes;
  if (!find_planes (self, &planes))
    return;
  if (!box.shown)
    box = odl_box_whole ();
  odl_planes_push_box (&planes, pointed_plane (self), x, y, opposite, KEY_SHARE, &box);
  odl_session_set_box (self->session, &box);
}

// ---- what is said --------------------------------------------------------------------

char *
odl_viewport_oblique_mark (const OdlFrame *frame)
{
  if (!frame->planes || !frame->oblique.turned)
    return NULL;
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  const double degrees = odl_oblique_angle (&planes, &frame->oblique) * 180 / G_PI;
  return degrees >= 0.5 ? g_strdup_printf (_ ("A PLANE IS TURNED BY %.0f°"), degrees)
                        : NULL;
}
