// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/video_pipeline.h"

#include <glib/gi18n-lib.h>
#include <gst/pbutils/pbutils.h>

#include "base/error.h"

// Frames that wait to be taken; decoders hold some more.
#define QUEUED_FRAMES 2

// How often a waiting thread looks for a cancel and for messages.
#define LOOK_NS (20 * GST_MSECOND)

// A stream that says nothing for so long is stuck.
#define PATIENCE_US (8 * G_USEC_PER_SEC)

struct _OdlVideoPipeline {
  GstElement *pipeline;
  GstAppSink *sink;
  GstBus *bus;
  GstSample *first; // waits to be taken
  char *codec;
  char *container;
  char *format;
  char *missing; // what a plugin is missing for
  GError *failure; // what the bus said
  gint has_video; // atomic
  gint knows_streams; // atomic
};

// ---- Building ----

// A stream of whatever kind was found; false leaves it as it is. Sound and subtitles are
// not even decoded.
static gboolean
autoplug_continue_cb (GstElement *decoder,
                      GstPad *pad,
                      GstCaps *caps,
                      OdlVideoPipeline *self)
{
  const GstPbUtilsCapsDescriptionFlags flags
      = gst_pb_utils_get_caps_description_flags (caps);

  if ((flags & GST_PBUTILS_CAPS_DESCRIPTION_FLAG_CONTAINER) != 0)
    return TRUE;
  if ((flags
       & (GST_PBUTILS_CAPS_DESCRIPTION_FLAG_VIDEO
          | GST_PBUTILS_CAPS_DESCRIPTION_FLAG_IMAGE))
      != 0)
    g_atomic_int_set (&self->has_video, TRUE);
  return (flags
          & (GST_PBUTILS_CAPS_DESCRIPTION_FLAG_AUDIO
             | GST_PBUTILS_CAPS_DESCRIPTION_FLAG_SUBTITLE))
         == 0;
}

static void
no_more_pads_cb (GstElement *decoder, OdlVideoPipeline *self)
{
  g_atomic_int_set (&self->knows_streams, TRUE);
}

static void
pad_added_cb (GstElement *element, GstPad *pad, GstElement *next)
{
  g_autoptr (GstPad) sink = gst_element_get_static_pad (next, "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);

  if (gst_pad_is_linked (sink))
    return;
  if (caps == NULL
      || gst_structure_has_name (gst_caps_get_structure (caps, 0), "video/x-raw"))
    gst_pad_link (pad, sink);
}

static GstElement *
make (GstElement *pipeline, const char *factory, GError **error)
{
  GstElement *element = gst_element_factory_make (factory, NULL);

  if (element == NULL) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("GStreamer's element %s is not installed; install "
                    "gstreamer1.0-plugins-base and -good"),
                 factory);
    return NULL;
  }
  gst_bin_add (GST_BIN (pipeline), element);
  return element;
}

// uridecodebin ! deinterlace ! videoflip ! videoconvert ! appsink: what need not act
// lets frames pass as they are. (uridecodebin3 of GStreamer 1.22 now and then ends a
// stream before its pad is linked.)
static bool
build (OdlVideoPipeline *self, const char *uri, GError **error)
{
  static const char *const middle[] = { "deinterlace", "videoflip", "videoconvert" };
  GstElement *before = NULL, *first = NULL;

  self->pipeline = gst_object_ref_sink (gst_pipeline_new (NULL));
  GstElement *decoder = make (self->pipeline, "uridecodebin", error);
  if (decoder == NULL)
    return false;
  for (size_t i = 0; i < G_N_ELEMENTS (middle); i++) {
    GstElement *element = make (self->pipeline, middle[i], error);
    if (element == NULL)
      return false;
    if (before == NULL)
      first = element;
    else if (!gst_element_link (before, element))
      return false;
    before = element;
    // As the stream's own tag asks for.
    if (i == 1)
      gst_util_set_object_arg (G_OBJECT (element), "video-direction", "auto");
  }
  GstElement *sink = make (self->pipeline, "appsink", error);
  if (sink == NULL)
    return false;
  self->sink = GST_APP_SINK (sink);
  g_autoptr (GstCaps) caps = odl_gst_frame_caps ();
  g_object_set (sink, "caps", caps, "sync", FALSE, "max-buffers", QUEUED_FRAMES,
                "enable-last-sample", FALSE, NULL);
  gst_element_link (before, sink);
  g_object_set (decoder, "uri", uri, NULL);
  g_signal_connect (decoder, "autoplug-continue", G_CALLBACK (autoplug_continue_cb),
                    self);
  g_signal_connect (decoder, "no-more-pads", G_CALLBACK (no_more_pads_cb), self);
  g_signal_connect (decoder, "pad-added", G_CALLBACK (pad_added_cb), first);
  self->bus = gst_element_get_bus (self->pipeline);
  return true;
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
take_message (OdlVideoPipeline *self, GstMessage *message)
{
  g_autoptr (GstTagList) tags = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
  case GST_MESSAGE_ERROR:
    if (self->failure == NULL)
      gst_message_parse_error (message, &self->failure, NULL);
    break;
  case GST_MESSAGE_TAG:
    gst_message_parse_tag (message, &tags);
    take_tag (&self->codec, tags, GST_TAG_VIDEO_CODEC);
    take_tag (&self->container, tags, GST_TAG_CONTAINER_FORMAT);
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
take_messages (OdlVideoPipeline *self)
{
  GstMessage *message;

  while ((message = gst_bus_pop (self->bus)) != NULL) {
    take_message (self, message);
    gst_message_unref (message);
  }
}

// Why there is not even a first frame.
static void
explain (OdlVideoPipeline *self, GError **error)
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
set_end (OdlVideoPipeline *self, GError **error)
{
  if (self->failure == NULL)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_END, "");
  else
    g_set_error (error, ODL_ERROR, ODL_ERROR_END,
                 _ ("the rest of the video is damaged (%s)"), self->failure->message);
}

static GstSample *
wait_for_sample (OdlVideoPipeline *self, GCancellable *cancellable, GError **error)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  while (g_get_monotonic_time () < end) {
    if (g_cancellable_is_cancelled (cancellable)) {
      g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CANCELLED, _ ("cancelled"));
      return NULL;
    }
    GstSample *sample = gst_app_sink_try_pull_sample (self->sink, LOOK_NS);
    take_messages (self);
    if (sample != NULL)
      return sample;
    const bool nothing_to_come
        = g_atomic_int_get (&self->knows_streams) && !g_atomic_int_get (&self->has_video);
    if (gst_app_sink_is_eos (self->sink) || self->failure != NULL || nothing_to_come) {
      set_end (self, error);
      return NULL;
    }
  }
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                       _ ("decoding it takes too long and was stopped"));
  return NULL;
}

OdlVideoPipeline *
odl_video_pipeline_open (const char *uri, GCancellable *cancellable, GError **error)
{
  OdlVideoPipeline *self = g_new0 (OdlVideoPipeline, 1);
  GError *failure = NULL;

  if (!build (self, uri, error)) {
    odl_video_pipeline_close (self);
    return NULL;
  }
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  self->first = wait_for_sample (self, cancellable, &failure);
  if (self->first != NULL)
    return self;
  if (g_error_matches (failure, ODL_ERROR, ODL_ERROR_END))
    explain (self, error);
  else
    g_propagate_error (error, g_steal_pointer (&failure));
  g_clear_error (&failure);
  odl_video_pipeline_close (self);
  return NULL;
}

void
odl_video_pipeline_close (OdlVideoPipeline *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->first, gst_sample_unref);
  if (self->pipeline != NULL)
    gst_element_set_state (self->pipeline, GST_STATE_NULL);
  g_clear_pointer (&self->bus, gst_object_unref);
  g_clear_pointer (&self->pipeline, gst_object_unref);
  g_clear_error (&self->failure);
  g_free (self->codec);
  g_free (self->container);
  g_free (self->format);
  g_free (self->missing);
  g_free (self);
}

GstSample *
odl_video_pipeline_next (OdlVideoPipeline *self,
                         GCancellable *cancellable,
                         GError **error)
{
  if (self->first != NULL)
    return g_steal_pointer (&self->first);
  return wait_for_sample (self, cancellable, error);
}

bool
odl_video_pipeline_seek (OdlVideoPipeline *self, int64_t time_ns)
{
  g_clear_pointer (&self->first, gst_sample_unref);
  g_clear_error (&self->failure);
  return gst_element_seek_simple (self->pipeline, GST_FORMAT_TIME,
                                  GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, time_ns);
}

bool
odl_video_pipeline_restart (OdlVideoPipeline *self)
{
  g_clear_pointer (&self->first, gst_sample_unref);
  g_clear_error (&self->failure);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  return gst_element_set_state (self->pipeline, GST_STATE_PLAYING)
         != GST_STATE_CHANGE_FAILURE;
}

int64_t
odl_video_pipeline_duration_ns (OdlVideoPipeline *self)
{
  gint64 duration = 0;

  if (self->container == NULL
      || !gst_element_query_duration (self->pipeline, GST_FORMAT_TIME, &duration)
      || duration <= 0)
    return -1;
  return duration;
}

const char *
odl_video_pipeline_format (OdlVideoPipeline *self)
{
  if (self->format != NULL)
    return self->format;
  const char *codec = self->codec != NULL ? self->codec : _ ("video");
  self->format = self->container != NULL
                     ? g_strdup_printf (_ ("%s in %s"), codec, self->container)
                     : g_strdup (codec);
  return self->format;
}
