// SPDX-License-Identifier: MIT
#include "config.h"

#include "output/movie/remux.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <gst/gst.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "source/gst_frame.h"

// Same unit as the muxers of movie.c, so that times are preserved.
#define UNITS_PER_SECOND 10000
#define UNIT_NS 100000

// Duration of a last picture that has none, and of which nobody says it.
#define LAST_NS (40 * GST_MSECOND)

// The elements before the muxer, which is linked by hand: its pad needs the time unit
// before data arrives.
static char *
pipeline_text (int from, OdlContainer container)
{
  g_autofree char *mux
      = container == ODL_CONTAINER_MP4
            ? g_strdup ("mp4mux name=mux")
            : g_strdup_printf ("matroskamux name=mux timecodescale=%d "
                               "writing-app=\"Ondelette " ODL_VERSION "\"",
                               UNIT_NS);

  return g_strdup_printf ("filesrc location=/proc/self/fd/%d ! matroskademux ! queue "
                          "name=queue %s ! fdsink name=out sync=false",
                          from, mux);
}

typedef struct {
  int64_t pictures;
  OdlRemuxLast last;
} Passed;

static GstPadProbeReturn
count_cb (GstPad *pad, GstPadProbeInfo *info, void *data)
{
  Passed *passed = data;
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  const int64_t off_ns = (int64_t) GST_BUFFER_PTS (buffer) - passed->last.time_ns;

  // Of a stream without a rate no picture has a duration; that of the last one counts.
  if (passed->last.duration_ns > 0 && llabs (off_ns) <= UNIT_NS)
    GST_BUFFER_DURATION (buffer) = (GstClockTime) passed->last.duration_ns;
  else if (!GST_BUFFER_DURATION_IS_VALID (buffer) || GST_BUFFER_DURATION (buffer) == 0)
    GST_BUFFER_DURATION (buffer) = LAST_NS;
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  passed->pictures++;
  return GST_PAD_PROBE_OK;
}

static bool
link_muxer (GstBin *pipeline, OdlContainer container, Passed *passed)
{
  g_autoptr (GstElement) queue = gst_bin_get_by_name (pipeline, "queue");
  g_autoptr (GstElement) mux = gst_bin_get_by_name (pipeline, "mux");
  g_autoptr (GstPad) from = gst_element_get_static_pad (queue, "src");
  g_autoptr (GstPad) to = gst_element_request_pad_simple (mux, "video_%u");

  if (to != NULL && container == ODL_CONTAINER_MP4)
    g_object_set (to, "trak-timescale", UNITS_PER_SECOND, NULL);
  gst_pad_add_probe (from, GST_PAD_PROBE_TYPE_BUFFER, count_cb, passed, NULL);
  return to != NULL && gst_pad_link (from, to) == GST_PAD_LINK_OK;
}

// Runs to the end of the stream or the first error.
static bool
run (GstElement *pipeline, const OdlOutput *to, const int64_t *pictures, GError **error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GError) cause = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  GstMessage *message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
                                                    GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &cause, NULL);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  if (cause == NULL && *pictures > 0)
    return true;
  g_debug ("remux: %s", cause != NULL ? cause->message : "no picture");
  if (*pictures == 0) {
    g_autofree char *name = g_filename_display_name (to->shown);
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("%s: there is no picture to write; nothing was written"),
                          name);
  }
  const bool full
      = g_error_matches (cause, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT);
  odl_output_set_error (to, full ? ENOSPC : EIO, error);
  return false;
}

bool
odl_remux (int from,
           OdlContainer container,
           const OdlRemuxLast *last,
           const OdlOutput *to,
           GError **error)
{
  g_autoptr (GError) cause = NULL;
  Passed passed = { .pictures = 0 };

  if (last != NULL)
    passed.last = *last;
  if (!to->whole && to->pipe < 0) {
    odl_output_set_error (to, ESPIPE, error);
    return false;
  }
  if (!odl_gst_start (error))
    return false;
  g_autofree char *text = pipeline_text (from, container);
  GstElement *pipeline
      = gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &cause);
  if (pipeline == NULL || !link_muxer (GST_BIN (pipeline), container, &passed)) {
    g_set_error (
        error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
        _ ("A part of GStreamer that is needed to write videos is missing (%s). Install "
           "gstreamer1.0-plugins-good and -bad, or write numbered PNG files."),
        cause != NULL ? cause->message : "mp4mux");
    g_clear_pointer (&pipeline, gst_object_unref);
    return false;
  }
  g_autoptr (GstElement) out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  g_object_set (out, "fd", to->fd, NULL);
  const bool done = run (pipeline, to, &passed.pictures, error);
  gst_object_unref (pipeline);
  return done;
}
