// SPDX-License-Identifier: MIT
// Video files that are cut, corrupt, silent, none or gone: words or what is whole, soon,
// and nothing is left behind.
#include <glib/gstdio.h>
#include <gst/gst.h>
#include <string.h>

#include "../../helpers/bar.h"
#include "base/error.h"
#include "source/gst_frame.h"
#include "support.h"
#include "video_maker.h"

#define MOVING "videotestsrc pattern=zone-plate kx2=20 ky2=20 kt=1 kxt=3 "
#define CAPS(w, h) \
  "capsfilter caps=video/x-raw,format=I420,width=" #w ",height=" #h ",framerate=25/1 "
#define FRAMES 40
#define OPENINGS 25 // by each of several threads

static char *folder;

static const struct {
  const char *name;
  const char *codec;
} files[] = {
  { "bad.avi", "jpegenc ! avimux" },
  { "bad.webm", "vp8enc deadline=1 ! webmmux" },
  { "bad.ogv", "theoraenc ! oggmux" },
  { "bad.mp4", "x264enc key-int-max=10 ! h264parse ! mp4mux faststart=true" },
  { "late-index.mp4", "x264enc key-int-max=10 ! h264parse ! mp4mux" },
  { "bad.ts", "x264enc key-int-max=10 ! h264parse ! mpegtsmux" },
  { "bad.mpg", "mpeg2enc format=3 ! mplex format=3" },
  { "bad.flv", "x264enc key-int-max=10 ! h264parse ! flvmux" },
};

// Opens and reads all frames, each of which comes or is refused with words.
static int
play (const char *path)
{
  g_autoptr (GError) refused = NULL;
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, &refused);
  int seen = 0;

  if (source == NULL) {
    g_test_message ("%s", refused->message);
    g_assert_true (g_utf8_validate (refused->message, -1, NULL));
    g_assert_null (strchr (refused->message, '\n'));
    return -1;
  }
  for (int i = 0; i < FRAMES + 20; i++) {
    g_autoptr (GError) error = NULL;
    if (source->info.n_frames > 0 && i >= source->info.n_frames)
      break;
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, &error);
    if (image == NULL && !g_error_matches (error, ODL_ERROR, ODL_ERROR_CORRUPT)) {
      g_assert_error (error, ODL_ERROR, ODL_ERROR_END);
      break;
    }
    seen += image != NULL;
  }
  return seen;
}

// Whatever becomes of it, it does so soon.
static void
play_soon (const char *name, const char *bytes, gsize size)
{
  g_autofree char *path = odl_test_write (folder, name, bytes, size);
  const gint64 start = g_get_monotonic_time ();
  const int seen = play (path);
  const gint64 us = g_get_monotonic_time () - start;

  g_test_message ("%s: %d frames", name, seen);
  odl_test_took (name, us, 5 * G_USEC_PER_SEC);
}

static void
test_broken_files (const void *data)
{
  const int kind = GPOINTER_TO_INT (data);
  g_autofree char *path = odl_test_make_moving (folder, files[kind].name,
                                                files[kind].codec, 96, 64, FRAMES);
  g_autofree char *bytes = NULL;
  gsize size = 0;

  if (path == NULL)
    return;
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  g_assert_cmpint (play (path), >=, FRAMES - 1);
  static const int per_cent[] = { 1, 10, 50, 90, 99 };
  for (size_t i = 0; i < G_N_ELEMENTS (per_cent); i++) {
    g_autofree char *name = g_strdup_printf ("cut-%d-%s", per_cent[i], files[kind].name);
    play_soon (name, bytes, MAX (size * per_cent[i] / 100, 16));
  }
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  for (int round = 0; round < 8; round++) {
    g_autofree char *copy = g_memdup2 (bytes, size);
    for (int i = 0; i < 1 << round; i++)
      copy[g_rand_int_range (rand, 0, (gint32) size)] = (char) g_rand_int (rand);
    g_autofree char *name = g_strdup_printf ("noise-%d-%s", 1 << round, files[kind].name);
    play_soon (name, copy, size);
  }
}

// Its streams are known long before the first of its frames, of which each has 24 MB, and
// by their names no plugin would call them video.
static void
test_slow_first_frame (void)
{
  g_autofree char *path = g_build_filename (folder, "large.y4m", NULL);
  g_autofree char *description = g_strdup_printf (
      "videotestsrc num-buffers=1 pattern=black ! video/x-raw,format=Y444,width=3840,"
      "height=2160,framerate=25/1 ! y4menc ! filesink location=%s",
      path);

  if (!odl_test_run_pipeline (description))
    return;
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  g_assert_cmpuint (odl_test_frame_checksum (source, 0), !=, 0);
}

// What the program itself does not know: the installed plugins are asked, and do not take
// for a video what is none. A playlist would lead elsewhere.
static void
test_not_recognised (void)
{
  static const char *const texts[] = {
    "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\na.ts\n",
    "<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"></MPD>\n",
    "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=a\nm=video 5000 RTP/AVP 96\n",
    "file:///etc/passwd\nhttp://localhost/a.mp4\n",
    "1\n00:00:00,000 --> 00:00:02,000\nSubtitle.\n",
    "\xff\xfb\x90\x64 no sound either",
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autofree char *noise = g_malloc (100000);
  const gint64 start = g_get_monotonic_time ();

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree char *path
        = odl_test_write (folder, "words.m3u8", texts[i], strlen (texts[i]));
    g_autofree char *refusal = odl_test_refusal (path);
    odl_test_contains (path, refusal, "known format");
  }
  for (int round = 0; round < 8; round++) {
    for (int i = 0; i < 100000; i++)
      noise[i] = (char) g_rand_int (rand);
    g_autofree char *path = odl_test_write (folder, "noise.mxf", noise, 100000);
    g_autofree char *refusal = odl_test_refusal (path);
    odl_test_contains (path, refusal, "known format");
  }
  odl_test_took ("refusing what is no video", g_get_monotonic_time () - start,
                 10 * G_USEC_PER_SEC);
}

static void
test_impostors (void)
{
  static const struct {
    const char *name, *bytes;
    size_t n_bytes;
  } impostors[] = {
    { "text.mp4", "Dear Sir or Madam, this is no video at all.\n", 44 },
    { "empty.mp4",
      "\0\0\0\x18"
      "ftypmp42",
      12 },
    { "head.mkv", "\x1a\x45\xdf\xa3", 4 },
    { "head.avi", "RIFF\x10\0\0\0AVI LIST", 16 },
    { "head.ogv", "OggS\0\2\0\0\0\0\0\0\0\0", 14 },
    { "head.mpg", "\0\0\x01\xba\x44\0\4\0\4\1", 10 },
    { "head.flv", "FLV\x01\5\0\0\0\t\0\0\0\0", 13 },
    { "head.y4m", "YUV4MPEG2 W64 H48 F25:1\n", 24 },
    { "head.mxf", "\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02\x01\x01\x02\x04\x00",
      16 },
    { "head.mjpeg", "\xff\xd8\xff\xe0", 4 },
    { "head.asf", "\x30\x26\xb2\x75\x8e\x66\xcf\x11", 8 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (impostors); i++) {
    g_autofree char *path = odl_test_write (folder, impostors[i].name, impostors[i].bytes,
                                            impostors[i].n_bytes);
    const gint64 start = g_get_monotonic_time ();
    g_autofree char *refusal = odl_test_refusal (path);
    odl_test_contains (path, refusal, impostors[i].name);
    odl_test_took (impostors[i].name, g_get_monotonic_time () - start,
                   3 * G_USEC_PER_SEC);
  }
}

// Decoders of rank 0 are as good as not installed.
static void
test_missing_plugin (void)
{
  g_autofree char *path
      = odl_test_make_moving (folder, "missing.ogv", "theoraenc ! oggmux", 64, 48, 5);

  if (path == NULL)
    return;
  g_setenv ("GST_PLUGIN_FEATURE_RANK", "theoradec:NONE,avdec_theora:NONE", TRUE);
  g_autofree char *refusal = odl_test_refusal (path);
  g_unsetenv ("GST_PLUGIN_FEATURE_RANK");
  odl_test_contains (path, refusal, "missing.ogv");
  odl_test_contains (path, refusal, "Theora");
  odl_test_contains (path, refusal, "install");
  g_autoptr (OdlSource) source = odl_test_open_video (path);
}

// The name goes, the video stays: also when it has to be opened anew.
static void
test_file_disappears (void)
{
  g_autofree char *path = odl_test_make_moving (
      folder, "gone.webm", "vp8enc deadline=1 ! webmmux", 64, 48, FRAMES);
  if (path == NULL)
    return;
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  const guint64 third = odl_test_frame_checksum (source, 3);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpuint (odl_test_frame_checksum (source, FRAMES - 1), !=, 0);
  g_assert_cmpuint (odl_test_frame_checksum (source, 3), ==, third);
}

// The file is emptied while it plays: words, no crash, and closing works.
static void
test_file_is_emptied (void)
{
  g_autofree char *path = odl_test_make_moving (
      folder, "emptied.webm", "vp8enc deadline=1 ! webmmux", 320, 240, FRAMES);
  if (path == NULL)
    return;
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  g_assert_cmpuint (odl_test_frame_checksum (source, 3), !=, 0);
  g_assert_true (
      g_file_set_contents_full (path, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  for (int i = FRAMES - 1; i >= 0; i -= 13) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, &error);
    if (image == NULL)
      g_assert_cmpstr (error->message, !=, NULL);
  }
}

// A rate that varies: a frame that stays longer is no damage, and the same picture is on
// screen at the same time whichever way it is reached.
static void
test_varying_rate (void)
{
  g_autofree char *path = odl_test_make_moving (
      folder, "varying.webm",
      "identity drop-probability=0.5 ! vp8enc deadline=1 keyframe-max-dist=10 ! webmmux",
      64, 48, 100);
  guint64 sums[100] = { 0 };
  int n = 0, changes = 0;

  if (path == NULL)
    return;
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  for (; n < MIN (100, source->info.n_frames); n++) {
    g_autoptr (OdlImage) image = odl_source_read_frame (source, n, NULL, NULL);
    if (image == NULL)
      break;
    sums[n] = odl_test_checksum (image);
    changes += n == 0 || sums[n] != sums[n - 1];
  }
  g_test_message ("%d frames, %d changes", n, changes);
  // Those that were not dropped, each once.
  g_assert_cmpint (n, ==, source->info.n_frames);
  g_assert_cmpint (n, <, 80);
  g_assert_cmpint (changes, ==, n);
  g_assert_nonnull (source->info.frame_times_ns);
  for (int i = 0; i < n; i++)
    g_assert_cmpuint (odl_test_frame_checksum (source, i * 37 % n), ==, sums[i * 37 % n]);
}

// Lost in the midst of a group of pictures, whose frames come in another order than they
// are stored: what is not there is damaged, not the frame before it once more.
static void
test_lost_in_a_file (void)
{
  g_autofree char *path
      = odl_test_make_moving (folder, "lost.mp4",
                              "x264enc bframes=3 b-adapt=false key-int-max=25 ! "
                              "h264parse ! mp4mux faststart=true",
                              96, 64, 100);
  g_autofree char *bytes = NULL;
  gsize size = 0;
  int lost = 0, seen = 0;

  if (path == NULL)
    return;
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  memset (bytes + size / 2, 0xa5, size / 50);
  g_autofree char *bad = odl_test_write (folder, "lost-bad.mp4", bytes, size);
  g_autoptr (OdlSource) source = odl_test_open_video (bad);
  for (int i = 0; i < source->info.n_frames; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, &error);
    seen += image != NULL;
    lost += g_error_matches (error, ODL_ERROR, ODL_ERROR_CORRUPT);
  }
  g_test_message ("%d seen, %d lost", seen, lost);
  g_assert_cmpint (lost, >, 0);
  g_assert_cmpint (seen, >, 80);
}

// Where the container is silent about it; of a second, too, which is a heart beat.
static void
test_cut_off_is_told (void)
{
  static const int lengths[] = { 200, 25 };

  for (size_t i = 0; i < G_N_ELEMENTS (lengths); i++) {
    const int n = lengths[i];
    g_autofree char *path = odl_test_make_moving (
        folder, "whole.webm", "vp8enc deadline=1 ! webmmux", 64, 48, n);
    g_autofree char *bytes = NULL;
    gsize size = 0;
    if (path == NULL)
      return;
    g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
    g_autofree char *half = odl_test_write (folder, "half.webm", bytes, size / 2);
    g_autoptr (OdlSource) source = odl_test_open_video (half);
    g_autoptr (GError) error = NULL;
    g_assert_null (odl_source_read_frame (source, n - 1, NULL, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_END);
    g_test_message ("%s", error->message);
    g_autofree char *words = g_strdup_printf ("of %d frames", n);
    odl_test_contains (half, error->message, words);
  }
}

// Sound that is longer than the picture, or comes long before it.
static void
test_sound (void)
{
  static const char *const makers[] = {
    "" MOVING "num-buffers=40 ! " CAPS (
        64,
        48) "! vp8enc deadline=1 ! queue ! m. audiotestsrc num-buffers=400 ! vorbisenc ! "
            "queue max-size-time=0 max-size-bytes=0 max-size-buffers=0 ! m. ",
    "" MOVING "num-buffers=40 ! " CAPS (
        64, 48) "! jpegenc ! queue ! m. audiotestsrc num-buffers=10 ! queue ! m. "
  };

  for (size_t i = 0; i < G_N_ELEMENTS (makers); i++) {
    g_autofree char *path
        = g_build_filename (folder, i == 0 ? "sound.mkv" : "sound.avi", NULL);
    g_autofree char *maker = g_strconcat (makers[i], i == 0 ? "matroskamux" : "avimux",
                                          " name=m ! filesink location=", path, NULL);
    if (!odl_test_run_pipeline (maker))
      return;
    g_assert_cmpint (play (path), >=, FRAMES);
  }
}

static gpointer
open_often (gpointer path)
{
  for (int i = 0; i < OPENINGS; i++) {
    g_autoptr (OdlSource) source = odl_test_open_video (path);
    g_assert_cmpuint (odl_test_frame_checksum (source, 0), !=, 0);
  }
  return NULL;
}

// Threads that get in each other's way: what reads a file runs ahead of what decodes it.
static void
test_short_ones (void)
{
  g_autofree char *path = odl_test_make_moving (folder, "short.webm",
                                                "vp8enc deadline=1 ! webmmux", 64, 48, 1);
  GThread *threads[6];

  if (path == NULL)
    return;
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("opens", open_often, path);
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

static void
test_nothing_is_left (void)
{
  g_autofree char *good = odl_test_make_moving (
      folder, "left.webm", "vp8enc deadline=1 ! webmmux", 64, 48, FRAMES);
  if (good == NULL)
    return;
  g_autofree char *bad = odl_test_write (folder, "left.mp4",
                                         "\0\0\0\x18"
                                         "ftypmp42",
                                         12);
  int fds = 0, threads = 0;

  for (int i = 0; i < 40; i++) {
    g_autoptr (GError) error = NULL;
    play (i % 2 == 0 ? good : bad);
    g_autoptr (OdlSource) faulty = odl_test_open_described (
        "videotestsrc ! " CAPS (64, 48) "! identity error-after=5", NULL, &error);
    g_autoptr (OdlImage) image = odl_source_read_frame (faulty, 9, NULL, NULL);
    g_assert_null (image);
    if (i == 9) {
      fds = odl_test_count_fds ();
      threads = odl_test_count_threads ();
    }
  }
  g_test_message ("descriptors %d → %d, threads %d → %d", fds, odl_test_count_fds (),
                  threads, odl_test_count_threads ());
  g_assert_cmpint (odl_test_count_fds (), <=, fds);
  g_assert_cmpint (odl_test_count_threads (), <=, threads + 2);
}

// Demuxers of GStreamer complain of themselves where a broken file makes them put
// numbers where they do not belong, such as a rate of n / 0.
static gboolean
is_fatal (const char *domain, GLogLevelFlags level, const char *message, void *data)
{
  return g_strcmp0 (domain, "GStreamer") != 0 || (level & G_LOG_LEVEL_ERROR) != 0;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_log_set_fatal_handler (is_fatal, NULL);
  g_assert_true (odl_gst_start (NULL));
  folder = odl_test_folder ();
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *name = g_strdup_printf ("/files/broken-files/%s", files[i].name);
    g_test_add_data_func (name, GINT_TO_POINTER ((int) i), test_broken_files);
  }
  g_test_add_func ("/files/what-only-looks-like-a-video-is-refused-soon", test_impostors);
  g_test_add_func ("/files/a-first-frame-may-take-its-time", test_slow_first_frame);
  g_test_add_func ("/files/what-no-plugin-recognises-is-no-video", test_not_recognised);
  g_test_add_func ("/files/a-missing-plugin-is-named", test_missing_plugin);
  g_test_add_func ("/files/a-file-may-disappear", test_file_disappears);
  g_test_add_func ("/files/a-file-may-be-emptied", test_file_is_emptied);
  g_test_add_func ("/files/a-varying-rate-is-no-damage", test_varying_rate);
  g_test_add_func ("/files/what-is-lost-is-told", test_lost_in_a_file);
  g_test_add_func ("/files/a-cut-off-file-is-told", test_cut_off_is_told);
  g_test_add_func ("/files/sound-stalls-nothing", test_sound);
  g_test_add_func ("/files/short-ones-open-each-time", test_short_ones);
  g_test_add_func ("/files/nothing-is-left-behind", test_nothing_is_left);
  int result = g_test_run ();
  odl_test_remove_folder (folder);
  g_free (folder);
  return result;
}
