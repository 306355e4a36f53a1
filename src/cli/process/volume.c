// SPDX-License-Identifier: MIT
#include "cli/process/volume.h"

#include <glib/gi18n-lib.h>

#include "source/neighbour_reader.h"
#include "source/operand.h"
#include "source/volume.h"

// Frames of a camera that were read and are not filtered yet, at most.
#define FRAMES_ON_THEIR_WAY 8

// Frames that are slices because that was asked for are so as far as --frames says.
static void
limit (const OdlProcess *task, const OdlSourceInfo *info, OdlVolumesParams *params)
{
  const bool some = odl_process_is_moving (task) && !task->work.frame_said
                    && (task->work.first > 0 || task->work.last >= 0);

  if (!some || params->whole || info->n_slices < 2 || info->n_slices != info->n_frames
      || !g_str_has_prefix (info->location, ODL_VOLUME_PREFIX))
    return;
  const gint64 last = task->work.last >= 0 ? MIN (task->work.last, info->n_frames - 1)
                                           : info->n_frames - 1;
  params->first = (int) CLAMP (task->work.first, 0, last);
  params->count = (int) (last + 1 - params->first);
}

static bool
measure (void *task, OdlImage *volume, GError **error)
{
  return odl_process_measure (task, volume, error);
}

// From `source`, of which others may read frames meanwhile.
static OdlVolumes *
volumes_of (OdlProcess *task, OdlSource *source)
{
  OdlVolumesParams params = {
    .recipe = &task->run.recipe,
    .runner = task->run.runner,
    // All slices into one file, or seen from outside.
    .whole = task->work.format->volume != ODL_VOLUME_NONE || task->work.format->is_dicom
             || task->work.rendering != NULL,
    .measure = measure,
    .data = task,
  };

  task->run.awaits_volume = source->info.n_slices > 1;
  limit (task, &source->info, &params);
  return odl_volumes_new (&params, source);
}

// Of each volume that filters take beside this one.
static void
tell_places (const OdlProcess *task, OdlSource *source, const char *input)
{
  const OdlRecipe *recipe = &task->run.recipe;

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

OdlVolumes *
odl_process_open_volumes (OdlProcess *task, const char *location, GError **error)
{
  g_autoptr (OdlSource) source = odl_source_open (location, NULL, error);

  if (source == NULL)
    return NULL;
  tell_places (task, source, location);
  return volumes_of (task, source);
}

OdlVolumes *
odl_process_follow (OdlProcess *task, const char *input, OdlSource **capture)
{
  const OdlGeometry operands = odl_runner_operands (task->run.runner);
  const OdlTimeReach reach = odl_plan_time_reach (&task->run.recipe, &operands);
  OdlSource *opened = *capture;

  *capture = odl_kept_source_new (opened, reach.past + reach.ahead + FRAMES_ON_THEIR_WAY);
  odl_source_unref (opened);
  if (reach.ahead > 0) {
    g_autofree char *text = g_strdup_printf (
        g_dngettext (
            GETTEXT_PACKAGE,
            "results are delayed by %d frame, since filters look at later frames",
            "results are delayed by %d frames, since filters look at later frames",
            (gulong) reach.ahead),
        reach.ahead);
    odl_report_note (input, text);
  }
  return volumes_of (task, *capture);
}
