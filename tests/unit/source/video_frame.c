// SPDX-License-Identifier: MIT
// GStreamer's frames as images: wrapped with the strides they come with, turned as their
// tag says, copied once into a pool, and read alike whichever way they came.
#include <gst/allocators/gstfdmemory.h>
#include <fcntl.h>
#include <gst/gst.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "image/pool.h"
#include "source/gst_frame.h"
#include "source/video/video.h"
#include "support.h"
#include "video_decoder/pipeline.h"
#include "video_maker.h"

// A pool with one block.
typedef struct {
  OdlImagePool base;
  OdlImageBlock block;
  guint8 bytes[1 << 18];
  int taken, given;
} OnePool;

static OdlImageBlock *
one_take (OdlImagePool *pool, size_t size)
{
  OnePool *self = (OnePool *) pool;

  if (self->taken > self->given || size > sizeof self->bytes)
    return NULL;
  self->taken++;
  self->block
      = (OdlImageBlock){ .pool = pool, .data = self->bytes, .size = sizeof self->bytes };
  return &self->block;
}

static void
one_give (OdlImageBlock *block)
{
  ((OnePool *) block->pool)->given++;
}

static void
one_free (OdlImagePool *pool)
{
}

static const OdlImagePoolClass one_class = { one_take, one_give, one_free };

static GstSample *
first_sample (const char *description)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);
  g_assert_no_error (error);
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  GstSample *sample = gst_app_sink_pull_sample (GST_APP_SINK (sink));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  g_assert_nonnull (sample);
  return sample;
}

static GstSample *
bars (const char *format, int width, int height, const char *after)
{
  g_autofree char *description = g_strdup_printf (
      "videotestsrc pattern=smpte75 num-buffers=1 ! video/x-raw,format=%s,width=%d,"
      "height=%d,pixel-aspect-ratio=2/1 ! %s appsink name=sink",
      format, width, height, after);

  return first_sample (description);
}

// Mean difference over the channels.
static double
difference (const OdlImage *a, const OdlImage *b)
{
  const OdlImageInfo *info = odl_image_info (a);
  g_autofree float *x = g_new (float, info->extent.x);
  g_autofree float *y = g_new (float, info->extent.x);
  double sum = 0;

  g_assert_cmpint (info->extent.x, ==, odl_image_info (b)->extent.x);
  g_assert_cmpint (info->extent.y, ==, odl_image_info (b)->extent.y);
  g_assert_cmpint (info->channels, ==, odl_image_info (b)->channels);
  for (int row = 0; row < info->extent.y; row++)
    for (int c = 0; c < MIN (info->channels, 3); c++) {
      odl_image_scaled_row (a, c, row, 0, 0, x);
      odl_image_scaled_row (b, c, row, 0, 0, y);
      for (int i = 0; i < info->extent.x; i++)
        sum += fabs (x[i] - y[i]);
    }
  return sum / ((double) info->extent.x * info->extent.y * MIN (info->channels, 3));
}

static const struct {
  GstVideoOrientationMethod turn;
  const char *tag;
} turns[] = {
  { GST_VIDEO_ORIENTATION_90R, "rotate-90" },
  { GST_VIDEO_ORIENTATION_180, "rotate-180" },
  { GST_VIDEO_ORIENTATION_90L, "rotate-270" },
  { GST_VIDEO_ORIENTATION_HORIZ, "flip-rotate-0" },
  { GST_VIDEO_ORIENTATION_VERT, "flip-rotate-180" },
  { GST_VIDEO_ORIENTATION_UL_LR, "flip-rotate-270" },
  { GST_VIDEO_ORIENTATION_UR_LL, "flip-rotate-90" },
};

// As videoflip turns it, which takes fewer formats.
static void
test_turned (void)
{
  static const char *const formats[]
      = { "I420", "NV12", "YUY2", "GRAY8", "RGB", "BGRx", "RGBA", "I420_10LE" };

  for (size_t f = 0; f < G_N_ELEMENTS (formats); f++)
    for (size_t t = 0; t < G_N_ELEMENTS (turns); t++) {
      g_autofree char *flip
          = g_strdup_printf ("videoflip video-direction=%d !", turns[t].turn);
      g_autoptr (GstSample) plain = bars (formats[f], 64, 48, "");
      g_autoptr (GstSample) flipped = bars (formats[f], 64, 48, flip);
      const OdlGstFrameRequest request = { .turn = turns[t].turn };
      g_autoptr (OdlImage) ours = odl_gst_frame_image (plain, &request, NULL);
      g_autoptr (OdlImage) theirs = odl_gst_frame_image (flipped, NULL, NULL);
      g_assert_nonnull (ours);
      g_test_message ("%s %s: %.4f", formats[f], turns[t].tag, difference (ours, theirs));
      // Colour of half the resolution lies elsewhere by half a pixel of it.
      g_assert_cmpfloat (difference (ours, theirs), <, 0.03);
      g_assert_cmpfloat_with_epsilon (odl_image_info (ours)->pixel_aspect,
                                      odl_image_info (ours)->extent.x == 48 ? 0.5 : 2,
                                      1e-9);
    }
}

// Formats that videoflip refuses: four times a quarter turn is the picture itself.
static void
test_turned_around (void)
{
  static const char *const formats[]
      = { "Y42B", "P010_10LE", "UYVY", "I422_10LE", "GBR" };

  for (size_t f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autoptr (GstSample) sample = bars (formats[f], 64, 48, "");
    g_autoptr (OdlImage) image = odl_gst_frame_image (sample, NULL, NULL);
    const OdlGstFrameRequest right = { .turn = GST_VIDEO_ORIENTATION_90R };
    const OdlGstFrameRequest left = { .turn = GST_VIDEO_ORIENTATION_90L };
    g_autoptr (OdlImage) one = odl_gst_frame_image (sample, &right, NULL);
    g_autoptr (OdlImage) other = odl_gst_frame_image (sample, &left, NULL);
    float first[64], across[48];
    // The first row of the picture is the last column of what was turned to the right,
    // and the first column, from below, of what was turned to the left.
    odl_image_scaled_row (image, 1, 0, 0, 0, first);
    for (int y = 0; y < 64; y++) {
      odl_image_scaled_row (one, 1, y, 0, 0, across);
      g_assert_cmpfloat_with_epsilon (across[47], first[y], 0.15);
      odl_image_scaled_row (other, 1, 63 - y, 0, 0, across);
      g_assert_cmpfloat_with_epsilon (across[0], first[y], 0.15);
    }
  }
}

static void
test_tag (void)
{
  for (size_t t = 0; t < G_N_ELEMENTS (turns); t++) {
    g_autofree char *description = g_strdup_printf (
        "videotestsrc num-buffers=10 ! capsfilter caps=video/x-raw,format=Y42B,width=64,"
        "height=48,framerate=25/1 ! taginject "
        "tags=\"image-orientation=%s\"",
        turns[t].tag);
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlSource) source = odl_test_open_described (description, NULL, &error);
    g_assert_no_error (error);
    g_assert_nonnull (odl_source_detail (source, "turned"));
    for (int i = 0; i < 10; i += 4) {
      g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, NULL);
      const bool lying = strstr (turns[t].tag, "90") || strstr (turns[t].tag, "270");
      g_assert_cmpint (odl_image_info (image)->extent.x, ==, lying ? 48 : 64);
    }
  }
}

// Makes a QuickTime file say what phones say that are held upright: the matrix of its
// track header becomes a quarter turn to the right.
static void
hold_upright (const char *path, guint32 height)
{
  const guint32 matrix[9]
      = { 0, 0x10000, 0, (guint32) -0x10000, 0, 0, height << 16, 0, 0x40000000 };
  g_autofree char *bytes = NULL;
  gsize size = 0;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  char *header = NULL;
  for (gsize i = 0; i + 100 < size && header == NULL; i++)
    if (memcmp (bytes + i, "tkhd", 4) == 0)
      header = bytes + i + 4;
  g_assert_nonnull (header);
  g_assert_cmpint (*header, ==, 0); // version
  for (int i = 0; i < 9; i++) {
    const guint32 number = GUINT32_TO_BE (matrix[i]);
    memcpy (header + 40 + 4 * i, &number, 4);
  }
  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
}

static void
test_turned_file (void)
{
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *path = odl_test_make_moving (
      folder, "portrait.mov", "x264enc ! h264parse ! qtmux", 96, 64, 20);
  if (path != NULL) {
    hold_upright (path, 64);
    g_autoptr (OdlSource) source = odl_test_open_video (path);
    static const int indices[] = { 0, 19, 3 };
    for (size_t i = 0; i < G_N_ELEMENTS (indices); i++) {
      g_autoptr (OdlImage) image = odl_source_read_frame (source, indices[i], NULL, NULL);
      g_assert_cmpint (odl_image_info (image)->extent.x, ==, 64);
      g_assert_cmpint (odl_image_info (image)->extent.y, ==, 96);
    }
    g_assert_cmpstr (odl_source_detail (source, "turned"), ==, "90 degrees clockwise");
  }
  odl_test_remove_folder (folder);
}

// The same buffer, in memory that must be given back soon.
static GstSample *
in_scarce_memory (GstSample *sample)
{
  GstBuffer *from = gst_sample_get_buffer (sample);
  const gsize size = gst_buffer_get_size (from);
  const int fd = memfd_create ("frame", MFD_CLOEXEC);
  g_autoptr (GstAllocator) allocator = gst_fd_allocator_new ();
  GstBuffer *buffer = gst_buffer_new ();
  GstMapInfo map;

  g_assert_cmpint (ftruncate (fd, (off_t) size), ==, 0);
  gst_buffer_copy_into (buffer, from, GST_BUFFER_COPY_METADATA, 0, (gsize) -1);
  gst_buffer_append_memory (
      buffer, gst_fd_allocator_alloc (allocator, fd, size, GST_FD_MEMORY_FLAG_NONE));
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  gst_buffer_extract (from, 0, map.data, size);
  gst_buffer_unmap (buffer, &map);
  GstSample *scarce = gst_sample_new (buffer, gst_sample_get_caps (sample),
                                      gst_sample_get_segment (sample), NULL);
  gst_buffer_unref (buffer);
  return scarce;
}

static void
test_scarce_memory (void)
{
  static const char *const formats[]
      = { "I420", "NV12", "P010_10LE", "YUY2", "GRAY8", "GRAY16_LE", "RGB", "BGRx" };
  OnePool pool = { .base = { .klass = &one_class } };

  g_atomic_ref_count_init (&pool.base.ref_count);
  for (size_t f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autoptr (GstSample) sample = bars (formats[f], 61, 37, "");
    g_autoptr (OdlImage) wrapped = odl_gst_frame_image (sample, NULL, NULL);
    g_autoptr (GstSample) scarce = in_scarce_memory (sample);
    const OdlGstFrameRequest request = { .pool = &pool.base };
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlImage) lent = odl_gst_frame_image (scarce, &request, &error);
    g_assert_no_error (error);
    // The pool has no second block.
    g_autoptr (OdlImage) own = odl_gst_frame_image (scarce, &request, NULL);
    g_clear_pointer (&scarce, gst_sample_unref);
    g_assert_null (odl_image_block (wrapped));
    g_assert_nonnull (odl_image_block (lent));
    g_assert_null (odl_image_block (own));
    g_assert_cmpfloat (difference (wrapped, lent), ==, 0);
    g_assert_cmpfloat (difference (wrapped, own), ==, 0);
    g_clear_pointer (&lent, odl_image_unref);
    g_assert_cmpint (pool.given, ==, (int) f + 1);
  }
}

// The pipeline's threads let go of a buffer when they get to it.
static void
await_references (GstBuffer *buffer, int n)
{
  for (int i = 0; i < 60000 && GST_MINI_OBJECT_REFCOUNT_VALUE (buffer) > n; i++)
    g_usleep (1000);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, n);
}

// Ordinary memory is not copied: the image lies in the buffer, and keeps it.
static void
test_wrapped (void)
{
  GstSample *sample = bars ("I420", 61, 37, "");
  GstBuffer *buffer = gst_buffer_ref (gst_sample_get_buffer (sample));
  OdlImage *image = odl_gst_frame_image (sample, NULL, NULL);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  g_assert_true (odl_image_info (image)->planes[0].data == map.data);
  gst_buffer_unmap (buffer, &map);
  gst_sample_unref (sample);
  await_references (buffer, 2);
  odl_image_unref (image);
  await_references (buffer, 1);
  gst_buffer_unref (buffer);
}

// The decoder's own memory, margins and all: rows are longer than the picture is wide.
static void
test_direct (void)
{
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *path = odl_test_make_moving (
      folder, "direct.mp4", "x264enc ! h264parse ! mp4mux", 96, 64, 5);

  if (path != NULL) {
    const int fd = open (path, O_RDONLY | O_CLOEXEC);
    g_autoptr (OdlSource) source
        = odl_video_source_new (odl_video_local_open (fd, NULL, NULL), NULL, NULL);
    g_autoptr (OdlImage) image = odl_source_read_frame (source, 0, NULL, NULL);
    const OdlImageInfo *info = odl_image_info (image);
    g_test_message ("rows of %d samples are %d bytes apart", info->extent.x,
                    (int) info->planes[0].row_stride_bytes);
    if (strstr (odl_source_detail (source, "codec"), "264") != NULL)
      g_assert_cmpint (info->planes[0].row_stride_bytes, >, 96);
    g_clear_pointer (&source, odl_source_unref);
    close (fd);
  }
  odl_test_remove_folder (folder);
}

// A buffer may lie about itself.
static void
test_too_short (void)
{
  g_autoptr (GstSample) sample = bars ("I420", 64, 48, "");
  g_autoptr (GstCaps) larger = gst_caps_from_string (
      "video/x-raw,format=I420,width=640,height=480,framerate=25/1");
  g_autoptr (GstSample) liar = gst_sample_new (gst_sample_get_buffer (sample), larger,
                                               gst_sample_get_segment (sample), NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (odl_gst_frame_image (liar, NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
}

// Numbers from 16 to 235 are black to white then, in every order of the channels.
static void
test_limited_rgb (void)
{
  static const char *const formats[] = { "RGB", "BGRx", "GBR", "ARGB", "GRAY8" };

  for (size_t f = 0; f < G_N_ELEMENTS (formats); f++) {
    const bool grey = g_str_equal (formats[f], "GRAY8");
    g_autofree char *limit = g_strdup_printf (
        "capssetter caps=video/x-raw,colorimetry=(string)2:%d:5:1 !", grey ? 4 : 1);
    g_autoptr (GstSample) full = bars (formats[f], 64, 48, "");
    g_autoptr (GstSample) limited = bars (formats[f], 64, 48, limit);
    g_autoptr (OdlImage) numbers = odl_gst_frame_image (full, NULL, NULL);
    g_autoptr (OdlImage) image = odl_gst_frame_image (limited, NULL, NULL);
    float whole[64], part[64];
    g_test_message ("%s", formats[f]);
    for (int c = 0; c < (grey ? 1 : 3); c++) {
      odl_image_scaled_row (numbers, c, 40, 0, 0, whole);
      odl_image_scaled_row (image, c, 40, 0, 0, part);
      for (int x = 0; x < 64; x++)
        g_assert_cmpfloat_with_epsilon (part[x], (whole[x] * 255 - 16) / 219, 1e-5);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_true (odl_gst_start (NULL));
  g_test_add_func ("/frame/turned-as-videoflip-turns", test_turned);
  g_test_add_func ("/frame/turned-in-every-format", test_turned_around);
  g_test_add_func ("/frame/a-tag-turns-a-stream", test_tag);
  g_test_add_func ("/frame/a-tag-turns-a-file", test_turned_file);
  g_test_add_func ("/frame/scarce-memory-is-copied-once", test_scarce_memory);
  g_test_add_func ("/frame/ordinary-memory-is-wrapped", test_wrapped);
  g_test_add_func ("/frame/decoders-hand-over-their-memory", test_direct);
  g_test_add_func ("/frame/limited-rgb-is-stretched", test_limited_rgb);
  g_test_add_func ("/frame/a-short-buffer-is-refused", test_too_short);
  return g_test_run ();
}
