// SPDX-License-Identifier: MIT
#include "source/camera/pipeline.h"

#include <glib/gi18n-lib.h>
#include <gst/base/gstbasesrc.h>
#include <gst/video/video.h>

#include "base/error.h"
#include "source/gst_frame.h"

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

bool
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

void
odl_camera_pipeline_clear (OdlCameraPipeline *self)
{
  if (self->whole != NULL) {
    gst_element_set_state (self->whole, GST_STATE_NULL);
    gst_object_unref (self->whole);
  }
  *self = (OdlCameraPipeline){ NULL };
}

void
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
