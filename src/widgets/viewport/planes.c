// SPDX-License-Identifier: MIT
// Pointer and wheel where the picture is three planes of a volume.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "widgets/viewport/private.h"

OdlPlaneKind
odl_viewport_find_plane (OdlViewport *self, OdlPoint at, OdlVoxel *voxel)
{
  OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  if (!frame || !frame->planes || frame->source_serial != self->view_serial)
    return ODL_N_PLANES;
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  *voxel = frame->voxel;
  return odl_planes_find (&planes, at.x, at.y, voxel);
}

OdlPoint
odl_viewport_to_image (OdlViewport *self, double x, double y)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  return odl_view_to_image (&self->view, gtk_widget_get_width (GTK_WIDGET (self)) * scale,
                            gtk_widget_get_height (GTK_WIDGET (self)) * scale,
                            odl_viewport_to_device (self, x, y));
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
  odl_session_step_voxel (self->session, through[self->plane], by);
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
