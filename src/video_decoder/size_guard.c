// SPDX-License-Identifier: MIT
#include "video_decoder/size_guard.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "video_decoder/protocol.h"

// Memory for frames in a decoder's threads: larger frames get fewer threads.
#define THREADS_BYTES ((guint64) 512 << 20)
#define BYTES_PER_PIXEL 3 // 10 bits, 4:2:0
#define MIN_THREADS 2
#define MAX_THREADS 16

struct _OdlSizeGuard {
  GMutex mutex; // guards what follows
  GCond changed;
  int width, height; // of an oversized frame; 0: none
  bool released;
};

// Blocks until the pipeline is stopped, since continuing would decode the frame.
static void
stop (OdlSizeGuard *self, int width, int height)
{
  g_mutex_lock (&self->mutex);
  if (self->width == 0) {
    self->width = width;
    self->height = height;
  }
  while (!self->released)
    g_cond_wait (&self->changed, &self->mutex);
  g_mutex_unlock (&self->mutex);
}

static void
limit_threads (GstPad *pad, guint64 pixels)
{
  g_autoptr (GstElement) element = gst_pad_get_parent_element (pad);

  if (element == NULL || gst_pad_get_direction (pad) != GST_PAD_SINK
      || g_object_class_find_property (G_OBJECT_GET_CLASS (element), "max-threads")
             == NULL)
    return;
  const guint64 n = THREADS_BYTES / (pixels * BYTES_PER_PIXEL);
  const guint64 cores = MIN (g_get_num_processors (), MAX_THREADS);
  if (n < cores)
    g_object_set (element, "max-threads", (gint) MAX (n, MIN_THREADS), NULL);
}

// The size that a frame of Motion JPEG itself says, before its decoder takes memory for
// it. False: it says none before something else than a segment comes.
static bool
find_jpeg_size (const guint8 *data, gsize bytes, int *width, int *height)
{
  for (gsize at = 2; at + 9 <= bytes && data[at] == 0xff;) {
    const guint8 marker = data[at + 1];
    // SOF0 … SOF15; DHT, JPG and DAC are among their numbers.
    if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8
        && marker != 0xcc) {
      *height = GST_READ_UINT16_BE (data + at + 5);
      *width = GST_READ_UINT16_BE (data + at + 7);
      return true;
    }
    at += marker == 0xff                     ? 1
          : marker >= 0xd0 && marker <= 0xd8 ? 2
                                             : 2 + GST_READ_UINT16_BE (data + at + 2);
  }
  return false;
}

static GstPadProbeReturn
jpeg_cb (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstMapInfo map;
  int width = 0, height = 0;

  if (!gst_buffer_map (GST_PAD_PROBE_INFO_BUFFER (info), &map, GST_MAP_READ))
    return GST_PAD_PROBE_OK;
  const bool found = find_jpeg_size (map.data, map.size, &width, &height);
  gst_buffer_unmap (GST_PAD_PROBE_INFO_BUFFER (info), &map);
  if (!found || (guint64) width * (guint64) height <= ODL_VIDEO_MAX_PIXELS)
    return GST_PAD_PROBE_OK;
  stop (data, width, height);
  return GST_PAD_PROBE_DROP;
}

static GstPadProbeReturn
event_cb (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstCaps *caps = NULL;
  int width = 0, height = 0;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CAPS)
    return GST_PAD_PROBE_OK;
  gst_event_parse_caps (event, &caps);
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  if (!gst_structure_get_int (structure, "width", &width)
      || !gst_structure_get_int (structure, "height", &height) || width <= 0
      || height <= 0)
    return GST_PAD_PROBE_OK;
  const guint64 pixels = (guint64) width * (guint64) height;
  if (pixels <= ODL_VIDEO_MAX_PIXELS) {
    limit_threads (pad, pixels);
    return GST_PAD_PROBE_OK;
  }
  stop (data, width, height);
  return GST_PAD_PROBE_DROP;
}

static gboolean
watch_pad_cb (GstElement *element, GstPad *pad, gpointer data)
{
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, event_cb, data, NULL);
  return TRUE;
}

static void
element_added_cb (GstBin *pipeline, GstBin *bin, GstElement *element, OdlSizeGuard *self)
{
  const GstElementFactory *factory = gst_element_get_factory (element);

  if (!GST_IS_BIN (element))
    gst_element_foreach_pad (element, watch_pad_cb, self);
  if (factory == NULL || !g_str_equal (GST_OBJECT_NAME (factory), "avdec_mjpeg"))
    return;
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, jpeg_cb, self, NULL);
}

OdlSizeGuard *
odl_size_guard_new (GstBin *pipeline)
{
  OdlSizeGuard *self = g_new0 (OdlSizeGuard, 1);

  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  g_signal_connect (pipeline, "deep-element-added", G_CALLBACK (element_added_cb), self);
  return self;
}

bool
odl_size_guard_check (OdlSizeGuard *self, GError **error)
{
  g_mutex_lock (&self->mutex);
  const int width = self->width, height = self->height;
  g_mutex_unlock (&self->mutex);
  if (width == 0)
    return false;
  g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
               _ ("its frames have %d × %d pixels; a video may have 8192 × 4320 or as "
                  "many in another shape"),
               width, height);
  return true;
}

void
odl_size_guard_release (OdlSizeGuard *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->released = true;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

void
odl_size_guard_free (OdlSizeGuard *self)
{
  if (self == NULL)
    return;
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}
