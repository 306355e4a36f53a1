// SPDX-License-Identifier: MIT
#include "session/save/exporter.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/thread.h"
#include "image/damaged.h"
#include "image/display/marks.h"
#include "image/grips.h"
#include "image/render/render.h"
#include "plan/title.h"
#include "session/save/derived_preview.h"

#include "source/volume.h"
#include "work/cine.h"
#include "work/frames.h"
#include "work/picture.h"
#include "work/result.h"
#include "work/runner.h"
#include "work/turn.h"
#include "work/volumes.h"

#define NS_PER_S 1e9

struct _OdlExporter {
  OdlExporterParams params; // location, path, derived and rendering are owned
  OdlRecipe worded; // for texts
  GCancellable *cancellable;
  GThread *thread;
  GMainContext *context;
  GSource *told; // main context only
  OdlExporterCb cb;
  void *data;

  // The three threads of the work, each with its own.
  OdlFrames *frames; // NULL: a turn is written
  OdlSource *source;
  char *colorimetry; // of the source; NULL: none
  int64_t first_ns; // time of the first frame that is written
  GArray *blanks; // OdlBlank, of a DICOM file; NULL: no frame was read yet
  OdlRunner *runner;
  OdlVolumes *volumes; // NULL: frames are filtered one by one
  OdlTurn *turn; // NULL: frames are written
  int64_t first_volume, n_volumes; // of a turn
  OdlProgress progress; // of the volume that is being filtered
  OdlSaver *saver; // NULL: values are written
  OdlDicomFile *dicom; // NULL: none, or nothing was written yet
  OdlVolumeFile *volume; // likewise
  OdlSure sure; // of the type of its numbers

  GMutex mutex; // guards what follows
  OdlExporterState state;
  bool filtering; // a volume
  GError *error;
};

// Whether results are written as they are, and not as they are shown.
static bool
writes_values (const OdlExporter *self)
{
  return self->params.derived != NULL || self->params.format.volume != ODL_VOLUME_NONE;
}

static const char *
engine_name (const OdlExporter *self)
{
  return odl_runner_lend_engine (self->runner)->klass->name;
}

// ---- The stages ----

// Before filters spread what is written there.
static bool
blank (void *data, OdlReadFrame *frame, GError **error)
{
  OdlExporter *self = data;

  if (self->blanks == NULL)
    self->blanks = odl_derived_blanks (self->params.derived, odl_derived_words,
                                       frame->image, error);
  return self->blanks != NULL && odl_blank_image (&frame->image, self->blanks, error);
}

static void
set_filtering (void *data, bool filtering)
{
  OdlExporter *self = data;

  g_mutex_lock (&self->mutex);
  self->filtering = filtering;
  g_mutex_unlock (&self->mutex);
  odl_runner_set_progress (self->runner, filtering ? &self->progress : NULL);
}

// Beside what is written.
static bool
show (void *data, OdlFilteredFrame *filtered, GError **error)
{
  OdlExporter *self = data;
  const OdlImage *image = filtered->frame->image;
  const OdlImageInfo *info = odl_image_info (image);

  if (!writes_values (self))
    filtered->shown = odl_result_render (
        filtered->result, image, filtered->plan, &self->params.recipe,
        &self->params.window,
        odl_saver_bits (self->saver, info->channels, info->type != ODL_SAMPLE_U8), error);
  return writes_values (self) || filtered->shown != NULL;
}

static bool
write_picture (OdlExporter *self, const OdlFilteredFrame *filtered, GError **error)
{
  const OdlReadFrame *frame = filtered->frame;
  const OdlGeometry geometry = odl_geometry_of (frame->image);
  const OdlDisplay display
      = filtered->plan != NULL ? odl_result_display (
            frame->image, filtered->plan, &self->params.recipe, &self->params.window)
                               : (OdlDisplay){ 0 }; // of a picture that is repeated
  g_autofree char *title = odl_plan_title_for (&self->worded, &geometry, &display);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  odl_display_add_marks (odl_image_info (frame->image), &self->params.window, builder);
  g_auto (GStrv) marks = g_strv_builder_end (builder);
  const OdlSavedPicture picture = { .shown = filtered->shown,
                                    .mark = odl_image_info (frame->image)->mark,
                                    .title = title,
                                    .marks = (const char *const *) marks,
                                    .index = frame->index,
                                    .time_ns = frame->time_ns - self->first_ns,
                                    .duration_ns = frame->duration_ns };

  return odl_saver_write (self->saver, &picture, error);
}

// The first frame says what the header has to say.
static bool
write_dicom (OdlExporter *self, const OdlFilteredFrame *filtered, GError **error)
{
  OdlRows rows = odl_rows_of_image (filtered->result);

  if (self->dicom == NULL) {
    const OdlDerivedFileParams params = { .source = self->source,
                                          .image = filtered->frame->image,
                                          .recipe = &self->worded,
                                          .window = &self->params.window,
                                          .engine = engine_name (self),
                                          .first = self->params.first,
                                          .n_frames = odl_frames_total (self->frames),
                                          .choice = self->params.derived,
                                          .words = odl_derived_words };
    self->dicom
        = odl_derived_file_open (&params, self->blanks, filtered->plan, &rows, NULL,
                                 self->params.path, self->params.replace, error);
  }
  return self->dicom != NULL && odl_dicom_file_write (self->dicom, &rows, error);
}

static bool
open_volume (OdlExporter *self, GError **error)
{
  const OdlExporterParams *params = &self->params;
  const OdlVolumeFormat format = params->format.volume;
  const int64_t n = odl_frames_total (self->frames);
  OdlVolumeShape shape;

  if (odl_volume_format_holds_pictures (format, odl_source_has_beams (self->source))
          ? odl_pages_shape_find (self->source, params->first, n, &shape, NULL, error)
          : odl_volume_shape_find (self->source, params->first, n, &shape, error)) {
    self->volume = odl_volume_file_new (NULL, params->path, format, &shape, self->sure,
                                        params->replace, error);
    return self->volume != NULL;
  }
  g_autofree char *name = g_filename_display_basename (params->path);
  g_prefix_error (error, "%s: ", name);
  return false;
}

// The same values as on the command line.
static bool
write_slice (OdlExporter *self, const OdlFilteredFrame *filtered, GError **error)
{
  const OdlReadFrame *frame = filtered->frame;
  const OdlPlan *plan = filtered->plan;
  g_autofree char *description
      = odl_result_describe (&self->worded, engine_name (self), NULL);
  OdlRows rows = odl_rows_of_image (filtered->result);
  const OdlPicture picture
      = { .source = odl_picture_source (plan, frame->image, filtered->result),
          .rows = &rows,
          .plan = plan,
          .description = description,
          .slice = (int) (frame->index % MAX (plan->geometry.depth, 1)) };

  return (self->volume != NULL || open_volume (self, error))
         && odl_picture_write_slice (self->volume, &picture, frame->damaged, true, error);
}

static bool
write_frame (void *data, const OdlFilteredFrame *filtered, GError **error)
{
  OdlExporter *self = data;
  const OdlReadFrame *frame = filtered->frame;

  if (frame->index == self->params.first)
    self->first_ns = frame->time_ns;
  const bool done = self->params.derived != NULL ? write_dicom (self, filtered, error)
                    : writes_values (self)       ? write_slice (self, filtered, error)
                                                 : write_picture (self, filtered, error);

  g_mutex_lock (&self->mutex);
  if (frame->index == self->params.first) // also of a volume that is written again
    self->state.written = self->state.damaged = 0;
  self->state.written += done;
  self->state.damaged += frame->damaged;
  self->state.total = odl_frames_total (self->frames);
  if (self->saver != NULL)
    self->state.bytes = odl_saver_bytes (self->saver);
  else if (self->volume != NULL)
    self->state.bytes = odl_volume_file_bytes (self->volume);
  else if (self->dicom != NULL) {
    self->state.bytes = odl_dicom_file_bytes (self->dicom);
    self->state.limited = (int64_t) odl_dicom_file_limited (self->dicom);
  }
  g_mutex_unlock (&self->mutex);
  return done;
}

// ---- A turn: a volume that turns once about the upright axis, or volumes over time, one
// after the other, as they are seen from one place ----

static int64_t
count_pictures (const OdlExporter *self)
{
  return self->n_volumes > 1 ? self->n_volumes
                             : (int64_t) (ODL_TURN_S * odl_turn_rate (self->turn));
}

// Filters the volume of that picture. Of volumes over time one that cannot be read is no
// error: a cross stands for it.
static bool
take_volume (OdlExporter *self, int64_t number, GError **error)
{
  g_autoptr (GError) cause = NULL;

  set_filtering (self, true);
  const bool taken = odl_turn_take (self->turn, number, &cause);
  set_filtering (self, false);
  if (taken)
    return true;
  odl_runner_begin (self->runner);
  if (self->n_volumes > 1 && g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT))
    return true;
  g_propagate_error (error, g_steal_pointer (&cause));
  return false;
}

static OdlImage *
draw (const OdlExporter *self, int64_t picture, GError **error)
{
  OdlRenderScene scene = *self->params.rendering;

  scene.body = NULL;
  scene.original = NULL;
  scene.most_rays = 0;
  scene.place.x = scene.place.y = 0;
  if (self->n_volumes == 1)
    scene.look.yaw += 360.0 * (double) picture / (double) count_pictures (self);
  return odl_turn_body (self->turn) != NULL
             ? odl_turn_view (self->turn, &scene, &self->params.window, true, error)
             : odl_render_picture (&scene, NULL, NULL, error);
}

static GStrv
marks_of_turn (const OdlExporter *self)
{
  const OdlRenderScene *scene = self->params.rendering;
  const OdlImage *volume = odl_turn_came (self->turn);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *rendered
      = g_strdup_printf (_ ("RENDERED (%s)"), _ (scene->preset->title));

  if (volume != NULL)
    odl_display_add_marks (odl_image_info (volume), &self->params.window, builder);
  g_strv_builder_add (builder, rendered);
  if (scene->cut != ODL_RENDER_WHOLE)
    g_strv_builder_add (builder, _ ("CUT AT THE CROSS-HAIR"));
  if (odl_box_cuts (&scene->box))
    g_strv_builder_add (builder, _ ("CUT TO A BOX"));
  return g_strv_builder_end (builder);
}

// *damaged: it is a cross.
static bool
write_turned (OdlExporter *self, int64_t picture, bool *damaged, GError **error)
{
  g_autoptr (OdlImage) drawn = draw (self, picture, error);
  g_autoptr (OdlImage) cross = drawn != NULL && odl_turn_body (self->turn) == NULL
                                   ? odl_damaged_cross (drawn)
                                   : NULL;
  const OdlPlan *plan = odl_turn_plan (self->turn);
  g_auto (GStrv) marks = marks_of_turn (self);
  g_autofree char *title
      = plan != NULL ? odl_plan_title_for (&self->worded, &plan->geometry, NULL) : NULL;
  const double rate = odl_turn_rate (self->turn);
  const int64_t from = (int64_t) ((double) picture * NS_PER_S / rate);
  const int64_t to = (int64_t) ((double) (picture + 1) * NS_PER_S / rate);

  *damaged = cross != NULL;
  return drawn != NULL
         && odl_saver_write (self->saver,
                             &(OdlSavedPicture){ .shown = cross != NULL ? cross : drawn,
                                                 .mark = odl_image_info (drawn)->mark,
                                                 .title = title,
                                                 .marks = (const char *const *) marks,
                                                 .index = picture,
                                                 .time_ns = from,
                                                 .duration_ns = to - from },
                             error);
}

// ---- The whole ----

static bool
open_volumes (OdlExporter *self, GError **error)
{
  const OdlDerivedChoice *derived = self->params.derived;
  const bool blanks
      = derived != NULL && (derived->n_blanks > 0 || derived->blank_outside);
  const OdlVolumesParams params
      = { .recipe = &self->params.recipe,
          .runner = self->runner,
          .whole = writes_values (self) || self->params.rendering != NULL,
          .cancellable = self->cancellable };

  if (!odl_recipe_sees_volumes (&self->params.recipe, &self->source->info))
    return true;
  g_autoptr (OdlSource) own
      = odl_source_open (self->params.location, self->cancellable, error);
  if (own == NULL)
    return false;
  self->volumes = odl_volumes_new (&params, own);
  if (!blanks)
    return true;
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("Parts cannot be made black where filters see several frames "
                           "at once. Save one after the other."));
}

static bool
open_turn (OdlExporter *self, GError **error)
{
  const OdlExporterParams *params = &self->params;

  self->source = odl_source_open (params->location, self->cancellable, error);
  if (self->source == NULL || !open_volumes (self, error))
    return false;
  const OdlTurnParams turn = { .source = self->source,
                               .volumes = self->volumes,
                               .runner = self->runner,
                               .recipe = &params->recipe,
                               .bodies = true,
                               .progress = &self->progress,
                               .cancellable = self->cancellable };
  self->turn = odl_turn_new (
      &turn, _ ("What is shown is no volume, and has no rendered view."), error);
  if (self->turn == NULL)
    return false;
  const int64_t n = self->source->info.n_slices, count = params->count;
  self->first_volume = params->first / n;
  self->n_volumes
      = (count > 0 ? (params->first + count - 1) / n + 1 : odl_turn_volumes (self->turn))
        - self->first_volume;
  return true;
}

static bool
open_frames (OdlExporter *self, GError **error)
{
  OdlSource *source = odl_source_open (self->params.location, self->cancellable, error);

  self->source = source;
  if (source == NULL
      || (self->params.derived != NULL && !odl_derived_is_possible (source, error)))
    return false;
  const int64_t first = self->params.first, count = self->params.count;
  if (!open_volumes (self, error))
    return false;
  const OdlFramesJob job
      = { .source = source,
          .volumes = self->volumes,
          .runner = self->runner,
          .recipe = &self->params.recipe,
          .begin = odl_frames_lead_in (&self->params.recipe, source, self->runner, first),
          .first = first,
          .last = count > 0 ? first + count - 1 : -1,
          .default_rate = self->params.default_rate,
          .repeats = !writes_values (self) && !self->params.format.numbered,
          .cancellable = self->cancellable,
          .data = self,
          .blank = self->params.derived != NULL ? blank : NULL,
          .filtering = set_filtering,
          .filtered = show,
          .write = write_frame };
  self->frames = odl_frames_new (&job, error);
  if (self->frames == NULL)
    return false;
  self->colorimetry = g_strdup (odl_source_detail (source, "colorimetry"));
  return true;
}

static bool
open_runner (OdlExporter *self, GError **error)
{
  self->runner = odl_runner_open (self->params.engine, error);
  if (self->runner != NULL)
    odl_runner_set_operands (self->runner, self->params.operands);
  return self->runner != NULL;
}

static bool
open_saver (OdlExporter *self, GError **error)
{
  if (writes_values (self))
    return true;
  g_autofree char *description
      = odl_result_describe (&self->worded, engine_name (self), NULL);
  const OdlMovieParams movie
      = { .frame_rate = self->turn != NULL ? odl_turn_rate (self->turn)
                                           : odl_frames_rate (self->frames),
          .colorimetry = self->colorimetry,
          .replace = self->params.replace };
  // That a picture is a rendered view is said without filters, too.
  self->saver = odl_save_format_open (
      &self->params.format, self->params.path, description, &movie,
      self->turn != NULL ? ODL_SAVER_STRIP_ALWAYS : ODL_SAVER_STRIP_TITLED, error);
  return self->saver != NULL;
}

// A file that lacks frames is none; of pictures all earlier ones have been written.
static bool
finish (OdlExporter *self, GError **error)
{
  const GError *unread
      = self->frames != NULL ? odl_frames_read_error (self->frames) : NULL;
  const bool whole = unread == NULL;

  if (g_cancellable_is_cancelled (self->cancellable))
    return odl_error_set (error, ODL_ERROR_CANCELLED, _ ("cancelled"));
  if (whole && self->volume != NULL)
    return odl_volume_file_finish (g_steal_pointer (&self->volume), error);
  if (whole && self->dicom != NULL)
    return odl_dicom_file_finish (g_steal_pointer (&self->dicom), error);
  if (self->saver != NULL && self->state.written > 0
      && !odl_saver_finish (g_steal_pointer (&self->saver), error))
    return false;
  if (!whole)
    g_propagate_error (error, g_error_copy (unread));
  return whole;
}

// Filters over time see the volumes before.
static bool
lead_in (OdlExporter *self, GError **error)
{
  const int64_t n = self->source->info.n_slices;
  const int64_t begin = odl_frames_lead_in (&self->params.recipe, self->source,
                                            self->runner, self->first_volume * n);

  for (int64_t i = begin / n; i < self->first_volume; i++)
    if (!take_volume (self, i, error))
      return false;
  return true;
}

static bool
write_turn (OdlExporter *self, GError **error)
{
  const int64_t n = count_pictures (self);
  bool damaged = false;

  g_mutex_lock (&self->mutex);
  self->state.total = n;
  g_mutex_unlock (&self->mutex);
  if (!lead_in (self, error))
    return false;
  for (int64_t i = 0; i < n && !g_cancellable_is_cancelled (self->cancellable); i++) {
    if (!take_volume (self, self->first_volume + (self->n_volumes > 1 ? i : 0), error)
        || !write_turned (self, i, &damaged, error))
      return false;
    g_mutex_lock (&self->mutex);
    self->state.written = i + 1;
    self->state.damaged += damaged;
    self->state.bytes = odl_saver_bytes (self->saver);
    g_mutex_unlock (&self->mutex);
  }
  return finish (self, error);
}

static bool
write_frames (OdlExporter *self, GError **error)
{
  return odl_frames_run (self->frames, error) && finish (self, error);
}

static void
close_all (OdlExporter *self)
{
  g_clear_pointer (&self->saver, odl_saver_abandon);
  g_clear_pointer (&self->dicom, odl_dicom_file_abandon);
  g_clear_pointer (&self->volume, odl_volume_file_abandon);
  g_clear_pointer (&self->frames, odl_frames_free);
  g_clear_pointer (&self->volumes, odl_volumes_free);
  g_clear_pointer (&self->turn, odl_turn_free);
  g_clear_pointer (&self->runner, odl_runner_free);
  g_clear_pointer (&self->source, odl_source_unref);
  g_clear_pointer (&self->colorimetry, g_free);
  g_clear_pointer (&self->blanks, g_array_unref);
}

// What the session was still looking for in all frames.
static bool
find_reference (OdlExporter *self, GError **error)
{
  if (!odl_recipe_waits_for_cine (&self->params.recipe))
    return true;
  g_autoptr (OdlSource) source
      = odl_source_open (self->params.location, self->cancellable, error);
  g_autoptr (OdlImage) image
      = source != NULL ? odl_source_read_first (source, self->cancellable, error) : NULL;
  const OdlCineFrames frames
      = { .location = self->params.location, .cancellable = self->cancellable };
  if (image == NULL
      || !odl_cine_measure (
          &self->params.recipe,
          &(OdlMeasured){ .image = image, .operands = self->params.operands }, &frames,
          error))
    return false;
  self->worded = odl_recipe_with_files_as (&self->params.recipe, self->params.files_as);
  return true;
}

static void *
export_thread (void *data)
{
  OdlExporter *self = data;
  GError *error = NULL;

  // Least priority, so that playing is not disturbed.
  odl_parallel_lower_priority ();
  const bool turns = self->params.rendering != NULL;
  if (self->params.details != NULL)
    self->params.window.reach = odl_detail_measuring_wait (self->params.details);
  for (bool again = true; again;) {
    g_clear_error (&error);
    if (find_reference (self, &error) && open_runner (self, &error)
        && (turns ? open_turn : open_frames) (self, &error) && open_saver (self, &error))
      (turns ? write_turn : write_frames) (self, &error);
    again = odl_volume_file_is_unsuited (self->volume, &self->sure);
    close_all (self);
  }
  g_mutex_lock (&self->mutex);
  self->error = error;
  g_mutex_unlock (&self->mutex);
  g_source_attach (self->told, self->context);
  return NULL;
}

static gboolean
tell_cb (void *data)
{
  OdlExporter *self = data;

  if (self->cb != NULL)
    self->cb (self->params.path, self->error, self->data);
  return G_SOURCE_REMOVE;
}

OdlExporter *
odl_exporter_new (const OdlExporterParams *params, OdlExporterCb cb, void *data)
{
  OdlExporter *self = g_new0 (OdlExporter, 1);

  self->params = *params;
  self->worded = odl_recipe_with_files_as (&params->recipe, params->files_as);
  self->params.location = g_strdup (params->location);
  self->params.path = g_strdup (params->path);
  if (params->derived != NULL)
    self->params.derived = odl_derived_choice_copy (params->derived);
  self->params.rendering = g_memdup2 (params->rendering, sizeof *params->rendering);
  if (params->operands != NULL)
    odl_operands_ref (params->operands);
  if (params->details != NULL)
    g_atomic_rc_box_acquire (params->details);
  self->cancellable = g_cancellable_new ();
  odl_progress_begin (&self->progress);
  self->context = g_main_context_ref_thread_default ();
  self->told = g_idle_source_new ();
  g_source_set_priority (self->told, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->told, tell_cb, self, NULL);
  self->cb = cb;
  self->data = data;
  g_mutex_init (&self->mutex);
  self->thread = odl_thread_new ("export", export_thread, self, &self->error);
  if (self->thread == NULL)
    g_source_attach (self->told, self->context);
  return self;
}

OdlExporterState
odl_exporter_state (OdlExporter *self)
{
  g_mutex_lock (&self->mutex);
  OdlExporterState state = self->state;
  // Nothing is told of what takes no time, as of slices of a volume that was filtered.
  const int permille = g_atomic_int_get (&self->progress.permille);
  state.filtering = self->filtering && permille > 0 ? permille / 1e3 : -1;
  g_mutex_unlock (&self->mutex);
  return state;
}

void
odl_exporter_cancel (OdlExporter *self)
{
  g_cancellable_cancel (self->cancellable);
  odl_progress_stop (&self->progress);
}

void
odl_exporter_free (OdlExporter *self)
{
  if (self == NULL)
    return;
  self->cb = NULL;
  odl_exporter_cancel (self);
  odl_thread_join (self->thread);
  g_source_destroy (self->told);
  g_source_unref (self->told);
  g_object_unref (self->cancellable);
  g_main_context_unref (self->context);
  g_clear_error (&self->error);
  g_mutex_clear (&self->mutex);
  g_free ((char *) self->params.location);
  g_free ((char *) self->params.path);
  if (self->params.derived != NULL)
    g_free ((OdlBlank *) self->params.derived->blanks);
  g_free ((OdlDerivedChoice *) self->params.derived);
  g_free ((OdlRenderScene *) self->params.rendering);
  odl_operands_unref (self->params.operands);
  g_clear_pointer (&self->params.details, odl_detail_measuring_unref);
  g_free (self);
}
