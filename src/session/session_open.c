// SPDX-License-Identifier: MIT
// Opens a source and reads its first frame on a worker thread. What takes long is opened
// twice: first one of its pictures, which stays until the whole is there.
#include <string.h>

#include "session/job.h"
#include "session/session_private.h"
#include "source/camera/format.h"
#include "source/source_file.h"
#include "source/unpacking.h"

struct _OdlOpening {
  GCancellable *job;
  char *location; // NULL: nothing is being opened
  OdlRecipe recipe; // cancels the last call
  bool has_recipe;
  bool whole; // see odl_session_open_whole
};

// ---- the worker thread ---------------------------------------------------------------

typedef struct {
  char *location;
  char *shown; // the location in place
  bool previews; // a picture of it comes first, if there is one
  OdlSource *before; // parked, see odl_source_park; NULL: none
  OdlSource *source;
} Job;

// The one before stays in place.
static void
resume_before (Job *job)
{
  if (job->before)
    odl_source_park (job->before, false);
  g_clear_pointer (&job->before, odl_source_unref);
}

// Whoever cancelled a job that was done already never saw its source.
static void
job_free (void *data)
{
  Job *job = data;
  g_free (job->location);
  g_free (job->shown);
  g_clear_pointer (&job->source, odl_source_unref);
  resume_before (job);
  g_free (job);
}

// Frame 0 of the source.
static OdlImage *
open_source (Job *job, const char *location, GCancellable *cancellable, GError **error)
{
  job->source = odl_source_open (location, cancellable, error);
  OdlImage *image
      = job->source ? odl_source_read_first (job->source, cancellable, error) : NULL;
  if (!image)
    g_clear_pointer (&job->source, odl_source_unref); // here, since it may take long
  return image;
}

// NULL: there is none, it is in place, or cannot be opened, which the whole will tell.
static OdlImage *
open_preview (Job *job, GCancellable *cancellable)
{
  g_autofree char *location = odl_source_preview (job->location);
  return location && g_strcmp0 (location, job->shown) != 0
             ? open_source (job, location, cancellable, NULL)
             : NULL;
}

static void *
work (void *data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  if (job->before)
    odl_source_park (job->before, true);
  OdlImage *image = job->previews ? open_preview (job, cancellable) : NULL;
  job->previews = image != NULL;
  if (!image)
    image = open_source (job, job->location, cancellable, error);
  if (!image)
    resume_before (job);
  return image;
}

// ---- the main thread -----------------------------------------------------------------

static void
set_location (OdlSession *self, const char *location)
{
  g_autofree char *old = self->opening->location;
  self->opening->location = g_strdup (location);
  g_object_notify (G_OBJECT (self), "opening");
}

static void start (OdlSession *self, bool previews);

// What is shown stays as people have changed it meanwhile.
static void
go_on (OdlSession *self)
{
  OdlOpening *opening = self->opening;
  if (opening->job) // something else was asked for meanwhile
    return;
  opening->recipe = *odl_session_recipe (self);
  opening->has_recipe = true;
  start (self, false);
}

static void
done (void *owner, void *image, const GError *error, void *data)
{
  OdlSession *self = owner;
  Job *job = data;
  g_clear_object (&self->opening->job);
  g_autofree char *location = g_strdup (self->opening->location);
  if (self->opening->whole && image && job->source->info.n_frames < 2)
    g_clear_pointer (&image, odl_image_unref);
  if (!image) {
    set_location (self, NULL);
    if (self->opening->whole)
      return;
    g_signal_emit_by_name (self, "open-failed", location, error);
    return;
  }
  g_clear_pointer (&job->before, odl_source_unref); // it stays parked
  odl_session_take_source (self, g_steal_pointer (&job->source), image,
                           self->opening->has_recipe ? &self->opening->recipe : NULL);
  if (!job->previews)
    set_location (self, NULL);
  odl_session_begin (self);
  if (job->previews)
    go_on (self);
}

static void
start (OdlSession *self, bool previews)
{
  static const OdlJobClass klass
      = { work, done, (GDestroyNotify) odl_image_unref, job_free };
  OdlOpening *opening = self->opening;
  // The camera to be opened may be the device of the current source.
  const bool parks = self->source && self->source->info.capture
                     && odl_camera_is_location (opening->location);
  Job *job = g_new (Job, 1);
  *job = (Job){ .location = g_strdup (opening->location),
                .shown = g_strdup (odl_session_info (self)->location),
                .previews = previews,
                .before = parks ? odl_source_ref (self->source) : NULL };
  opening->job = odl_job_run (G_OBJECT (self), self->gate, &klass, job);
}

void
odl_session_open (OdlSession *self, const char *location, const OdlRecipe *recipe)
{
  OdlOpening *opening = self->opening;
  odl_job_cancel (&opening->job);
  opening->whole = false;
  opening->has_recipe = recipe != NULL;
  if (recipe)
    opening->recipe = *recipe;
  set_location (self, location);
  start (self, true);
}

void
odl_session_open_whole (OdlSession *self, const char *location)
{
  odl_job_cancel (&self->opening->job);
  self->opening->whole = true;
  set_location (self, location);
  go_on (self);
}

void
odl_session_open_again (OdlSession *self, const char *location)
{
  const OdlRecipe recipe = self->opening->recipe;
  odl_session_open (self, location, self->opening->has_recipe ? &recipe : NULL);
}

void
odl_session_cancel_open (OdlSession *self)
{
  if (!self->opening->job)
    return;
  odl_job_cancel (&self->opening->job);
  set_location (self, NULL);
}

const char *
odl_session_opening (OdlSession *self)
{
  return self->opening->location;
}

double
odl_session_unpacked (OdlSession *self)
{
  return odl_unpacking_share (self->opening->job);
}

const char *
odl_session_open_reason (const char *location, const GError *error)
{
  g_autofree char *start = odl_source_file_error_start (location);
  return error->message + (g_str_has_prefix (error->message, start) ? strlen (start) : 0);
}

OdlOpening *
odl_opening_new (void)
{
  return g_new0 (OdlOpening, 1);
}
