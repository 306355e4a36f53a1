// SPDX-License-Identifier: MIT
#include "session/save/volume_frames.h"

#include "engine/takes.h"
#include "image/volume/volume.h"
#include "source/neighbour_reader.h"
#include "source/volume.h"

struct _OdlVolumeFrames {
  const OdlRecipe *recipe;
  OdlOperands *operands; // NULL: none
  bool as_volume; // what slices go into
  GCancellable *cancellable;
  OdlNeighbourReader *reader;
  int unit;
  bool in_time; // there are several volumes
  OdlTakes takes;
  int64_t number; // that was filtered last, or could not be; −1: none
  GError *failure; // why it could not
  OdlImage *whole; // that one; NULL: none
  OdlGridVolume filtered;
  OdlPlan *plan;
};

static bool
looks_ahead (const OdlRecipe *recipe)
{
  for (int i = 0; i < recipe->n_items; i++)
    if (odl_recipe_item_acts (&recipe->items[i])
        && odl_recipe_item_dimensions (&recipe->items[i]) > 3)
      return true;
  return false;
}

OdlVolumeFrames *
odl_volume_frames_new (const char *location,
                       const OdlRecipe *recipe,
                       OdlOperands *operands,
                       bool whole,
                       GCancellable *cancellable,
                       GError **error)
{
  g_autoptr (OdlSource) source = odl_source_open (location, cancellable, error);
  if (!source)
    return NULL;
  const OdlSourceInfo *info = &source->info;
  const bool in_time = info->n_slices > 1 && info->n_frames > info->n_slices;
  if (!(info->n_slices > 0 && odl_recipe_is_volumetric (recipe))
      && !(in_time && odl_recipe_is_temporal (recipe))
      && !(looks_ahead (recipe) && info->n_frames != 1))
    return NULL;
  OdlVolumeFrames *self = g_new (OdlVolumeFrames, 1);
  *self = (OdlVolumeFrames){
    .recipe = recipe,
    .operands = operands,
    .as_volume = whole,
    .cancellable = cancellable,
    .reader = odl_neighbour_reader_new (source, ODL_VOLUME_FILTERED_SLICES),
    .unit = MAX (info->n_slices, 1),
    .in_time = in_time,
    .number = -1,
  };
  return self;
}

static void
forget (OdlVolumeFrames *self)
{
  g_clear_error (&self->failure);
  g_clear_pointer (&self->whole, odl_image_unref);
  odl_grid_volume_clear (&self->filtered);
  g_clear_pointer (&self->plan, odl_plan_unref);
}

void
odl_volume_frames_free (OdlVolumeFrames *self)
{
  if (!self)
    return;
  forget (self);
  odl_neighbour_reader_free (self->reader);
  g_free (self);
}

int
odl_volume_frames_unit (const OdlVolumeFrames *self)
{
  return self->unit;
}

static bool
filter (OdlVolumeFrames *self,
        OdlOffscreen *offscreen,
        int64_t number,
        OdlProgress *progress,
        GError **error)
{
  OdlGeometry geometry = { .operands = self->operands };
  const OdlTimeReach reach = odl_plan_time_reach (self->recipe, &geometry);
  const bool continues = self->whole && number == self->number + 1;
  g_autoptr (OdlNeighbours) neighbours = odl_neighbours_read (
      self->reader, number, reach.frames, reach.wraps, self->cancellable, error);
  forget (self);
  if (!neighbours)
    return false;
  g_autoptr (OdlImage) whole = odl_image_ref (odl_neighbours_find (neighbours, number));
  geometry = odl_geometry_of (whole);
  geometry.operands = self->operands;
  geometry.in_time = self->in_time;
  geometry.neighbours = reach.frames > 0 ? neighbours : NULL;
  self->plan = odl_plan_new (self->recipe, &geometry, error);
  if (!self->plan)
    return false;
  const OdlMoment moment = odl_takes_next (&self->takes, whole, continues,
                                           odl_plan_frames (self->plan) != 1);
  if (!odl_offscreen_process_volume (offscreen, self->recipe, self->plan, whole, moment,
                                     progress, &self->filtered, error)
      || (self->as_volume && !odl_grid_volume_settle (&self->filtered, error)))
    return false;
  self->whole = g_steal_pointer (&whole);
  return true;
}

// Once for all slices of a volume, also where it fails.
static bool
find (OdlVolumeFrames *self,
      OdlOffscreen *offscreen,
      int64_t number,
      OdlProgress *progress,
      GError **error)
{
  if (self->number != number) {
    GError *failure = NULL;
    filter (self, offscreen, number, progress, &failure);
    self->failure = failure;
    self->number = number;
  }
  if (self->whole)
    return true;
  g_propagate_error (error, g_error_copy (self->failure));
  return false;
}

OdlImage *
odl_volume_frames_take (OdlVolumeFrames *self,
                        OdlOffscreen *offscreen,
                        int64_t index,
                        OdlImage **frame,
                        OdlPlan **plan,
                        OdlProgress *progress,
                        GError **error)
{
  const int slice = (int) (index % self->unit);
  if (!find (self, offscreen, index / self->unit, progress, error))
    return NULL;
  odl_source_share_values (frame, self->whole, self->unit > 1 ? slice : -1);
  *plan = odl_plan_ref (self->plan);
  return odl_grid_volume_look (&self->filtered, NULL, slice, error);
}
