// SPDX-License-Identifier: MIT
#include "config.h"

#include "output/movie/movie.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "output/movie/movie_frame.h"
#include "output/movie/remux.h"

// Frames queued for the encoder.
#define MAX_WAITING 4

// Poll interval for room in the queue and for errors.
#define POLL_NS ((GstClockTime) GST_MSECOND)

// Matroska's timestamp unit. It limits a cluster to 3.2 s, which the muxer respects.
#define TIME_SCALE_NS 100000

// Duration of a first picture that nothing follows.
#define FIRST_NS ((int64_t) 40000000)

struct _OdlMovie {
  OdlMovieParams params;
  char *description;
  char *colorimetry;
  OdlOutput output;
  GstElement *pipeline; // NULL before the first picture
  GstAppSrc *in;
  GstBus *bus;
  OdlMovieFormat format; // of the first picture
  GstCaps *caps; // of the last picture
  OdlImage *pending; // its duration is not known yet
  int64_t pending_ns;
  int64_t pending_duration_ns;
  char *note;
};

OdlMovie *
odl_movie_new (const char *path, const OdlMovieParams *params, GError **error)
{
  OdlMovie *movie = g_new0 (OdlMovie, 1);
  bool opened = params->survives ? odl_output_open_part (
                    params->guard, path, params->replace, &movie->output, error)
                : params->replace
                    ? odl_output_open (params->guard, path, &movie->output, error)
                    : odl_output_open_new (params->guard, path, &movie->output, error);

  if (opened && params->container == ODL_CONTAINER_MP4
      && !odl_output_make_seekable (&movie->output, error)) {
    odl_output_abandon (&movie->output);
    opened = false;
  }
  if (!opened) {
    g_free (movie);
    return NULL;
  }
  movie->params = *params;
  movie->description = g_strdup (params->description);
  movie->colorimetry = g_strdup (params->colorimetry);
  return movie;
}

void
odl_movie_describe (OdlMovie *movie, const char *description)
{
  g_free (movie->description);
  movie->description = g_strdup (description);
}

int
odl_movie_bits (const OdlMovie *movie, int channels)
{
  return movie->params.quality == ODL_QUALITY_LOSSLESS && channels == 1 ? 16 : 8;
}

const char *
odl_movie_note (const OdlMovie *movie)
{
  return movie->note;
}

int64_t
odl_movie_bytes (OdlMovie *movie)
{
  struct stat status;

  return fstat (movie->output.fd, &status) == 0 ? status.st_size : 0;
}

// ---- Errors ----

// GStreamer reports that writing failed but not why; writing to the file tells the
// errno.
static int
writing_errno (OdlMovie *movie)
{
  const off_t end = lseek (movie->output.fd, 0, SEEK_END);

  if (pwrite (movie->output.fd, "", 1, MAX (end, 0)) == 1)
    return 0;
  return errno == ESPIPE && write (movie->output.fd, "", 1) == 1 ? 0 : errno;
}

static void
set_error (OdlMovie *movie, GstMessage *message, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autofree char *details = NULL;
  const bool from_sink
      = message != NULL && GST_IS_OBJECT (GST_MESSAGE_SRC (message))
        && g_str_equal (GST_OBJECT_NAME (GST_MESSAGE_SRC (message)), "out");

  if (message != NULL)
    gst_message_parse_error (message, &cause, &details);
  g_debug ("movie: %s: %s", cause != NULL ? cause->message : "the stream ended",
           details != NULL ? details : "");
  int code = from_sink ? writing_errno (movie) : 0;
  if (code == 0
      && g_error_matches (cause, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT))
    code = ENOSPC;
  if (from_sink) {
    odl_output_set_error (&movie->output, code != 0 ? code : EIO, error);
    return;
  }
  g_autofree char *name = g_filename_display_name (movie->output.shown);
  g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
               _ ("%s: the encoder for %s reports an error: %s Choose another codec, or "
                  "write numbered PNG files."),
               name, movie->params.codec->title,
               cause != NULL ? cause->message : _ ("it ended early."));
}

// Waits up to `timeout` for a message that ends the stream; true if there was one.
// `error` is set unless it is the regular end.
static bool
poll_end (OdlMovie *movie, GstClockTime timeout, bool *finished, GError **error)
{
  GstMessage *message = gst_bus_timed_pop_filtered (movie->bus, timeout,
                                                    GST_MESSAGE_ERROR | GST_MESSAGE_EOS);

  if (message == NULL)
    return false;
  *finished = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
  if (!*finished)
    set_error (movie, message, error);
  gst_message_unref (message);
  return true;
}

// ---- The pipeline ----

static char *
pipeline_text (const OdlMovie *movie)
{
  const OdlMovieFormat *format = &movie->format;
  g_autofree char *colorimetry
      = *format->colorimetry == '\0'
            ? g_strdup ("")
            : g_strdup_printf (",colorimetry=%s", format->colorimetry);

  return g_strdup_printf (
      "appsrc name=in format=time is-live=false ! videoconvert dither=none n-threads=2 "
      "! videoscale add-borders=true "
      "! video/x-raw,format=%s,width=%d,height=%d,pixel-aspect-ratio=%d/%d%s "
      "! %s %s ! matroskamux name=mux writing-app=\"Ondelette " ODL_VERSION "\" "
      "timecodescale=%d ! fdsink name=out sync=false",
      format->encoded, format->width, format->height, format->par_n, format->par_d,
      colorimetry, movie->params.codec->element,
      movie->params.codec->settings[movie->params.quality], TIME_SCALE_NS);
}

static void
set_tags (OdlMovie *movie, GstElement *mux)
{
  if (movie->description == NULL)
    return;
  gst_tag_setter_add_tags (GST_TAG_SETTER (mux), GST_TAG_MERGE_REPLACE, GST_TAG_COMMENT,
                           movie->description, NULL);
}

// What is in the place of the stream until it begins goes when that does.
static GstPadProbeReturn
begin_cb (GstPad *pad, GstPadProbeInfo *info, void *data)
{
  OdlMovie *movie = data;

  if (ftruncate (movie->output.fd, 0) != 0)
    g_debug ("movie: %s", g_strerror (errno));
  return GST_PAD_PROBE_REMOVE;
}

static bool
start (OdlMovie *movie, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autofree char *text = pipeline_text (movie);
  const bool seekable = movie->output.whole;

  movie->pipeline
      = gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &cause);
  if (movie->pipeline == NULL)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("A part of GStreamer that is needed to write videos is missing (%s). Install "
           "gstreamer1.0-plugins-good and -bad, or write numbered PNG files."),
        cause->message);
  movie->bus = gst_element_get_bus (movie->pipeline);
  GstElement *in = gst_bin_get_by_name (GST_BIN (movie->pipeline), "in");
  g_autoptr (GstElement) out = gst_bin_get_by_name (GST_BIN (movie->pipeline), "out");
  g_autoptr (GstElement) mux = gst_bin_get_by_name (GST_BIN (movie->pipeline), "mux");
  movie->in = GST_APP_SRC (in);
  g_object_set (out, "fd", movie->output.fd, NULL);
  g_object_set (mux, "streamable", !seekable, NULL);
  set_tags (movie, mux);
  if (movie->params.survives && seekable) {
    g_autoptr (GstPad) pad = gst_element_get_static_pad (out, "sink");
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST,
                       begin_cb, movie, NULL);
  }
  gst_element_set_state (movie->pipeline, GST_STATE_PLAYING);
  return true;
}

static bool
set_caps (OdlMovie *movie, GstVideoInfo *info)
{
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);

  if (movie->caps != NULL && gst_caps_is_equal (movie->caps, caps))
    return true;
  gst_caps_replace (&movie->caps, caps);
  gst_app_src_set_caps (movie->in, caps);
  return true;
}

// Passes the pending picture to the encoder.
static bool
push_pending (OdlMovie *movie, int64_t duration_ns, GError **error)
{
  g_autoptr (OdlImage) image = g_steal_pointer (&movie->pending);
  GstVideoInfo info;
  bool finished;

  GstBuffer *buffer = odl_movie_frame_buffer (image, &movie->format, &info, error);
  if (buffer == NULL)
    return false;
  gst_util_double_to_fraction (movie->params.frame_rate, &info.fps_n, &info.fps_d);
  GST_BUFFER_PTS (buffer) = movie->pending_ns;
  GST_BUFFER_DURATION (buffer) = duration_ns;
  set_caps (movie, &info);
  while (gst_app_src_get_current_level_buffers (movie->in) >= MAX_WAITING)
    if (poll_end (movie, POLL_NS, &finished, error)) {
      gst_buffer_unref (buffer);
      if (finished)
        set_error (movie, NULL, error);
      return false;
    }
  if (gst_app_src_push_buffer (movie->in, buffer) == GST_FLOW_OK)
    return true;
  if (!poll_end (movie, 10 * GST_SECOND, &finished, error) || finished)
    set_error (movie, NULL, error);
  return false;
}

static void
stop (OdlMovie *movie)
{
  if (movie->pipeline != NULL)
    gst_element_set_state (movie->pipeline, GST_STATE_NULL);
  if (movie->in != NULL)
    gst_object_unref (movie->in);
  movie->in = NULL;
  g_clear_pointer (&movie->bus, gst_object_unref);
  g_clear_pointer (&movie->pipeline, gst_object_unref);
}

static bool
finish_stream (OdlMovie *movie, GError **error)
{
  bool finished = false;

  if (movie->pending == NULL) {
    g_autofree char *name = g_filename_display_name (movie->output.shown);
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("%s: there is no picture to write; nothing was written"),
                          name);
  }
  if (!push_pending (movie, movie->pending_duration_ns, error))
    return false;
  gst_app_src_end_of_stream (movie->in);
  poll_end (movie, GST_CLOCK_TIME_NONE, &finished, error);
  return finished;
}

// Encoders hold back a dozen pictures or more, and one that stays is the only one for as
// long as it does. Until the stream begins, its part holds a whole stream of the first
// picture, so that a program that is killed leaves that. Best effort.
static void
write_first (OdlMovie *movie, OdlImage *shown)
{
  OdlMovie first = { .params = movie->params,
                     .description = movie->description,
                     .format = movie->format,
                     .pending = odl_image_ref (shown),
                     .pending_duration_ns = FIRST_NS };
  g_autoptr (GError) error = NULL;
  uint8_t bytes[1 << 14];
  ssize_t n = 0;
  off_t at = 0;

  first.params.survives = false;
  first.output = (OdlOutput){ .fd = memfd_create ("odl-first-picture", MFD_CLOEXEC),
                              .shown = movie->output.shown,
                              .whole = true };
  if (first.output.fd >= 0 && start (&first, &error) && finish_stream (&first, &error))
    while ((n = pread (first.output.fd, bytes, sizeof bytes, at)) > 0
           && pwrite (movie->output.fd, bytes, (size_t) n, at) == n)
      at += n;
  g_debug ("movie: first picture: %d bytes, %s", (int) at, error ? error->message : "");
  stop (&first);
  gst_caps_replace (&first.caps, NULL);
  odl_image_unref (first.pending);
  if (first.output.fd >= 0)
    close (first.output.fd);
}

bool
odl_movie_write (OdlMovie *movie,
                 OdlImage *shown,
                 int64_t time_ns,
                 int64_t duration_ns,
                 GError **error)
{
  if (shown == NULL) {
    movie->pending_duration_ns
        = MAX (movie->pending_duration_ns, time_ns + duration_ns - movie->pending_ns);
    return true;
  }
  if (movie->pipeline == NULL) {
    movie->note
        = odl_movie_format_init (&movie->format, movie->params.codec,
                                 movie->params.quality, movie->colorimetry, shown);
    if (movie->params.survives && movie->output.whole)
      write_first (movie, shown);
    if (!start (movie, error))
      return false;
  }
  if (movie->pending != NULL
      && !push_pending (movie, MAX (time_ns - movie->pending_ns, 1), error))
    return false;
  movie->pending = odl_image_ref (shown);
  movie->pending_ns = time_ns;
  movie->pending_duration_ns = duration_ns;
  return true;
}

static void
movie_free (OdlMovie *movie)
{
  gst_caps_replace (&movie->caps, NULL);
  odl_image_unref (movie->pending);
  g_free (movie->description);
  g_free (movie->colorimetry);
  g_free (movie->note);
  g_free (movie);
}

// Remuxes the complete Matroska file as MP4, which replaces it.
static bool
commit_mp4 (OdlMovie *movie, GError **error)
{
  OdlOutputGuard *guard = movie->params.guard;
  const char *path = movie->output.shown;
  OdlOutput output;

  bool done = movie->params.replace ? odl_output_open (guard, path, &output, error)
                                    : odl_output_open_new (guard, path, &output, error);
  if (done)
    done = odl_output_end (
        &output,
        odl_output_make_seekable (&output, error)
            && odl_remux (movie->output.fd, ODL_CONTAINER_MP4, &output, error),
        error);
  if (done)
    odl_output_abandon (&movie->output);
  else
    odl_output_keep_part (&movie->output);
  return done;
}

bool
odl_movie_finish (OdlMovie *movie, GError **error)
{
  bool done = finish_stream (movie, error);

  stop (movie);
  if (done && movie->params.container == ODL_CONTAINER_MP4)
    done = commit_mp4 (movie, error);
  else
    done = odl_output_end (&movie->output, done, error);
  movie_free (movie);
  return done;
}

void
odl_movie_abandon (OdlMovie *movie)
{
  if (movie == NULL)
    return;
  stop (movie);
  odl_output_abandon (&movie->output);
  movie_free (movie);
}
