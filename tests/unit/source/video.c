// SPDX-License-Identifier: MIT
// Videos made by GStreamer's own encoders and read back: every frame in its place,
// colours right, and files that are cut, corrupt, silent or none.
#include <gst/gst.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "source/gst_frame.h"
#include "../../helpers/test_data.h"
#include "support.h"
#include "video_maker.h"

#define RATE 25
#define FRAMES 50

static char *folder;

// A luma video: frame i is grey of level 2 i + 50, so a frame tells its number.
// `codec` encodes and muxes.
static char *
make_numbered (const char *name, const char *codec, int width, int height)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *raw = g_build_filename (folder, "raw.yuv", NULL);
  const size_t luma = (size_t) width * height;
  const size_t chroma = (size_t) ((width + 1) / 2) * ((height + 1) / 2);
  // GStreamer's default strides for I420: multiples of four.
  const size_t stride = ((size_t) width + 3) / 4 * 4;
  const size_t half = (((size_t) width + 1) / 2 + 3) / 4 * 4;
  const size_t rows = ((size_t) height + 1) / 2 * 2;
  const size_t size = stride * rows + 2 * half * (rows / 2);
  g_autofree uint8_t *bytes = g_malloc (size * FRAMES);

  g_assert_cmpint (luma + 2 * chroma, <=, size);
  for (int i = 0; i < FRAMES; i++) {
    memset (bytes + i * size, 50 + 2 * i, stride * rows);
    memset (bytes + i * size + stride * rows, 128, 2 * half * (rows / 2));
  }
  g_assert_true (
      g_file_set_contents (raw, (char *) bytes, (gssize) (size * FRAMES), NULL));
  g_autofree char *description = g_strdup_printf (
      "filesrc location=%s ! rawvideoparse format=i420 width=%d height=%d framerate=%d/1 "
      "colorimetry=bt601 ! %s ! filesink location=%s",
      raw, width, height, RATE, codec, path);
  if (odl_test_run_pipeline (description))
    return path;
  g_free (path);
  return NULL;
}

// The number of the frame that is delivered as frame `index`.
static int
number_at (OdlSource *source, int64_t index, bool full_range)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = odl_source_read_frame (source, index, NULL, &error);

  g_assert_no_error (error);
  const OdlImageInfo *info = odl_image_info (image);
  g_autofree float *row = g_new (float, info->extent.x);
  odl_image_scaled_row (image, 1, info->extent.y / 2, 0, 0, row);
  const double grey = row[info->extent.x / 2];
  return (int) lround ((full_range ? grey * 255 - 50 : grey * 219 + 16 - 50) / 2);
}

static const struct {
  const char *name;
  const char *codec;
  bool full_range; // the decoder says so, whatever the encoder was given
} kinds[] = {
  { "theora.ogv", "theoraenc ! oggmux" },
  { "vp8.webm", "vp8enc deadline=1 ! webmmux" },
  { "mjpeg.avi", "jpegenc quality=98 ! avimux", true },
  { "mpeg1.mkv", "mpeg2enc format=0 bitrate=1152 ! mpegvideoparse ! matroskamux" },
  { "h264.mp4", "x264enc tune=zerolatency qp-max=20 ! h264parse ! mp4mux" },
  { "h264.mov", "x264enc tune=zerolatency qp-max=20 ! h264parse ! qtmux" },
  { "raw.mkv", "matroskamux" },
};

static void
test_kind (const void *data)
{
  const int kind = GPOINTER_TO_INT (data);
  g_autofree char *path = make_numbered (kinds[kind].name, kinds[kind].codec, 64, 48);
  if (path == NULL)
    return;
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  const OdlSourceInfo *info = &source->info;
  const bool full = kinds[kind].full_range;
  g_test_message ("%s: %s, %d frames, %g per second", kinds[kind].name, info->format,
                  info->n_frames, info->frame_rate);
  g_assert_cmpfloat_with_epsilon (info->frame_rate, RATE, 0.01);
  g_assert_cmpint (ABS (info->n_frames - FRAMES), <=, 2);
  // In a row, then here and there, backwards too.
  for (int i = 0; i < FRAMES; i++)
    g_assert_cmpint (number_at (source, i, full), ==, i);
  static const int jumps[] = { 40, 3, 4, 49, 0, 25, 24, 23 };
  for (size_t i = 0; i < G_N_ELEMENTS (jumps); i++)
    g_assert_cmpint (number_at (source, jumps[i], full), ==, jumps[i]);
}

// Beyond the end: said so, and the true number is known.
static void
test_end (void)
{
  g_autofree char *path = make_numbered ("end.ogv", "theoraenc ! oggmux", 64, 48);
  if (path == NULL)
    return;
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  g_autoptr (GError) error = NULL;
  source->info.n_frames = 0;
  g_assert_null (odl_source_read_frame (source, FRAMES + 20, NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_END);
  g_assert_cmpint (source->info.n_frames, ==, FRAMES);
  g_assert_cmpint (number_at (source, FRAMES - 1, false), ==, FRAMES - 1);
  g_assert_cmpint (number_at (source, 0, false), ==, 0);
}

// Odd sizes, whose strides and chroma sizes are not what one thinks first.
static void
test_odd_sizes (void)
{
  static const struct {
    int width, height;
  } sizes[] = { { 63, 47 }, { 17, 33 }, { 1, 1 }, { 101, 2 } };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autofree char *path
        = make_numbered ("odd.mkv", "matroskamux", sizes[i].width, sizes[i].height);
    if (path == NULL)
      return;
    g_autoptr (OdlSource) source = odl_test_open_video (path);
    g_autoptr (OdlImage) image = odl_source_read_frame (source, 0, NULL, NULL);
    g_assert_cmpint (odl_image_info (image)->extent.x, ==, sizes[i].width);
    g_assert_cmpint (odl_image_info (image)->extent.y, ==, sizes[i].height);
    g_assert_cmpint (number_at (source, 31, false), ==, 31);
  }
}

// The first frame of a pipeline whose sink is named "sink".
static OdlImage *
first_frame (const char *description)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);
  g_assert_no_error (error);
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_autoptr (GstSample) sample = gst_app_sink_pull_sample (GST_APP_SINK (sink));
  OdlImage *image = odl_gst_frame_image (sample, NULL, &error);
  g_assert_no_error (error);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return image;
}

// A picture of one colour must come back as that colour, whatever it was stored as.
static void
check_colour (const char *format, const char *colorimetry, unsigned colour)
{
  g_autofree char *description = g_strdup_printf (
      "videotestsrc pattern=solid-color foreground-color=%u num-buffers=1 ! "
      "video/x-raw,format=RGB,width=30,height=22 ! videoconvert dither=none ! "
      "video/x-raw,format=%s%s%s ! appsink name=sink",
      colour, format, *colorimetry != '\0' ? ",colorimetry=" : "", colorimetry);
  g_autoptr (OdlImage) image = first_frame (description);
  float row[30];

  const int channels = odl_image_info (image)->channels;
  if (channels == 1 && (colour & 0xff) * 0x010101 != (colour & 0xffffff))
    return;
  for (int c = 0; c < MIN (channels, 3); c++) {
    const double expected = (colour >> (16 - 8 * c) & 0xff) / 255.0;
    odl_image_scaled_row (image, c, 11, 0, 0, row);
    g_test_message ("%s %s %06x channel %d: %.4f", format, colorimetry, colour & 0xffffff,
                    c, row[15] - expected);
    // GStreamer, which stored it so, works in whole numbers.
    g_assert_cmpfloat_with_epsilon (CLAMP (row[15], 0, 1), expected, 3.5 / 255);
  }
}

// Colour bars, whose places show planes that are taken for each other.
static void
check_bars (const char *format, const char *colorimetry)
{
  g_autofree char *caps
      = g_strdup_printf ("video/x-raw,width=160,height=96,format=%s%s%s", format,
                         *colorimetry != '\0' ? ",colorimetry=" : "", colorimetry);
  g_autofree char *ours = g_strdup_printf (
      "videotestsrc pattern=smpte75 num-buffers=1 ! %s ! appsink name=sink", caps);
  g_autofree char *theirs
      = g_strdup_printf ("videotestsrc pattern=smpte75 num-buffers=1 ! %s ! videoconvert "
                         "! video/x-raw,format=RGB ! appsink name=sink",
                         caps);
  g_autoptr (OdlImage) one = first_frame (ours);
  g_autoptr (OdlImage) other = first_frame (theirs);
  const bool grey = odl_image_info (one)->channels == 1;
  float x[160], y[160];
  double sum = 0;

  for (int row = 0; row < 60; row++)
    for (int c = 0; c < 3; c++) {
      odl_image_scaled_row (one, grey ? 0 : c, row, 0, 0, x);
      odl_image_scaled_row (other, c, row, 0, 0, y);
      for (int p = 0; p < 160; p++)
        sum += fabs (CLAMP (x[p], 0, 1) - y[p]);
    }
  g_test_message ("%s %s bars: %.4f", format, colorimetry, sum / (60 * 160 * 3));
  // The edges differ by how missing colour is made.
  g_assert_cmpfloat (sum / (60 * 160 * 3), <, grey ? 0.015 : 0.03);
}

static void
test_formats (void)
{
  static const char *const formats[]
      = { "I420",      "YV12", "NV12",  "NV21",      "Y42B",      "Y444",
          "YUY2",      "UYVY", "GRAY8", "I420_10LE", "I422_10LE", "P010_10LE",
          "GRAY16_LE", "RGB",  "BGRx",  "RGBA" };
  static const char *const colorimetries[] = { "bt601", "bt709", "1:4:0:0" };
  static const unsigned colours[] = { 0xffff0000u, 0xff20c040u, 0xff1030f0u, 0xfff0e010u,
                                      0xff000000u, 0xff606060u, 0xffffffffu };

  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++)
    for (size_t k = 0; k < G_N_ELEMENTS (colorimetries); k++) {
      const bool rgb = formats[i][0] == 'R' || formats[i][0] == 'B';
      const char *colorimetry = rgb ? "" : colorimetries[k];
      if (rgb && k > 0)
        continue;
      for (size_t c = 0; c < G_N_ELEMENTS (colours); c++)
        check_colour (formats[i], colorimetry, colours[c]);
      check_bars (formats[i], colorimetry);
    }
}

// Grey of which nobody says its range has all of it.
static void
test_untagged_grey (void)
{
  static const struct {
    const char *caps;
    double minimum, maximum;
  } streams[] = {
    { "GRAY8", 0, 255 },
    { "GRAY8,colorimetry=2:4:0:0", 16, 235 },
    { "GRAY16_LE", 0, 65535 },
    { "GRAY16_LE,colorimetry=bt709", 16 * 256, 235 * 256 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (streams); i++) {
    g_autofree char *description = g_strdup_printf (
        "videotestsrc num-buffers=1 ! video/x-raw,width=64,height=48,format=%s ! "
        "appsink name=sink",
        streams[i].caps);
    g_autoptr (OdlImage) image = first_frame (description);
    g_assert_cmpfloat (odl_image_info (image)->stored_min, ==, streams[i].minimum);
    g_assert_cmpfloat (odl_image_info (image)->stored_max, ==, streams[i].maximum);
  }
}

// Colours of which nobody says the matrix: that of television, by the number of rows.
static void
test_untagged_matrix (void)
{
  static const struct {
    int height;
    double kr, kb;
  } streams[] = { { 480, 0.299, 0.114 },
                  { 576, 0.299, 0.114 },
                  { 578, 0.2126, 0.0722 },
                  { 1080, 0.2126, 0.0722 } };

  for (size_t i = 0; i < G_N_ELEMENTS (streams); i++) {
    g_autofree char *description = g_strdup_printf (
        "videotestsrc num-buffers=1 ! video/x-raw,width=16,height=%d,format=I420,"
        "colorimetry=2:0:0:0 ! appsink name=sink",
        streams[i].height);
    g_autoptr (OdlImage) image = first_frame (description);
    const OdlYcbcr *ycbcr = &odl_image_info (image)->ycbcr;
    g_assert_true (ycbcr->used);
    g_assert_cmpfloat_with_epsilon (ycbcr->kr, streams[i].kr, 1e-6);
    g_assert_cmpfloat_with_epsilon (ycbcr->kb, streams[i].kb, 1e-6);
  }
}

static void
test_broken (void)
{
  g_autofree char *good
      = make_numbered ("good.webm", "vp8enc deadline=1 ! webmmux", 64, 48);
  if (good == NULL)
    return;
  g_autofree char *bytes = NULL;
  gsize size = 0;
  g_assert_true (g_file_get_contents (good, &bytes, &size, NULL));

  // Cut: the frames before it play.
  g_autofree char *cut = odl_test_write (folder, "cut.webm", bytes, size / 2);
  g_autoptr (OdlSource) source = odl_test_open_video (cut);
  g_assert_cmpint (number_at (source, 5, false), ==, 5);
  g_autoptr (GError) error = NULL;
  g_assert_null (odl_source_read_frame (source, FRAMES - 1, NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_END);
  g_assert_cmpint (source->info.n_frames, <, FRAMES);
  g_assert_cmpint (source->info.n_frames, >, 5);

  // Noise in the middle: no crash, and some frames.
  for (gsize i = size / 3; i < size / 3 + 400 && i < size; i++)
    bytes[i] = (char) (i * 73);
  g_autofree char *noisy = odl_test_write (folder, "noisy.webm", bytes, size);
  g_autoptr (OdlSource) other = odl_test_open_video (noisy);
  for (int i = 0; i < FRAMES; i += 7) {
    g_autoptr (GError) ignored = NULL;
    g_autoptr (OdlImage) image = odl_source_read_frame (other, i, NULL, &ignored);
    g_assert_true (image != NULL || ignored != NULL);
  }

  // The beginning alone, and nothing but the signature.
  g_autofree char *stump = odl_test_write (folder, "stump.webm", bytes, 300);
  g_autofree char *refusal = odl_test_refusal (stump);
  odl_test_contains (stump, refusal, "stump.webm");
  g_autofree char *empty = odl_test_write (folder, "empty.mp4",
                                           "\0\0\0\x18"
                                           "ftypmp42",
                                           12);
  g_autofree char *other_refusal = odl_test_refusal (empty);
  odl_test_contains (empty, other_refusal, "empty.mp4");
}

static void
test_no_video (void)
{
  g_autofree char *path = g_build_filename (folder, "sound.ogg", NULL);
  g_autofree char *description = g_strdup_printf (
      "audiotestsrc num-buffers=40 ! vorbisenc ! oggmux ! filesink location=%s", path);
  if (!odl_test_run_pipeline (description))
    return;
  g_autofree char *refusal = odl_test_refusal (path);
  odl_test_contains (path, refusal, "holds no video");
}

// Sound beside the picture is left alone.
static void
test_sound_is_ignored (void)
{
  g_autofree char *path = g_build_filename (folder, "both.mkv", NULL);
  g_autofree char *description = g_strdup_printf (
      "matroskamux name=m ! filesink location=%s videotestsrc num-buffers=25 ! "
      "video/x-raw,width=64,height=48,framerate=25/1 ! vp8enc deadline=1 ! m. "
      "audiotestsrc num-buffers=40 ! vorbisenc ! m.",
      path);
  if (!odl_test_run_pipeline (description))
    return;
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  for (int i = 0; i < 20; i++) {
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, NULL);
    g_assert_nonnull (image);
  }
}

// A file that nobody on this project made.
static void
test_real_file (void)
{
  g_autofree char *path = odl_test_data ("imageio-binaries/realshort.mp4");
  if (path == NULL)
    return;
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  g_assert_cmpint (source->info.n_frames, ==, 36);
  g_autoptr (OdlImage) first = odl_source_read_frame (source, 0, NULL, NULL);
  g_autoptr (OdlImage) last = odl_source_read_frame (source, 35, NULL, NULL);
  g_assert_nonnull (last);
  g_assert_cmpint (odl_image_info (first)->extent.x, ==, 320);
  g_assert_cmpint (odl_image_info (first)->extent.y, ==, 240);
  g_assert_cmpint (odl_image_info (last)->pts_ns, >, odl_image_info (first)->pts_ns);
}

// Opening and closing leave nothing behind, at whatever moment a read is cancelled.
static void
test_leaks_nothing (void)
{
  g_autofree char *path = make_numbered ("leak.ogv", "theoraenc ! oggmux", 64, 48);
  if (path == NULL)
    return;
  int fds = 0;
  for (int i = 0; i < 12; i++) {
    g_autoptr (OdlSource) source = odl_test_open_video (path);
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, NULL);
    g_cancellable_cancel (cancellable);
    g_assert_null (odl_source_read_frame (source, i + 9, cancellable, NULL));
    g_clear_pointer (&source, odl_source_unref);
    // A frame outlives its source.
    g_autofree float *row = g_new (float, 64);
    odl_image_scaled_row (image, 0, 47, 0, 0, row);
    if (i == 3)
      fds = odl_test_count_fds ();
  }
  g_assert_cmpint (odl_test_count_fds (), <=, fds);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_true (odl_gst_start (NULL));
  folder = odl_test_folder ();
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *name
        = g_strdup_printf ("/video/every-frame-is-in-its-place/%s", kinds[i].name);
    g_test_add_data_func (name, GINT_TO_POINTER ((int) i), test_kind);
  }
  g_test_add_func ("/video/the-end-is-learned", test_end);
  g_test_add_func ("/video/odd-sizes-play", test_odd_sizes);
  g_test_add_func ("/video/every-format-has-the-right-colours", test_formats);
  g_test_add_func ("/video/grey-has-the-range-it-says", test_untagged_grey);
  g_test_add_func ("/video/an-unstated-matrix-depends-on-the-number-of-rows",
                   test_untagged_matrix);
  g_test_add_func ("/video/what-is-whole-of-a-broken-file-plays", test_broken);
  g_test_add_func ("/video/a-file-without-video-is-refused", test_no_video);
  g_test_add_func ("/video/sound-is-left-alone", test_sound_is_ignored);
  g_test_add_func ("/video/a-real-file-plays", test_real_file);
  g_test_add_func ("/video/nothing-is-left-behind", test_leaks_nothing);
  int result = g_test_run ();
  odl_test_remove_folder (folder);
  g_free (folder);
  return result;
}
