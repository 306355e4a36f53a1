// SPDX-License-Identifier: MIT
// How a volume is looked at: planes, thick slices, a turned plane, a box, the cross-hair.
#include <math.h>

#include "session/session_private.h"
#include "session/volume_reader.h"
#include "source/volume.h"

void
odl_session_set_planes (OdlSession *self, bool planes)
{
  if (*odl_session_find_planes (self) == planes)
    return;
  *odl_session_find_planes (self) = planes;
  g_signal_emit_by_name (self, "planes-changed");
  if (!odl_session_is_volume (self))
    return;
  if (planes)
    odl_session_set_playing (self, false);
  // Nobody has looked for a place yet, and the slices at both ends are mostly air.
  const int n = self->source->info.n_slices;
  const int64_t position = odl_playback_position (self->playback);
  if (planes && (position % n == 0 || position % n == n - 1))
    odl_playback_seek (self->playback, position / n * n + n / 2);
  odl_session_mark (self, ODL_MARK_PICTURE);
}

// ---- places --------------------------------------------------------------------------

static const char *
detail_cb (const char *key, void *session)
{
  return odl_session_detail (session, key);
}

const OdlSlicePlaces *
odl_session_slice_places (OdlSession *self)
{
  const OdlSourceInfo *info = odl_session_info (self);
  const int64_t n = info->n_slices > 1 ? info->n_slices : MAX (info->n_frames, 1);
  if (!self->read_places)
    self->places = odl_slice_places_new (detail_cb, self, (int) n);
  self->read_places = true;
  return self->places;
}

bool
odl_session_is_uneven (OdlSession *self, int64_t index, double around[2])
{
  const OdlSlicePlaces *places = odl_session_slice_places (self);
  return places && odl_slice_places_is_uneven (places, (int) index, around);
}

// ---- thick slices --------------------------------------------------------------------

OdlSlab
odl_session_slab (OdlSession *self)
{
  return self->volume_reader->slab;
}

void
odl_session_set_slab (OdlSession *self, const OdlSlab *slab)
{
  OdlSlab *own = &self->volume_reader->slab;
  if (own->kind == slab->kind && own->thickness == slab->thickness)
    return;
  *own = (OdlSlab){ slab->kind, MAX (slab->thickness, 1) };
  g_signal_emit_by_name (self, "planes-changed");
  if (odl_session_shows_planes (self))
    odl_session_mark (self, ODL_MARK_PICTURE);
}

// ---- a turned plane, a box -----------------------------------------------------------

OdlOblique
odl_session_oblique (OdlSession *self)
{
  return self->volume_reader->oblique;
}

void
odl_session_set_oblique (OdlSession *self, const OdlOblique *oblique)
{
  self->volume_reader->oblique = *oblique;
  g_signal_emit_by_name (self, "planes-changed");
  if (odl_session_shows_planes (self))
    odl_session_mark (self, ODL_MARK_PICTURE);
}

OdlBox
odl_session_box (OdlSession *self)
{
  return self->volume_reader->box;
}

void
odl_session_set_box (OdlSession *self, const OdlBox *box)
{
  self->volume_reader->box = *box;
  g_signal_emit_by_name (self, "planes-changed");
  if (odl_session_shows_planes (self))
    odl_session_mark (self, ODL_MARK_PICTURE);
}

double
odl_session_thickest_slab (OdlSession *self)
{
  const OdlImage *volume = self->volume_reader->volume;
  if (!volume)
    return 0;
  const OdlPlanes planes = odl_planes_of (odl_image_info (volume));
  double thickest = 1;
  for (int axis = 0; axis < 3; axis++)
    thickest = MAX (thickest, planes.scale[axis] * planes.extent[axis]);
  return ceil (thickest);
}

void
odl_session_set_renders (OdlSession *self, bool renders)
{
  if (self->volume_reader->renders == renders)
    return;
  self->volume_reader->renders = renders;
  if (odl_session_shows_planes (self))
    odl_session_mark (self, ODL_MARK_PICTURE);
}

// ---- the cross-hair ------------------------------------------------------------------

OdlVoxel
odl_session_voxel (OdlSession *self)
{
  return (OdlVoxel){ { self->volume_reader->x, self->volume_reader->y,
                       (int) (odl_playback_position (self->playback)
                              % MAX (odl_session_info (self)->n_slices, 1)) } };
}

void
odl_session_set_voxel (OdlSession *self, const OdlVoxel *voxel)
{
  if (!odl_session_is_volume (self))
    return;
  const OdlImageInfo *info = odl_image_info (self->image);
  self->volume_reader->x = CLAMP (voxel->at[0], 0, info->extent.x - 1);
  self->volume_reader->y = CLAMP (voxel->at[1], 0, info->extent.y - 1);
  const int n = self->source->info.n_slices;
  const int64_t position = odl_playback_position (self->playback);
  if (voxel->at[2] != position % n)
    odl_playback_seek (self->playback, position / n * n + CLAMP (voxel->at[2], 0, n - 1));
  else
    odl_session_mark (self, ODL_MARK_PICTURE);
}

void
odl_session_step_voxel (OdlSession *self, int axis, int by)
{
  OdlVoxel voxel = odl_session_voxel (self);
  voxel.at[axis] = MAX (voxel.at[axis] + by, 0);
  odl_session_set_playing (self, false);
  odl_session_set_voxel (self, &voxel);
}
