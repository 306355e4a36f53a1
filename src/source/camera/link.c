// SPDX-License-Identifier: MIT
#include "source/camera/link.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <gst/app/gstappsink.h>
#include <gst/base/gstbasesrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/thread.h"
#include "source/camera/devices.h"
#include "source/camera/format.h"
#include "source/camera/portal.h"
#include "source/gst_frame.h"

// Looks for phrases from PipeWire, Video4Linux and the system, including strerror in
// the current language.
static bool
mentions (const char *text, int number, const char *const *words)
{
  if (text == NULL)
    return false;
  g_autofree char *folded = g_ascii_strdown (text, -1);
  g_autofree char *system = g_ascii_strdown (g_strerror (number), -1);
  bool found = strstr (folded, system) != NULL;
  for (; *words != NULL; words++)
    found = found || strstr (folded, *words) != NULL;
  return found;
}

GError *
odl_camera_explain (const char *name, const GError *cause, const char *details)
{
  static const char *const busy[]
      = { "busy", "no node available", "no target node", "exclusive", NULL };
  static const char *const denied[]
      = { "permission denied", "access denied", "operation not permitted", NULL };

  if (g_error_matches (cause, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_BUSY)
      || mentions (cause->message, EBUSY, busy) || mentions (details, EBUSY, busy))
    return g_error_new (ODL_ERROR, ODL_ERROR_BUSY,
                        _ ("The camera “%s” is in use by another program. Close that "
                           "program and try again."),
                        name);
  if (g_error_matches (cause, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_AUTHORIZED)
      || mentions (cause->message, EACCES, denied) || mentions (details, EACCES, denied))
    return g_error_new (ODL_ERROR, ODL_ERROR_DENIED,
                        _ ("The camera “%s” may not be used from this account. Allow it "
                           "in the system's settings, or add the account to the group "
                           "“video”."),
                        name);
  if (g_error_matches (cause, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND))
    return g_error_new (ODL_ERROR, ODL_ERROR_NO_DEVICE,
                        _ ("The camera “%s” was unplugged. Plug it in again."), name);
  return g_error_new (ODL_ERROR, ODL_ERROR_IO,
                      _ ("The camera “%s” failed (%s). Unplug it, plug it in again and "
                         "try once more."),
                      name, cause->message);
}

// The camera's GStreamer pipeline:
// camera ! capsfilter [! decodebin] ! videoconvert ! appsink.
// One thread, except for the tally.

// Counters updated from the streaming thread; atomic.
typedef struct {
  gint arrived; // frames
  gint turn; // GstVideoOrientationMethod
} OdlCameraTally;

typedef struct {
  GstElement *whole; // owned; NULL: no pipeline
  GstElement *source, *sink; // elements of the pipeline
} OdlCameraPipeline;

static GstPadProbeReturn
arrived_cb (GstPad *pad, GstPadProbeInfo *info, void *data)
{
  g_atomic_int_inc (&((OdlCameraTally *) data)->arrived);
  return GST_PAD_PROBE_OK;
}

// PipeWire attaches the orientation to each frame; its source converts it to a tag.
static GstPadProbeReturn
event_cb (GstPad *pad, GstPadProbeInfo *info, void *data)
{
  GstEvent *event = gst_pad_probe_info_get_event (info);
  GstTagList *tags = NULL;
  GstVideoOrientationMethod turn;

  if (GST_EVENT_TYPE (event) == GST_EVENT_TAG)
    gst_event_parse_tag (event, &tags);
  if (tags != NULL && gst_video_orientation_from_tag (tags, &turn))
    g_atomic_int_set (&((OdlCameraTally *) data)->turn, (int) turn);
  return GST_PAD_PROBE_OK;
}

static void
decoded_cb (GstElement *decoder, GstPad *pad, GstElement *next)
{
  g_autoptr (GstPad) sink = gst_element_get_static_pad (next, "sink");

  if (!gst_pad_is_linked (sink))
    gst_pad_link (pad, sink);
}

static GstElement *
add (GstElement *pipeline, const char *factory, GError **error)
{
  GstElement *element = gst_element_factory_make (factory, NULL);

  if (element != NULL) {
    gst_bin_add (GST_BIN (pipeline), element);
    return element;
  }
  return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                         _ ("GStreamer's element %s is not installed; install "
                            "gstreamer1.0-plugins-base and -good"),
                         factory);
}

static GstElement *
add_sink (GstElement *pipeline, OdlCameraTally *tally, GError **error)
{
  GstElement *sink = add (pipeline, "appsink", error);

  if (sink == NULL)
    return NULL;
  g_autoptr (GstCaps) caps = odl_gst_frame_caps ();
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  g_object_set (sink, "caps", caps, "sync", FALSE, "max-buffers", 1, "drop", TRUE,
                "enable-last-sample", FALSE, "wait-on-eos", FALSE, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, arrived_cb, tally, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, event_cb, tally, NULL);
  return sink;
}

// Builds everything after `source`.
static GstElement *
build (GstElement *pipeline,
       GstElement *source,
       const OdlCameraFormat *format,
       OdlCameraTally *tally,
       GError **error)
{
  const bool decodes = format == NULL || format->encoding != ODL_CAMERA_RAW;
  g_autoptr (GstCaps) caps = format != NULL
                                 ? odl_camera_format_caps (format)
                                 : gst_caps_from_string ("video/x-raw; image/jpeg");
  GstElement *filter = add (pipeline, "capsfilter", error);
  GstElement *decoder
      = filter != NULL && decodes ? add (pipeline, "decodebin", error) : NULL;
  GstElement *convert = filter != NULL ? add (pipeline, "videoconvert", error) : NULL;
  GstElement *sink = convert != NULL ? add_sink (pipeline, tally, error) : NULL;

  if (sink == NULL || (decodes && decoder == NULL))
    return NULL;
  g_object_set (filter, "caps", caps, NULL);
  gst_element_link (source, filter);
  gst_element_link (filter, decodes ? decoder : convert);
  if (decodes)
    g_signal_connect (decoder, "pad-added", G_CALLBACK (decoded_cb), convert);
  gst_element_link (convert, sink);
  return sink;
}

// Stops the pipeline; may wait for the device.
static void odl_camera_pipeline_clear (OdlCameraPipeline *self);

// Consumes `source`, a floating element, even on failure. `format` NULL: the camera's
// default. `tally` must outlive the pipeline. The sink keeps only the latest frame.
// ODL_ERROR_UNSUPPORTED if an element is not installed; `self` is then empty.
static bool
odl_camera_pipeline_init (OdlCameraPipeline *self,
                          GstElement *source,
                          const OdlCameraFormat *format,
                          GstBus *bus,
                          OdlCameraTally *tally,
                          GError **error)
{
  self->whole = gst_object_ref_sink (gst_pipeline_new (NULL));
  self->source = source;
  gst_element_set_bus (self->whole, bus);
  gst_bin_add (GST_BIN (self->whole), source);
  self->sink = build (self->whole, source, format, tally, error);
  if (self->sink != NULL)
    return true;
  odl_camera_pipeline_clear (self);
  return false;
}

static void
odl_camera_pipeline_clear (OdlCameraPipeline *self)
{
  if (self->whole != NULL) {
    gst_element_set_state (self->whole, GST_STATE_NULL);
    gst_object_unref (self->whole);
  }
  *self = (OdlCameraPipeline){ NULL };
}

// Interrupts a source element that is waiting for its device. State changes and events
// cannot do that, since the starting thread holds the lock for both. Before READY
// nothing can be waiting.
static void
odl_camera_pipeline_interrupt (OdlCameraPipeline *self)
{
  GstElement *source = self->source;

  if (!GST_IS_BASE_SRC (source))
    return;
  GstBaseSrcClass *klass = GST_BASE_SRC_GET_CLASS (source);
  GST_OBJECT_LOCK (source);
  const bool is_open = GST_STATE (source) >= GST_STATE_READY;
  GST_OBJECT_UNLOCK (source);
  if (is_open && klass->unlock != NULL)
    klass->unlock (GST_BASE_SRC (source));
}

// Retry interval for a missing server.
#define REFRESH_NS (2 * GST_SECOND)

// Interval of interrupting a source that is waiting.
#define INTERRUPT_US (50 * 1000)

struct _OdlCameraLink {
  gatomicrefcount ref_count; // held by the owner and the thread
  GMutex mutex; // guards the following up to `bus`
  GCond changed;
  GError *failure;
  GstAppSink *sink; // NULL: not connected yet
  bool asking, absent, played, ended;
  bool closing;
  int64_t since_us; // see odl_camera_link_since
  GstBus *bus; // also wakes the thread
  GCancellable *cancellable; // for the portal's request
  OdlCameraRequest request;
  bool patient;
  OdlCameraReport report; // complete before `sink` is set
  OdlCameraTally tally;
  gint taken; // frames, atomic
  gint told; // dropped frames already reported; consumer's thread only

  // Used by the link's thread only.
  OdlCameraDevices *devices;
  GPtrArray *strangers; // ids of the cameras present at the start; NULL: not known yet
  OdlCameraPipeline pipeline;
  bool plays; // playing was requested
};

// ---- Life ----

static void
link_unref (OdlCameraLink *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_object (&self->sink);
  g_clear_error (&self->failure);
  g_clear_pointer (&self->strangers, g_ptr_array_unref);
  gst_object_unref (self->bus);
  g_object_unref (self->cancellable);
  odl_camera_request_clear (&self->request);
  g_free (self->report.id);
  g_free (self->report.name);
  g_free (self->report.format);
  g_free (self->report.offered);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static void
wake (void *data)
{
  OdlCameraLink *self = data;

  gst_bus_post (self->bus,
                gst_message_new_application (NULL, gst_structure_new_empty ("odl-wake")));
}

static bool
is_closing (OdlCameraLink *self)
{
  g_mutex_lock (&self->mutex);
  const bool closing = self->closing;
  g_mutex_unlock (&self->mutex);
  return closing;
}

static void
set_flag (OdlCameraLink *self, bool *flag, bool value)
{
  g_mutex_lock (&self->mutex);
  *flag = value;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

// Asking the user, or waiting for the camera, ends: from now on the camera has to
// answer.
static void
end_wait (OdlCameraLink *self, bool *flag)
{
  g_mutex_lock (&self->mutex);
  *flag = false;
  self->since_us = g_get_monotonic_time ();
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

static void
fail (OdlCameraLink *self, GError *error)
{
  g_mutex_lock (&self->mutex);
  if (self->failure == NULL)
    self->failure = g_steal_pointer (&error);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_clear_error (&error);
}

// ---- Finding the camera ----

static void
describe (OdlCameraLink *self, const OdlCamera *camera, const OdlCameraFormat *format)
{
  OdlCameraReport *report = &self->report;
  GString *offered = g_string_new (NULL);

  for (guint i = 0; i < camera->formats->len; i++) {
    g_autofree char *text
        = odl_camera_format_text (&g_array_index (camera->formats, OdlCameraFormat, i));
    g_string_append_printf (offered, "%s%s", i > 0 ? "; " : "", text);
  }
  report->offered = g_string_free (offered, FALSE);
  report->id = g_strdup (camera->id);
  report->name = g_strdup (camera->name);
  report->format = format != NULL ? odl_camera_format_text (format) : NULL;
  report->suits = format == NULL || odl_camera_format_suits (format, &self->request);
  if (format != NULL)
    report->chosen = *format;
}

static bool
open_devices (OdlCameraLink *self, GError **error)
{
  set_flag (self, &self->asking, odl_camera_needs_portal ());
  self->devices = odl_camera_devices_open (self->cancellable, wake, self, error);
  end_wait (self, &self->asking);
  return self->devices != NULL;
}

// Waits until the devices may have changed.
static void
wait_for_change (OdlCameraLink *self)
{
  GstMessage *message = gst_bus_timed_pop (self->bus, REFRESH_NS);

  if (message == NULL)
    odl_camera_devices_refresh (self->devices);
  else
    gst_message_unref (message);
}

// Finds the requested camera. A camera of the same name counts if it was connected
// later: it may be the same one on another port.
static const OdlCamera *
find (OdlCameraLink *self, const GPtrArray *cameras, GError **error)
{
  const bool first = self->strangers == NULL;

  if (first)
    self->strangers = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; first && i < cameras->len; i++)
    g_ptr_array_add (self->strangers, g_strdup (((OdlCamera *) cameras->pdata[i])->id));
  const OdlCamera *camera = odl_camera_find (cameras, self->request.name, error);
  if (camera != NULL || self->request.or_name == NULL)
    return camera;
  camera = odl_camera_find (cameras, self->request.or_name, NULL);
  if (camera == NULL
      || g_ptr_array_find_with_equal_func (self->strangers, camera->id, g_str_equal,
                                           NULL))
    return NULL;
  g_clear_error (error);
  return camera;
}

static GstElement *
make_source (OdlCameraLink *self, OdlCameraFormat *format, GError **error)
{
  while (!is_closing (self)) {
    GError *cause = NULL;
    g_autoptr (GPtrArray) cameras = odl_camera_devices_list (self->devices);
    const OdlCamera *camera = find (self, cameras, &cause);
    GstElement *source = camera != NULL ? odl_camera_make_element (camera) : NULL;
    if (source != NULL) {
      const OdlCameraFormat *best
          = odl_camera_formats_best (camera->formats, &self->request);
      describe (self, camera, best);
      if (best != NULL)
        *format = *best;
      end_wait (self, &self->absent);
      return source;
    }
    if (!self->patient || odl_camera_devices_need_permission (self->devices)) {
      if (cause == NULL)
        cause = g_error_new_literal (ODL_ERROR, ODL_ERROR_NO_DEVICE,
                                     _ ("The camera was unplugged."));
      g_propagate_error (error, cause);
      return NULL;
    }
    g_clear_error (&cause);
    set_flag (self, &self->absent, true);
    wait_for_change (self);
  }
  return NULL;
}

// ---- Failures ----

// False if it is no longer listed.
static bool
is_there (OdlCameraLink *self)
{
  g_autoptr (GPtrArray) cameras = odl_camera_devices_list (self->devices);
  for (guint i = 0; i < cameras->len; i++)
    if (g_str_equal (((OdlCamera *) cameras->pdata[i])->id, self->report.id))
      return true;
  return false;
}

static GError *
unplugged (OdlCameraLink *self)
{
  return g_error_new (ODL_ERROR, ODL_ERROR_NO_DEVICE,
                      _ ("The camera “%s” was unplugged. Plug it in again."),
                      self->report.name);
}

// The failure that a message reports, or NULL.
static GError *
failure_of (OdlCameraLink *self, GstMessage *message)
{
  g_autoptr (GError) cause = NULL;
  g_autofree char *details = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
  case GST_MESSAGE_ERROR:
    gst_message_parse_error (message, &cause, &details);
    return is_there (self) ? odl_camera_explain (self->report.name, cause, details)
                           : unplugged (self);
  case GST_MESSAGE_EOS:
    return unplugged (self);
  case GST_MESSAGE_APPLICATION:
    return is_there (self) ? NULL : unplugged (self);
  default:
    return NULL;
  }
}

// ---- The thread ----

// Runs on a GStreamer thread, possibly late.
static void
play_cb (GstElement *pipeline, void *data)
{
  OdlCameraLink *self = data;

  if (!is_closing (self))
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
  set_flag (self, &self->played, true);
  link_unref (self);
}

static void
connect_camera (OdlCameraLink *self)
{
  GError *error = NULL;
  OdlCameraFormat format = { 0 };
  GstElement *source = odl_gst_start (&error) && open_devices (self, &error)
                           ? make_source (self, &format, &error)
                           : NULL;

  if (source == NULL
      || !odl_camera_pipeline_init (&self->pipeline, source,
                                    format.width > 0 ? &format : NULL, self->bus,
                                    &self->tally, &error)) {
    if (error != NULL)
      fail (self, error);
    return;
  }
  g_mutex_lock (&self->mutex);
  self->sink = gst_object_ref (GST_APP_SINK (self->pipeline.sink));
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  // Waits up to 30 s for a device that does not respond, unless interrupted.
  self->plays = true;
  g_atomic_ref_count_inc (&self->ref_count);
  gst_element_call_async (self->pipeline.whole, play_cb, self, NULL);
}

static void
watch (OdlCameraLink *self)
{
  bool failed = self->pipeline.whole == NULL;

  while (!is_closing (self)) {
    GstMessage *message = gst_bus_timed_pop (self->bus, GST_CLOCK_TIME_NONE);
    GError *failure = message != NULL && !failed ? failure_of (self, message) : NULL;
    if (message != NULL)
      gst_message_unref (message);
    if (failure == NULL)
      continue;
    failed = true;
    fail (self, failure);
  }
}

// Stopping must follow starting. While starting, a source resets its unlock state, so
// it is interrupted repeatedly.
static void
wait_for_play (OdlCameraLink *self)
{
  g_mutex_lock (&self->mutex);
  while (self->plays && !self->played) {
    g_mutex_unlock (&self->mutex);
    odl_camera_pipeline_interrupt (&self->pipeline);
    g_mutex_lock (&self->mutex);
    if (!self->played)
      g_cond_wait_until (&self->changed, &self->mutex,
                         g_get_monotonic_time () + INTERRUPT_US);
  }
  g_mutex_unlock (&self->mutex);
}

static void *
link_thread (void *data)
{
  OdlCameraLink *self = data;

  connect_camera (self);
  watch (self);
  wait_for_play (self);
  if (self->devices != NULL)
    odl_camera_devices_close (self->devices);
  odl_camera_pipeline_clear (&self->pipeline);
  set_flag (self, &self->ended, true);
  link_unref (self);
  return NULL;
}

OdlCameraLink *
odl_camera_link_open (const OdlCameraRequest *request, bool patient)
{
  OdlCameraLink *self = g_new0 (OdlCameraLink, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->cancellable = g_cancellable_new ();
  self->request = odl_camera_request_copy (request);
  self->patient = patient;
  self->since_us = g_get_monotonic_time ();
  // A bus needs GStreamer, which may also be initialised on the caller's thread.
  odl_gst_start (NULL);
  self->bus = gst_bus_new ();
  g_atomic_ref_count_inc (&self->ref_count);
  GError *error = NULL;
  GThread *thread = odl_thread_new ("odl-camera", link_thread, self, &error);
  if (thread == NULL) {
    fail (self, error);
    set_flag (self, &self->ended, true);
    link_unref (self);
    return self;
  }
  g_thread_unref (thread);
  return self;
}

void
odl_camera_link_close (OdlCameraLink *self, int64_t wait_us)
{
  const int64_t end = g_get_monotonic_time () + wait_us;

  if (self == NULL)
    return;
  set_flag (self, &self->closing, true);
  g_cancellable_cancel (self->cancellable);
  wake (self);
  g_mutex_lock (&self->mutex);
  while (wait_us > 0 && !self->ended
         && g_cond_wait_until (&self->changed, &self->mutex, end))
    ;
  g_mutex_unlock (&self->mutex);
  link_unref (self);
}

// ---- Frames ----

// Returns the sink; waits for it if necessary.
static GstAppSink *
wait_for_sink (OdlCameraLink *self, int64_t end_us, GError **error)
{
  g_mutex_lock (&self->mutex);
  while (self->sink == NULL && self->failure == NULL
         && g_cond_wait_until (&self->changed, &self->mutex, end_us))
    ;
  if (self->failure != NULL && error != NULL)
    *error = g_error_copy (self->failure);
  GstAppSink *sink = self->failure == NULL ? self->sink : NULL;
  g_mutex_unlock (&self->mutex);
  return sink;
}

GstSample *
odl_camera_link_pull (OdlCameraLink *self, int64_t timeout_us, GError **error)
{
  const int64_t end_us = g_get_monotonic_time () + timeout_us;
  GstAppSink *sink = wait_for_sink (self, end_us, error);

  if (sink == NULL)
    return NULL;
  const int64_t left_us = MAX (end_us - g_get_monotonic_time (), 0);
  GstSample *sample = gst_app_sink_try_pull_sample (sink, (guint64) left_us * 1000);
  if (sample != NULL) {
    g_atomic_int_inc (&self->taken);
    return sample;
  }
  // At the end of a stream the sink returns at once; the thread handles the end.
  if (gst_app_sink_is_eos (sink))
    g_usleep ((gulong) MAX (end_us - g_get_monotonic_time (), 0));
  return NULL;
}

const OdlCameraReport *
odl_camera_link_report (OdlCameraLink *self)
{
  g_mutex_lock (&self->mutex);
  const bool known = self->sink != NULL;
  g_mutex_unlock (&self->mutex);
  return known ? &self->report : NULL;
}

static bool
get_flag (OdlCameraLink *self, const bool *flag)
{
  g_mutex_lock (&self->mutex);
  const bool value = *flag;
  g_mutex_unlock (&self->mutex);
  return value;
}

bool
odl_camera_link_is_asking (OdlCameraLink *self)
{
  return get_flag (self, &self->asking);
}

bool
odl_camera_link_is_absent (OdlCameraLink *self)
{
  return get_flag (self, &self->absent);
}

int64_t
odl_camera_link_since (OdlCameraLink *self)
{
  g_mutex_lock (&self->mutex);
  const int64_t since_us = self->since_us;
  g_mutex_unlock (&self->mutex);
  return since_us;
}

bool
odl_camera_link_is_negotiated (OdlCameraLink *self)
{
  g_mutex_lock (&self->mutex);
  GstAppSink *sink = self->sink;
  g_mutex_unlock (&self->mutex);
  if (sink == NULL)
    return false;
  g_autoptr (GstPad) pad = gst_element_get_static_pad (GST_ELEMENT (sink), "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  return caps != NULL;
}

int
odl_camera_link_turn (OdlCameraLink *self)
{
  return g_atomic_int_get (&self->tally.turn);
}

unsigned
odl_camera_link_take_dropped (OdlCameraLink *self)
{
  const int dropped = MAX (
      g_atomic_int_get (&self->tally.arrived) - g_atomic_int_get (&self->taken) - 1, 0);
  const int fresh = MAX (dropped - self->told, 0);

  self->told += fresh;
  return (unsigned) fresh;
}
