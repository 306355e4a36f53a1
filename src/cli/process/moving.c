// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/stages.h"
#include "cli/process/dicom.h"
#include "cli/process/process.h"

#include "cli/process/valid.h"
#include "cli/process/volume.h"
#include "cli/verb.h"
#include "image/damaged.h"
#include "image/display/marks.h"
#include "output/movie/movie.h"
#include "output/movie/strip.h"
#include "output/volume_file.h"
#include "plan/title.h"
#include "source/dicom/derived.h"
#include "source/frame_reader.h"
#include "source/operand.h"

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
  OdlFrameReader *reader;
  OdlVolumes *volumes; // NULL: filters see one picture after the other
  GError *read_error; // the rest cannot be read
  int64_t from_ns; // time of the first frame that is wanted; −1: not read yet
  GArray *blanks; // OdlBlank, of a DICOM file; NULL: no frame was read yet
  gint64 marked; // could not be read; shown as a cross
  gint64 flawed; // was read in part, or a slice of its volume is missing
  gint64 crossed; // belongs to a volume that cannot be filtered; likewise

  gint64 worked;
  bool temporal; // a frame depends on earlier ones
  gint64 begin; // frame that is read first

  Distance after, before; // from the references, of results and of what they are made of
  bool made; // results are pictures of beams, which are none themselves

  OdlMovie *movie; // NULL: numbered files, a volume or DICOM
  OdlVolumeFile *volume_file; // NULL: no volume
  OdlSure sure; // of the type of its numbers
  bool again; // it is written again, since this was not enough; nothing is said twice
  OdlDicomFile *dicom_file; // NULL: no DICOM file, or nothing was written yet
  OdlStrip *strip; // the strip below its pictures
  gint64 written;
  int64_t first_ns; // time of the first picture
  int64_t last_ns; // of the last one, counted from there; −1: none yet
  bool note_shown;
  bool ends_early; // the input, less than it declares
  OdlProcessProgress progress;
} Moving;

// A frame with its result.
typedef struct {
  OdlReadFrame *frame;
  OdlImage *result; // NULL: the previous picture is repeated, or there is none yet
  OdlPlan *plan;
  char *description; // with a result
} Worked;

static void
worked_free (void *data)
{
  Worked *worked = data;

  odl_read_frame_free (worked->frame);
  odl_image_unref (worked->result);
  if (worked->plan != NULL)
    odl_plan_unref (worked->plan);
  g_free (worked->description);
  g_free (worked);
}

// ---- The three stages ----

// Whether it comes after the end of the range to be written.
static bool
is_too_late (Moving *self, const OdlReadFrame *frame)
{
  if (self->from_ns < 0 && frame->index >= self->task->work.first)
    self->from_ns = frame->time_ns;
  return self->task->work.duration_ns > 0 && self->from_ns >= 0
         && frame->time_ns - self->from_ns >= self->task->work.duration_ns;
}

// Before filters spread what is written there. What is found in the first frame holds
// for all.
static bool
blank (Moving *self, OdlReadFrame *frame, GError **error)
{
  if (self->blanks == NULL)
    self->blanks = odl_process_blanks (self->task, frame->image, error);
  return self->blanks != NULL && odl_blank_image (&frame->image, self->blanks, error);
}

static void *
read_stage (void *data, GError **error)
{
  Moving *self = data;
  OdlReadFrame *frame = odl_frame_reader_next (self->reader, NULL, &self->read_error);

  if (frame != NULL && is_too_late (self, frame)) {
    odl_read_frame_free (frame);
    return NULL;
  }
  if (frame != NULL && self->task->work.format->is_dicom && !blank (self, frame, error)) {
    odl_read_frame_free (frame);
    return NULL;
  }
  // The frames that were read are kept; the error is reported at the end.
  if (frame != NULL && frame->index >= self->task->work.first)
    self->marked += frame->damaged;
  return frame;
}

static void
report_first (Moving *self, const OdlReadFrame *frame, const OdlPlan *plan)
{
  odl_process_report_notes (self->job->input, frame->image, plan);
  odl_process_report_colours (self->task, self->job->input, frame->image);
}

// After a frame that could not be read, the next one begins a new take.
static bool
mark (Moving *self, Worked *worked, GError **error)
{
  const OdlGeometry geometry
      = odl_runner_geometry (self->task->run.runner, worked->frame->image);

  if (self->volumes == NULL)
    odl_runner_begin (self->task->run.runner);
  worked->plan = odl_plan_new (&self->task->run.recipe, &geometry, error);
  worked->result = odl_damaged_cross (worked->frame->image);
  worked->frame->damaged = true;
  return worked->plan != NULL;
}

static bool
filter (Moving *self, Worked *worked, GError **error)
{
  OdlProcess *task = self->task;
  const gint64 expected = odl_frame_reader_count (self->reader) - self->worked - 1;
  g_autofree char *note = NULL;

  odl_runner_expect (task->run.runner, (int) CLAMP (expected, 0, G_MAXINT));
  if (!odl_process_measure (task, worked->frame->image, error))
    return false;
  worked->result
      = self->volumes != NULL
            ? odl_volumes_take (self->volumes, worked->frame->index, &worked->plan, &note,
                                error)
            : odl_runner_process (task->run.runner, &task->run.recipe,
                                  worked->frame->image, &worked->plan, &note, error);
  if (self->volumes != NULL && worked->result != NULL)
    odl_volumes_share_values (self->volumes, worked->frame->index, &worked->frame->image);
  self->flawed += worked->frame->index >= task->work.first
                  && odl_image_info (worked->frame->image)->mark != NULL;
  if (note != NULL)
    odl_report_note (self->job->input, note);
  return worked->result != NULL;
}

// A volume that cannot be filtered is marked, and the next ones go on.
static bool
filter_or_mark (Moving *self, Worked *worked, GError **error)
{
  g_autoptr (GError) cause = NULL;

  if (filter (self, worked, &cause))
    return true;
  if (self->volumes == NULL || odl_volumes_unit (self->volumes) == 1
      || !g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT)) {
    g_propagate_error (error, g_steal_pointer (&cause));
    return false;
  }
  if (self->crossed++ == 0)
    odl_report_note (self->job->input, cause->message);
  return mark (self, worked, error);
}

// What comes before the first frame that is wanted, for filters over time.
static bool
filter_before (Moving *self, Worked *worked, GError **error)
{
  const OdlReadFrame *frame = worked->frame;

  if (self->volumes == NULL)
    return odl_process_before (self->task, frame->damaged ? NULL : frame->image,
                               frame->index, self->task->work.first, error);
  const bool done = filter (self, worked, error);
  g_clear_pointer (&worked->result, odl_image_unref);
  g_clear_pointer (&worked->plan, odl_plan_unref);
  return done;
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
compare (Moving *self, const Worked *worked, GError **error)
{
  const OdlProcess *task = self->task;
  const OdlReadFrame *frame = worked->frame;

  if (task->frame_references == NULL || worked->result == NULL || frame->damaged
      || frame->index < task->work.first)
    return true;
  g_autoptr (OdlImage) reference
      = odl_operand_read_reference (task->frame_references, frame->index, NULL, error);
  if (reference == NULL)
    return false;
  self->made = odl_image_info (frame->image)->beams.array
               != odl_image_info (worked->result)->beams.array;
  if (add_distance (&self->after, worked->result, reference, error)
      && (self->made || add_distance (&self->before, frame->image, reference, error)))
    return true;
  g_autofree char *name = g_filename_display_basename (task->reference_name);
  g_prefix_error (error, "%s: ", name);
  return false;
}

static void *
work_stage (void *data, void *item, GError **error)
{
  Moving *self = data;
  OdlReadFrame *frame = item;
  Worked *worked = g_new0 (Worked, 1);
  bool done;

  worked->frame = frame;
  if (!frame->damaged
      && !odl_process_add_noise (self->task, &frame->image, frame->index, error))
    done = false;
  else if (frame->index < self->task->work.first)
    done = filter_before (self, worked, error);
  else if (frame->again && self->movie != NULL && !self->temporal && self->worked > 0)
    done = true;
  else if (frame->damaged)
    done = mark (self, worked, error);
  else
    done = filter_or_mark (self, worked, error) && compare (self, worked, error);
  if (!done) {
    worked_free (worked);
    return NULL;
  }
  if (worked->plan != NULL)
    worked->description = odl_process_description (self->task);
  if (worked->plan != NULL && self->worked++ == 0 && !self->again)
    report_first (self, frame, worked->plan);
  return worked;
}

// With the strip that names the filters, unless there are none or it was declined.
static OdlImage *
with_strip (Moving *self, const OdlPicture *picture, OdlImage *shown, GError **error)
{
  const OdlDisplay display = odl_display_make (
      odl_image_info (picture->source), &picture->window, odl_picture_details (picture));
  g_autofree char *title = self->task->work.badge
                               ? odl_plan_title_for (&self->task->run.recipe,
                                                     &picture->plan->geometry, &display)
                               : NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (title == NULL)
    return odl_image_ref (shown);
  odl_display_add_marks (odl_image_info (picture->source), &picture->window, builder);
  g_auto (GStrv) marks = g_strv_builder_end (builder);
  return odl_strip_add (self->strip, shown, title, (const char *const *) marks, error);
}

static bool
write_movie_frame (Moving *self,
                   const OdlPicture *picture,
                   const OdlReadFrame *frame,
                   GError **error)
{
  const OdlPlan *plan = picture->plan;
  const OdlImage *result = picture->rows->image;
  const int channels = odl_image_info (result)->channels;
  const int bits = odl_depth_bits (picture->depth, plan) <= 8
                       ? 8
                       : odl_movie_bits (self->movie, channels);
  g_autoptr (OdlImage) shown = odl_picture_render (picture, bits, error);

  if (self->last_ns < 0) {
    self->first_ns = frame->time_ns;
    odl_movie_describe (self->movie, picture->description);
  }
  self->last_ns = MAX (frame->time_ns - self->first_ns, self->last_ns + 1);
  g_autoptr (OdlImage) marked
      = shown != NULL ? with_strip (self, picture, shown, error) : NULL;
  if (marked == NULL
      || !odl_movie_write (self->movie, marked, self->last_ns, frame->duration_ns, error))
    return false;
  if (odl_movie_note (self->movie) != NULL && !self->note_shown)
    odl_report_note (self->job->output, odl_movie_note (self->movie));
  self->note_shown = true;
  return true;
}

// The picture as it came, with the distances of the coefficients of a band.
static OdlImage *
farther_apart (const OdlPicture *picture)
{
  OdlImageInfo info = *odl_image_info (picture->source);

  for (int axis = 0; axis < 3; axis++)
    info.spacing_mm[axis] *= odl_process_band_step (picture, axis);
  return odl_image_with_info ((OdlImage *) picture->source, &info);
}

// Crosses would be values among others.
static bool
write_slice (Moving *self, const OdlPicture *result, bool damaged, GError **error)
{
  OdlPicture picture = *result;
  OdlRows own, rows;
  const bool untouched = !damaged && !self->source->info.capture
                         && odl_picture_take_source (&picture, &own);
  OdlValues values = { .source = picture.source,
                       .rows = picture.rows,
                       .details = odl_picture_details (&picture),
                       .description = picture.description,
                       .damaged = damaged,
                       .untouched = untouched,
                       .floats = picture.depth == ODL_DEPTH_FLOAT };

  const int level = picture.shape.level;
  if (odl_arrangement_is_plain (&picture.shape.arrangement) && level == 0)
    return odl_volume_file_write (self->volume_file, &values, error);
  g_autoptr (OdlImage) arranged = odl_picture_arranged (&picture, error);
  g_autoptr (OdlImage) apart = level > 0 ? farther_apart (&picture) : NULL;
  if (arranged == NULL)
    return false;
  rows = odl_rows_of_image (arranged);
  values.rows = &rows;
  values.details = odl_picture_details_of_part (&picture);
  values.source = apart != NULL ? apart : values.source;
  return odl_volume_file_write (self->volume_file, &values, error);
}

// The first frame says what the file's header has to say.
static bool
write_dicom (Moving *self, const OdlPicture *picture, GError **error)
{
  const gint64 n
      = odl_frame_reader_count (self->reader) - (self->task->work.first - self->begin);

  if (self->dicom_file == NULL)
    self->dicom_file = odl_process_open_dicom (self->task, self->job, self->source,
                                               picture, self->blanks, n, error);
  return self->dicom_file != NULL
         && odl_dicom_file_write (self->dicom_file, picture->rows, error);
}

static void
show_progress (Moving *self)
{
  const gint64 all = odl_frame_reader_count (self->reader);
  const gint64 total = all > 0 ? all - (self->task->work.first - self->begin) : all;
  const int64_t bytes
      = self->movie != NULL         ? odl_movie_bytes (self->movie)
        : self->volume_file != NULL ? odl_volume_file_bytes (self->volume_file)
        : self->dicom_file != NULL  ? odl_dicom_file_bytes (self->dicom_file)
                                    : 0;

  odl_process_progress_show (&self->progress, self->written, total, bytes);
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
  const gint64 n
      = odl_frame_reader_count (self->reader) - (self->task->work.first - self->begin);

  self->volume_file = odl_process_open_volume (self->task, self->job, self->source, n,
                                               slice, valid, band, self->sure, error);
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
write_stage (void *data, void *item, GError **error)
{
  Moving *self = data;
  Worked *worked = item;
  bool wanted = worked->frame->index >= self->task->work.first, done = true;

  if (worked->result != NULL) {
    OdlRows rows = odl_rows_of_image (worked->result);
    const int depth = MAX (worked->plan->geometry.depth, 1);
    OdlWindow window = self->task->work.window;

    window.reach = self->task->run.reach;
    const OdlImage *source
        = odl_picture_source (worked->plan, worked->frame->image, worked->result);
    OdlPicture picture
        = { source,
            &rows,
            worked->plan,
            odl_process_window (self->task, worked->plan->geometry.operands, source,
                                &window),
            worked->description,
            self->task->work.jpeg2000,
            NULL,
            self->task->work.shape,
            (int) (worked->frame->index % depth),
            self->task->work.noise.kind != ODL_NOISE_NONE,
            self->task->work.depth };
    if (self->task->work.valid)
      done = cut (self, worked->frame, &picture, &wanted, error);
    else if (picture.shape.level > 0 && wanted)
      done = cut_band (self, &picture, &wanted, error);
    if (done && wanted)
      done = self->movie != NULL
                 ? write_movie_frame (self, &picture, worked->frame, error)
             : self->volume_file != NULL
                 ? write_slice (self, &picture, worked->frame->damaged, error)
             : self->task->work.format->is_dicom
                 ? write_dicom (self, &picture, error)
                 : odl_process_write_numbered (self->task, self->job, &picture,
                                               worked->frame->index, error);
  } else if (self->last_ns >= 0) {
    done = odl_movie_write (self->movie, NULL, worked->frame->time_ns - self->first_ns,
                            worked->frame->duration_ns, error);
  }
  worked_free (worked);
  if (done && wanted) {
    self->written++;
    show_progress (self);
  }
  return done;
}

// ---- The whole ----

// The last frame to read; −1: the source's last one. An endless source, such as the
// phantom, is read for the requested length.
static int64_t
last_frame (const OdlProcess *task, const OdlSourceInfo *info)
{
  if (task->work.last >= 0 || task->work.duration_ns <= 0 || !info->live || info->capture
      || info->frame_rate <= 0)
    return task->work.last;
  const double frames = ceil ((double) task->work.duration_ns * info->frame_rate / 1e9);
  return task->work.first + MAX ((int64_t) frames, 1) - 1;
}

static bool
open_reader (Moving *self, GError **error)
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
  self->temporal = odl_recipe_is_temporal (&task->run.recipe) || self->volumes != NULL;
  self->begin = odl_process_lead_in_first (task, source, task->work.first);
  self->reader
      = odl_frame_reader_new (source, self->begin, last_frame (task, info), error);
  return self->reader != NULL;
}

static bool
open_output (Moving *self, GError **error)
{
  const OdlProcess *task = self->task;
  OdlMovieParams params = {
    .codec = task->work.codec,
    .quality = task->work.quality,
    .frame_rate = odl_frame_reader_rate (self->reader),
    .container = task->work.format->container,
    .colorimetry = odl_source_detail (self->source, "colorimetry"),
    .replace = task->replace,
    .guard = task->guard,
  };

  if (task->work.numbered || task->work.format->is_dicom)
    return true;
  // What is valid, and where a band lies, is known with a plan.
  if (task->work.format->volume != ODL_VOLUME_NONE)
    return task->work.valid || task->work.shape.level > 0
           || open_volume (self, NULL, NULL, NULL, error);
  g_autofree char *lacks = odl_frame_reader_lacks_times (self->source);
  if (lacks != NULL)
    odl_report_note (self->job->input, lacks);
  self->strip = odl_strip_new ();
  self->movie = odl_movie_new (self->job->output, &params, error);
  return self->movie != NULL;
}

static bool
finish (Moving *self, GError **error)
{
  if (self->written == 0 && self->read_error != NULL) {
    g_propagate_error (error, g_steal_pointer (&self->read_error));
    return false;
  }
  if (self->written == 0 && self->task->work.valid)
    return odl_valid_has_none (error);
  if (self->written == 0 && self->worked > 0)
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
  return self->movie == NULL || odl_movie_finish (g_steal_pointer (&self->movie), error);
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
  if (self->after.frames > 0) {
    const OdlComparison after = comparison_of (&self->after);
    const OdlComparison before = comparison_of (&self->before);
    odl_process_report_comparison (self->task, self->job->input, &after,
                                   self->made ? NULL : &before);
  }
  odl_process_report_damage (self->task, self->job->input, self->marked + self->crossed,
                             self->flawed, self->written);
  if (self->read_error == NULL)
    return;
  g_autofree char *text = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%s. The %" PRId64 " frame before it was written.",
                   "%s. The %" PRId64 " frames before it were written.",
                   (gulong) self->written),
      self->read_error->message, self->written);
  odl_report_note (self->job->input, text);
}

static void
clear (Moving *self)
{
  odl_movie_abandon (self->movie);
  odl_volume_file_abandon (self->volume_file);
  odl_dicom_file_abandon (self->dicom_file);
  g_clear_pointer (&self->blanks, g_array_unref);
  odl_strip_free (self->strip);
  odl_frame_reader_free (self->reader);
  odl_volumes_free (self->volumes);
  odl_source_unref (self->source);
  g_clear_error (&self->read_error);
}

static bool
write_all (Moving *self, GError **error)
{
  OdlProcess *task = self->task;
  const OdlStages stages
      = { read_stage,  work_stage, write_stage, (GDestroyNotify) odl_read_frame_free,
          worked_free, self };

  odl_runner_begin (task->run.runner);
  odl_runner_set_time (task->run.runner, false, NULL);
  bool done = open_reader (self, error) && open_output (self, error)
              && odl_stages_run (&stages, NULL, error);
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
                     .from_ns = -1,
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
  *marked = self.marked + self.crossed + self.flawed
            + (self.read_error != NULL || self.ends_early);
  clear (&self);
  return done;
}
