// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "cli/process/dicom.h"
#include "cli/process/process.h"

#include "cli/process/valid.h"
#include "cli/process/volume.h"
#include "cli/verb.h"
#include "image/display/marks.h"
#include "output/volume_file.h"
#include "plan/title.h"
#include "source/dicom/derived.h"
#include "source/frame_reader.h"
#include "source/operand.h"
#include "work/frames.h"
#include "work/saver.h"

// How far the frames of one input are: a line on a terminal, or lines for programs.

typedef struct {
  bool for_programs; // “progress 12 96 1234567”
  bool terminal; // “frame 12 of 96, 38.0 per second, 1.2 MB”
  int64_t begin_ns;
  int64_t shown_ns;
} OdlProcessProgress;

// How often it is shown.
#define SHOW_NS ((int64_t) 200000000)

// From now on. Inputs that are processed beside others show none.
static OdlProcessProgress
odl_process_progress (const OdlProcess *task)
{
  return (OdlProcessProgress){
    .for_programs = task->progress,
    .terminal = isatty (STDERR_FILENO) != 0 && !task->at_once,
    .begin_ns = odl_clock_now_ns (),
  };
}

// `total` 0: it is not known. `bytes` were written.
static void
odl_process_progress_show (OdlProcessProgress *progress,
                           int64_t written,
                           int64_t total,
                           int64_t bytes)
{
  const int64_t now_ns = odl_clock_now_ns ();

  if (progress->for_programs) {
    g_printerr ("progress %" PRId64 " %" PRId64 " %" PRId64 "\n", written, total, bytes);
    return;
  }
  if (!progress->terminal || now_ns < progress->shown_ns + SHOW_NS)
    return;
  g_autofree char *size = g_format_size ((guint64) bytes);
  const double seconds = (double) (now_ns - progress->begin_ns) / 1e9;
  progress->shown_ns = now_ns;
  g_printerr ("\r\033[K");
  if (total > 0)
    g_printerr (_ ("frame %" PRId64 " of %" PRId64), written, total);
  else
    g_printerr (_ ("frame %" PRId64), written);
  g_printerr (_ (", %.1f per second"), (double) written / seconds);
  if (bytes > 0)
    g_printerr (", %s", size);
}

// Clears the line.
static void
odl_process_progress_end (const OdlProcessProgress *progress)
{
  if (progress->terminal && !progress->for_programs)
    g_printerr ("\r\033[K");
}

// How far frames are from their references.
typedef struct {
  gint64 frames;
  double squares, ssim; // sums: of the mean squares, and of the means
  size_t differing; // samples
} Distance;

// One input being processed. Reading, filtering and writing overlap; each field belongs
// to one of the three threads.
typedef struct {
  OdlProcess *task;
  const OdlJob *job;

  OdlSource *source;
  OdlVolumes *volumes; // NULL: filters see one picture after the other
  OdlFrames *frames;
  GArray *blanks; // OdlBlank, of a DICOM file; NULL: no frame was read yet

  Distance after, before; // from the references, of results and of what they are made of
  bool made; // results are pictures of beams, which are none themselves

  OdlSaver *saver; // of a video; NULL: numbered files, a volume or DICOM
  OdlVolumeFile *volume_file; // NULL: no volume
  OdlSure sure; // of the type of its numbers
  bool reported; // what the first frame has to say
  bool again; // it is written again, since this was not enough; nothing is said twice
  OdlDicomFile *dicom_file; // NULL: no DICOM file, or nothing was written yet
  gint64 written;
  int64_t first_ns; // time of the first picture
  int64_t last_ns; // of the last one, counted from there; −1: none yet
  bool note_shown;
  bool ends_early; // the input, less than it declares
  OdlProcessProgress progress;
} Moving;

// ---- The three stages ----

// Before filters spread what is written there. What is found in the first frame holds
// for all.
static bool
blank (void *data, OdlReadFrame *frame, GError **error)
{
  Moving *self = data;

  if (self->blanks == NULL)
    self->blanks = odl_process_blanks (self->task, frame->image, error);
  return self->blanks != NULL && odl_blank_image (&frame->image, self->blanks, error);
}

static bool
prepare (void *data, OdlImage **image, int64_t index, GError **error)
{
  const Moving *self = data;

  return odl_process_add_noise (self->task, image, index, error);
}

static bool
measure (void *data, OdlImage *image, GError **error)
{
  const Moving *self = data;

  return odl_process_measure (self->task, image, error);
}

static void
note (void *data, const char *text)
{
  const Moving *self = data;

  odl_report_note (self->job->input, text);
}

static bool
add_distance (Distance *to,
              const OdlImage *image,
              const OdlImage *reference,
              GError **error)
{
  OdlComparison found;

  if (!odl_compare (image, reference, &found, error))
    return false;
  to->frames++;
  to->squares += found.rms * found.rms;
  to->ssim += found.ssim;
  to->differing += found.differing;
  return true;
}

// Each frame, or slice, with that of its number; crosses with none.
static bool
compare (Moving *self, const OdlFilteredFrame *filtered, GError **error)
{
  const OdlProcess *task = self->task;
  const OdlReadFrame *frame = filtered->frame;

  if (task->frame_references == NULL || frame->damaged)
    return true;
  g_autoptr (OdlImage) reference
      = odl_operand_read_reference (task->frame_references, frame->index, NULL, error);
  if (reference == NULL)
    return false;
  self->made = odl_image_info (frame->image)->beams.array
               != odl_image_info (filtered->result)->beams.array;
  if (add_distance (&self->after, filtered->result, reference, error)
      && (self->made || add_distance (&self->before, frame->image, reference, error)))
    return true;
  g_autofree char *name = g_filename_display_basename (task->reference_name);
  g_prefix_error (error, "%s: ", name);
  return false;
}

static bool
filtered_cb (void *data, OdlFilteredFrame *filtered, GError **error)
{
  Moving *self = data;

  if (!compare (self, filtered, error))
    return false;
  filtered->description = odl_process_description (self->task);
  if (!self->reported && !self->again) {
    odl_process_report_notes (self->job->input, filtered->frame->image, filtered->plan);
    odl_process_report_colours (self->task, self->job->input, filtered->frame->image);
  }
  self->reported = true;
  return true;
}

static bool
write_movie_frame (Moving *self,
                   const OdlPicture *picture,
                   const OdlReadFrame *frame,
                   GError **error)
{
  const OdlProcess *task = self->task;
  const int channels = odl_image_info (picture->rows->image)->channels;
  const bool deep = odl_depth_bits (picture->depth, picture->plan) > 8;
  const OdlDisplay display = odl_display_make (
      odl_image_info (picture->source), &picture->window, odl_picture_details (picture));
  g_autoptr (OdlImage) shown
      = odl_picture_render (picture, odl_saver_bits (self->saver, channels, deep), error);
  g_autofree char *title
      = task->work.badge
            ? odl_plan_title_for (&task->run.recipe, &picture->plan->geometry, &display)
            : NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  odl_display_add_marks (odl_image_info (picture->source), &picture->window, builder);
  g_auto (GStrv) marks = g_strv_builder_end (builder);
  if (self->last_ns < 0) {
    self->first_ns = frame->time_ns;
    odl_saver_describe (self->saver, picture->description);
  }
  self->last_ns = MAX (frame->time_ns - self->first_ns, self->last_ns + 1);
  const OdlSavedPicture saved = { .shown = shown,
                                  .title = title,
                                  .marks = (const char *const *) marks,
                                  .time_ns = self->last_ns,
                                  .duration_ns = frame->duration_ns };
  if (shown == NULL || !odl_saver_write (self->saver, &saved, error))
    return false;
  if (odl_saver_note (self->saver) != NULL && !self->note_shown)
    odl_report_note (self->job->output, odl_saver_note (self->saver));
  self->note_shown = true;
  return true;
}

static bool
repeat (Moving *self, const OdlReadFrame *frame, GError **error)
{
  const OdlSavedPicture saved
      = { .time_ns = frame->time_ns - self->first_ns, .duration_ns = frame->duration_ns };

  return odl_saver_write (self->saver, &saved, error);
}

// The first frame says what the file's header has to say.
static bool
write_dicom (Moving *self, const OdlPicture *picture, GError **error)
{
  if (self->dicom_file == NULL)
    self->dicom_file
        = odl_process_open_dicom (self->task, self->job, self->source, picture,
                                  self->blanks, odl_frames_total (self->frames), error);
  return self->dicom_file != NULL
         && odl_dicom_file_write (self->dicom_file, picture->rows, error);
}

static void
show_progress (Moving *self)
{
  const int64_t bytes
      = self->saver != NULL         ? odl_saver_bytes (self->saver)
        : self->volume_file != NULL ? odl_volume_file_bytes (self->volume_file)
        : self->dicom_file != NULL  ? odl_dicom_file_bytes (self->dicom_file)
                                    : 0;

  odl_process_progress_show (&self->progress, self->written,
                             odl_frames_total (self->frames), bytes);
}

// `slice`: one of them, with what is to be left: `valid`, NULL: all, or the band that it
// has, NULL: none.
static bool
open_volume (Moving *self,
             const OdlPicture *slice,
             const OdlValid *valid,
             const OdlBandPlace *band,
             GError **error)
{
  self->volume_file = odl_process_open_volume (self->task, self->job, self->source,
                                               odl_frames_total (self->frames), slice,
                                               valid, band, self->sure, error);
  return self->volume_file != NULL;
}

// Whether there is something to write of the frame, and of that picture what part.
static bool
cut (Moving *self,
     const OdlReadFrame *frame,
     OdlPicture *picture,
     bool *any,
     GError **error)
{
  OdlValid valid;

  return odl_valid_cut_picture (self->task, &self->source->info, frame->index, picture,
                                &valid, any, error)
         && (self->task->work.format->volume == ODL_VOLUME_NONE
             || self->volume_file != NULL
             || open_volume (self, picture, &valid, NULL, error));
}

// Likewise, of a band.
static bool
cut_band (Moving *self, const OdlPicture *picture, bool *any, GError **error)
{
  OdlBandPlace band;

  return odl_picture_has_band (picture, &band, any, error)
         && (!*any || self->task->work.format->volume == ODL_VOLUME_NONE
             || self->volume_file != NULL
             || open_volume (self, picture, NULL, &band, error));
}

static bool
write_result (Moving *self, const OdlFilteredFrame *filtered, bool *any, GError **error)
{
  const OdlProcessWork *work = &self->task->work;
  const OdlReadFrame *frame = filtered->frame;
  OdlRows rows = odl_rows_of_image (filtered->result);
  OdlWindow window = work->window;

  window.reach = self->task->run.reach;
  const OdlImage *source
      = odl_picture_source (filtered->plan, frame->image, filtered->result);
  OdlPicture picture
      = { .source = source,
          .rows = &rows,
          .plan = filtered->plan,
          .window = odl_process_window (self->task, filtered->plan->geometry.operands,
                                        source, &window),
          .description = filtered->description,
          .quality = work->jpeg2000,
          .shape = work->shape,
          .slice = (int) (frame->index % MAX (filtered->plan->geometry.depth, 1)),
          .altered = work->noise.kind != ODL_NOISE_NONE,
          .depth = work->depth };
  if (!(work->valid             ? cut (self, frame, &picture, any, error)
        : work->shape.level > 0 ? cut_band (self, &picture, any, error)
                                : true))
    return false;
  if (!*any)
    return true;
  return self->saver != NULL ? write_movie_frame (self, &picture, frame, error)
         : self->volume_file != NULL
             ? odl_picture_write_slice (self->volume_file, &picture, frame->damaged,
                                        !self->source->info.capture, error)
         : work->format->is_dicom
             ? write_dicom (self, &picture, error)
             : odl_process_write_numbered (self->task, self->job, &picture, frame->index,
                                           error);
}

static bool
write_cb (void *data, const OdlFilteredFrame *filtered, GError **error)
{
  Moving *self = data;
  const OdlReadFrame *frame = filtered->frame;
  bool any = true;

  if (!(filtered->result != NULL ? write_result (self, filtered, &any, error)
                                 : repeat (self, frame, error)))
    return false;
  if (any) {
    self->written++;
    show_progress (self);
  }
  return true;
}

// ---- The whole ----

static bool
open_frames (Moving *self, OdlSource *source, GError **error)
{
  const OdlProcess *task = self->task;
  const bool noisy = task->work.noise.kind != ODL_NOISE_NONE;
  const OdlFramesJob job
      = { .source = source,
          .volumes = self->volumes,
          .runner = task->run.runner,
          .recipe = &task->run.recipe,
          .begin = odl_process_lead_in_first (task, source, task->work.first),
          .first = task->work.first,
          .last = task->work.last,
          .duration_ns = task->work.duration_ns,
          .repeats = !task->work.numbered && !task->work.format->is_dicom
                     && task->work.format->volume == ODL_VOLUME_NONE,
          .data = self,
          .blank = task->work.format->is_dicom ? blank : NULL,
          .prepare = noisy ? prepare : NULL,
          .measure = measure,
          .note = note,
          .filtered = filtered_cb,
          .write = write_cb };

  self->frames = odl_frames_new (&job, error);
  return self->frames != NULL;
}

static bool
open_input (Moving *self, GError **error)
{
  const OdlProcess *task = self->task;
  OdlSource *source = odl_source_open (self->job->input, NULL, error);

  self->source = source;
  if (source == NULL)
    return false;
  const OdlSourceInfo *info = &source->info;
  const bool still = !odl_source_is_moving (source);
  if (task->work.format->is_dicom && !odl_derived_is_possible (source, error))
    return false;
  if (still && !odl_process_takes_still (task, source))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it is a still picture. Write it as .png or .tif."));
  if (info->capture && task->work.last < 0 && task->work.duration_ns <= 0)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("it has no end. Say how much of it, such as "
                             "--duration 10 (seconds) or --frames 1-250."));
  if (info->warning != NULL && !self->again)
    odl_report_note (self->job->input, info->warning);
  self->ends_early = odl_process_ends_early (task, info);
  if (still && !self->again)
    odl_process_report_still (task, self->job->input);
  if (odl_recipe_sees_volumes (&task->work.asked, info)) {
    self->volumes = info->capture
                        ? odl_process_follow (self->task, self->job->input, &self->source)
                        : odl_process_open_volumes (self->task, self->job->input, error);
    if (self->volumes == NULL)
      return false;
    source = self->source;
  }
  if (task->run.awaits_volume
          ? !odl_volumes_measure (self->volumes, task->work.first, error)
          : !odl_process_measure_volume (self->task, source, error))
    return false;
  return open_frames (self, source, error);
}

static bool
open_output (Moving *self, GError **error)
{
  const OdlProcess *task = self->task;
  if (task->work.numbered || task->work.format->is_dicom)
    return true;
  // What is valid, and where a band lies, is known with a plan.
  if (task->work.format->volume != ODL_VOLUME_NONE)
    return task->work.valid || task->work.shape.level > 0
           || open_volume (self, NULL, NULL, NULL, error);
  g_autofree char *lacks = odl_frame_reader_lacks_times (self->source);
  if (lacks != NULL)
    odl_report_note (self->job->input, lacks);
  const OdlMovieParams movie
      = { .codec = task->work.codec,
          .quality = task->work.quality,
          .frame_rate = odl_frames_rate (self->frames),
          .container = task->work.format->container,
          .colorimetry = odl_source_detail (self->source, "colorimetry"),
          .replace = task->replace,
          .guard = task->guard };
  self->saver = odl_saver_open (&(OdlSaverParams){ .path = self->job->output,
                                                   .movie = &movie,
                                                   .strip = task->work.badge
                                                                ? ODL_SAVER_STRIP_TITLED
                                                                : ODL_SAVER_STRIP_NONE },
                                error);
  return self->saver != NULL;
}

static bool
finish (Moving *self, GError **error)
{
  const GError *unread = odl_frames_read_error (self->frames);

  if (self->written == 0 && unread != NULL) {
    g_propagate_error (error, g_error_copy (unread));
    return false;
  }
  if (self->written == 0 && self->task->work.valid)
    return odl_valid_has_none (error);
  if (self->written == 0 && self->reported)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--view band: none of the frames is a slice of "
                             "the band. Leave out --frames."));
  if (self->written == 0) {
    odl_source_set_no_frame (self->source, self->task->work.first, error);
    return false;
  }
  if (self->volume_file != NULL)
    return odl_volume_file_finish (g_steal_pointer (&self->volume_file), error);
  if (self->dicom_file != NULL)
    return odl_process_finish_dicom (self->job, g_steal_pointer (&self->dicom_file),
                                     error);
  return self->saver == NULL || odl_saver_finish (g_steal_pointer (&self->saver), error);
}

// Of all samples: of PSNR the mean of the squares.
static OdlComparison
comparison_of (const Distance *distance)
{
  const double n = (double) distance->frames;

  return (OdlComparison){ .rms = sqrt (distance->squares / n),
                          .psnr_db = -10 * log10 (distance->squares / n),
                          .ssim = distance->ssim / n,
                          .differing = distance->differing };
}

static void
report_end (const Moving *self)
{
  const OdlFramesCount count = odl_frames_count (self->frames);
  const GError *unread = odl_frames_read_error (self->frames);

  if (self->after.frames > 0) {
    const OdlComparison after = comparison_of (&self->after);
    const OdlComparison before = comparison_of (&self->before);
    odl_process_report_comparison (self->task, self->job->input, &after,
                                   self->made ? NULL : &before);
  }
  odl_process_report_damage (self->task, self->job->input, count.damaged + count.crossed,
                             count.flawed, self->written);
  if (unread == NULL)
    return;
  g_autofree char *text = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%s. The %" PRId64 " frame before it was written.",
                   "%s. The %" PRId64 " frames before it were written.",
                   (gulong) self->written),
      unread->message, self->written);
  odl_report_note (self->job->input, text);
}

static void
clear (Moving *self)
{
  odl_saver_abandon (self->saver);
  odl_volume_file_abandon (self->volume_file);
  odl_dicom_file_abandon (self->dicom_file);
  g_clear_pointer (&self->blanks, g_array_unref);
  odl_frames_free (self->frames);
  odl_volumes_free (self->volumes);
  odl_source_unref (self->source);
}

static bool
write_all (Moving *self, GError **error)
{
  OdlProcess *task = self->task;
  odl_runner_begin (task->run.runner);
  odl_runner_set_time (task->run.runner, false, NULL);
  bool done = open_input (self, error) && open_output (self, error)
              && odl_frames_run (self->frames, error);
  odl_process_progress_end (&self->progress);
  return done && finish (self, error);
}

bool
odl_process_moving (OdlProcess *task, const OdlJob *job, gint64 *marked, GError **error)
{
  g_autoptr (GError) cause = NULL;
  OdlSure sure = ODL_SURE_OF_THIS;
  Moving self;
  bool done, again = false;

  do {
    self = (Moving){ .task = task,
                     .job = job,
                     .sure = sure,
                     .again = again,
                     .last_ns = -1,
                     .progress = odl_process_progress (task) };
    g_clear_error (&cause);
    done = write_all (&self, &cause);
    again = !done && odl_volume_file_is_unsuited (self.volume_file, &sure);
    if (again)
      clear (&self);
  } while (again);
  if (done)
    report_end (&self);
  else
    g_propagate_error (error, g_steal_pointer (&cause));
  const OdlFramesCount count
      = self.frames != NULL ? odl_frames_count (self.frames) : (OdlFramesCount){ 0 };
  const bool cut_off = self.frames != NULL && odl_frames_read_error (self.frames) != NULL;
  *marked = count.damaged + count.crossed + count.flawed + (cut_off || self.ends_early);
  clear (&self);
  return done;
}
