// SPDX-License-Identifier: MIT
#include "video_decoder/pipeline.h"

#include <glib/gi18n-lib.h>
#include <gst/pbutils/pbutils.h>
#include <time.h>

#include "base/error.h"
#include "base/text.h"
#include "video_decoder/amend.h"
#include "video_decoder/file_src.h"
#include "video_decoder/protocol.h"
#include "video_decoder/rest.h"
#include "video_decoder/size_guard.h"

// Decoded frames in the queue; decoders hold more.
#define QUEUED_FRAMES 2

// Poll interval for cancellation and bus messages.
#define POLL_NS (20 * GST_MSECOND)

// Consecutive polls with all streaming threads idle: nothing will come. On a busy machine
// a thread that is about to begin needs some of them.
#define IDLE_POLLS 50

typedef struct {
  OdlVideoPipeline base;
  OdlSizeGuard *guard;
  OdlAmend *amend;
  OdlImagePool *pool; // for frames that must be copied
  bool (*interrupted) (void);
  GstElement *pipeline;
  GstElement *deinterlace;
  GstAppSink *sink;
  GstBus *bus;
  OdlVideoFrame first; // decoded on opening, not taken yet
  GstVideoOrientationMethod turn;
  bool anew; // no frame since start or seek
  char *missing; // what the missing plugin is for
  GError *failure; // from the bus
  GMutex names_mutex; // guards the next two
  char *codec; // from the negotiated caps
  char *container;
  gint has_video; // atomic
  gint has_others; // atomic
  gint knows_streams; // atomic
} Local;

// ---- Building ----

static void
name_by_caps (Local *self, char **name, const GstCaps *caps)
{
  g_mutex_lock (&self->names_mutex);
  if (*name == NULL)
    *name = gst_pb_utils_get_codec_description (caps);
  g_mutex_unlock (&self->names_mutex);
}

// Called for each stream; false leaves it undecoded, as audio and subtitles.
static gboolean
autoplug_continue_cb (GstElement *decoder, GstPad *pad, GstCaps *caps, Local *self)
{
  const GstPbUtilsCapsDescriptionFlags flags
      = gst_pb_utils_get_caps_description_flags (caps);

  if ((flags & GST_PBUTILS_CAPS_DESCRIPTION_FLAG_CONTAINER) != 0) {
    name_by_caps (self, &self->container, caps);
    return TRUE;
  }
  if ((flags
       & (GST_PBUTILS_CAPS_DESCRIPTION_FLAG_VIDEO
          | GST_PBUTILS_CAPS_DESCRIPTION_FLAG_IMAGE))
      != 0) {
    name_by_caps (self, &self->codec, caps);
    g_atomic_int_set (&self->has_video, TRUE);
  }
  const bool other = (flags
                      & (GST_PBUTILS_CAPS_DESCRIPTION_FLAG_AUDIO
                         | GST_PBUTILS_CAPS_DESCRIPTION_FLAG_SUBTITLE))
                     != 0;
  if (other)
    g_atomic_int_set (&self->has_others, TRUE);
  return !other;
}

static void
no_more_pads_cb (GstElement *decoder, Local *self)
{
  g_atomic_int_set (&self->knows_streams, TRUE);
}

// Called before no-more-pads. autoplug-continue does not see all video caps: not those
// of YUV4MPEG.
static void
pad_added_cb (GstElement *element, GstPad *pad, Local *self)
{
  g_autoptr (GstPad) sink = gst_element_get_static_pad (self->deinterlace, "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  const bool raw
      = caps != NULL
        && gst_structure_has_name (gst_caps_get_structure (caps, 0), "video/x-raw");

  if (raw)
    g_atomic_int_set (&self->has_video, TRUE);
  if (gst_pad_is_linked (sink))
    g_atomic_int_set (&self->has_others, TRUE);
  else if (raw || caps == NULL)
    gst_pad_link (pad, sink);
}

static GstElement *
make (GstElement *pipeline, const char *factory, GError **error)
{
  GstElement *element = gst_element_factory_make (factory, NULL);

  if (element == NULL)
    return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                           _ ("GStreamer's element %s is not installed; install "
                              "gstreamer1.0-plugins-base and -good"),
                           factory);
  gst_bin_add (GST_BIN (pipeline), element);
  return element;
}

// Tells decoders that any row stride is acceptable, so that they output their own
// padded memory instead of a copy.
static GstPadProbeReturn
allocation_cb (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

static GstElement *
make_sink (Local *self, GError **error)
{
  GstElement *sink = make (self->pipeline, "appsink", error);

  if (sink == NULL)
    return NULL;
  self->sink = GST_APP_SINK (sink);
  g_autoptr (GstCaps) caps = odl_gst_frame_caps ();
  g_object_set (sink, "caps", caps, "sync", FALSE, "max-buffers", QUEUED_FRAMES,
                "enable-last-sample", FALSE, NULL);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, allocation_cb, NULL, NULL);
  return sink;
}

static bool
make_decoder (Local *self, int fd, GError **error)
{
  GstElement *decoder = make (self->pipeline, "decodebin", error);

  if (decoder == NULL)
    return false;
  GstElement *file = odl_file_src_new (fd);
  gst_bin_add (GST_BIN (self->pipeline), file);
  g_signal_connect (decoder, "autoplug-continue", G_CALLBACK (autoplug_continue_cb),
                    self);
  g_signal_connect (decoder, "no-more-pads", G_CALLBACK (no_more_pads_cb), self);
  g_signal_connect (decoder, "pad-added", G_CALLBACK (pad_added_cb), self);
  return gst_element_link (file, decoder);
}

static bool
make_described (Local *self, const char *description, GstElement *next, GError **error)
{
  GstElement *bin = gst_parse_bin_from_description (description, TRUE, error);

  if (bin == NULL)
    return false;
  gst_bin_add (GST_BIN (self->pipeline), bin);
  return gst_element_link (bin, next);
}

// file ! decodebin ! deinterlace ! videoconvert ! appsink; elements pass frames through
// that need no processing. (decodebin3 of GStreamer 1.22 starts reading before decoding:
// of a thousand short files on a busy machine, seven fail to open. Fixing the order makes
// it hang, or output data without a segment, when it is closed while linking.) Of
// interlaced frames one field is interpolated, independent of other frames, so that frame
// numbers and results do not depend on what was decoded before.
static bool
build (Local *self, int fd, const char *description, GError **error)
{
  self->pipeline = gst_object_ref_sink (gst_pipeline_new (NULL));
  self->guard = odl_size_guard_new (GST_BIN (self->pipeline));
  self->bus = gst_element_get_bus (self->pipeline);
  self->deinterlace = make (self->pipeline, "deinterlace", error);
  if (self->deinterlace == NULL)
    return false;
  gst_util_set_object_arg (G_OBJECT (self->deinterlace), "fields", "top");
  g_autoptr (GstPad) raw = gst_element_get_static_pad (self->deinterlace, "sink");
  self->amend = odl_amend_new (GST_BIN (self->pipeline), raw, fd);
  GstElement *convert = make (self->pipeline, "videoconvert", error);
  GstElement *sink = convert != NULL ? make_sink (self, error) : NULL;
  if (sink == NULL || !gst_element_link_many (self->deinterlace, convert, sink, NULL))
    return false;
  return description == NULL
             ? make_decoder (self, fd, error)
             : make_described (self, description, self->deinterlace, error);
}

// ---- Messages ----

static void
take_tag (char **to, const GstTagList *tags, const char *tag)
{
  g_autofree char *text = NULL;

  if (*to == NULL && gst_tag_list_get_string (tags, tag, &text))
    *to = g_steal_pointer (&text);
}

static void
take_message (Local *self, GstMessage *message)
{
  g_autoptr (GstTagList) tags = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
  case GST_MESSAGE_ERROR:
    if (self->failure == NULL) {
      gst_message_parse_error (message, &self->failure, NULL);
      odl_text_cut_stop (self->failure->message);
    }
    break;
  case GST_MESSAGE_TAG:
    gst_message_parse_tag (message, &tags);
    take_tag (&self->base.stream.codec, tags, GST_TAG_VIDEO_CODEC);
    take_tag (&self->base.stream.container, tags, GST_TAG_CONTAINER_FORMAT);
    break;
  case GST_MESSAGE_ELEMENT:
    if (gst_is_missing_plugin_message (message) && self->missing == NULL)
      self->missing = gst_missing_plugin_message_get_description (message);
    break;
  default:
    break;
  }
}

static void
take_messages (Local *self)
{
  GstMessage *message;

  while ((message = gst_bus_pop (self->bus)) != NULL) {
    take_message (self, message);
    gst_message_unref (message);
  }
}

// The reason why there is no first frame.
static void
explain (Local *self, GError **error)
{
  const bool has_video = g_atomic_int_get (&self->has_video);
  const bool knows_streams = g_atomic_int_get (&self->knows_streams);

  if (self->missing != NULL && (has_video || !knows_streams))
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("GStreamer lacks what is needed to play it: %s; install the plugins "
                    "gstreamer1.0-libav or gstreamer1.0-plugins-bad"),
                 self->missing);
  else if (knows_streams && !has_video)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("it holds no video"));
  else if (self->failure != NULL)
    g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT, _ ("it cannot be played (%s)"),
                 self->failure->message);
  else
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                         _ ("it ends before its first frame"));
}

// ---- Frames ----

static void
take_orientation (Local *self, GstEvent *event)
{
  GstTagList *tags = NULL;
  GstVideoOrientationMethod turn;

  gst_event_parse_tag (event, &tags);
  if (gst_video_orientation_from_tag (tags, &turn))
    self->turn = turn;
}

// Restores the orientation after a flush, from the sink's sticky events.
static void
recall_orientation (Local *self)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (GST_ELEMENT (self->sink), "sink");
  GstEvent *event;

  for (guint i = 0; (event = gst_pad_get_sticky_event (pad, GST_EVENT_TAG, i)); i++) {
    take_orientation (self, event);
    gst_event_unref (event);
  }
}

static void
take_event (Local *self, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START)
    self->turn = GST_VIDEO_ORIENTATION_IDENTITY;
  else if (GST_EVENT_TYPE (event) == GST_EVENT_TAG)
    take_orientation (self, event);
}

// The next sample, if one arrives shortly. Handles events in between.
static GstSample *
pull (Local *self)
{
  GstMiniObject *object = gst_app_sink_try_pull_object (self->sink, POLL_NS);

  for (; object != NULL; object = gst_app_sink_try_pull_object (self->sink, POLL_NS)) {
    if (GST_IS_SAMPLE (object))
      return GST_SAMPLE (object);
    if (GST_IS_EVENT (object))
      take_event (self, GST_EVENT (object));
    gst_mini_object_unref (object);
  }
  return NULL;
}

static void
set_end (Local *self, GError **error)
{
  if (self->failure == NULL)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_END, "");
  else
    g_set_error (error, ODL_ERROR, ODL_ERROR_END,
                 _ ("the rest of the video is damaged (%s)"), self->failure->message);
}

// CPU time of all threads.
static int64_t
used_ns (void)
{
  struct timespec used;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * GST_SECOND + used.tv_nsec;
}

static GstSample *
wait_for_sample (Local *self, GCancellable *cancellable, GError **error)
{
  const int64_t begin_ns = used_ns ();
  int still = 0;

  while (used_ns () - begin_ns < ODL_VIDEO_PATIENCE_NS) {
    if (g_cancellable_is_cancelled (cancellable)
        || (self->interrupted != NULL && self->interrupted ()))
      return odl_error_null (error, ODL_ERROR_CANCELLED, _ ("cancelled"));
    GstSample *sample = pull (self);
    take_messages (self);
    if (sample != NULL)
      return sample;
    if (odl_size_guard_check (self->guard, error))
      return NULL;
    const bool nothing_to_come
        = g_atomic_int_get (&self->knows_streams) && !g_atomic_int_get (&self->has_video);
    still = odl_pipeline_is_running (GST_BIN (self->pipeline)) ? 0 : still + 1;
    if (gst_app_sink_is_eos (self->sink) || self->failure != NULL || nothing_to_come
        || still >= IDLE_POLLS) {
      set_end (self, error);
      return NULL;
    }
  }
  return odl_error_null (error, ODL_ERROR_TOO_LARGE,
                         _ ("decoding it takes too long and was stopped"));
}

static bool
take_sample (Local *self, GstSample *sample, OdlVideoFrame *frame, GError **error)
{
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  const OdlGstFrameRequest request = { .turn = self->turn,
                                       .opaque = odl_amend_is_opaque (self->amend),
                                       .pool = self->pool };

  *frame = (OdlVideoFrame){
    .image = odl_gst_frame_image (sample, &request, error),
    .duration_ns = buffer != NULL && GST_BUFFER_DURATION_IS_VALID (buffer)
                       ? (int64_t) MIN (GST_BUFFER_DURATION (buffer), G_MAXINT64 / 4)
                       : 0,
    .after_loss = buffer != NULL && !self->anew
                  && GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DISCONT),
  };
  self->anew = false;
  return frame->image != NULL;
}

// The decoder's format, except for the rate, which applies to later frames.
static void
describe_stream (Local *self, GstSample *sample)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (self->deinterlace, "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  OdlGstFrameKind decoded;

  odl_gst_frame_describe (gst_sample_get_caps (sample), &self->base.stream.kind);
  if (odl_gst_frame_describe (caps, &decoded)) {
    decoded.rate = self->base.stream.kind.rate;
    self->base.stream.kind = decoded;
  }
  self->base.stream.turn = self->turn;
}

static bool
take_first (Local *self, GCancellable *cancellable, GError **error)
{
  GError *failure = NULL;
  GstSample *sample = wait_for_sample (self, cancellable, &failure);

  if (sample == NULL && g_error_matches (failure, ODL_ERROR, ODL_ERROR_END)) {
    g_clear_error (&failure);
    explain (self, error);
  } else if (sample == NULL) {
    g_propagate_error (error, failure);
  } else {
    take_sample (self, sample, &self->first, error);
    describe_stream (self, sample);
    gst_sample_unref (sample);
  }
  return self->first.image != NULL;
}

static void
complete_names (Local *self)
{
  g_mutex_lock (&self->names_mutex);
  if (self->base.stream.codec == NULL)
    self->base.stream.codec = g_strdup (self->codec);
  if (self->base.stream.container == NULL)
    self->base.stream.container = g_strdup (self->container);
  self->base.stream.has_others = g_atomic_int_get (&self->has_others);
  g_mutex_unlock (&self->names_mutex);
}

static void
local_close (OdlVideoPipeline *pipeline)
{
  Local *self = (Local *) pipeline;

  odl_size_guard_release (self->guard);
  g_clear_pointer (&self->first.image, odl_image_unref);
  if (self->pipeline != NULL)
    gst_element_set_state (self->pipeline, GST_STATE_NULL);
  g_clear_pointer (&self->bus, gst_object_unref);
  g_clear_pointer (&self->pipeline, gst_object_unref);
  odl_size_guard_free (self->guard);
  odl_amend_free (self->amend);
  g_clear_pointer (&self->pool, odl_image_pool_unref);
  g_clear_error (&self->failure);
  g_mutex_clear (&self->names_mutex);
  g_free (self->codec);
  g_free (self->container);
  g_free (self->missing);
  g_free (self);
}

static bool
local_next (OdlVideoPipeline *pipeline,
            OdlVideoFrame *frame,
            GCancellable *cancellable,
            GError **error)
{
  Local *self = (Local *) pipeline;

  if (self->first.image != NULL) {
    *frame = self->first;
    self->first.image = NULL;
    return true;
  }
  g_autoptr (GstSample) sample = wait_for_sample (self, cancellable, error);
  return sample != NULL && take_sample (self, sample, frame, error);
}

static void
begin_anew (Local *self)
{
  g_clear_pointer (&self->first.image, odl_image_unref);
  g_clear_error (&self->failure);
  self->anew = true;
}

static bool
local_seek (OdlVideoPipeline *pipeline, int64_t time_ns, GCancellable *cancellable)
{
  Local *self = (Local *) pipeline;

  begin_anew (self);
  if (!gst_element_seek_simple (self->pipeline, GST_FORMAT_TIME,
                                GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_KEY_UNIT
                                    | GST_SEEK_FLAG_SNAP_BEFORE,
                                time_ns))
    return false;
  recall_orientation (self);
  return true;
}

static bool
local_restart (OdlVideoPipeline *pipeline, GCancellable *cancellable)
{
  Local *self = (Local *) pipeline;

  begin_anew (self);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  self->turn = GST_VIDEO_ORIENTATION_IDENTITY;
  take_messages (self);
  g_clear_error (&self->failure);
  return gst_element_set_state (self->pipeline, GST_STATE_PLAYING)
         != GST_STATE_CHANGE_FAILURE;
}

static int64_t
local_duration_ns (OdlVideoPipeline *pipeline)
{
  Local *self = (Local *) pipeline;
  gint64 duration = 0;

  // Without a container, the duration is estimated from the file size.
  if (self->base.stream.container == NULL
      || !gst_element_query_duration (self->pipeline, GST_FORMAT_TIME, &duration)
      || duration <= 0)
    return -1;
  return odl_amend_duration (self->amend, duration);
}

static const OdlVideoPipelineClass local_class = {
  .next = local_next,
  .seek = local_seek,
  .restart = local_restart,
  .duration_ns = local_duration_ns,
  .close = local_close,
};

// ---- Opening ----

static OdlVideoPipeline *
open_local (int fd, const char *description, GCancellable *cancellable, GError **error)
{
  Local *self = g_new0 (Local, 1);

  self->base.klass = &local_class;
  g_mutex_init (&self->names_mutex);
  self->anew = true;
  if (build (self, fd, description, error)) {
    gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
    if (take_first (self, cancellable, error)) {
      complete_names (self);
      return &self->base;
    }
  } else if (error != NULL && *error == NULL) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("GStreamer's elements cannot be linked"));
  }
  odl_video_pipeline_close (&self->base);
  return NULL;
}

OdlVideoPipeline *
odl_video_local_open (int fd, GCancellable *cancellable, GError **error)
{
  return open_local (fd, NULL, cancellable, error);
}

OdlVideoPipeline *
odl_video_local_open_described (const char *description,
                                GCancellable *cancellable,
                                GError **error)
{
  return open_local (-1, description, cancellable, error);
}

void
odl_video_local_set_pool (OdlVideoPipeline *pipeline, OdlImagePool *pool)
{
  Local *self = (Local *) pipeline;

  g_clear_pointer (&self->pool, odl_image_pool_unref);
  self->pool = pool != NULL ? odl_image_pool_ref (pool) : NULL;
}

void
odl_video_local_set_interrupt (OdlVideoPipeline *pipeline, bool (*interrupted) (void))
{
  ((Local *) pipeline)->interrupted = interrupted;
}
