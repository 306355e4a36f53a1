// SPDX-License-Identifier: MIT
// Sources whose frames are the slices of a volume: all of them at once.
#include "session/session_private.h"
#include "source/volume.h"

bool
odl_session_is_volume (OdlSession *self)
{
  return self->source && self->source->info.n_slices > 1;
}

// ---- reading -------------------------------------------------------------------------

typedef struct {
  char *location;
  OdlGate *gate;
} Job;

static void
job_free (void *data)
{
  Job *job = data;
  g_free (job->location);
  odl_gate_unref (job->gate);
  g_free (job);
}

// With a source of its own: the player reads frames of the other one.
static void
read_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  Job *job = data;
  g_autoptr (OdlGate) gate = odl_gate_ref (job->gate);
  GError *error = NULL;
  OdlImage *volume = NULL;
  OdlSource *source = odl_source_open (job->location, cancellable, &error);
  if (source)
    volume = odl_source_read_volume (source, ODL_VOLUME_FILTERED_SLICES, cancellable,
                                     &error);
  odl_source_unref (source);
  if (volume)
    g_task_return_pointer (task, volume, (GDestroyNotify) odl_image_unref);
  else
    g_task_return_error (task, error);
  odl_gate_leave (gate);
}

static void
read_cb (GObject *object, GAsyncResult *result, void *data)
{
  GWeakRef *weak = data;
  g_autoptr (OdlSession) self = g_weak_ref_get (weak);
  g_weak_ref_clear (weak);
  g_free (weak);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) volume = g_task_propagate_pointer (G_TASK (result), &error);
  // Another source has come meanwhile, or the end of the session.
  if (!self || g_task_get_cancellable (G_TASK (result)) != self->reading_volume)
    return;
  g_clear_object (&self->reading_volume);
  self->volume = g_steal_pointer (&volume);
  self->no_volume = !self->volume;
  if (error) {
    odl_session_say (self, error->message);
    g_signal_emit_by_name (self, "planes-changed");
  }
  odl_session_render (self);
}

static void
read_volume (OdlSession *self)
{
  GWeakRef *weak = g_new (GWeakRef, 1);
  g_weak_ref_init (weak, self);
  self->reading_volume = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (NULL, self->reading_volume, read_cb, weak);
  Job *job = g_new (Job, 1);
  *job = (Job){ g_strdup (self->source->info.location), odl_gate_ref (self->gate) };
  g_task_set_task_data (task, job, job_free);
  odl_gate_enter (self->gate);
  g_task_run_in_thread (task, read_thread);
}

void
odl_session_take_volume (OdlSession *self)
{
  if (self->reading_volume)
    g_cancellable_cancel (self->reading_volume);
  g_clear_object (&self->reading_volume);
  g_clear_pointer (&self->volume, odl_image_unref);
  self->no_volume = self->no_whole = false;
  const OdlImageInfo *info = odl_image_info (self->image);
  self->voxel_x = info->extent.x / 2;
  self->voxel_y = info->extent.y / 2;
  g_signal_emit_by_name (self, "planes-changed");
}

// ---- what is to be seen --------------------------------------------------------------

// A filter sees all slices.
static bool
wants_whole (OdlSession *self)
{
  return odl_session_is_volume (self) && !self->no_whole
         && odl_recipe_is_volumetric (odl_session_recipe (self));
}

bool
odl_session_planes (OdlSession *self)
{
  return self->planes;
}

bool
odl_session_shows_planes (OdlSession *self)
{
  return self->planes && odl_session_is_volume (self) && !self->no_volume
         && odl_session_recipe (self)->view == ODL_VIEW_SYNTHESIS;
}

void
odl_session_want_volume (OdlSession *self)
{
  if (!odl_session_is_volume (self) || self->no_volume)
    return;
  g_autoptr (GError) error = NULL;
  if (wants_whole (self)
      && !odl_source_volume_fits (self->source, self->image, ODL_VOLUME_FILTERED_WHOLE,
                                  &error)) {
    self->no_whole = true;
    odl_session_say (self, error->message);
  }
  if (!self->volume && !self->reading_volume
      && (wants_whole (self) || odl_session_shows_planes (self)))
    read_volume (self);
}

bool
odl_session_uses_volume (OdlSession *self)
{
  return self->volume && (wants_whole (self) || odl_session_shows_planes (self));
}

OdlGeometry
odl_session_plan_geometry (OdlSession *self)
{
  return odl_session_geometry (self, self->volume && wants_whole (self) ? self->volume
                                                                        : self->image);
}

void
odl_session_add_volume (OdlSession *self, OdlFrame *frame)
{
  if (!odl_session_uses_volume (self))
    return;
  frame->volume = odl_image_ref (self->volume);
  frame->planes = odl_session_shows_planes (self);
  frame->voxel = (OdlVoxel){ { self->voxel_x, self->voxel_y,
                               MIN ((int) self->index,
                                    odl_image_info (self->volume)->extent.z - 1) } };
}

void
odl_session_set_planes (OdlSession *self, bool planes)
{
  if (self->planes == planes)
    return;
  self->planes = planes;
  g_signal_emit_by_name (self, "planes-changed");
  if (!odl_session_is_volume (self))
    return;
  if (planes)
    odl_session_set_playing (self, false);
  odl_session_render (self);
}

// ---- the cross-hair ------------------------------------------------------------------

OdlVoxel
odl_session_voxel (OdlSession *self)
{
  return (
      OdlVoxel){ { self->voxel_x, self->voxel_y, (int) odl_session_position (self) } };
}

void
odl_session_set_voxel (OdlSession *self, const OdlVoxel *voxel)
{
  if (!odl_session_is_volume (self))
    return;
  const OdlImageInfo *info = odl_image_info (self->image);
  self->voxel_x = CLAMP (voxel->at[0], 0, info->extent.x - 1);
  self->voxel_y = CLAMP (voxel->at[1], 0, info->extent.y - 1);
  if (voxel->at[2] != odl_session_position (self))
    odl_session_seek (self, CLAMP (voxel->at[2], 0, self->source->info.n_slices - 1));
  else
    odl_session_render (self);
}

void
odl_session_step_voxel (OdlSession *self, int axis, int by)
{
  OdlVoxel voxel = odl_session_voxel (self);
  voxel.at[axis] = MAX (voxel.at[axis] + by, 0);
  odl_session_set_playing (self, false);
  odl_session_set_voxel (self, &voxel);
}
