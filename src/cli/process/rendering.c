// SPDX-License-Identifier: MIT
#include "cli/process/rendering.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/process/plane.h"
#include "cli/process/segments.h"
#include "cli/process/volume.h"
#include "cli/verb.h"
#include "image/damaged.h"
#include "image/display/marks.h"
#include "image/render/render.h"
#include "output/sequence.h"
#include "plan/title.h"
#include "source/volume.h"
#include "work/saver.h"
#include "work/turn.h"

// Pixels of the picture, which is a square.
#define SIDE 512
#define ZOOM 0.71 // all corners stay in the picture, however it is turned
#define NS_PER_S 1e9

typedef struct {
  OdlProcess *task;
  const OdlJob *job;
  OdlSource *source;
  OdlVolumes *filter; // NULL: slice by slice
  OdlTurn *turn;
  int64_t n_volumes;
  double rate; // pictures per second
  int64_t n_pictures;
  int64_t marked; // volumes of which slices are missing or damaged
  int64_t crossed; // pictures of volumes that cannot be read; crosses stand for them
  int64_t owed; // of these, those before the first one that can
  bool reported; // what the first volume has to say
  OdlImage *like; // the picture before; NULL: none yet
  OdlSaver *saver; // of a video
} Rendering;

// One picture before and after the filters: the same one where it is rendered.
typedef struct {
  OdlImage *before, *after;
} Shown;

// ---- options -------------------------------------------------------------------------

static bool
parse_view (const char *text, OdlProcess *task)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  const guint n = g_strv_length (words);

  task->work.rendering = odl_render_preset_find (words[0] != NULL ? words[0] : "");
  task->work.look = (OdlLook){ .zoom = ZOOM };
  return task->work.rendering != NULL && n <= 3
         && (n < 2 || odl_number_from_text (words[1], &task->work.look.yaw))
         && (n < 3 || odl_number_from_text (words[2], &task->work.look.pitch))
         && fabs (task->work.look.yaw) <= 360 && fabs (task->work.look.pitch) <= 90;
}

bool
odl_process_parse_rendering (const OdlProcessOptions *options,
                             OdlProcess *task,
                             GError **error)
{
  const OdlFormat *format = task->work.format;
  const bool is_movie
      = format->write == NULL && format->volume == ODL_VOLUME_NONE && !format->is_dicom;
  const char *word = NULL;

  if (options->rendering == NULL)
    return true;
  if (!parse_view (options->rendering, task))
    return odl_usage_error (
        error,
        _ ("--rendering “%s” is not known. Write maximum, ct-bone, ct-soft, mr or "
           "ultrasound, with degrees to the right (−360 to 360) and down (−90 to 90) if "
           "you like, such as ct-bone,30,-10."),
        options->rendering);
  if (!is_movie && !(format->shows && format->write != NULL))
    word
        = _ ("--rendering is a picture to look at. Write .png, .jpg, .webp, or a video.");
  else if (task->work.asked.view != ODL_VIEW_SYNTHESIS)
    word = _ ("--rendering shows results; leave out --view.");
  else if (options->frames != NULL || options->wipe != NULL || options->reference != NULL)
    word = _ ("--rendering goes without --frames, --wipe and --reference; --duration "
              "says how long a turn takes.");
  else if (options->presentation_state != NULL || options->mesh_output != NULL)
    word = _ ("--rendering goes without --presentation-state and --mesh-output.");
  if (word == NULL)
    return true;
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_USAGE, word);
  return false;
}

// ---- volumes -------------------------------------------------------------------------

// A volume has no planes beyond it, and a preset in a unit says nothing about values in
// another one.
static bool
check_volume (const Rendering *self, const OdlImage *volume, GError **error)
{
  const OdlProcess *task = self->task;
  const OdlRenderPreset *preset = task->work.rendering;
  const OdlImageInfo *info = odl_image_info (volume);
  const char *unit = info->value_map.unit;

  if (task->work.plane != NULL)
    return odl_plane_is_in (&task->work.on, task->work.plane, info, error);
  if (preset->unit == NULL || *unit == '\0' || g_str_equal (unit, preset->unit))
    return true;
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("“%s” is for values in %s, and this volume has another unit. "
                           "Choose another rendered view."),
                        _ (preset->title), preset->unit);
}

static bool
came (void *data, OdlImage *volume, GError **error)
{
  Rendering *self = data;

  if (!check_volume (self, volume, error))
    return false;
  odl_input_report_mark (self->job->input, volume);
  self->marked += odl_image_info (volume)->mark != NULL;
  return odl_process_measure (self->task, volume, error);
}

static void
note (void *data, const char *text)
{
  const Rendering *self = data;

  odl_report_note (self->job->input, text);
}

static bool
take_volume (Rendering *self, int64_t number, GError **error)
{
  const bool taken = odl_turn_take (self->turn, number, error);
  const OdlPlan *plan = odl_turn_plan (self->turn);

  if (taken && !self->reported && plan != NULL) {
    odl_process_report_notes (self->job->input, odl_turn_came (self->turn), plan);
    if (self->task->work.plane != NULL)
      odl_process_report_colours (self->task, self->job->input,
                                  odl_turn_came (self->turn));
    self->reported = true;
  }
  return taken;
}

// ---- pictures ------------------------------------------------------------------------

// Transfer full; NULL: no memory.
static OdlImage *
draw (const Rendering *self, int64_t picture, GError **error)
{
  const OdlProcess *task = self->task;
  const OdlImageInfo *info = odl_image_info (odl_turn_came (self->turn));
  OdlRenderScene scene = {
    .preset = task->work.rendering,
    .invert = odl_display_make (info, &task->work.window, ODL_NO_DETAILS).invert,
    .look = task->work.look,
    .voxel = { { info->extent.x / 2, info->extent.y / 2, info->extent.z / 2 } },
    .place = { 0, 0, SIDE, SIDE },
  };

  scene.look.yaw += 360.0 * (double) picture / (double) self->n_pictures;
  return odl_turn_view (self->turn, &scene, &task->work.window, task->work.badge, error);
}

static bool
show (const Rendering *self, int64_t picture, Shown *shown, GError **error)
{
  const OdlOnPlane *on = &self->task->work.on;

  if (self->task->work.plane == NULL) {
    shown->after = draw (self, picture, error);
    shown->before = shown->after != NULL ? odl_image_ref (shown->after) : NULL;
  } else {
    shown->before = odl_on_plane_compose (odl_turn_came (self->turn), on, error);
    if (shown->before != NULL)
      shown->after
          = self->filter != NULL
                ? odl_grid_volume_on_plane (odl_volumes_whole (self->filter), on, error)
                : odl_on_plane_compose (odl_turn_result (self->turn), on, error);
  }
  return shown->after != NULL;
}

static char *
describe (const Rendering *self)
{
  const OdlProcess *task = self->task;
  g_autofree char *recipe = odl_process_description (task);

  return task->work.plane != NULL
             ? g_strdup_printf ("plane %s; %s", task->work.plane, recipe)
             : g_strdup_printf ("rendering %s; %s", task->work.rendering->name, recipe);
}

// Of a rendering what it was made of has its own range and window.
static OdlWindow
window_of (const OdlProcess *task, const OdlImage *image)
{
  const OdlOperands *operands = odl_runner_operands (task->run.runner).operands;

  return task->work.plane != NULL
             ? odl_process_window (task, operands, image, &task->work.window)
             : (OdlWindow){ .mode = ODL_WINDOW_FULL };
}

static bool
write_still (Rendering *self, const OdlPicture *written, int64_t picture, GError **error)
{
  const OdlProcess *task = self->task;
  g_autofree char *path = task->work.numbered
                              ? odl_sequence_name (self->job->output, picture + 1)
                              : g_strdup (self->job->output);

  return odl_process_check_output (task, path, error)
         && odl_picture_save (task->guard, written, task->work.format, path,
                              task->replace, error);
}

// The strip below a picture says what it is.
static GStrv
marks_of (const OdlProcess *task, const OdlPicture *written)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *mark
      = task->work.plane != NULL
            ? g_strdup_printf (_ ("PLANE: %s"), task->work.plane)
            : g_strdup_printf (_ ("RENDERED (%s)"), _ (task->work.rendering->title));

  g_strv_builder_add (builder, mark);
  if (task->work.plane != NULL)
    odl_display_add_marks (odl_image_info (written->source), &written->window, builder);
  return g_strv_builder_end (builder);
}

static bool
write_frame (Rendering *self, const OdlPicture *written, int64_t picture, GError **error)
{
  const OdlPlan *plan = odl_turn_plan (self->turn);
  const int64_t from = (int64_t) ((double) picture * NS_PER_S / self->rate);
  const int64_t to = (int64_t) ((double) (picture + 1) * NS_PER_S / self->rate);
  const int channels = odl_image_info (written->rows->image)->channels;
  const int bits
      = odl_saver_bits (self->saver, channels, written->plan->geometry.bits > 8);
  g_autoptr (OdlImage) shown = odl_picture_render (written, bits, error);
  g_autofree char *title
      = odl_plan_title_for (&self->task->run.recipe, &plan->geometry, NULL);
  g_auto (GStrv) marks = marks_of (self->task, written);
  const OdlSavedPicture saved = { .shown = shown,
                                  .title = title,
                                  .marks = (const char *const *) marks,
                                  .time_ns = from,
                                  .duration_ns = to - from };

  if (picture == 0)
    odl_saver_describe (self->saver, written->description);
  if (shown == NULL || !odl_saver_write (self->saver, &saved, error))
    return false;
  if (picture == 0 && odl_saver_note (self->saver) != NULL)
    odl_report_note (self->job->output, odl_saver_note (self->saver));
  return true;
}

static bool
write_shown (Rendering *self, int64_t picture, const Shown *shown, GError **error)
{
  const OdlProcess *task = self->task;
  const OdlImage *volume = odl_turn_came (self->turn);
  const OdlGeometry geometry = odl_geometry_of (shown->before);
  g_autofree char *description = describe (self);
  OdlRows rows = odl_rows_of_image (shown->after);
  g_autoptr (OdlOutlines) outlines = NULL;
  OdlRecipe nothing;

  odl_recipe_init (&nothing);
  g_autoptr (OdlPlan) plan = odl_plan_new (&nothing, &geometry, error);
  if (plan == NULL
      || (task->work.plane != NULL && volume != NULL
          && !odl_process_outline_plane (task, self->job, self->source,
                                         odl_image_info (volume), &outlines, error)))
    return false;
  const OdlPicture written = { .source = shown->before,
                               .rows = &rows,
                               .plan = plan,
                               .window = window_of (task, shown->before),
                               .description = description,
                               .quality = task->work.jpeg2000,
                               .shape = task->work.shape,
                               .altered = !odl_recipe_is_identity (&task->run.recipe),
                               .outlines = outlines };
  return self->saver != NULL ? write_frame (self, &written, picture, error)
                             : write_still (self, &written, picture, error);
}

// Like the picture before.
static bool
write_cross (Rendering *self, int64_t picture, GError **error)
{
  g_autoptr (OdlImage) like = odl_damaged_image (self->like);
  g_autoptr (OdlImage) cross = odl_damaged_cross (self->like);
  const Shown shown = { like, cross };

  if (like == NULL || cross == NULL) {
    const OdlExtent *extent = &odl_image_info (self->like)->extent;
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("there is not enough memory for an image of %d × %d pixels"),
                          extent->x, extent->y);
  }
  return write_shown (self, picture, &shown, error);
}

static bool
write_picture (Rendering *self, int64_t picture, GError **error)
{
  Shown shown = { 0 };
  bool done = show (self, picture, &shown, error);

  if (done) {
    g_clear_pointer (&self->like, odl_image_unref);
    self->like = odl_image_ref (shown.before);
  }
  for (; done && self->owed > 0; self->owed--)
    done = write_cross (self, picture - self->owed, error);
  done = done && write_shown (self, picture, &shown, error);
  g_clear_pointer (&shown.before, odl_image_unref);
  g_clear_pointer (&shown.after, odl_image_unref);
  return done;
}

// The next ones go on, and where there was none before, the first one that can be read
// says how large the cross is.
static bool
mark_picture (Rendering *self, int64_t picture, GError *cause, GError **error)
{
  const bool none = self->like == NULL && picture == self->n_pictures - 1;

  if (none || !g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT)) {
    g_propagate_error (error, g_error_copy (cause));
    return false;
  }
  if (self->crossed++ == 0)
    odl_report_note (self->job->input, cause->message);
  if (self->like != NULL)
    return write_cross (self, picture, error);
  self->owed++;
  return true;
}

static void
show_progress (const Rendering *self, int64_t written)
{
  if (self->task->progress)
    g_printerr ("progress %" PRId64 " %" PRId64 " 0\n", written, self->n_pictures);
  else if (isatty (STDERR_FILENO) != 0 && self->n_pictures > 1)
    g_printerr ("\r\033[K");
  if (!self->task->progress && isatty (STDERR_FILENO) != 0 && written < self->n_pictures)
    g_printerr (_ ("frame %" PRId64 " of %" PRId64), written, self->n_pictures);
}

// ---- the whole -----------------------------------------------------------------------

static bool
open_input (Rendering *self, GError **error)
{
  OdlProcess *task = self->task;

  self->source = odl_source_open (self->job->input, NULL, error);
  if (self->source == NULL)
    return false;
  const OdlSourceInfo *info = &self->source->info;
  if (task->work.plane != NULL
      && !odl_plane_has_slices (self->source, self->job->input, error))
    return false;
  if (task->work.frame_said && task->work.frame >= info->n_frames) {
    odl_source_set_no_frame (self->source, task->work.frame, error);
    return false;
  }
  if (info->warning != NULL)
    odl_report_note (self->job->input, info->warning);
  if (odl_recipe_sees_volumes (&task->work.asked, info)) {
    self->filter = odl_process_open_volumes (task, self->job->input, error);
    if (self->filter == NULL)
      return false;
  }
  const OdlTurnParams params = { .source = self->source,
                                 .volumes = self->filter,
                                 .runner = task->run.runner,
                                 .recipe = &task->run.recipe,
                                 .bodies = task->work.plane == NULL,
                                 .data = self,
                                 .came = came,
                                 .note = note };
  self->turn = odl_turn_new (&params,
                             _ ("it is no volume, and has no view from outside; volume: "
                                "before its name takes its frames for slices"),
                             error);
  if (self->turn == NULL)
    return false;
  self->n_volumes = odl_turn_volumes (self->turn);
  if (task->work.plane != NULL && task->work.format->write == NULL
      && self->n_volumes == 1)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it is a still picture. Write it as .png or .tif."));
  return true;
}

// Of volumes over time each picture shows the next one; planes show each volume once.
static void
plan_pictures (Rendering *self)
{
  const OdlProcess *task = self->task;

  self->rate = odl_turn_rate (self->turn);
  const double length = task->work.duration_ns > 0
                            ? (double) task->work.duration_ns / NS_PER_S
                            : ODL_TURN_S;
  self->n_pictures = odl_process_is_moving (task)
                         ? MAX ((int64_t) llround (length * self->rate), 1)
                         : 1;
  if (task->work.plane != NULL && self->n_pictures > 1)
    self->n_pictures = task->work.duration_ns > 0
                           ? MIN (self->n_pictures, self->n_volumes)
                           : self->n_volumes;
}

static bool
open_output (Rendering *self, GError **error)
{
  const OdlProcess *task = self->task;
  const OdlMovieParams movie = { .codec = task->work.codec,
                                 .quality = task->work.quality,
                                 .frame_rate = self->rate,
                                 .container = task->work.format->container,
                                 .replace = task->replace,
                                 .guard = task->guard };

  if (task->work.format->write != NULL)
    return true;
  self->saver = odl_saver_open (&(OdlSaverParams){ .path = self->job->output,
                                                   .movie = &movie,
                                                   .strip = task->work.badge
                                                                ? ODL_SAVER_STRIP_ALWAYS
                                                                : ODL_SAVER_STRIP_NONE },
                                error);
  return self->saver != NULL;
}

static bool
run (Rendering *self, GError **error)
{
  const OdlProcess *task = self->task;
  const int n = self->source->info.n_slices;
  const int64_t first = task->work.frame_said ? task->work.frame / n : 0;

  // Filters over time see those before.
  for (int64_t i = odl_process_lead_in_first (task, self->source, first * n) / n;
       self->filter != NULL && i < first; i++) {
    g_autoptr (GError) cause = NULL;
    if (take_volume (self, i, &cause)
        || g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT))
      continue;
    g_propagate_error (error, g_steal_pointer (&cause));
    return false;
  }
  for (int64_t i = 0; i < self->n_pictures; i++) {
    g_autoptr (GError) cause = NULL;
    const bool taken = take_volume (self, (first + i) % self->n_volumes, &cause);
    if (!(taken ? write_picture (self, i, error) : mark_picture (self, i, cause, error)))
      return false;
    show_progress (self, i + 1);
  }
  return self->saver == NULL || odl_saver_finish (g_steal_pointer (&self->saver), error);
}

static void
report_one_of_many (const Rendering *self)
{
  if (odl_process_is_moving (self->task) || self->n_volumes == 1)
    return;
  g_autofree char *text = g_strdup_printf (
      _ ("the plane of the first of %" PRId64 " volumes was written. --frame N takes the "
         "one that frame N is of; a video (-o out.mkv) or numbered files (-o "
         "volume-%%05d.png) take all."),
      self->n_volumes);
  odl_report_note (self->job->input, text);
}

bool
odl_process_render (OdlProcess *task, const OdlJob *job, gint64 *marked, GError **error)
{
  Rendering self = { .task = task, .job = job };

  odl_runner_begin (task->run.runner);
  odl_runner_set_time (task->run.runner, false, NULL);
  bool done = open_input (&self, error);
  if (done)
    plan_pictures (&self);
  done = done && open_output (&self, error) && run (&self, error);
  if (done && task->work.plane != NULL && !task->work.frame_said)
    report_one_of_many (&self);
  if (done)
    odl_process_report_damage (task, job->input, self.crossed, 0, self.n_pictures);
  *marked = self.marked + self.crossed
            + (done && odl_process_ends_early (task, &self.source->info));
  odl_saver_abandon (self.saver);
  g_clear_pointer (&self.like, odl_image_unref);
  odl_turn_free (self.turn);
  odl_volumes_free (self.filter);
  odl_source_unref (self.source);
  return done;
}
