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
#include "image/volume/volume.h"
#include "output/movie/movie.h"
#include "output/movie/strip.h"
#include "output/sequence.h"
#include "plan/title.h"
#include "source/volume.h"
#include "work/result.h"

// Pixels of the picture, which is a square.
#define SIDE 512
#define ZOOM 0.71 // all corners stay in the picture, however it is turned
#define TURN_S 6.0 // unless somebody says how long
#define RATE 25.0
#define LEAST_RATE 5.0 // that volumes over time are shown at
#define MOST_RATE 60.0
#define NS_PER_S 1e9

typedef struct {
  OdlProcess *task;
  const OdlJob *job;
  OdlSource *source;
  OdlVolumes *filter; // NULL: slice by slice
  int64_t n_volumes;
  double rate; // pictures per second
  int64_t n_pictures;
  int64_t number; // of the body; −1: none
  int64_t marked; // volumes of which slices are missing or damaged
  int64_t crossed; // pictures of volumes that cannot be read; crosses stand for them
  GHashTable *lost; // why, by number, of those volumes: they are not read again
  int64_t owed; // of these, those before the first one that can
  OdlImage *like; // the picture before; NULL: none yet
  OdlImage *volume; // as it came
  OdlImage *filtered; // for planes
  OdlBody *body; // the same, to be seen from outside
  OdlPlan *plan; // of its slices, or of the whole
  OdlMovie *movie;
  OdlStrip *strip;
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

static OdlImage *
filtered_slice (Rendering *self, int z, GError **error)
{
  OdlProcess *task = self->task;
  const int n = odl_image_info (self->volume)->extent.z;
  g_autofree char *note = NULL;
  OdlPlan *plan = NULL;
  OdlImage *result;

  if (self->filter != NULL) {
    result = odl_volumes_take (self->filter, self->number * n + z, &plan, &note, error);
  } else {
    g_autoptr (OdlImage) slice = odl_volume_slice (self->volume, z);
    result = odl_runner_process (task->run.runner, &task->run.recipe, slice, &plan, &note,
                                 error);
  }
  if (note != NULL)
    odl_report_note (self->job->input, note);
  if (self->plan == NULL && plan != NULL) {
    odl_process_report_notes (self->job->input, self->volume, plan);
    if (task->work.plane != NULL)
      odl_process_report_colours (task, self->job->input, self->volume);
  }
  if (plan != NULL) {
    g_clear_pointer (&self->plan, odl_plan_unref);
    self->plan = plan;
  }
  return result;
}

static OdlImage *
filter_volume (Rendering *self, GError **error)
{
  const int n = odl_image_info (self->volume)->extent.z;
  g_autoptr (OdlImage) all = NULL;
  void *samples = NULL;

  if (self->filter != NULL) {
    g_autoptr (OdlImage) first = filtered_slice (self, 0, error);
    return first != NULL ? odl_image_ref (odl_volumes_whole (self->filter)->volume)
                         : NULL;
  }
  for (int z = 0; z < n; z++) {
    g_autoptr (OdlImage) result = filtered_slice (self, z, error);
    if (result == NULL || !odl_volume_add (&all, &samples, n, z, result, error))
      return NULL;
  }
  return g_steal_pointer (&all);
}

// A volume has no planes beyond it, and a preset in a unit says nothing about values in
// another one.
static bool
check_volume (const Rendering *self, GError **error)
{
  const OdlProcess *task = self->task;
  const OdlRenderPreset *preset = task->work.rendering;
  const OdlImageInfo *info = odl_image_info (self->volume);
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
read_volume (Rendering *self, int64_t number, GError **error)
{
  const GError *known = g_hash_table_lookup (self->lost, &number);
  GError *cause = known != NULL ? g_error_copy (known) : NULL;

  if (cause == NULL)
    self->volume = odl_source_read_volume (self->source, (int) number,
                                           ODL_VOLUME_FILTERED_WHOLE, NULL, &cause);
  if (cause == NULL)
    return true;
  if (known == NULL && g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT))
    g_hash_table_insert (self->lost, g_memdup2 (&number, sizeof number),
                         g_error_copy (cause));
  g_propagate_error (error, cause);
  return false;
}

static bool
take_volume (Rendering *self, int64_t number, GError **error)
{
  if (self->number == number && (self->filtered != NULL || self->body != NULL))
    return true;
  g_clear_pointer (&self->volume, odl_image_unref);
  g_clear_pointer (&self->filtered, odl_image_unref);
  g_clear_pointer (&self->body, odl_body_unref);
  self->number = number;
  if (!read_volume (self, number, error) || !check_volume (self, error))
    return false;
  odl_input_report_mark (self->job->input, self->volume);
  self->marked += odl_image_info (self->volume)->mark != NULL;
  if (!odl_process_measure (self->task, self->volume, error))
    return false;
  g_autoptr (OdlImage) filtered = filter_volume (self, error);
  if (self->task->work.plane != NULL)
    self->filtered = g_steal_pointer (&filtered);
  else if (filtered != NULL)
    self->body = odl_body_new (filtered, error);
  return self->filtered != NULL || self->body != NULL;
}

// ---- pictures ------------------------------------------------------------------------

// Transfer full; NULL: no memory.
static OdlImage *
draw (const Rendering *self, int64_t picture, GError **error)
{
  const OdlProcess *task = self->task;
  const OdlImageInfo *info = odl_image_info (self->volume);
  OdlRenderScene scene = {
    .body = self->body,
    .preset = task->work.rendering,
    .invert = odl_display_make (info, &task->work.window, ODL_NO_DETAILS).invert,
    .look = task->work.look,
    .voxel = { { info->extent.x / 2, info->extent.y / 2, info->extent.z / 2 } },
    .place = { 0, 0, SIDE, SIDE },
  };

  scene.look.yaw += 360.0 * (double) picture / (double) self->n_pictures;
  odl_render_find_points (info, &task->work.window, task->work.rendering, scene.points);
  return odl_result_view (&scene, self->source, task->work.badge, info->mark, error);
}

static bool
show (const Rendering *self, int64_t picture, Shown *shown, GError **error)
{
  const OdlOnPlane *on = &self->task->work.on;

  if (self->task->work.plane == NULL) {
    shown->after = draw (self, picture, error);
    shown->before = shown->after != NULL ? odl_image_ref (shown->after) : NULL;
  } else {
    shown->before = odl_on_plane_compose (self->volume, on, error);
    if (shown->before != NULL)
      shown->after
          = self->filter != NULL
                ? odl_grid_volume_on_plane (odl_volumes_whole (self->filter), on, error)
                : odl_on_plane_compose (self->filtered, on, error);
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
static OdlImage *
with_strip (Rendering *self, const OdlPicture *written, OdlImage *shown, GError **error)
{
  const OdlProcess *task = self->task;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *title
      = odl_plan_title_for (&task->run.recipe, &self->plan->geometry, NULL);
  g_autofree char *mark
      = task->work.plane != NULL
            ? g_strdup_printf (_ ("PLANE: %s"), task->work.plane)
            : g_strdup_printf (_ ("RENDERED (%s)"), _ (task->work.rendering->title));

  g_strv_builder_add (builder, mark);
  if (task->work.plane != NULL)
    odl_display_add_marks (odl_image_info (written->source), &written->window, builder);
  g_auto (GStrv) marks = g_strv_builder_end (builder);
  return odl_strip_add (self->strip, shown, title, (const char *const *) marks, error);
}

static bool
write_frame (Rendering *self, const OdlPicture *written, int64_t picture, GError **error)
{
  const int64_t from = (int64_t) ((double) picture * NS_PER_S / self->rate);
  const int64_t to = (int64_t) ((double) (picture + 1) * NS_PER_S / self->rate);
  const int channels = odl_image_info (written->rows->image)->channels;
  const int bits
      = written->plan->geometry.bits <= 8 ? 8 : odl_movie_bits (self->movie, channels);
  g_autoptr (OdlImage) shown = odl_picture_render (written, bits, error);
  g_autoptr (OdlImage) marked = shown == NULL ? NULL
                                : self->task->work.badge
                                    ? with_strip (self, written, shown, error)
                                    : odl_image_ref (shown);

  if (picture == 0)
    odl_movie_describe (self->movie, written->description);
  if (marked == NULL || !odl_movie_write (self->movie, marked, from, to - from, error))
    return false;
  if (picture == 0 && odl_movie_note (self->movie) != NULL)
    odl_report_note (self->job->output, odl_movie_note (self->movie));
  return true;
}

static bool
write_shown (Rendering *self, int64_t picture, const Shown *shown, GError **error)
{
  const OdlProcess *task = self->task;
  const OdlGeometry geometry = odl_geometry_of (shown->before);
  g_autofree char *description = describe (self);
  OdlRows rows = odl_rows_of_image (shown->after);
  g_autoptr (OdlOutlines) outlines = NULL;
  OdlRecipe nothing;

  odl_recipe_init (&nothing);
  g_autoptr (OdlPlan) plan = odl_plan_new (&nothing, &geometry, error);
  if (plan == NULL
      || (task->work.plane != NULL && self->volume != NULL
          && !odl_process_outline_plane (task, self->job, self->source,
                                         odl_image_info (self->volume), &outlines,
                                         error)))
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
  return self->movie != NULL ? write_frame (self, &written, picture, error)
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
  if (info->n_slices < 2)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it is no volume, and has no view from outside; volume: "
                             "before its name takes its frames for slices"));
  if (task->work.frame_said && task->work.frame >= info->n_frames) {
    odl_source_set_no_frame (self->source, task->work.frame, error);
    return false;
  }
  if (info->warning != NULL)
    odl_report_note (self->job->input, info->warning);
  self->n_volumes = MAX (info->n_frames / info->n_slices, 1);
  if (task->work.plane != NULL && task->work.format->write == NULL
      && self->n_volumes == 1)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it is a still picture. Write it as .png or .tif."));
  if (odl_recipe_sees_volumes (&task->work.asked, info)) {
    self->filter = odl_process_open_volumes (task, self->job->input, error);
    return self->filter != NULL;
  }
  return true;
}

// Of volumes over time each picture shows the next one; planes show each volume once.
static void
plan_pictures (Rendering *self)
{
  const OdlProcess *task = self->task;
  const char *interval = odl_source_detail (self->source, "volume-interval-s");
  double seconds;

  self->rate = RATE;
  if (self->n_volumes > 1 && interval != NULL && odl_number_from_text (interval, &seconds)
      && seconds >= 1 / MOST_RATE && seconds <= 1 / LEAST_RATE)
    self->rate = 1 / seconds;
  const double length
      = task->work.duration_ns > 0 ? (double) task->work.duration_ns / NS_PER_S : TURN_S;
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
  const OdlMovieParams params = { .codec = task->work.codec,
                                  .quality = task->work.quality,
                                  .frame_rate = self->rate,
                                  .container = task->work.format->container,
                                  .replace = task->replace,
                                  .guard = task->guard };

  if (task->work.format->write != NULL)
    return true;
  self->strip = odl_strip_new ();
  self->movie = odl_movie_new (self->job->output, &params, error);
  return self->movie != NULL;
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
  return self->movie == NULL || odl_movie_finish (g_steal_pointer (&self->movie), error);
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
  Rendering self = { .task = task, .job = job, .number = -1 };

  self.lost = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                     (GDestroyNotify) g_error_free);
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
  odl_movie_abandon (self.movie);
  odl_strip_free (self.strip);
  g_clear_pointer (&self.like, odl_image_unref);
  g_clear_pointer (&self.volume, odl_image_unref);
  g_clear_pointer (&self.filtered, odl_image_unref);
  g_clear_pointer (&self.body, odl_body_unref);
  g_clear_pointer (&self.plan, odl_plan_unref);
  g_hash_table_unref (self.lost);
  odl_volumes_free (self.filter);
  odl_source_unref (self.source);
  return done;
}
