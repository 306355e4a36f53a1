// SPDX-License-Identifier: MIT
#include "work/volumes.h"

#include "source/neighbour_reader.h"
#include "source/volume.h"

struct _OdlVolumes {
  OdlVolumesParams params;
  OdlSource *source;
  OdlNeighbourReader *reader;
  int unit;
  OdlNeighbours *some; // the slices that are the only volume; NULL: not read yet
  int64_t number; // that was filtered last, or could not be; −1: none
  GError *failure; // why it could not
  OdlImage *whole; // that one; NULL: none
  OdlGridVolume filtered; // of it
  OdlPlan *plan;
};

bool
odl_source_is_over_time (const OdlSourceInfo *info)
{
  return info->n_slices > 1 && info->n_frames > info->n_slices;
}

bool
odl_recipe_sees_volumes (const OdlRecipe *recipe, const OdlSourceInfo *info)
{
  bool ahead = false;

  for (int i = 0; i < recipe->n_items; i++)
    ahead |= odl_recipe_item_acts (&recipe->items[i])
             && odl_recipe_item_dimensions (&recipe->items[i]) > 3;
  return (info->n_slices > 0 && odl_recipe_is_volumetric (recipe))
         || (odl_source_is_over_time (info) && odl_recipe_is_temporal (recipe))
         || (ahead && (info->n_frames != 1 || info->live));
}

OdlVolumes *
odl_volumes_new (const OdlVolumesParams *params, OdlSource *source)
{
  OdlVolumes *self = g_new0 (OdlVolumes, 1);

  self->params = *params;
  self->source = odl_source_ref (source);
  self->reader = odl_neighbour_reader_new (source, ODL_VOLUME_FILTERED_SLICES);
  self->unit = MAX (source->info.n_slices, 1);
  self->number = -1;
  return self;
}

static void
forget (OdlVolumes *self)
{
  g_clear_error (&self->failure);
  g_clear_pointer (&self->whole, odl_image_unref);
  odl_grid_volume_clear (&self->filtered);
  g_clear_pointer (&self->plan, odl_plan_unref);
}

void
odl_volumes_free (OdlVolumes *self)
{
  if (self == NULL)
    return;
  forget (self);
  odl_neighbour_reader_free (self->reader);
  g_clear_pointer (&self->some, odl_neighbours_unref);
  odl_source_unref (self->source);
  g_free (self);
}

const OdlSourceInfo *
odl_volumes_info (const OdlVolumes *self)
{
  return &self->source->info;
}

int
odl_volumes_unit (const OdlVolumes *self)
{
  return self->unit;
}

static OdlNeighbours *
read_some (OdlVolumes *self, GError **error)
{
  if (self->some != NULL)
    return odl_neighbours_ref (self->some);
  g_autoptr (OdlImage) volume = odl_source_read_slices (
      self->source, self->params.first, self->params.count, ODL_VOLUME_FILTERED_SLICES,
      self->params.cancellable, error);
  if (volume == NULL)
    return NULL;
  self->some = odl_neighbours_new (0, 1);
  odl_neighbours_put (self->some, 0, volume);
  return odl_neighbours_ref (self->some);
}

// A volume and those about it, measured; what is read stays for the next time.
static OdlNeighbours *
read_about (OdlVolumes *self, int64_t number, OdlTimeReach *reach, GError **error)
{
  const OdlGeometry operands = odl_runner_operands (self->params.runner);

  *reach = odl_plan_time_reach (self->params.recipe, &operands);
  return self->params.count > 0
             ? read_some (self, error)
             : odl_neighbours_read (self->reader, number, reach->past, reach->ahead,
                                    reach->wraps, self->params.cancellable, error);
}

static bool
measure (const OdlVolumes *self,
         const OdlNeighbours *neighbours,
         int64_t number,
         GError **error)
{
  return self->unit == 1 || self->params.measure == NULL
         || self->params.measure (self->params.data,
                                  odl_neighbours_find (neighbours, number), error);
}

bool
odl_volumes_measure (OdlVolumes *self, int64_t index, GError **error)
{
  const int64_t number = index / self->unit;
  OdlTimeReach reach;
  g_autoptr (OdlNeighbours) neighbours
      = self->unit > 1 ? read_about (self, number, &reach, NULL) : NULL;

  return neighbours == NULL || measure (self, neighbours, number, error);
}

static bool
filter (OdlVolumes *self, int64_t number, char **note, GError **error)
{
  OdlRunner *runner = self->params.runner;
  OdlTimeReach reach;
  g_autoptr (OdlNeighbours) neighbours = read_about (self, number, &reach, error);

  if (neighbours == NULL || !measure (self, neighbours, number, error))
    return false;
  forget (self);
  g_autoptr (OdlImage) whole = odl_image_ref (odl_neighbours_find (neighbours, number));
  odl_runner_set_time (runner, odl_source_is_over_time (&self->source->info),
                       reach.past > 0 ? neighbours : NULL);
  odl_runner_set_grid (runner, &self->filtered);
  g_autoptr (OdlImage) bare
      = odl_runner_process (runner, self->params.recipe, whole, &self->plan, note, error);
  odl_runner_set_grid (runner, NULL);
  if (bare == NULL
      || (self->params.whole && !odl_grid_volume_settle (&self->filtered, error)))
    return false;
  self->whole = g_steal_pointer (&whole);
  return true;
}

// Once for all slices of a volume, also where it fails.
static bool
find (OdlVolumes *self, int64_t number, char **note, GError **error)
{
  if (self->number != number) {
    GError *failure = NULL;
    if (!filter (self, number, note, &failure))
      forget (self);
    self->failure = failure;
    self->number = number;
  }
  if (self->whole != NULL)
    return true;
  g_propagate_error (error, g_error_copy (self->failure));
  return false;
}

// Of the volume that was filtered.
static int
slice_of (const OdlVolumes *self, int64_t index)
{
  const int slice = (int) (index % self->unit) - self->params.first;

  return self->params.count > 0 ? CLAMP (slice, 0, self->params.count - 1) : slice;
}

OdlImage *
odl_volumes_take (OdlVolumes *self,
                  int64_t index,
                  OdlPlan **plan,
                  char **note,
                  GError **error)
{
  g_autofree char *said = NULL;
  const bool found = find (self, index / self->unit, &said, error);

  if (note != NULL)
    *note = g_steal_pointer (&said);
  if (!found)
    return NULL;
  *plan = odl_plan_ref (self->plan);
  return odl_grid_volume_look (&self->filtered, NULL, slice_of (self, index), error);
}

const OdlGridVolume *
odl_volumes_whole (const OdlVolumes *self)
{
  return &self->filtered;
}

void
odl_volumes_share_values (const OdlVolumes *self, int64_t index, OdlImage **image)
{
  odl_source_share_values (image, self->whole,
                           self->unit > 1 ? slice_of (self, index) : -1);
}
