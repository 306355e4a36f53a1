// SPDX-License-Identifier: MIT
// A window of decoded frames moves along the stream. Forward, it holds the current
// frame and the next. After seeking back, it also keeps the frames decoded on the way,
// so that playing backwards decodes each group of pictures once.
#include "source/video/reader.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"

// For streams whose rate is neither stated nor measurable.
#define DEFAULT_RATE 30.0

// Frames used to measure the rate.
#define MEASURED_FRAMES 9

// Frames whose times are compared with the container's.
#define COMPARED_FRAMES 5

// Frames further ahead than this are reached by seeking.
#define FAR_AHEAD_NS (2 * (int64_t) GST_SECOND)

// A smaller step back is an error of one frame; a larger step back, or an implausible
// step ahead, starts a new time base.
#define SLIP_NS ((int64_t) GST_SECOND / 2)
#define LEAP_NS (600 * (int64_t) GST_SECOND)

// Distance and factor for seeking further back when no usable frame was found.
#define STEP_BACK_NS ((int64_t) GST_SECOND)
#define STEP_FACTOR 4

// A decoder reports a loss up to this many frames before the resulting gap, because of
// frame reordering.
#define REORDERED_FRAMES 16

// Memory for frames kept behind the current one.
#define BEHIND_BYTES ((size_t) 48 << 20)

typedef struct {
  OdlImage *image; // NULL: unusable
  int64_t time_ns; // since the first frame of the stream
  int64_t duration_ns; // from the stream; 0: unknown
  bool after_loss; // data between the previous frame and this one was lost
} Frame;

struct _OdlVideoReader {
  OdlVideoPipeline *pipeline;
  double rate;
  OdlVideoRateOrigin origin;
  int64_t interval_ns;
  int64_t start_ns; // stream time of the first frame
  int64_t *times; // see odl_video_reader_times; NULL: not known
  int n_times; // number of frames in it
  int64_t stored_ns; // see odl_video_reader_stored_ns
  GQueue window; // of Frame, ascending in time
  size_t behind_bytes; // limit
  bool seekable, irregular;
  bool endless; // see odl_video_reader_set_endless
  bool sought; // a seek happened since the last start
  int64_t shift_ns; // added to times after a new time base
  int doubtful; // number of next frames that may follow the gap of a loss
  int64_t newest_ns; // time of the latest frame; −1: none since start or seek
  GError *end; // NULL: not reached
  int64_t end_ns; // end of the last frame, once known
  int64_t last_ns; // an interval before end_ns; −1: unknown
};

// ---- The window ----

static void
free_frame (void *data)
{
  Frame *frame = data;

  g_clear_pointer (&frame->image, odl_image_unref);
  g_free (frame);
}

static size_t
image_bytes (const OdlImage *image)
{
  if (image == NULL)
    return 0;
  const OdlImageInfo *info = odl_image_info (image);
  size_t bytes = 0;
  for (int c = 0; c < info->channels; c++) {
    const bool coarse = info->ycbcr.used && c > 0;
    const int shift = coarse ? info->ycbcr.shift_x + info->ycbcr.shift_y : 0;
    bytes += ((size_t) info->extent.x * info->extent.y * odl_sample_size (info->type))
             >> shift;
  }
  return bytes;
}

static const Frame *
frame_at (const OdlVideoReader *self, guint i)
{
  return g_queue_peek_nth ((GQueue *) &self->window, i);
}

// Drops frames before `time_ns` that are not needed for playing backwards.
static void
trim (OdlVideoReader *self, int64_t time_ns)
{
  size_t bytes = 0;

  for (const GList *l = self->window.head; l != NULL && l->next != NULL; l = l->next) {
    if (((const Frame *) l->next->data)->time_ns > time_ns)
      break;
    bytes += image_bytes (((const Frame *) l->data)->image);
  }
  while (self->window.length > 1 && frame_at (self, 1)->time_ns <= time_ns
         && bytes > self->behind_bytes) {
    bytes -= image_bytes (frame_at (self, 0)->image);
    free_frame (g_queue_pop_head (&self->window));
  }
  // Without a memory budget, frames without pixels are dropped, too.
  while (self->behind_bytes == 0 && self->window.length > 1
         && frame_at (self, 1)->time_ns <= time_ns)
    free_frame (g_queue_pop_head (&self->window));
}

static void
forget (OdlVideoReader *self)
{
  g_queue_clear_full (&self->window, free_frame);
  g_clear_error (&self->end);
  self->newest_ns = -1;
  self->shift_ns = 0;
  self->doubtful = 0;
}

// ---- Decoding ----

// The time of a frame with stream time `pts_ns`, or −1, that follows the one at
// newest_ns.
static int64_t
time_of (OdlVideoReader *self, int64_t pts_ns)
{
  const int64_t next_ns = self->newest_ns + self->interval_ns;
  int64_t time_ns = pts_ns - self->start_ns + self->shift_ns;

  if (pts_ns < 0) {
    self->irregular = true;
    return self->newest_ns < 0 ? 0 : next_ns;
  }
  if (self->newest_ns < 0
      || (time_ns > self->newest_ns && time_ns < self->newest_ns + LEAP_NS))
    return MAX (time_ns, 0);
  self->irregular = true;
  if (time_ns <= self->newest_ns - SLIP_NS || time_ns > self->newest_ns)
    self->shift_ns += next_ns - time_ns;
  return next_ns;
}

// 1.5 intervals, since many containers round times.
static bool
is_gap (const OdlVideoReader *self, int64_t distance_ns)
{
  return self->newest_ns >= 0 && distance_ns > self->interval_ns * 3 / 2;
}

// Whether a frame comes before the first one that is to be shown: a part of one is left
// where an edit begins within it.
static bool
is_before_first (const OdlVideoReader *self, const OdlImage *image)
{
  return self->times != NULL && image != NULL && odl_image_info (image)->pts_ns >= 0
         && odl_image_info (image)->pts_ns < self->start_ns - ODL_VIDEO_ROUNDING_NS;
}

// Decodes one frame, possibly unusable, to the end of the window. False: end or error.
static bool
decode (OdlVideoReader *self, GCancellable *cancellable, GError **error)
{
  OdlVideoFrame decoded = { 0 };
  GError *cause = NULL;

  if (!odl_video_pipeline_next (self->pipeline, &decoded, cancellable, &cause)) {
    if (!g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT)) {
      // After other errors the position is unknown.
      if (!g_error_matches (cause, ODL_ERROR, ODL_ERROR_END)
          && !g_error_matches (cause, ODL_ERROR, ODL_ERROR_CANCELLED))
        forget (self);
      g_propagate_error (error, cause);
      return false;
    }
    g_clear_error (&cause);
  }
  if (is_before_first (self, decoded.image)) {
    odl_image_unref (decoded.image);
    return decode (self, cancellable, error);
  }
  Frame *frame = g_new0 (Frame, 1);
  frame->image = decoded.image;
  frame->duration_ns = decoded.duration_ns;
  if (decoded.image == NULL) {
    frame->time_ns = MAX (self->newest_ns, 0) + self->interval_ns;
  } else {
    const OdlImageInfo *info = odl_image_info (decoded.image);
    frame->time_ns = time_of (self, info->pts_ns);
    if (info->pts_ns < 0 || self->shift_ns != 0) {
      OdlImageInfo timed = *info;
      timed.pts_ns = frame->time_ns + self->start_ns;
      frame->image = odl_image_with_info (decoded.image, &timed);
      odl_image_unref (decoded.image);
    }
  }
  if (decoded.after_loss)
    self->doubtful = REORDERED_FRAMES;
  frame->after_loss
      = self->doubtful > 0 && is_gap (self, frame->time_ns - self->newest_ns);
  self->doubtful = frame->after_loss ? 0 : MAX (self->doubtful - 1, 0);
  self->newest_ns = frame->time_ns;
  g_queue_push_tail (&self->window, frame);
  return true;
}

// Duration of the last frame: from the stream, if consistent with the container's.
static int64_t
last_stay_ns (OdlVideoReader *self, const Frame *last)
{
  const int64_t length_ns = odl_video_pipeline_duration_ns (self->pipeline);

  return MAX (self->interval_ns, MIN (last->duration_ns, length_ns - last->time_ns));
}

static void
set_end (OdlVideoReader *self, GError *cause)
{
  const Frame *last = g_queue_peek_tail (&self->window);

  self->end = cause;
  self->end_ns
      = self->newest_ns + (last != NULL ? last_stay_ns (self, last) : self->interval_ns);
  self->last_ns = self->end_ns - self->interval_ns;
}

// Errors about the first frame cannot occur here: it was decoded when opening.
static void
set_error (GError **error, GError *cause)
{
  if (!g_error_matches (cause, ODL_ERROR, ODL_ERROR_END)) {
    g_propagate_error (error, cause);
    return;
  }
  g_set_error (error, ODL_ERROR, ODL_ERROR_IO, _ ("the video can no longer be read%s%s"),
               *cause->message != '\0' ? ": " : "", cause->message);
  g_error_free (cause);
}

// Decodes until the frame displayed at `time_ns` is known.
static bool
decode_until (OdlVideoReader *self,
              int64_t time_ns,
              GCancellable *cancellable,
              GError **error)
{
  while (self->end == NULL && self->newest_ns <= time_ns) {
    g_autoptr (GError) cause = NULL;
    if (decode (self, cancellable, &cause)) {
      trim (self, time_ns);
    } else if (g_error_matches (cause, ODL_ERROR, ODL_ERROR_END)
               && self->newest_ns >= 0) {
      set_end (self, g_steal_pointer (&cause));
    } else {
      set_error (error, g_steal_pointer (&cause));
      return false;
    }
  }
  return true;
}

// ---- Seeking ----

// False: cancelled.
static bool
start_over (OdlVideoReader *self, GCancellable *cancellable, GError **error)
{
  forget (self);
  self->sought = false;
  return odl_video_pipeline_restart (self->pipeline, cancellable)
         || !g_cancellable_is_cancelled (cancellable)
         || odl_error_set (error, ODL_ERROR_CANCELLED, "%s", _ ("cancelled"));
}

// Drops leading frames that were decoded without their references, as at the start of
// an open group of pictures. True if the remaining window starts at or before
// `time_ns`.
static bool
begins_before (OdlVideoReader *self,
               int64_t time_ns,
               GCancellable *cancellable,
               GError **error)
{
  g_autoptr (GError) cause = NULL;
  const Frame *first = NULL;

  while (decode (self, cancellable, &cause)) {
    first = frame_at (self, 0);
    if (first->image != NULL && odl_image_info (first->image)->mark == NULL)
      break;
    // Already beyond the requested time.
    if (first->time_ns > time_ns)
      return false;
    free_frame (g_queue_pop_head (&self->window));
    first = NULL;
  }
  // The end only means that decoding started too late.
  if (cause != NULL && !g_error_matches (cause, ODL_ERROR, ODL_ERROR_END))
    g_propagate_error (error, g_steal_pointer (&cause));
  return first != NULL && first->time_ns <= time_ns;
}

// Positions decoding at or before `time_ns`.
static bool
go_to (OdlVideoReader *self, int64_t time_ns, GCancellable *cancellable, GError **error)
{
  int64_t step_ns = STEP_BACK_NS;
  int64_t from_ns = time_ns;

  while (self->seekable && !self->irregular && from_ns > -step_ns) {
    GError *cause = NULL;
    forget (self);
    self->sought = true;
    self->seekable = odl_video_pipeline_seek (
        self->pipeline, MAX (from_ns, 0) + self->start_ns, cancellable);
    if (!self->seekable && g_cancellable_is_cancelled (cancellable)) {
      self->seekable = true;
      return odl_error_set (error, ODL_ERROR_CANCELLED, "%s", _ ("cancelled"));
    }
    if (self->seekable && begins_before (self, time_ns, cancellable, &cause)
        && !self->irregular)
      return true;
    if (cause != NULL) {
      g_propagate_error (error, cause);
      return false;
    }
    from_ns -= step_ns;
    step_ns = from_ns > 0 ? step_ns * STEP_FACTOR : 0;
  }
  return start_over (self, cancellable, error);
}

// True if the position is unknown because the stream turned out irregular after a
// seek.
static bool
is_lost (const OdlVideoReader *self)
{
  return self->sought && (self->irregular || (self->endless && self->end != NULL));
}

void
odl_video_reader_set_endless (OdlVideoReader *self)
{
  self->endless = true;
}

static bool
reach (OdlVideoReader *self, int64_t time_ns, GCancellable *cancellable, GError **error)
{
  const bool back = self->window.length > 0 && time_ns < frame_at (self, 0)->time_ns;
  const bool far = self->newest_ns >= 0 && time_ns > self->newest_ns + FAR_AHEAD_NS
                   && self->end == NULL && self->seekable && !self->irregular;

  if (!back)
    trim (self, time_ns);
  if (back)
    self->behind_bytes = BEHIND_BYTES;
  if ((back || far || self->window.length == 0)
      && !go_to (self, time_ns, cancellable, error))
    return false;
  return decode_until (self, time_ns, cancellable, error);
}

OdlImage *
odl_video_reader_at (OdlVideoReader *self,
                     int64_t time_ns,
                     GCancellable *cancellable,
                     GError **error)
{
  if (time_ns >= self->newest_ns)
    self->behind_bytes = 0;
  bool done = reach (self, time_ns, cancellable, error);
  if (done && is_lost (self))
    done = start_over (self, cancellable, error)
           && decode_until (self, time_ns, cancellable, error);
  if (!done)
    return NULL;
  const Frame *now = NULL, *next = NULL;
  for (const GList *l = self->window.head; l != NULL && next == NULL; l = l->next) {
    const Frame *frame = l->data;
    if (frame->time_ns <= time_ns)
      now = frame;
    else
      next = frame;
  }
  if (self->end != NULL && next == NULL && (now == NULL || time_ns >= self->end_ns)) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_END, self->end->message);
    return NULL;
  }
  const bool lost = now != NULL && next != NULL && next->after_loss
                    && time_ns > now->time_ns + self->interval_ns;
  if (now != NULL && now->image != NULL && !lost)
    return odl_image_ref (now->image);
  return odl_error_null (error, ODL_ERROR_CORRUPT,
                         _ ("a frame of the video is damaged; the others play"));
}

// ---- Opening ----

static void
set_rate (OdlVideoReader *self, double rate, OdlVideoRateOrigin origin)
{
  self->rate = CLAMP (rate, 0.01, 1000);
  self->origin = origin;
  self->interval_ns = (int64_t) (GST_SECOND / self->rate);
}

// The mean interval of the first frames, if all agree up to the milliseconds to which
// containers round; else the shortest, so that no frame is skipped.
static bool
measure_rate (OdlVideoReader *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) cause = NULL;
  int64_t shortest_ns = G_MAXINT64, longest_ns = 1;

  while (self->window.length < MEASURED_FRAMES)
    if (!decode (self, cancellable, &cause))
      break;
  if (g_error_matches (cause, ODL_ERROR, ODL_ERROR_CANCELLED)) {
    g_propagate_error (error, g_steal_pointer (&cause));
    return false;
  }
  const guint n = self->window.length;
  for (guint i = 1; i < n; i++) {
    const int64_t ns = frame_at (self, i)->time_ns - frame_at (self, i - 1)->time_ns;
    shortest_ns = MIN (shortest_ns, ns);
    longest_ns = MAX (longest_ns, ns);
  }
  if (n > 1 && !self->irregular) {
    const bool even = longest_ns - shortest_ns <= 2 * GST_MSECOND;
    const double mean_ns = (double) frame_at (self, n - 1)->time_ns / (n - 1);
    const double rate = (double) GST_SECOND / (even ? mean_ns : (double) shortest_ns);
    set_rate (self, fabs (rate - round (rate)) < 0.01 * rate ? round (rate) : rate,
              ODL_VIDEO_RATE_MEASURED);
  }
  if (cause != NULL)
    set_end (self, g_steal_pointer (&cause));
  return true;
}

// ---- Times of all frames ----

// Keeps those from the first frame on that could be decoded.
static void
take_times (OdlVideoReader *self, const OdlVideoTimes *found, int64_t first_ns)
{
  const int64_t *at = (const int64_t *) (void *) found->frames->data;
  guint n = found->frames->len;

  while (!found->of_decoding && n > 0 && *at < first_ns - ODL_VIDEO_ROUNDING_NS) {
    at++;
    n--;
  }
  if (n == 0 || n >= G_MAXINT)
    return;
  self->n_times = (int) n;
  self->times = g_new (int64_t, n + 1);
  for (guint i = 0; i < n; i++)
    self->times[i] = at[i] - at[0];
  const OdlVideoPace pace = odl_video_times_pace (self->times, self->n_times,
                                                  self->pipeline->stream.kind.rate);
  if (n > 1 && (!pace.even || pace.rate != self->rate))
    set_rate (self, pace.rate, pace.even ? ODL_VIDEO_RATE_MEASURED : ODL_VIDEO_RATE_MEAN);
  const int64_t rest_ns = found->end_ns - at[n - 1];
  const bool alone = !self->pipeline->stream.has_others;
  self->times[n] = self->times[n - 1]
                   + (alone && rest_ns > 0 ? rest_ns : MAX (self->interval_ns, 1));
  if (!found->of_decoding)
    self->start_ns = at[0];
  self->stored_ns = found->end_ns;
}

// Whether the first frames arrive at the times that the container has for them: not so if
// fields are stored as frames, or a decoder counts instead of reading times.
static bool
agree (OdlVideoReader *self, GCancellable *cancellable)
{
  const guint n = (guint) MIN (self->n_times, COMPARED_FRAMES);
  g_autoptr (GError) cause = NULL;

  while (self->window.length < n && decode (self, cancellable, &cause))
    ;
  if (g_error_matches (cause, ODL_ERROR, ODL_ERROR_END))
    set_end (self, g_steal_pointer (&cause));
  for (guint i = 0; i < MIN (n, self->window.length); i++)
    if (frame_at (self, i)->image != NULL
        && llabs (frame_at (self, i)->time_ns - self->times[i]) > ODL_VIDEO_ROUNDING_NS)
      return false;
  return !self->irregular;
}

// The first frame is at time 0, whatever its stream time.
static bool
begin (OdlVideoReader *self,
       const OdlVideoTimes *found,
       GCancellable *cancellable,
       GError **error)
{
  const double stated = self->pipeline->stream.kind.rate;
  Frame *first = g_queue_peek_head (&self->window);
  const int64_t pts_ns = odl_image_info (first->image)->pts_ns;

  self->start_ns = MAX (pts_ns, 0);
  first->time_ns = self->newest_ns = 0;
  if (found->frames != NULL && pts_ns >= 0)
    take_times (self, found, pts_ns);
  if (self->times != NULL && is_before_first (self, first->image)) {
    free_frame (g_queue_pop_head (&self->window));
    self->newest_ns = -1;
    if (!decode (self, cancellable, error))
      return false;
  }
  if (self->times != NULL && !agree (self, cancellable)) {
    g_clear_pointer (&self->times, g_free);
    self->n_times = 0;
    set_rate (self, stated > 0 ? stated : DEFAULT_RATE,
              stated > 0 ? ODL_VIDEO_RATE_STATED : ODL_VIDEO_RATE_ASSUMED);
  }
  return self->times != NULL || stated > 0 || measure_rate (self, cancellable, error);
}

OdlVideoReader *
odl_video_reader_new (OdlVideoPipeline *pipeline,
                      GCancellable *cancellable,
                      GError **error)
{
  OdlVideoReader *self = g_new0 (OdlVideoReader, 1);
  const double rate = pipeline->stream.kind.rate;

  self->pipeline = pipeline;
  self->seekable = true;
  self->newest_ns = self->last_ns = -1;
  g_queue_init (&self->window);
  set_rate (self, rate > 0 ? rate : DEFAULT_RATE,
            rate > 0 ? ODL_VIDEO_RATE_STATED : ODL_VIDEO_RATE_ASSUMED);
  OdlVideoTimes found;
  odl_video_pipeline_times (pipeline, cancellable, &found);
  bool done = decode (self, cancellable, error);
  if (done && frame_at (self, 0)->image != NULL)
    done = begin (self, &found, cancellable, error);
  odl_video_times_clear (&found);
  if (done)
    return self;
  odl_video_reader_free (self);
  return NULL;
}

void
odl_video_reader_free (OdlVideoReader *self)
{
  if (self == NULL)
    return;
  forget (self);
  odl_video_pipeline_close (self->pipeline);
  g_free (self->times);
  g_free (self);
}

const int64_t *
odl_video_reader_times (const OdlVideoReader *self, int *n_frames)
{
  *n_frames = self->n_times;
  return self->times;
}

int64_t
odl_video_reader_stored_ns (const OdlVideoReader *self)
{
  return self->stored_ns;
}

double
odl_video_reader_rate (const OdlVideoReader *self, OdlVideoRateOrigin *origin)
{
  if (origin != NULL)
    *origin = self->origin;
  return self->rate;
}

int64_t
odl_video_reader_last_ns (const OdlVideoReader *self)
{
  return self->last_ns;
}
