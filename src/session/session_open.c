// SPDX-License-Identifier: MIT
// Opens a source and reads its first frame on a worker thread. What takes long is opened
// twice: first one of its pictures, which stays until the whole is there.
#include <string.h>

#include "session/job.h"
#include "session/session_private.h"
#include "source/camera/format.h"
#include "source/dicom/report_text.h"
#include "source/dicom/said.h"
#include "source/source_file.h"

// Stored pictures that follow each other, whose filters look at those before and after:
// the player reads them with each one (odl_player_set_reach).

struct _OdlAbout {
  OdlTimeReach reach; // that the player reads for
  OdlNeighbours *neighbours; // about the session's image; NULL: not there, or none count
  bool awaits; // they are being read
};

OdlAbout *
odl_about_new (void)
{
  return g_new0 (OdlAbout, 1);
}

void
odl_about_free (OdlAbout *about)
{
  odl_neighbours_unref (about->neighbours);
  g_free (about);
}

// Takes ownership.
static void
put (OdlAbout *about, OdlNeighbours *neighbours)
{
  odl_neighbours_unref (about->neighbours);
  about->neighbours = neighbours;
}

static OdlTimeReach
larger (OdlTimeReach a, OdlTimeReach b)
{
  return (OdlTimeReach){ MAX (a.ahead, b.ahead), MAX (a.past, b.past),
                         a.wraps || b.wraps };
}

// Of the recipe in force and of one that it is compared with. Volumes are read by
// session_volume.c, what a camera sends is kept by session_render.c.
static OdlTimeReach
find_reach (OdlSession *self)
{
  const OdlTimeReach none = { 0 };
  if (!odl_playback_player (self->playback) || odl_session_info (self)->capture
      || odl_session_is_volume (self))
    return none;
  const OdlGeometry geometry = odl_session_geometry (self, self->image);
  const OdlTimeReach own = odl_plan_time_reach (odl_session_recipe (self), &geometry);
  return self->has_other
             ? larger (own, odl_plan_time_reach (&self->other.recipe, &geometry))
             : own;
}

void
odl_session_about_settle (OdlSession *self)
{
  OdlAbout *about = self->about;
  const OdlTimeReach reach = find_reach (self), before = about->reach;

  if (reach.past == before.past && reach.ahead == before.ahead
      && reach.wraps == before.wraps)
    return;
  about->reach = reach;
  about->awaits = reach.past > 0;
  put (about, NULL);
  if (odl_playback_player (self->playback))
    odl_player_set_reach (odl_playback_player (self->playback), reach);
}

void
odl_session_about_begin (OdlSession *self)
{
  put (self->about, NULL);
  self->about->reach = (OdlTimeReach){ 0 };
  self->about->awaits = false;
}

void
odl_session_about_take (OdlSession *self, OdlNeighbours *neighbours)
{
  put (self->about, neighbours);
  self->about->awaits = self->about->reach.past > 0 && !neighbours;
}

void
odl_session_about_came (OdlSession *self, int64_t index, OdlNeighbours *neighbours)
{
  if (!self->about->awaits || index != self->index) {
    odl_neighbours_unref (neighbours);
    return;
  }
  put (self->about, neighbours);
  self->about->awaits = false;
  odl_session_render (self);
}

bool
odl_session_awaits_about (OdlSession *self)
{
  return self->about->awaits;
}

bool
odl_session_looks_about (OdlSession *self)
{
  return self->about->reach.past > 0;
}

OdlNeighbours *
odl_session_about_neighbours (OdlSession *self)
{
  return self->about->neighbours;
}

// Key pictures: those that are marked here, which are kept, undone and saved as what is
// drawn, and those that key objects beside the file name.

void
odl_session_forget_keys (OdlSession *self)
{
  if (self->keys.search)
    g_cancellable_cancel (self->keys.search);
  g_clear_object (&self->keys.search);
  g_clear_pointer (&self->keys.others, g_hash_table_unref);
  self->keys.serial = 0;
}

// ---- those of others -----------------------------------------------------------------

static void
find_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  g_task_return_pointer (task, odl_keys_find (data, cancellable),
                         (GDestroyNotify) g_hash_table_unref);
}

// Another source has cancelled it.
static void
found_cb (GObject *object, GAsyncResult *result, void *data)
{
  GHashTable *keys = g_task_propagate_pointer (G_TASK (result), NULL);
  if (!keys)
    return;
  OdlSession *self = ODL_SESSION (object);
  self->keys.others = keys;
  if (g_hash_table_size (keys) > 0)
    odl_session_tell_annotations (self);
}

// Looked for once for each source.
static void
find_others (OdlSession *self)
{
  const char *file = odl_session_file (self);
  if (self->keys.serial == self->source_serial || !file
      || !odl_session_detail (self, "sop-instance"))
    return;
  odl_session_forget_keys (self);
  self->keys.serial = self->source_serial;
  self->keys.search = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, self->keys.search, found_cb, NULL);
  g_task_set_source_tag (task, find_others);
  g_task_set_task_data (task, g_strdup (file), g_free);
  g_task_run_in_thread (task, find_thread);
}

static bool
is_named (OdlSession *self, int64_t frame)
{
  gint64 stored = 0;
  const char *instance = self->keys.others && self->keys.serial == self->source_serial
                             ? odl_said_instance (self->source, frame, &stored)
                             : NULL;
  if (!instance)
    return false;
  g_autofree char *whole = odl_report_key (instance, 0);
  g_autofree char *one = odl_report_key (instance, stored + 1);
  return g_hash_table_contains (self->keys.others, whole)
         || g_hash_table_contains (self->keys.others, one);
}

// ---- all -----------------------------------------------------------------------------

bool
odl_session_is_key (OdlSession *self, int64_t frame, bool *by_others)
{
  find_others (self);
  *by_others = self->source && is_named (self, frame);
  return *by_others || odl_annotations_key (odl_session_annotations (self), frame);
}

void
odl_session_mark_key (OdlSession *self, int64_t frame)
{
  const OdlAnnotation *known
      = odl_annotations_key (odl_session_annotations (self), frame);
  const OdlAnnotation made
      = odl_annotation_make (&odl_annotation_key, frame, (OdlPoint){ 0, 0 });
  if (known)
    odl_session_remove_annotation (self, known->id);
  else
    odl_session_annotate (self, &made);
}

int64_t
odl_session_next_key (OdlSession *self, int64_t from, int by)
{
  const int n = odl_session_info (self)->n_frames;
  bool by_others;
  for (int64_t i = 1; i <= n; i++) {
    const int64_t frame = (from + (by > 0 ? i : n - i)) % n;
    if (odl_session_is_key (self, frame, &by_others))
      return frame;
  }
  return -1;
}

int
odl_session_count_keys (OdlSession *self)
{
  const int n = odl_session_info (self)->n_frames;
  int count = 0;
  find_others (self);
  const bool are_known = self->keys.others && self->keys.serial == self->source_serial;
  if (!are_known && odl_session_detail (self, "sop-instance"))
    return -1;
  const bool are_some = are_known && g_hash_table_size (self->keys.others) > 0;
  for (int64_t frame = 0; frame < n; frame++)
    count += odl_annotations_key (odl_session_annotations (self), frame)
             || (are_some && is_named (self, frame));
  return count;
}

GArray *
odl_session_keys (OdlSession *self)
{
  GArray *frames = g_array_new (FALSE, FALSE, sizeof (gint64));
  const int n = odl_session_info (self)->n_frames;
  for (gint64 frame = 0; frame < n; frame++)
    if (odl_annotations_key (odl_session_annotations (self), frame))
      g_array_append_val (frames, frame);
  return frames;
}

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
