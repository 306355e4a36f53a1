// SPDX-License-Identifier: MIT
// Pointer and wheel where the picture is three planes of a volume.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "config.h"
#include "image/volume/oblique.h"
#include "widgets/viewport/private.h"

OdlPlaneKind
odl_viewport_find_plane (OdlViewport *self, OdlPoint at, OdlVoxel *voxel)
{
  OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  if (!frame || !frame->planes || frame->source_serial != self->view_serial)
    return ODL_N_PLANES;
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  *voxel = frame->voxel;
  const OdlPlaneKind plane = odl_planes_find (&planes, at.x, at.y, voxel);
  const OdlPlanesLook look = { .voxel = frame->voxel, .oblique = frame->oblique };
  const bool turned = frame->oblique.turned && plane == frame->oblique.plane;
  return !turned || odl_oblique_find (&planes, &look, at.x, at.y, voxel) ? plane
                                                                         : ODL_N_PLANES;
}

void
odl_viewport_point_at (OdlViewport *self, OdlPoint at)
{
  OdlVoxel voxel;
  if (odl_viewport_find_plane (self, at, &voxel) != ODL_N_PLANES)
    odl_session_set_voxel (self->session, &voxel);
}

bool
odl_viewport_step_plane (OdlViewport *self, int by)
{
  static const int through[ODL_N_PLANES] = { 2, 1, 0 };
  OdlVoxel voxel;
  if (!self->session || !odl_session_shows_planes (self->session))
    return false;
  const OdlPlaneKind pointed
      = self->pointer_inside ? odl_viewport_find_plane (
            self, odl_viewport_to_image (self, self->pointer.x, self->pointer.y), &voxel)
                             : ODL_N_PLANES;
  if (pointed != ODL_N_PLANES)
    self->plane = pointed;
  const OdlOblique oblique = odl_session_oblique (self->session);
  int axis = through[self->plane], sign = 1;
  // Along the axis that it is most nearly across, so that as many steps back lead back.
  if (oblique.turned && oblique.plane == self->plane)
    axis = odl_oblique_through (&oblique, &sign);
  odl_session_step_voxel (self->session, axis, sign * by);
  return true;
}

// Translators: each voxel shown is the mean (or …) of those in a slab about the plane.
static char *
slab_text (OdlSlabKind kind, bool in_mm, double n)
{
  switch (kind) {
  case ODL_SLAB_MEAN:
    return g_strdup_printf (in_mm ? _ ("MEAN OF %g mm") : _ ("MEAN OF %g SLICES"), n);
  case ODL_SLAB_MAXIMUM:
    return g_strdup_printf (in_mm ? _ ("MAXIMUM OF %g mm") : _ ("MAXIMUM OF %g SLICES"),
                            n);
  case ODL_SLAB_MINIMUM:
    return g_strdup_printf (in_mm ? _ ("MINIMUM OF %g mm") : _ ("MINIMUM OF %g SLICES"),
                            n);
  default:
    return NULL;
  }
}

char *
odl_viewport_slab_mark (const OdlFrame *frame)
{
  const OdlSlab *slab = &frame->slab;
  if (!frame->planes || slab->kind == ODL_SLAB_SLICE)
    return NULL;
  const double mm = odl_planes_of (odl_image_info (frame->volume)).spacing_mm;
  char number[G_ASCII_DTOSTR_BUF_SIZE]; // three digits are enough
  g_ascii_formatd (number, sizeof number, "%.3g", slab->thickness * (mm > 0 ? mm : 1));
  return slab_text (slab->kind, mm > 0, g_ascii_strtod (number, NULL));
}

char *
odl_viewport_tilt_mark (OdlViewport *self, const OdlFrame *frame)
{
  const char *degrees = odl_session_detail (self->session, "gantry-tilt");
  return frame->planes && degrees && odl_session_is_of_source (self->session, frame)
             ? g_strdup_printf (_ ("GANTRY TILT %.1f°"), g_ascii_strtod (degrees, NULL))
             : NULL;
}

// ---- directions ----------------------------------------------------------------------

static int
find_axes (OdlViewport *self, double axes[3][3])
{
  const char *stands = odl_session_detail (self->session, "stands-on");
  // Quadrupeds have other words.
  return stands && *stands && !g_str_equal (stands, "BIPED")
             ? 0
             : odl_directions_axes (
                 odl_session_detail (self->session, "image-orientation"),
                 odl_session_detail (self->session, "slice-step"), axes);
}

// Directions of the picture of a turned plane.
static void
find_turned (const double axes[3][3], const OdlOblique *oblique, double cosines[6])
{
  for (int i = 0; i < 3; i++) {
    cosines[i] = cosines[3 + i] = 0;
    for (int axis = 0; axis < 3; axis++) {
      cosines[i] += oblique->across[axis] * axes[axis][i];
      cosines[3 + i] += oblique->down[axis] * axes[axis][i];
    }
  }
}

static void
fill_letters (const OdlPlanePlace *place,
              const OdlOblique *turned, // NULL: it lies straight
              const double axes[3][3],
              const OdlView *view,
              int width,
              int height,
              OdlPlaneLetters *out)
{
  static const OdlPoint steps[ODL_N_EDGES] = {
    [ODL_EDGE_LEFT] = { -1, 0 },
    [ODL_EDGE_RIGHT] = { 1, 0 },
    [ODL_EDGE_TOP] = { 0, -1 },
    [ODL_EDGE_BOTTOM] = { 0, 1 },
  };
  const double end_x = place->x + place->width, end_y = place->y + place->height;
  const OdlPoint a
      = odl_view_to_canvas (view, width, height, (OdlPoint){ place->x, place->y });
  const OdlPoint b = odl_view_to_canvas (view, width, height, (OdlPoint){ end_x, end_y });
  const OdlPoint from = odl_view_to_image (view, width, height, (OdlPoint){ 0, 0 });
  double cosines[6];
  if (turned)
    find_turned (axes, turned, cosines);
  else
    odl_directions_plane (axes, place->across, place->down, cosines);
  *out = (OdlPlaneLetters){
    MIN (a.x, b.x), MIN (a.y, b.y), fabs (b.x - a.x), fabs (b.y - a.y), { "" }
  };
  for (int edge = 0; edge < ODL_N_EDGES; edge++) {
    const OdlPoint to = odl_view_to_image (view, width, height, steps[edge]);
    odl_directions_letters (cosines, (OdlPoint){ to.x - from.x, to.y - from.y },
                            out->letters[edge]);
  }
}

int
odl_viewport_plane_letters (OdlViewport *self,
                            const OdlFrame *frame,
                            const OdlView *view,
                            int width,
                            int height,
                            OdlPlaneLetters letters[ODL_N_PLANES])
{
  double axes[3][3] = { { 0 } };
  if (!frame->planes || !self->shows_corners
      || !odl_session_is_of_source (self->session, frame))
    return 0;
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  const int known = find_axes (self, axes);
  const int n = known == 3 ? ODL_N_PLANES : known == 2 ? 1 : 0;
  for (int p = 0; p < n; p++)
    fill_letters (
        &planes.planes[p],
        frame->oblique.turned && p == (int) frame->oblique.plane ? &frame->oblique : NULL,
        axes, view, width, height, &letters[p]);
  return n;
}
