// SPDX-License-Identifier: MIT
#include "video_maker.h"

#include "base/error.h"
#include "source/video/video.h"
#include "video_decoder/pipeline.h"

bool
odl_test_run_pipeline (const char *description)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);

  if (error != NULL) {
    g_autofree char *why = g_strdup_printf ("no plugin: %s", error->message);
    g_test_skip (why);
    if (pipeline != NULL)
      gst_object_unref (pipeline);
    return false;
  }
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (
      bus, 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_test_message ("%s: %s", description, error->message);
  }
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return true;
}

char *
odl_test_make_moving (const char *folder,
                      const char *name,
                      const char *codec,
                      int width,
                      int height,
                      int n_frames)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *description = g_strdup_printf (
      "videotestsrc pattern=zone-plate kx2=20 ky2=20 kt=1 kxt=3 num-buffers=%d ! "
      "video/x-raw,format=I420,width=%d,height=%d,framerate=25/1 ! %s ! "
      "filesink location=%s",
      n_frames, width, height, codec, path);

  if (odl_test_run_pipeline (description))
    return path;
  g_free (path);
  return NULL;
}

OdlSource *
odl_test_open_video (const char *path)
{
  g_autoptr (GError) error = NULL;
  OdlSource *source = odl_source_open (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (source->klass->name, ==, "video");
  return source;
}

OdlSource *
odl_test_open_described (const char *description,
                         GCancellable *cancellable,
                         GError **error)
{
  return odl_video_source_new (
      odl_video_local_open_described (description, cancellable, error), cancellable,
      error);
}

guint64
odl_test_checksum (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  guint64 sum = 0xcbf29ce484222325u;

  for (int c = 0; c < info->channels; c++) {
    const bool coarse = info->ycbcr.used && c > 0;
    const OdlPlane *plane = &info->planes[c];
    const int width = info->extent.x >> (coarse ? info->ycbcr.shift_x : 0);
    const int height = info->extent.y >> (coarse ? info->ycbcr.shift_y : 0);
    for (int y = 0; y < height; y++) {
      const guint8 *row = (const guint8 *) plane->data + y * plane->row_stride_bytes;
      for (int x = 0; x < width; x++)
        sum = (sum ^ row[x * plane->sample_stride_bytes]) * 0x100000001b3u;
    }
  }
  return sum;
}

guint64
odl_test_frame_checksum (OdlSource *source, int64_t index)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = odl_source_read_frame (source, index, NULL, &error);

  if (image == NULL)
    g_test_message ("frame %d: %s", (int) index, error->message);
  return image != NULL ? odl_test_checksum (image) : 0;
}
