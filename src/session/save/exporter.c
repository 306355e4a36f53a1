// SPDX-License-Identifier: MIT
#include "session/save/exporter.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/stages.h"
#include "base/text.h"
#include "base/thread.h"
#include "image/damaged.h"
#include "image/display/marks.h"
#include "image/grips.h"
#include "image/render/render.h"
#include "image/volume/volume.h"
#include "plan/title.h"
#include "session/save/derived_preview.h"
#include "session/save/saver.h"

#include "session/save/values.h"
#include "source/frame_reader.h"
#include "source/volume.h"
#include "work/cine.h"
#include "work/result.h"
#include "work/runner.h"
#include "work/volumes.h"

// OdlTurn: pictures of the rendered view of a volume that turns once about the upright
// axis, or of volumes over time, one after the other, as they are seen from one place.
// One thread at a time, never the main one.

typedef struct _OdlTurn OdlTurn;

typedef struct {
  const char *location; // read by a source of its own
  OdlRunner *runner;
  const OdlRenderScene *scene; // how it is seen, on its whole place; no body is needed
  const OdlWindow *window;
  const OdlRecipe *recipe;
  const OdlRecipe *worded; // the same, for texts
  int64_t first, count; // frames, of whose volumes over time it is; count 0: to the end
} OdlTurnParams;

static void odl_turn_free (OdlTurn *turn); // accepts NULL

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlTurn, odl_turn_free)

#define TURN_S 6
#define RATE 25.0
#define LEAST_RATE 5.0 // that volumes over time are shown at
#define MOST_RATE 60.0
#define NS_PER_S 1e9

struct _OdlTurn {
  OdlTurnParams params; // without the location
  GCancellable *cancellable;
  OdlSource *source;
  OdlVolumes *volumes; // NULL: slices are filtered one by one
  int64_t first, n_volumes;
  double rate;
  int64_t number; // of the volume that was filtered last; −1: none
  OdlImage *volume; // that one, as it came; NULL: it cannot be read
  OdlBody *body; // of the result
  OdlPlan *plan; // that made it
};

static void
choose_volumes (OdlTurn *self)
{
  const OdlSourceInfo *info = &self->source->info;
  const int64_t n = info->n_slices, count = self->params.count;
  const int64_t all = MAX (info->n_frames / n, 1);
  double seconds;

  self->first = self->params.first / n;
  self->n_volumes = count > 0 ? (self->params.first + count - 1) / n + 1 - self->first
                              : all - self->first;
  self->rate = RATE;
  if (all > 1
      && odl_numbers_from_text (odl_source_detail (self->source, "volume-interval-s"), 1,
                                &seconds)
      && seconds >= 1 / MOST_RATE && seconds <= 1 / LEAST_RATE)
    self->rate = 1 / seconds;
}

static bool
turn_open_volumes (OdlTurn *self, GError **error)
{
  const OdlVolumesParams params = { .recipe = self->params.recipe,
                                    .runner = self->params.runner,
                                    .whole = true,
                                    .cancellable = self->cancellable };

  if (!odl_recipe_sees_volumes (params.recipe, &self->source->info))
    return true;
  g_autoptr (OdlSource) own
      = odl_source_open (self->params.location, self->cancellable, error);
  if (own != NULL)
    self->volumes = odl_volumes_new (&params, own);
  return own != NULL;
}

// Keeps all but the location. ODL_ERROR_UNSUPPORTED for what is no volume; errors of
// odl_source_open.
static OdlTurn *
odl_turn_new (const OdlTurnParams *params, GCancellable *cancellable, GError **error)
{
  g_autoptr (OdlTurn) self = g_new0 (OdlTurn, 1);

  self->params = *params;
  self->cancellable = cancellable;
  self->number = -1;
  self->source = odl_source_open (params->location, cancellable, error);
  if (self->source == NULL)
    return NULL;
  if (self->source->info.n_slices < 2)
    return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                           _ ("What is shown is no volume, and has no rendered view."));
  choose_volumes (self);
  return turn_open_volumes (self, error) ? g_steal_pointer (&self) : NULL;
}

static void
forget (OdlTurn *self)
{
  g_clear_pointer (&self->volume, odl_image_unref);
  g_clear_pointer (&self->body, odl_body_unref);
}

static void
odl_turn_free (OdlTurn *self)
{
  if (self == NULL)
    return;
  forget (self);
  g_clear_pointer (&self->plan, odl_plan_unref);
  odl_volumes_free (self->volumes);
  odl_source_unref (self->source);
  g_free (self);
}

static int64_t
odl_turn_count (const OdlTurn *self)
{
  return self->n_volumes > 1 ? self->n_volumes : (int64_t) (TURN_S * self->rate);
}

static double
odl_turn_rate (const OdlTurn *self)
{
  return self->rate;
}

// ---- filtering -----------------------------------------------------------------------

static OdlImage *
filter_slice (OdlTurn *self, int z, GError **error)
{
  const int n = odl_image_info (self->volume)->extent.z;
  g_autofree char *note = NULL;

  g_clear_pointer (&self->plan, odl_plan_unref);
  if (self->volumes != NULL)
    return odl_volumes_take (self->volumes, self->number * n + z, &self->plan, NULL,
                             error);
  g_autoptr (OdlImage) slice = odl_volume_slice (self->volume, z);
  return odl_runner_process (self->params.runner, self->params.recipe, slice, &self->plan,
                             &note, error);
}

static OdlImage *
filter_slices (OdlTurn *self, OdlProgress *progress, GError **error)
{
  const int n = odl_image_info (self->volume)->extent.z;
  const OdlProgress whole = { .from = 0, .span = 1 };
  g_autoptr (OdlImage) all = NULL;
  void *samples = NULL;

  for (int z = 0; z < n; z++) {
    // Those that are filtered together tell by themselves.
    const bool goes_on = self->volumes != NULL
                             ? !odl_progress_stopped (progress)
                             : odl_progress_part (progress, &whole, z, n);
    if (!goes_on)
      return odl_error_null (error, ODL_ERROR_CANCELLED, _ ("cancelled"));
    g_autoptr (OdlImage) result = filter_slice (self, z, error);
    if (result == NULL || !odl_volume_add (&all, &samples, n, z, result, error))
      return NULL;
  }
  return g_steal_pointer (&all);
}

static bool
take_volume (OdlTurn *self, int64_t number, OdlProgress *progress, GError **error)
{
  forget (self);
  self->number = number;
  self->volume = odl_source_read_volume (
      self->source, (int) number, ODL_VOLUME_FILTERED_WHOLE, self->cancellable, error);
  if (self->volume == NULL)
    return false;
  g_autoptr (OdlImage) filtered = filter_slices (self, progress, error);
  self->body = filtered != NULL ? odl_body_new (filtered, error) : NULL;
  return self->body != NULL;
}

// Filters the volume of that picture, unless it was the last one. Of volumes over time
// one that cannot be read is no error: a cross stands for it. Errors:
// odl_volumes_take, odl_body_new.
static bool
odl_turn_filter (OdlTurn *self, int64_t picture, OdlProgress *progress, GError **error)
{
  const int64_t wanted = self->first + (self->n_volumes > 1 ? picture : 0);
  // Filters over time see all before.
  const bool leads_in = self->number < 0 && odl_recipe_is_temporal (self->params.recipe);

  for (int64_t i = leads_in ? 0 : wanted; i <= wanted && self->number != wanted; i++) {
    GError *cause = NULL;
    if (take_volume (self, i, progress, &cause))
      continue;
    forget (self);
    odl_runner_begin (self->params.runner);
    if (self->n_volumes == 1 || !g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT)) {
      g_propagate_error (error, cause);
      return false;
    }
    g_error_free (cause);
  }
  return true;
}

// ---- pictures ------------------------------------------------------------------------

static OdlImage *
draw (const OdlTurn *self, int64_t picture, GError **error)
{
  OdlRenderScene scene = *self->params.scene;

  scene.body = self->body;
  scene.original = NULL;
  scene.most_rays = 0;
  scene.place.x = scene.place.y = 0;
  if (self->n_volumes == 1)
    scene.look.yaw += 360.0 * (double) picture / (double) odl_turn_count (self);
  if (self->body == NULL)
    return odl_render_picture (&scene, NULL, NULL, error);
  const OdlImageInfo *info = odl_image_info (self->volume);
  odl_render_find_points (info, self->params.window, scene.preset, scene.points);
  return odl_result_view (&scene, self->source, true, info->mark, error);
}

static GStrv
marks_of (const OdlTurn *self)
{
  const OdlRenderScene *scene = self->params.scene;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *rendered
      = g_strdup_printf (_ ("RENDERED (%s)"), _ (scene->preset->title));

  if (self->volume != NULL)
    odl_display_add_marks (odl_image_info (self->volume), self->params.window, builder);
  g_strv_builder_add (builder, rendered);
  if (scene->cut != ODL_RENDER_WHOLE)
    g_strv_builder_add (builder, _ ("CUT AT THE CROSS-HAIR"));
  if (odl_box_cuts (&scene->box))
    g_strv_builder_add (builder, _ ("CUT TO A BOX"));
  return g_strv_builder_end (builder);
}

// Draws it, and hands it to the saver, whose errors it has. *damaged: it is a cross.
static bool
odl_turn_write (OdlTurn *self,
                OdlSaver *saver,
                int64_t picture,
                bool *damaged,
                GError **error)
{
  g_autoptr (OdlImage) drawn = draw (self, picture, error);
  g_autoptr (OdlImage) cross
      = drawn != NULL && self->body == NULL ? odl_damaged_cross (drawn) : NULL;
  g_auto (GStrv) marks = marks_of (self);
  g_autofree char *title
      = self->plan != NULL
            ? odl_plan_title_for (self->params.worded, &self->plan->geometry, NULL)
            : NULL;
  const int64_t from = (int64_t) ((double) picture * NS_PER_S / self->rate);
  const int64_t to = (int64_t) ((double) (picture + 1) * NS_PER_S / self->rate);

  *damaged = cross != NULL;
  if (drawn == NULL)
    return false;
  return odl_saver_write (saver,
                          &(OdlSavedPicture){ .shown = cross != NULL ? cross : drawn,
                                              .mark = odl_image_info (drawn)->mark,
                                              .title = title,
                                              .marks = (const char *const *) marks,
                                              .index = picture,
                                              .time_ns = from,
                                              .duration_ns = to - from },
                          error);
}

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
  OdlFrameReader *reader;
  OdlSource *source;
  char *colorimetry; // of the source; NULL: none
  int64_t begin; // frame that it reads first
  int64_t first_ns; // time of the first frame that is written
  GError *read_error;
  GArray *blanks; // OdlBlank, of a DICOM file; NULL: no frame was read yet
  OdlRunner *runner;
  OdlVolumes *volumes; // NULL: frames are filtered one by one
  OdlTurn *turn; // NULL: frames are written
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

// A frame with the image to be written.
typedef struct {
  OdlReadFrame *frame;
  OdlImage *shown; // NULL: the previous one is repeated; of values the result
  OdlPlan *plan; // NULL as well
} Shown;

static void
shown_free (void *data)
{
  Shown *shown = data;

  odl_read_frame_free (shown->frame);
  odl_image_unref (shown->shown);
  g_clear_pointer (&shown->plan, odl_plan_unref);
  g_free (shown);
}

// Whether results are written as they are, and not as they are shown.
static bool
writes_values (const OdlExporter *self)
{
  return self->params.derived != NULL || self->params.format.volume != ODL_VOLUME_NONE;
}

// Frames that are written; 0 or less: not known.
static int64_t
count_frames (const OdlExporter *self)
{
  const int64_t all = odl_frame_reader_count (self->reader);

  return all > 0 ? all - (self->params.first - self->begin) : all;
}

static const char *
engine_name (const OdlExporter *self)
{
  return odl_runner_lend_engine (self->runner)->klass->name;
}

static OdlGeometry
geometry_of (const OdlExporter *self, const OdlImage *image)
{
  OdlGeometry geometry = odl_geometry_of (image);

  geometry.operands = self->params.operands;
  return geometry;
}

// ---- The stages ----

// Before filters spread what is written there.
static bool
blank (OdlExporter *self, OdlReadFrame *frame, GError **error)
{
  if (self->blanks == NULL)
    self->blanks = odl_derived_blanks (self->params.derived, odl_derived_words,
                                       frame->image, error);
  return self->blanks != NULL && odl_blank_image (&frame->image, self->blanks, error);
}

static void *
read_stage (void *data, GError **error)
{
  OdlExporter *self = data;

  // The frames that were read are kept; the error is reported at the end.
  g_autoptr (OdlReadFrame) frame
      = odl_frame_reader_next (self->reader, self->cancellable, &self->read_error);
  if (frame != NULL && self->params.derived != NULL && !blank (self, frame, error))
    return NULL;
  return g_steal_pointer (&frame);
}

static void
set_filtering (OdlExporter *self, bool filtering)
{
  g_mutex_lock (&self->mutex);
  self->filtering = filtering;
  g_mutex_unlock (&self->mutex);
  odl_runner_set_progress (self->runner, filtering ? &self->progress : NULL);
}

// Of a volume that cannot be filtered all frames are marked, and the next ones go on.
static OdlImage *
filter_volume (OdlExporter *self, OdlReadFrame *frame, OdlPlan **plan, GError **error)
{
  g_autoptr (GError) cause = NULL;

  set_filtering (self, true);
  OdlImage *result = odl_volumes_take (self->volumes, frame->index, plan, NULL, &cause);
  set_filtering (self, false);
  if (result != NULL) {
    odl_volumes_share_values (self->volumes, frame->index, &frame->image);
    return result;
  }
  odl_runner_begin (self->runner);
  if (odl_volumes_unit (self->volumes) == 1
      || !g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT)) {
    g_propagate_error (error, g_steal_pointer (&cause));
    return NULL;
  }
  const OdlGeometry geometry = geometry_of (self, frame->image);
  *plan = odl_plan_new (&self->params.recipe, &geometry, error);
  frame->damaged = true;
  return *plan != NULL ? odl_image_ref (frame->image) : NULL;
}

// The result of a frame, which need not be displayed.
static OdlImage *
filter (OdlExporter *self, OdlReadFrame *frame, OdlPlan **plan, GError **error)
{
  g_autofree char *note = NULL;

  return self->volumes != NULL ? filter_volume (self, frame, plan, error)
                               : odl_runner_process (self->runner, &self->params.recipe,
                                                     frame->image, plan, &note, error);
}

// Sets *plan; the caller owns it.
static OdlImage *
show (OdlExporter *self, OdlReadFrame *frame, OdlPlan **plan, GError **error)
{
  g_autoptr (OdlImage) result = filter (self, frame, plan, error);
  if (result == NULL || frame->index < self->params.first)
    return g_steal_pointer (&result);
  g_autoptr (OdlImage) cross = frame->damaged ? odl_damaged_cross (frame->image) : NULL;
  if (writes_values (self))
    return odl_image_ref (cross != NULL ? cross : result);
  return odl_result_render (cross != NULL ? cross : result, frame->image, *plan,
                            &self->params.recipe, &self->params.window,
                            odl_saver_bits (self->saver, odl_image_info (frame->image)),
                            error);
}

static void *
work_stage (void *data, void *item, GError **error)
{
  OdlExporter *self = data;
  OdlReadFrame *frame = item;
  Shown *shown = g_new0 (Shown, 1);

  shown->frame = frame;
  if (frame->again && !writes_values (self) && !self->params.format.numbered
      && frame->index > self->params.first && self->volumes == NULL
      && !odl_recipe_is_temporal (&self->params.recipe))
    return shown;
  shown->shown = show (self, frame, &shown->plan, error);
  if (shown->shown != NULL)
    return shown;
  shown_free (shown);
  return NULL;
}

static bool
write_picture (OdlExporter *self, const Shown *shown, GError **error)
{
  const OdlReadFrame *frame = shown->frame;
  const OdlGeometry geometry = odl_geometry_of (frame->image);
  const OdlDisplay display
      = shown->plan != NULL ? odl_result_display (
            frame->image, shown->plan, &self->params.recipe, &self->params.window)
                            : (OdlDisplay){ 0 }; // of a picture that is repeated
  g_autofree char *title = odl_plan_title_for (&self->worded, &geometry, &display);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  odl_display_add_marks (odl_image_info (frame->image), &self->params.window, builder);
  g_auto (GStrv) marks = g_strv_builder_end (builder);
  const OdlSavedPicture picture = { .shown = shown->shown,
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
write_dicom (OdlExporter *self, const Shown *shown, GError **error)
{
  OdlRows rows = odl_rows_of_image (shown->shown);

  if (self->dicom == NULL) {
    const OdlDerivedFileParams params = { .source = self->source,
                                          .image = shown->frame->image,
                                          .recipe = &self->worded,
                                          .window = &self->params.window,
                                          .engine = engine_name (self),
                                          .first = self->params.first,
                                          .n_frames = count_frames (self),
                                          .choice = self->params.derived,
                                          .words = odl_derived_words };
    self->dicom = odl_derived_file_open (&params, self->blanks, shown->plan, &rows, NULL,
                                         self->params.path, self->params.replace, error);
  }
  return self->dicom != NULL && odl_dicom_file_write (self->dicom, &rows, error);
}

// The same values as on the command line.
static bool
write_slice (OdlExporter *self, const Shown *shown, GError **error)
{
  g_autofree char *description
      = odl_result_describe (&self->worded, engine_name (self), NULL);
  const OdlSliceToSave slice = { shown->frame->image, shown->shown, shown->plan,
                                 description, shown->frame->damaged };

  if (self->volume == NULL)
    self->volume = odl_values_open_volume (
        self->source, self->params.first, count_frames (self), self->params.format.volume,
        self->params.path, self->sure, self->params.replace, error);
  return self->volume != NULL && odl_values_write_slice (self->volume, &slice, error);
}

static bool
write_stage (void *data, void *item, GError **error)
{
  OdlExporter *self = data;
  Shown *shown = item;
  const OdlReadFrame *frame = shown->frame;
  if (frame->index < self->params.first) {
    shown_free (shown);
    return true;
  }
  if (frame->index == self->params.first)
    self->first_ns = frame->time_ns;
  const bool done = self->params.derived != NULL ? write_dicom (self, shown, error)
                    : writes_values (self)       ? write_slice (self, shown, error)
                                                 : write_picture (self, shown, error);

  g_mutex_lock (&self->mutex);
  if (frame->index == self->params.first) // also of a volume that is written again
    self->state.written = self->state.damaged = 0;
  self->state.written += done;
  self->state.damaged += frame->damaged;
  self->state.total = count_frames (self);
  if (self->saver != NULL)
    self->state.bytes = odl_saver_bytes (self->saver);
  else if (self->volume != NULL)
    self->state.bytes = odl_volume_file_bytes (self->volume);
  else if (self->dicom != NULL) {
    self->state.bytes = odl_dicom_file_bytes (self->dicom);
    self->state.limited = (int64_t) odl_dicom_file_limited (self->dicom);
  }
  g_mutex_unlock (&self->mutex);
  shown_free (shown);
  return done;
}

// ---- The whole ----

// Frames that filters over time need before the first one that is written.
static int64_t
lead_in_begin (const OdlExporter *self, OdlSource *source)
{
  if (!odl_recipe_is_temporal (&self->params.recipe) || source->info.capture)
    return self->params.first;
  g_autoptr (OdlImage) like = odl_source_read_first (source, self->cancellable, NULL);
  if (like == NULL)
    return self->params.first;
  const OdlGeometry geometry = geometry_of (self, like);
  const int unit = self->volumes != NULL ? odl_volumes_unit (self->volumes) : 1;
  const int64_t first = self->params.first / unit;
  const int64_t begin = odl_lead_in_begin (&self->params.recipe, &geometry, first);
  return begin < first ? begin * unit : self->params.first;
}

static bool
open_volumes (OdlExporter *self, GError **error)
{
  const OdlDerivedChoice *derived = self->params.derived;
  const bool blanks
      = derived != NULL && (derived->n_blanks > 0 || derived->blank_outside);
  const OdlVolumesParams params = { .recipe = &self->params.recipe,
                                    .runner = self->runner,
                                    .whole = writes_values (self),
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
  const OdlTurnParams params
      = { self->params.location, self->runner,         self->params.rendering,
          &self->params.window,  &self->params.recipe, &self->worded,
          self->params.first,    self->params.count };

  self->turn = odl_turn_new (&params, self->cancellable, error);
  return self->turn != NULL;
}

static bool
open_reader (OdlExporter *self, GError **error)
{
  OdlSource *source = odl_source_open (self->params.location, self->cancellable, error);

  self->source = source;
  if (source == NULL
      || (self->params.derived != NULL && !odl_derived_is_possible (source, error)))
    return false;
  const int64_t first = self->params.first, count = self->params.count;
  if (!open_volumes (self, error))
    return false;
  self->begin = lead_in_begin (self, source);
  self->reader = odl_frame_reader_new (source, self->begin,
                                       count > 0 ? first + count - 1 : -1, error);
  if (self->reader == NULL)
    return false;
  self->colorimetry = g_strdup (odl_source_detail (source, "colorimetry"));
  odl_frame_reader_set_default_rate (self->reader, self->params.default_rate);
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
  const OdlSaverParams params
      = { .path = self->params.path,
          .format = self->params.format,
          .frame_rate = self->turn != NULL ? odl_turn_rate (self->turn)
                                           : odl_frame_reader_rate (self->reader),
          .description = description,
          .colorimetry = self->colorimetry,
          .replace = self->params.replace,
          // That a picture is a rendered view is said without filters, too.
          .strip = self->turn != NULL ? ODL_SAVER_STRIP_ALWAYS : ODL_SAVER_STRIP_TITLED };
  self->saver = odl_saver_open (&params, error);
  return self->saver != NULL;
}

// A file that lacks frames is none; of pictures all earlier ones have been written.
static bool
finish (OdlExporter *self, GError **error)
{
  const bool whole = self->read_error == NULL;

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
    g_propagate_error (error, g_steal_pointer (&self->read_error));
  return whole;
}

static bool
write_turn (OdlExporter *self, GError **error)
{
  const int64_t n = odl_turn_count (self->turn);
  bool done = true, damaged = false;

  g_mutex_lock (&self->mutex);
  self->state.total = n;
  g_mutex_unlock (&self->mutex);
  for (int64_t i = 0; i < n && !g_cancellable_is_cancelled (self->cancellable); i++) {
    set_filtering (self, true);
    done = odl_turn_filter (self->turn, i, &self->progress, error);
    set_filtering (self, false);
    if (!done || !odl_turn_write (self->turn, self->saver, i, &damaged, error))
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
  const OdlStages stages
      = { read_stage, work_stage, write_stage, (GDestroyNotify) odl_read_frame_free,
          shown_free, self };

  return odl_stages_run (&stages, self->cancellable, error) && finish (self, error);
}

static void
close_all (OdlExporter *self)
{
  g_clear_pointer (&self->saver, odl_saver_abandon);
  g_clear_pointer (&self->dicom, odl_dicom_file_abandon);
  g_clear_pointer (&self->volume, odl_volume_file_abandon);
  g_clear_pointer (&self->reader, odl_frame_reader_free);
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
        && (turns ? open_turn : open_reader) (self, &error) && open_saver (self, &error))
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
  g_clear_error (&self->read_error);
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
