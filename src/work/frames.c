// SPDX-License-Identifier: MIT
#include "work/frames.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "base/stages.h"
#include "image/damaged.h"

struct _OdlFrames {
  OdlFramesJob job;
  OdlFrameReader *reader;
  int64_t from_ns; // time of the first frame that is handed on; −1: not read yet
  bool depends; // a result depends on other frames
  GError *read_error;
  OdlFramesCount count;
};

static void
filtered_free (void *data)
{
  OdlFilteredFrame *filtered = data;

  odl_read_frame_free (filtered->frame);
  odl_image_unref (filtered->result);
  odl_image_unref (filtered->shown);
  g_clear_pointer (&filtered->plan, odl_plan_unref);
  g_free (filtered->description);
  g_free (filtered);
}

// ---- lead-in -------------------------------------------------------------------------

int64_t
odl_frames_lead_in (const OdlRecipe *recipe,
                    OdlSource *source,
                    const OdlRunner *runner,
                    int64_t first)
{
  const int unit = odl_recipe_sees_volumes (recipe, &source->info)
                       ? MAX (source->info.n_slices, 1)
                       : 1;

  if (!odl_recipe_is_temporal (recipe))
    return first;
  g_autoptr (OdlImage) like
      = source->info.capture ? NULL : odl_source_read_first (source, NULL, NULL);
  if (like == NULL)
    return 0;
  const OdlGeometry geometry = odl_runner_geometry (runner, like);
  const int64_t begin = odl_lead_in_begin (recipe, &geometry, first / unit);
  return begin < first / unit ? begin * unit : first;
}

bool
odl_frames_lead (OdlRunner *runner,
                 const OdlRecipe *recipe,
                 OdlImage *image,
                 int64_t index,
                 int64_t wanted,
                 bool (*measure) (void *data, OdlImage *image, GError **error),
                 void *data,
                 GError **error)
{
  g_autofree char *note = NULL;
  g_autoptr (OdlPlan) plan = NULL;

  if (image == NULL) {
    odl_runner_begin (runner);
    return true;
  }
  const OdlGeometry geometry = odl_runner_geometry (runner, image);
  g_autoptr (OdlPlan) made = odl_plan_new (recipe, &geometry, error);
  if (made == NULL)
    return false;
  const int frames = odl_plan_frames (made);
  if (frames > 0 && index + frames <= wanted) {
    odl_runner_pass (runner, image);
    return true;
  }
  if (measure != NULL && !measure (data, image, error))
    return false;
  g_autoptr (OdlImage) result
      = odl_runner_process (runner, recipe, image, &plan, &note, error);
  return result != NULL;
}

// ---- the three stages ----------------------------------------------------------------

static bool
is_too_late (OdlFrames *self, const OdlReadFrame *frame)
{
  const OdlFramesJob *job = &self->job;

  if (self->from_ns < 0 && frame->index >= job->first)
    self->from_ns = frame->time_ns;
  return job->duration_ns > 0 && self->from_ns >= 0
         && frame->time_ns - self->from_ns >= job->duration_ns;
}

// The frames before one that cannot be read are kept.
static void *
read_stage (void *data, GError **error)
{
  OdlFrames *self = data;
  const OdlFramesJob *job = &self->job;
  g_autoptr (OdlReadFrame) frame
      = odl_frame_reader_next (self->reader, job->cancellable, &self->read_error);

  if (frame == NULL || is_too_late (self, frame)
      || (job->blank != NULL && !job->blank (job->data, frame, error)))
    return NULL;
  self->count.damaged += frame->damaged && frame->index >= job->first;
  return g_steal_pointer (&frame);
}

// Slices of a volume that are damaged end no take: their volume is filtered as a whole.
static bool
cross (OdlFrames *self, OdlFilteredFrame *filtered, GError **error)
{
  const OdlFramesJob *job = &self->job;
  OdlReadFrame *frame = filtered->frame;
  const OdlGeometry geometry = odl_runner_geometry (job->runner, frame->image);

  if (job->volumes == NULL)
    odl_runner_begin (job->runner);
  frame->damaged = true;
  filtered->plan = odl_plan_new (job->recipe, &geometry, error);
  filtered->result = odl_damaged_cross (frame->image);
  if (filtered->plan == NULL || filtered->result != NULL)
    return filtered->plan != NULL;
  const OdlExtent *extent = &odl_image_info (frame->image)->extent;
  return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                        _ ("there is not enough memory for an image of %d × %d pixels"),
                        extent->x, extent->y);
}

static OdlImage *
take_volume (OdlFrames *self, OdlFilteredFrame *filtered, char **note, GError **error)
{
  const OdlFramesJob *job = &self->job;
  OdlReadFrame *frame = filtered->frame;

  if (job->filtering != NULL)
    job->filtering (job->data, true);
  OdlImage *result
      = odl_volumes_take (job->volumes, frame->index, &filtered->plan, note, error);
  if (job->filtering != NULL)
    job->filtering (job->data, false);
  if (result != NULL)
    odl_volumes_share_values (job->volumes, frame->index, &frame->image);
  return result;
}

static bool
filter (OdlFrames *self, OdlFilteredFrame *filtered, GError **error)
{
  const OdlFramesJob *job = &self->job;
  OdlReadFrame *frame = filtered->frame;
  const int64_t left = odl_frame_reader_count (self->reader) - self->count.filtered - 1;
  g_autofree char *note = NULL;

  odl_runner_expect (job->runner, (int) CLAMP (left, 0, G_MAXINT));
  if (job->measure != NULL && !job->measure (job->data, frame->image, error))
    return false;
  filtered->result = job->volumes != NULL
                         ? take_volume (self, filtered, &note, error)
                         : odl_runner_process (job->runner, job->recipe, frame->image,
                                               &filtered->plan, &note, error);
  self->count.flawed
      += frame->index >= job->first && odl_image_info (frame->image)->mark != NULL;
  if (note != NULL && job->note != NULL)
    job->note (job->data, note);
  return filtered->result != NULL;
}

// Of a volume that cannot be filtered each frame is a cross, and the next ones go on.
static bool
filter_or_cross (OdlFrames *self, OdlFilteredFrame *filtered, GError **error)
{
  const OdlFramesJob *job = &self->job;
  g_autoptr (GError) cause = NULL;

  if (filter (self, filtered, &cause))
    return true;
  if (job->volumes == NULL || odl_volumes_unit (job->volumes) == 1
      || !g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT)) {
    g_propagate_error (error, g_steal_pointer (&cause));
    return false;
  }
  if (self->count.crossed++ == 0 && job->note != NULL)
    job->note (job->data, cause->message);
  odl_runner_begin (job->runner);
  return cross (self, filtered, error);
}

// Before the first frame that is handed on.
static bool
lead (OdlFrames *self, OdlFilteredFrame *filtered, GError **error)
{
  const OdlFramesJob *job = &self->job;
  const OdlReadFrame *frame = filtered->frame;

  if (job->volumes == NULL)
    return odl_frames_lead (job->runner, job->recipe,
                            frame->damaged ? NULL : frame->image, frame->index,
                            job->first, job->measure, job->data, error);
  const bool done = filter (self, filtered, error);
  g_clear_pointer (&filtered->result, odl_image_unref);
  g_clear_pointer (&filtered->plan, odl_plan_unref);
  return done;
}

// True with nothing done: the picture before stands once more.
static bool
work (OdlFrames *self, OdlFilteredFrame *filtered, GError **error)
{
  const OdlFramesJob *job = &self->job;
  OdlReadFrame *frame = filtered->frame;

  if (!frame->damaged && job->prepare != NULL
      && !job->prepare (job->data, &frame->image, frame->index, error))
    return false;
  if (frame->index < job->first)
    return lead (self, filtered, error);
  if (frame->again && job->repeats && !self->depends && self->count.filtered > 0)
    return true;
  if (!(frame->damaged ? cross (self, filtered, error)
                       : filter_or_cross (self, filtered, error)))
    return false;
  self->count.filtered++;
  return job->filtered == NULL || job->filtered (job->data, filtered, error);
}

static void *
work_stage (void *data, void *item, GError **error)
{
  OdlFilteredFrame *filtered = g_new0 (OdlFilteredFrame, 1);

  filtered->frame = item;
  if (work (data, filtered, error))
    return filtered;
  filtered_free (filtered);
  return NULL;
}

static bool
write_stage (void *data, void *item, GError **error)
{
  OdlFrames *self = data;
  OdlFilteredFrame *filtered = item;
  const bool done = filtered->frame->index < self->job.first
                    || self->job.write (self->job.data, filtered, error);

  filtered_free (filtered);
  return done;
}

// ---- the whole -----------------------------------------------------------------------

// The last frame that is read; −1: the source's last one. Of an endless source, such as a
// phantom, as many are read as the duration has.
static int64_t
last_frame (const OdlFramesJob *job)
{
  const OdlSourceInfo *info = &job->source->info;

  if (job->last >= 0 || job->duration_ns <= 0 || !info->live || info->capture
      || info->frame_rate <= 0)
    return job->last;
  const double frames = ceil ((double) job->duration_ns * info->frame_rate / 1e9);
  return job->first + MAX ((int64_t) frames, 1) - 1;
}

OdlFrames *
odl_frames_new (const OdlFramesJob *job, GError **error)
{
  OdlFrameReader *reader
      = odl_frame_reader_new (job->source, job->begin, last_frame (job), error);

  if (reader == NULL)
    return NULL;
  OdlFrames *self = g_new0 (OdlFrames, 1);
  self->job = *job;
  self->reader = reader;
  self->from_ns = -1;
  if (job->default_rate > 0)
    odl_frame_reader_set_default_rate (reader, job->default_rate);
  return self;
}

void
odl_frames_free (OdlFrames *self)
{
  if (self == NULL)
    return;
  odl_frame_reader_free (self->reader);
  g_clear_error (&self->read_error);
  g_free (self);
}

int64_t
odl_frames_total (const OdlFrames *self)
{
  const int64_t all = odl_frame_reader_count (self->reader);

  return all > 0 ? all - (self->job.first - self->job.begin) : all;
}

double
odl_frames_rate (const OdlFrames *self)
{
  return odl_frame_reader_rate (self->reader);
}

bool
odl_frames_run (OdlFrames *self, GError **error)
{
  const OdlStages stages
      = { read_stage,    work_stage, write_stage, (GDestroyNotify) odl_read_frame_free,
          filtered_free, self };

  self->depends = odl_recipe_is_temporal (self->job.recipe) || self->job.volumes != NULL;
  return odl_stages_run (&stages, self->job.cancellable, error);
}

OdlFramesCount
odl_frames_count (const OdlFrames *self)
{
  return self->count;
}

const GError *
odl_frames_read_error (const OdlFrames *self)
{
  return self->read_error;
}
