// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/grid_volume.h"
#include "engine/volume.h"
#include "session/arrays/shown.h"
#include "session/computing.h"
#include "session/session_private.h"
#include "source/array.h"

// As a frame that was sought: what waits gives way to it.
static void
take_picture (OdlSession *self, OdlImage *image)
{
  g_clear_pointer (&self->image, odl_image_unref);
  self->image = image;
  self->continues = true;
  self->moment = (OdlMoment){ 0 };
  odl_session_renew_past (self, false);
  self->arrived_us = self->due_us = g_get_monotonic_time ();
  self->asked = true;
  self->arrival = self->asked_arrival = ++self->n_arrived;
  self->painted_arrival = self->arrival - 1;
  odl_session_mark (self, ODL_MARK_PICTURE);
}

void
odl_session_renew_array (OdlSession *self)
{
  OdlImage *image = NULL;

  if (!self->source || !odl_array_source_renew (self->source, &image))
    return;
  if (image) {
    take_picture (self, image);
    return;
  }
  const OdlRecipe recipe = *odl_session_recipe (self);
  g_autofree char *location = g_strdup (self->source->info.location);
  odl_session_open (self, location, &recipe);
}

bool
odl_session_result (OdlSession *self, OdlShown *shown)
{
  OdlFrame *frame = self->frame;
  const bool in_force
      = frame
        && (self->has_other
            || odl_recipe_equal (&frame->recipe, odl_session_recipe (self)));
  if (!in_force || !odl_session_is_of_source (self, frame)
      || frame->arrival != self->arrival || odl_session_awaits_volume (self)
      || !odl_session_shows_result (self))
    return false;
  shown->frame = odl_frame_ref (frame);
  shown->volume
      = frame->volume ? NULL : odl_array_source_volume (self->source, frame->index);
  return true;
}

// ---- any thread ----------------------------------------------------------------------

void
odl_shown_clear (OdlShown *shown)
{
  g_clear_pointer (&shown->frame, odl_frame_unref);
  g_clear_pointer (&shown->volume, odl_image_unref);
}

static OdlImage *
filter_volume (OdlEngine *engine, const OdlFrame *frame, OdlImage *volume, GError **error)
{
  g_auto (OdlGridVolume) made = { 0 };
  g_autofree char *cut = NULL;
  return odl_grid_volume_process (engine, &frame->recipe, frame->plan, volume,
                                  odl_engine_process_volume, &made, &cut, error)
             ? odl_grid_volume_whole (&made, error)
             : NULL;
}

static OdlImage *
filter (const OdlFrame *frame, OdlImage *came, bool is_volume, GError **error)
{
  const OdlEngineChoice cpu = { odl_engine_find ("cpu"), NULL };
  if (odl_recipe_is_identity (&frame->recipe))
    return odl_image_ref (came);
  if (odl_plan_frames (frame->plan) != 1)
    return odl_error_null (error, ODL_ERROR_UNSUPPORTED, "%s",
                           _ ("what filters over time make is not in memory as a whole; "
                              "choose the engine “cpu” in the window"));
  OdlEngine *engine = odl_engine_open_choice (cpu, error);
  if (!engine)
    return NULL;
  OdlImage *result = is_volume ? filter_volume (engine, frame, came, error)
                               : odl_engine_process (engine, frame->plan, came, error);
  odl_engine_close (engine);
  return result;
}

bool
odl_shown_result (const OdlShown *shown, OdlShownResult *result, GError **error)
{
  const OdlFrame *frame = shown->frame;
  OdlImage *volume = frame->volume ? frame->volume : shown->volume;
  OdlImage *came = volume ? volume : odl_frame_came (frame);
  const OdlImageInfo *info = odl_image_info (came);

  result->minimum = info->stored_min;
  result->maximum = info->stored_max;
  result->image = !volume && frame->result ? odl_image_ref (frame->result)
                                           : filter (frame, came, volume != NULL, error);
  return result->image != NULL;
}
