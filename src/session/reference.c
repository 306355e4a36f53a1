// SPDX-License-Identifier: MIT
#include "session/reference.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "engine/choice.h"
#include "engine/gl/platform/headless.h"
#include "image/quality/edges.h"
#include "image/volume/volume.h"
#include "source/operand.h"
#include "source/source_files.h"
#include "work/rehearsal.h"

// Shared with running tasks; only the main thread changes the reference count.
struct _OdlReference {
  OdlReferenceCb cb; // NULL: it was freed
  void *data;
  GCancellable *cancellable; // of a file that is being read; NULL: none
  char *file; // in place; NULL: none
  OdlSource *source; // of a moving one; NULL: `image` is for all frames
  OdlImage *image; // of a moving one that of frame `at`, or NULL
  int64_t at;
  guint64 serial; // counts what was read
  OdlFrame *shown;
  bool waiting; // `shown` is to be compared when the running task is done
  bool comparing;
  char *text, *details;
  OdlReferenceNumbers numbers; // where there is a text
  char *told; // the last message
};

static void
clear (void *data)
{
  OdlReference *self = data;
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->source, odl_source_unref);
  g_clear_pointer (&self->image, odl_image_unref);
  g_clear_pointer (&self->shown, odl_frame_unref);
  g_free (self->file);
  g_free (self->text);
  g_free (self->details);
  g_free (self->told);
}

static void
release (OdlReference *self)
{
  g_rc_box_release_full (self, clear);
}

OdlReference *
odl_reference_new (OdlReferenceCb cb, void *data)
{
  OdlReference *self = g_rc_box_new0 (OdlReference);
  self->cb = cb;
  self->data = data;
  return self;
}

void
odl_reference_free (OdlReference *self)
{
  if (!self)
    return;
  self->cb = NULL;
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  release (self);
}

static void
forget_numbers (OdlReference *self)
{
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->details, g_free);
}

// Each message once, even if it applies to many frames.
static void
tell (OdlReference *self, const char *message)
{
  const bool again = message && g_strcmp0 (message, self->told) == 0;
  if (!again) {
    g_free (self->told);
    self->told = g_strdup (message);
  }
  if (self->cb)
    self->cb (again ? NULL : message, self->data);
}

// ---- comparing -----------------------------------------------------------------------

typedef struct {
  guint64 serial;
  OdlSource *source; // NULL: `reference` is there
  OdlImage *reference;
  OdlFrame *frame;
  OdlReferenceNumbers numbers;
} Job;

static void
job_free (void *data)
{
  Job *job = data;
  g_clear_pointer (&job->source, odl_source_unref);
  g_clear_pointer (&job->reference, odl_image_unref);
  odl_frame_unref (job->frame);
  g_free (job);
}

// GLSL, which the engine cpu does not run.
static bool
has_glsl (const OdlPlan *plan)
{
  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].kind == ODL_STEP_OWN)
      return true;
  return false;
}

// Computed beside the canvas.
static OdlImage *
compute_result (const OdlFrame *frame, GError **error)
{
  const char *name = has_glsl (frame->plan) ? "gl-compute" : "cpu";
  g_autoptr (OdlGlHeadless) headless = NULL;
  if (has_glsl (frame->plan)
      && (!odl_rehearse (frame->plan, name, error)
          || !(headless = odl_gl_headless_new (error))))
    return NULL;
  g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find (name), error);
  return engine ? odl_engine_process (engine, frame->plan, odl_frame_came (frame), error)
                : NULL;
}

static OdlImage *
result_of (const OdlFrame *frame, GError **error)
{
  OdlImage *made = frame->planes ? frame->slice : frame->result;
  return made ? odl_image_ref (made) : compute_result (frame, error);
}

// As it came: of three planes the slice of the cross-hair.
static OdlImage *
input_of (const OdlFrame *frame)
{
  return frame->planes ? odl_volume_slice (frame->volume, frame->voxel.at[2])
                       : odl_image_ref (frame->input);
}

static OdlImage *
other_of (const OdlFrame *frame)
{
  return !frame->planes ? odl_frame_other_result (frame)
         : odl_frame_compares (frame) && !frame->difference ? frame->other_slice
                                                            : NULL;
}

static void
compare_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  if (!job->reference)
    job->reference = odl_operand_read_reference (job->source, job->frame->index,
                                                 cancellable, &error);
  g_autoptr (OdlImage) result = job->reference ? result_of (job->frame, &error) : NULL;
  OdlReferenceNumbers *numbers = &job->numbers;
  g_autoptr (OdlImage) input = input_of (job->frame);
  OdlImage *other = other_of (job->frame);
  numbers->has_other = other != NULL;
  if (result && odl_compare (result, job->reference, &numbers->after, &error)
      && odl_compare (input, job->reference, &numbers->before, &error)
      && odl_edge_correlation (input, job->reference, &numbers->edges[0], &error)
      && odl_edge_correlation (result, job->reference, &numbers->edges[1], &error)
      && (!other || odl_compare (other, job->reference, &numbers->other, &error))
      && (!other
          || odl_edge_correlation (other, job->reference, &numbers->edges[2], &error)))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static bool
is_comparable (const OdlFrame *frame)
{
  return frame->plan->view == ODL_VIEW_SYNTHESIS && (!frame->planes || frame->slice)
         && (frame->result || odl_plan_frames (frame->plan) == 1);
}

static void
take_numbers (OdlReference *self, const Job *job)
{
  g_autofree char *file = g_filename_display_basename (self->file);
  g_autofree char *name
      // Translators: a file and the number of its frame.
      = self->source
            ? g_strdup_printf (_ ("%s, frame %" PRId64), file, job->frame->index + 1)
            : g_strdup (file);
  g_autofree char *before = odl_comparison_to_text (&job->numbers.before);
  forget_numbers (self);
  self->numbers = job->numbers;
  self->text = odl_comparison_to_text (&job->numbers.after);
  self->details
      // Translators: a file; how far the picture was from it before the filters.
      = g_strdup_printf (_ ("Against %s; the peak is the full scale. Before the filters: "
                            "%s"),
                         name, before);
}

// While somebody moves a control, the same frame is compared again and again.
static void
keep_picture (OdlReference *self, const Job *job)
{
  if (!self->source || !job->reference)
    return;
  g_clear_pointer (&self->image, odl_image_unref);
  self->image = odl_image_ref (job->reference);
  self->at = job->frame->index;
}

static void compare (OdlReference *self);

static void
compared_cb (GObject *object, GAsyncResult *result, void *data)
{
  OdlReference *self = data;
  const Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  const bool done = g_task_propagate_boolean (G_TASK (result), &error);
  self->comparing = false;
  // The reference has been replaced or removed meanwhile.
  if (self->cb && job->serial == self->serial) {
    keep_picture (self, job);
    if (done)
      take_numbers (self, job);
    else
      forget_numbers (self);
    tell (self, done ? NULL : error->message);
  }
  if (self->waiting)
    compare (self);
  release (self);
}

static void
compare (OdlReference *self)
{
  self->waiting = self->comparing;
  if (self->comparing || !self->cb || !self->file || !self->shown)
    return;
  if (!is_comparable (self->shown)) {
    forget_numbers (self);
    tell (self, NULL);
    return;
  }
  self->comparing = true;
  Job *job = g_new0 (Job, 1);
  job->serial = self->serial;
  job->source = self->source ? odl_source_ref (self->source) : NULL;
  if (self->image && (!self->source || self->at == self->shown->index))
    job->reference = odl_image_ref (self->image);
  job->frame = odl_frame_ref (self->shown);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, compared_cb, g_rc_box_acquire (self));
  g_task_set_source_tag (task, compare);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, compare_thread);
}

void
odl_reference_show (OdlReference *self, OdlFrame *frame)
{
  g_clear_pointer (&self->shown, odl_frame_unref);
  self->shown = odl_frame_ref (frame);
  compare (self);
}

// ---- the file ------------------------------------------------------------------------

typedef struct {
  OdlSource *source; // as in OdlReference
  OdlImage *image;
} Opened;

static void
opened_free (void *data)
{
  Opened *opened = data;
  g_clear_pointer (&opened->source, odl_source_unref);
  g_clear_pointer (&opened->image, odl_image_unref);
  g_free (opened);
}

static void
read_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  GError *error = NULL;
  Opened *opened = g_new0 (Opened, 1);
  opened->source = odl_operand_open_reference (data, cancellable, &error);
  if (opened->source && !odl_source_is_moving (opened->source)) {
    opened->image = odl_operand_read_reference (opened->source, 0, cancellable, &error);
    g_clear_pointer (&opened->source, odl_source_unref);
  }
  if (opened->source || opened->image) {
    g_task_return_pointer (task, opened, opened_free);
  } else {
    opened_free (opened);
    g_task_return_error (task, error);
  }
}

static void
take_file (OdlReference *self, const char *file, Opened *opened)
{
  g_clear_pointer (&self->source, odl_source_unref);
  g_clear_pointer (&self->image, odl_image_unref);
  g_free (self->file);
  self->file = g_strdup (file);
  self->serial++;
  if (opened) {
    self->source = g_steal_pointer (&opened->source);
    self->image = g_steal_pointer (&opened->image);
    opened_free (opened);
  }
  forget_numbers (self);
  g_clear_pointer (&self->told, g_free);
  tell (self, NULL);
  compare (self);
}

static void
read_cb (GObject *object, GAsyncResult *result, void *data)
{
  OdlReference *self = data;
  g_autoptr (GError) error = NULL;
  Opened *opened = g_task_propagate_pointer (G_TASK (result), &error);
  if (self->cb && g_task_get_cancellable (G_TASK (result)) == self->cancellable) {
    g_clear_object (&self->cancellable);
    if (opened)
      take_file (self, g_task_get_task_data (G_TASK (result)), g_steal_pointer (&opened));
    else
      tell (self, error->message);
  }
  if (opened)
    opened_free (opened);
  release (self);
}

void
odl_reference_set_file (OdlReference *self, const char *file)
{
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (!file) {
    take_file (self, NULL, NULL);
    return;
  }
  self->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task
      = g_task_new (NULL, self->cancellable, read_cb, g_rc_box_acquire (self));
  g_task_set_source_tag (task, odl_reference_set_file);
  g_task_set_task_data (task, g_strdup (file), g_free);
  g_task_run_in_thread (task, read_thread);
}

const char *
odl_reference_file (const OdlReference *self)
{
  return self->file;
}

bool
odl_reference_reads (const OdlReference *self, const char *path)
{
  g_autoptr (GHashTable) files = odl_source_files_new ();
  if (self->file)
    odl_source_files_add (files, self->file);
  return odl_source_files_have (files, path);
}

const char *
odl_reference_text (const OdlReference *self)
{
  return self->text;
}

const char *
odl_reference_details (const OdlReference *self)
{
  return self->details;
}

const OdlReferenceNumbers *
odl_reference_numbers (const OdlReference *self)
{
  return self->text ? &self->numbers : NULL;
}
