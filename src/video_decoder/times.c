// SPDX-License-Identifier: MIT
#include "video_decoder/times.h"

#include <gst/gst.h>
#include <string.h>

#include "video_decoder/amend.h"
#include "video_decoder/file_src.h"
#include "video_decoder/rest.h"

#define POLL_NS (20 * GST_MSECOND)

// As when frames are decoded: all threads idle, nothing will come.
#define IDLE_POLLS 50

// Eighteen hours at 60 frames per second.
#define MAX_FRAMES 4000000

// Most that a file may say of its last frame.
#define MAX_LAST_NS (INT64_C (3600) * GST_SECOND)

// Frames closer than this are parts of one.
#define SAME_NS 1000

// A stream of the file.
typedef struct _Scan Scan;
typedef struct {
  Scan *scan;
  GstSegment segment;
  bool is_video; // the one that is played: the first
  bool has_shown_bit; // VP8, whose hidden frames are stored like others
} Stream;

struct _Scan {
  GstElement *pipeline;
  OdlAmend *amend;
  GMutex mutex; // guards what follows
  GPtrArray *streams;
  GArray *frames;
  int64_t end_ns;
  int64_t last_ns; // of the frame that comes last
  bool last_stays; // it says how long
  bool has_container;
  bool has_video;
  bool untimed; // a frame has no time at all
  bool of_decoding; // a frame has a time of decoding only
};

// ---- Frames ----

// As decoders do: not what lies outside of what is to be shown.
static bool
is_shown (const Stream *stream, GstBuffer *buffer, guint64 time_ns)
{
  const GstSegment *segment = &stream->segment;
  guint8 first = 0;

  if (gst_buffer_get_size (buffer) == 0
      || GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DECODE_ONLY)
      || (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_HEADER)
          && !GST_CLOCK_TIME_IS_VALID (time_ns)))
    return false;
  if (GST_CLOCK_TIME_IS_VALID (time_ns)
      && (time_ns < segment->start
          || (GST_CLOCK_TIME_IS_VALID (segment->stop) && time_ns >= segment->stop)))
    return false;
  // RFC 6386, 9.1: the fifth bit of a frame is show_frame.
  return !stream->has_shown_bit || gst_buffer_extract (buffer, 0, &first, 1) != 1
         || (first & 0x10) != 0;
}

static void
take_buffer (Stream *stream, GstBuffer *buffer)
{
  Scan *scan = stream->scan;
  const bool of_decoding = !GST_BUFFER_PTS_IS_VALID (buffer);
  const guint64 stored = of_decoding ? GST_BUFFER_DTS (buffer) : GST_BUFFER_PTS (buffer);
  const guint64 time
      = gst_segment_to_stream_time (&stream->segment, GST_FORMAT_TIME, stored);
  const bool timed = GST_CLOCK_TIME_IS_VALID (time) && time < (guint64) G_MAXINT64 / 4;

  if (!is_shown (stream, buffer, stored))
    return;
  scan->of_decoding |= stream->is_video && of_decoding;
  if (timed) {
    const int64_t time_ns = (int64_t) time;
    int64_t stay_ns = GST_BUFFER_DURATION_IS_VALID (buffer)
                          ? (int64_t) MIN (GST_BUFFER_DURATION (buffer), G_MAXINT64 / 4)
                          : 0;
    // Parsers say 1 ns where they know nothing.
    if (stay_ns < SAME_NS)
      stay_ns = 0;
    scan->end_ns = MAX (scan->end_ns, time_ns + stay_ns);
    if (stream->is_video && scan->frames->len <= MAX_FRAMES)
      g_array_append_val (scan->frames, time_ns);
    if (stream->is_video && time_ns >= scan->last_ns) {
      scan->last_ns = time_ns;
      scan->last_stays = stay_ns > 0;
    }
  } else if (stream->is_video) {
    scan->untimed = true;
  }
}

static GstPadProbeReturn
pad_cb (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Stream *stream = data;

  g_mutex_lock (&stream->scan->mutex);
  if ((GST_PAD_PROBE_INFO_TYPE (info) & GST_PAD_PROBE_TYPE_BUFFER) != 0)
    take_buffer (stream, info->data);
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_SEGMENT)
    gst_event_copy_segment (info->data, &stream->segment);
  g_mutex_unlock (&stream->scan->mutex);
  return GST_PAD_PROBE_OK;
}

// ---- Streams ----

static bool
is_of_pictures (const GstCaps *caps)
{
  const char *name
      = caps != NULL ? gst_structure_get_name (gst_caps_get_structure (caps, 0)) : "";

  return g_str_has_prefix (name, "video/") || g_str_has_prefix (name, "image/");
}

static void
pad_added_cb (GstElement *decoder, GstPad *pad, Scan *scan)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);

  if (sink == NULL)
    return;
  Stream *stream = g_new0 (Stream, 1);
  stream->scan = scan;
  gst_segment_init (&stream->segment, GST_FORMAT_TIME);
  g_mutex_lock (&scan->mutex);
  stream->is_video = !scan->has_video && is_of_pictures (caps);
  stream->has_shown_bit
      = stream->is_video
        && gst_structure_has_name (gst_caps_get_structure (caps, 0), "video/x-vp8");
  scan->has_video |= stream->is_video;
  g_ptr_array_add (scan->streams, stream);
  g_mutex_unlock (&scan->mutex);
  g_object_set (sink, "sync", FALSE, "async", FALSE, NULL);
  gst_bin_add (GST_BIN (scan->pipeline), sink);
  gst_element_sync_state_with_parent (sink);
  g_autoptr (GstPad) end = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (end, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
                     pad_cb, stream, NULL);
  gst_pad_link (pad, end);
}

// Sound and subtitles come as they are stored.
static gboolean
autoplug_continue_cb (GstElement *decoder, GstPad *pad, GstCaps *caps, Scan *scan)
{
  const char *name = gst_structure_get_name (gst_caps_get_structure (caps, 0));

  return !g_str_has_prefix (name, "audio/") && !g_str_has_prefix (name, "text/")
         && !g_str_has_prefix (name, "subpicture/");
}

// Up to the decoder, which is left out: 1 is GST_AUTOPLUG_SELECT_EXPOSE of decodebin, 0
// is GST_AUTOPLUG_SELECT_TRY.
static gint
autoplug_select_cb (GstElement *decoder,
                    GstPad *pad,
                    GstCaps *caps,
                    GstElementFactory *factory,
                    Scan *scan)
{
  if (gst_element_factory_list_is_type (factory, GST_ELEMENT_FACTORY_TYPE_DEMUXER)) {
    g_mutex_lock (&scan->mutex);
    scan->has_container = true;
    g_mutex_unlock (&scan->mutex);
  }
  return gst_element_factory_list_is_type (factory, GST_ELEMENT_FACTORY_TYPE_DECODER);
}

// ---- The file ----

static bool
build (Scan *scan, int fd)
{
  GstElement *decoder = gst_element_factory_make ("decodebin", NULL);

  if (decoder == NULL)
    return false;
  scan->amend = odl_amend_new (GST_BIN (scan->pipeline), NULL, fd);
  GstElement *file = odl_file_src_new (fd);
  gst_bin_add_many (GST_BIN (scan->pipeline), file, decoder, NULL);
  g_signal_connect (decoder, "autoplug-continue", G_CALLBACK (autoplug_continue_cb),
                    scan);
  g_signal_connect (decoder, "autoplug-select", G_CALLBACK (autoplug_select_cb), scan);
  g_signal_connect (decoder, "pad-added", G_CALLBACK (pad_added_cb), scan);
  return gst_element_link (file, decoder);
}

// What was read before an error counts. False: interrupted.
static bool
read_through (Scan *scan, bool (*interrupted) (void))
{
  g_autoptr (GstBus) bus = gst_element_get_bus (scan->pipeline);
  int still = 0;

  gst_element_set_state (scan->pipeline, GST_STATE_PLAYING);
  for (;;) {
    GstMessage *message
        = gst_bus_timed_pop_filtered (bus, POLL_NS, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    still = odl_pipeline_is_running (GST_BIN (scan->pipeline)) ? 0 : still + 1;
    if (message != NULL)
      gst_message_unref (message);
    if (message != NULL || still >= IDLE_POLLS)
      return true;
    if (interrupted ())
      return false;
  }
}

// A last frame that says no duration, as of Matroska without a rate, stays as long as the
// file is, if nothing else is in it.
static void
ask_end (Scan *scan)
{
  gint64 whole_ns = 0;

  if (scan->frames->len > 0 && !scan->last_stays && scan->streams->len == 1
      && gst_element_query_duration (scan->pipeline, GST_FORMAT_TIME, &whole_ns))
    scan->end_ns
        = MAX (scan->end_ns, MIN (whole_ns, scan->last_ns + (int64_t) MAX_LAST_NS));
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const int64_t one = *(const int64_t *) a, other = *(const int64_t *) b;

  return one < other ? -1 : one > other;
}

// Frames arrive in the order in which they are decoded.
static bool
take_times (Scan *scan, OdlVideoTimes *times)
{
  const guint n = scan->frames->len;

  if (n == 0 || n > MAX_FRAMES || scan->untimed || !scan->has_container)
    return false;
  g_array_sort (scan->frames, compare_times);
  for (guint i = 1; i < n; i++)
    if (g_array_index (scan->frames, int64_t, i)
        < g_array_index (scan->frames, int64_t, i - 1) + SAME_NS)
      return false;
  times->frames = g_array_ref (scan->frames);
  times->end_ns = scan->end_ns;
  times->of_decoding = scan->of_decoding;
  return true;
}

bool
odl_video_times_read (int fd, bool (*interrupted) (void), OdlVideoTimes *times)
{
  Scan scan = {
    .pipeline = gst_object_ref_sink (gst_pipeline_new (NULL)),
    .streams = g_ptr_array_new_with_free_func (g_free),
    .frames = g_array_new (FALSE, FALSE, sizeof (int64_t)),
  };

  *times = (OdlVideoTimes){ 0 };
  g_mutex_init (&scan.mutex);
  const bool done = build (&scan, fd) && read_through (&scan, interrupted);
  if (done)
    ask_end (&scan);
  gst_element_set_state (scan.pipeline, GST_STATE_NULL);
  const bool known = done && take_times (&scan, times);
  gst_object_unref (scan.pipeline);
  odl_amend_free (scan.amend);
  g_ptr_array_unref (scan.streams);
  g_array_unref (scan.frames);
  g_mutex_clear (&scan.mutex);
  return known;
}
