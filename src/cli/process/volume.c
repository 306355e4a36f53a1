// SPDX-License-Identifier: MIT
#include "cli/process/volume.h"

#include <glib/gi18n-lib.h>

#include "image/volume/volume.h"
#include "source/kept.h"
#include "source/neighbour_reader.h"
#include "source/operand.h"
#include "source/volume.h"

// Frames of a camera that were read and are not filtered yet, at most.
#define FRAMES_ON_THEIR_WAY 8

struct _OdlVolumeFilter {
  OdlProcess *task;
  OdlSource *source;
  OdlNeighbourReader *reader;
  int unit;
  int first, count; // slices that are the volume; count 0: all
  OdlNeighbours *some; // these; NULL: not read yet
  gint64 number; // that was filtered last; −1: none
  OdlImage *whole;
  OdlGridVolume filtered; // of it
  OdlPlan *plan;
};

// All slices into one file, or seen from outside.
static bool
is_written_whole (const OdlProcess *task)
{
  return task->format->volume != ODL_VOLUME_NONE || task->format->is_dicom
         || task->rendering != NULL;
}

// Frames that are slices because that was asked for are so as far as --frames says.
static void
limit (OdlVolumeFilter *filter)
{
  const OdlProcess *task = filter->task;
  const OdlSourceInfo *info = &filter->source->info;
  const bool some = odl_process_is_moving (task) && !task->frame_said
                    && (task->first > 0 || task->last >= 0);

  if (!some || is_written_whole (task) || filter->unit < 2
      || filter->unit != info->n_frames
      || !g_str_has_prefix (info->location, ODL_VOLUME_PREFIX))
    return;
  const gint64 last
      = task->last >= 0 ? MIN (task->last, info->n_frames - 1) : info->n_frames - 1;
  filter->first = (int) CLAMP (task->first, 0, last);
  filter->count = (int) (last + 1 - filter->first);
}

// From `source`, of which others may read frames meanwhile.
static OdlVolumeFilter *
filter_of (OdlProcess *task, OdlSource *source)
{
  OdlVolumeFilter *filter = g_new0 (OdlVolumeFilter, 1);

  filter->task = task;
  filter->number = -1;
  filter->source = odl_source_ref (source);
  filter->unit = odl_process_unit (task, &source->info);
  task->awaits_volume = filter->unit > 1;
  filter->reader = odl_neighbour_reader_new (source, ODL_VOLUME_FILTERED_SLICES);
  limit (filter);
  return filter;
}

// Of each volume that filters take beside this one.
static void
tell_places (const OdlProcess *task, OdlSource *source, const char *input)
{
  const OdlRecipe *recipe = &task->recipe;

  for (int i = 0; i < recipe->n_items; i++) {
    const char *file = odl_recipe_operand (recipe, i);
    if (file == NULL || !odl_filter_takes_volume (recipe->items[i].filter)
        || odl_recipe_item_dimensions (&recipe->items[i]) < 3)
      continue;
    g_autoptr (OdlImage) slice = odl_source_read_first (source, NULL, NULL);
    g_autofree char *text = slice != NULL ? odl_operand_lies_otherwise (
                                source, odl_image_info (slice)->spacing_mm, file, NULL)
                                          : NULL;
    if (text != NULL)
      odl_report_note (input, text);
  }
}

OdlVolumeFilter *
odl_volume_filter_new (OdlProcess *task, const char *location, GError **error)
{
  g_autoptr (OdlSource) source = odl_source_open (location, NULL, error);

  if (source == NULL)
    return NULL;
  tell_places (task, source, location);
  return filter_of (task, source);
}

OdlVolumeFilter *
odl_volume_filter_follow (OdlProcess *task, const char *input, OdlSource **capture)
{
  const OdlGeometry operands = odl_runner_operands (task->runner);
  const int reach = odl_plan_time_reach (&task->recipe, &operands).frames;
  OdlSource *opened = *capture;

  *capture = odl_kept_source_new (opened, 2 * reach + FRAMES_ON_THEIR_WAY);
  odl_source_unref (opened);
  if (reach > 0) {
    g_autofree char *text = g_strdup_printf (
        g_dngettext (
            GETTEXT_PACKAGE,
            "results are delayed by %d frame, since filters look at later frames",
            "results are delayed by %d frames, since filters look at later frames",
            (gulong) reach),
        reach);
    odl_report_note (input, text);
  }
  return filter_of (task, *capture);
}

void
odl_volume_filter_free (OdlVolumeFilter *filter)
{
  if (filter == NULL)
    return;
  odl_neighbour_reader_free (filter->reader);
  g_clear_pointer (&filter->some, odl_neighbours_unref);
  g_clear_pointer (&filter->source, odl_source_unref);
  g_clear_pointer (&filter->whole, odl_image_unref);
  odl_grid_volume_clear (&filter->filtered);
  g_clear_pointer (&filter->plan, odl_plan_unref);
  g_free (filter);
}

const OdlSourceInfo *
odl_volume_filter_info (const OdlVolumeFilter *filter)
{
  return &filter->source->info;
}

int
odl_volume_filter_unit (const OdlVolumeFilter *filter)
{
  return filter->unit;
}

// The slices that --frames leaves, which are the only volume.
static OdlNeighbours *
read_some (OdlVolumeFilter *filter, GError **error)
{
  if (filter->some != NULL)
    return odl_neighbours_ref (filter->some);
  OdlImage *volume = odl_source_read_slices (filter->source, filter->first, filter->count,
                                             ODL_VOLUME_FILTERED_SLICES, NULL, error);

  if (volume == NULL)
    return NULL;
  filter->some = odl_neighbours_new (0, 1);
  odl_neighbours_put (filter->some, 0, volume);
  odl_image_unref (volume);
  return odl_neighbours_ref (filter->some);
}

// A volume and those about it; what is read stays for the next time.
static OdlNeighbours *
read_about (OdlVolumeFilter *filter, gint64 number, OdlTimeReach *reach, GError **error)
{
  const OdlGeometry operands = odl_runner_operands (filter->task->runner);

  *reach = odl_plan_time_reach (&filter->task->recipe, &operands);
  if (filter->count > 0)
    return read_some (filter, error);
  return odl_neighbours_read (filter->reader, number, reach->frames, reach->wraps, NULL,
                              error);
}

// In a volume that was read.
static bool
measure (OdlVolumeFilter *filter,
         const OdlNeighbours *neighbours,
         gint64 number,
         GError **error)
{
  return filter->unit == 1
         || odl_process_measure (filter->task, odl_neighbours_find (neighbours, number),
                                 error);
}

bool
odl_volume_filter_measure (OdlVolumeFilter *filter, gint64 index, GError **error)
{
  const gint64 number = index / filter->unit;
  OdlTimeReach reach;
  g_autoptr (OdlNeighbours) neighbours
      = filter->unit > 1 ? read_about (filter, number, &reach, NULL) : NULL;

  return neighbours == NULL || measure (filter, neighbours, number, error);
}

static bool
run (OdlVolumeFilter *filter, gint64 number, char **note, GError **error)
{
  OdlProcess *task = filter->task;
  OdlTimeReach reach;
  g_autoptr (OdlNeighbours) neighbours = read_about (filter, number, &reach, error);

  if (neighbours == NULL || !measure (filter, neighbours, number, error))
    return false;
  g_clear_pointer (&filter->whole, odl_image_unref);
  odl_grid_volume_clear (&filter->filtered);
  g_clear_pointer (&filter->plan, odl_plan_unref);
  filter->whole = odl_image_ref (odl_neighbours_find (neighbours, number));
  odl_runner_set_time (task->runner, odl_process_is_over_time (&filter->source->info),
                       reach.frames > 0 ? neighbours : NULL);
  odl_runner_set_grid (task->runner, &filter->filtered);
  g_autoptr (OdlImage) bare = odl_runner_process (
      task->runner, &task->recipe, filter->whole, &filter->plan, note, error);
  odl_runner_set_grid (task->runner, NULL);
  filter->number = number;
  return bare != NULL
         && (!is_written_whole (task)
             || odl_grid_volume_settle (&filter->filtered, error));
}

// Of the volume that was filtered.
static int
slice_of (const OdlVolumeFilter *filter, gint64 index)
{
  const int slice = (int) (index % filter->unit) - filter->first;

  return filter->count > 0 ? CLAMP (slice, 0, filter->count - 1) : slice;
}

OdlImage *
odl_volume_filter_frame (OdlVolumeFilter *filter,
                         gint64 index,
                         OdlPlan **plan,
                         char **note,
                         GError **error)
{
  *note = NULL;
  if (filter->number != index / filter->unit
      && !run (filter, index / filter->unit, note, error))
    return NULL;
  *plan = odl_plan_ref (filter->plan);
  return odl_grid_volume_look (&filter->filtered, NULL, slice_of (filter, index), error);
}

const OdlGridVolume *
odl_volume_filter_whole (const OdlVolumeFilter *filter)
{
  return &filter->filtered;
}

void
odl_volume_filter_share_values (const OdlVolumeFilter *filter,
                                gint64 index,
                                OdlImage **image)
{
  odl_source_share_values (image, filter->whole,
                           filter->unit > 1 ? slice_of (filter, index) : -1);
}
