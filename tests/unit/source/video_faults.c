// SPDX-License-Identifier: MIT
// Streams that fail, end, lose frames, change or never end: the rest plays, and stopping
// works.
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

static char *folder;

static OdlSource *
open_pipeline (const char *description)
{
  g_autoptr (GError) error = NULL;
  OdlSource *source = odl_test_open_described (description, NULL, &error);

  g_assert_no_error (error);
  return source;
}

// Checksums of FRAMES frames that nothing happened to.
static void
clean_sums (guint64 *sums)
{
  g_autoptr (OdlSource) source = open_pipeline (MOVING "num-buffers=40 ! " CAPS (64, 48));

  for (int i = 0; i < FRAMES; i++)
    sums[i] = odl_test_frame_checksum (source, i);
}

static void
check_end (OdlSource *source, int index, const char *part)
{
  g_autoptr (GError) error = NULL;

  source->info.n_frames = 0;
  g_assert_null (odl_source_read_frame (source, index, NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_END);
  g_test_message ("the end: “%s”", error->message);
  if (*part != '\0')
    odl_test_contains ("the end", error->message, part);
  else
    g_assert_cmpstr (error->message, ==, "");
}

static void
test_error (void)
{
  g_autoptr (OdlSource) source = open_pipeline (
      MOVING "num-buffers=40 ! " CAPS (64, 48) "! identity error-after=21");
  guint64 sums[FRAMES];

  clean_sums (sums);
  for (int i = 0; i < 20; i++)
    g_assert_cmpuint (odl_test_frame_checksum (source, i), ==, sums[i]);
  check_end (source, 30, "the rest of the video is damaged");
  g_assert_cmpint (source->info.n_frames, ==, 20);
  g_assert_cmpuint (odl_test_frame_checksum (source, 19), ==, sums[19]);
}

static void
test_end (void)
{
  g_autoptr (OdlSource) source = open_pipeline (
      MOVING "num-buffers=40 ! " CAPS (64, 48) "! identity eos-after=11");

  g_assert_cmpuint (odl_test_frame_checksum (source, 9), !=, 0);
  check_end (source, 30, "");
  g_assert_cmpint (source->info.n_frames, ==, 10);
}

// A lost frame is told as such: its predecessor must not pass for it.
static void
test_drops (void)
{
  g_autoptr (OdlSource) source = open_pipeline (
      MOVING "num-buffers=40 ! " CAPS (64, 48) "! identity drop-probability=0.4");
  guint64 sums[FRAMES];
  int lost = 0, seen = 0, first = -1;

  // Frame 0 of the source is the first one that was not dropped.
  clean_sums (sums);
  for (int i = 0; i < FRAMES; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, &error);
    if (first < 0)
      for (first = 0; first < FRAMES && odl_test_checksum (image) != sums[first];)
        first++;
    if (image != NULL) {
      g_assert_cmpint (first + i, <, FRAMES);
      g_assert_cmpuint (odl_test_checksum (image), ==, sums[first + i]);
      seen++;
    } else if (g_error_matches (error, ODL_ERROR, ODL_ERROR_CORRUPT)) {
      lost++;
    } else {
      break;
    }
  }
  g_test_message ("%d seen, %d lost", seen, lost);
  g_assert_cmpint (seen, >, 5);
  g_assert_cmpint (lost, >, 3);
}

static void
check_size (OdlSource *source, int index, int width, int height)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = odl_source_read_frame (source, index, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (odl_image_info (image)->extent.x, ==, width);
  g_assert_cmpint (odl_image_info (image)->extent.y, ==, height);
  g_assert_cmpuint (odl_test_checksum (image), !=, 0);
}

static void
test_changes (void)
{
  g_autoptr (OdlSource) source
      = open_pipeline ("concat name=c " MOVING "num-buffers=10 ! " CAPS (
          64, 48) "! c. "
                  "videotestsrc num-buffers=10 ! video/x-raw,format=YUY2,width=97,"
                  "height=31,framerate=25/1,pixel-aspect-ratio=2/1 ! c. "
                  "videotestsrc num-buffers=10 ! video/x-raw,format=GRAY16_LE,"
                  "width=33,height=50,framerate=25/1 ! c. c. ! identity");

  check_size (source, 9, 64, 48);
  check_size (source, 10, 97, 31);
  g_autoptr (OdlImage) wide = odl_source_read_frame (source, 19, NULL, NULL);
  g_assert_cmpfloat (odl_image_info (wide)->pixel_aspect, ==, 2);
  g_autoptr (OdlImage) grey = odl_source_read_frame (source, 20, NULL, NULL);
  g_assert_cmpint (odl_image_info (grey)->channels, ==, 1);
  g_assert_cmpint (odl_image_info (grey)->type, ==, ODL_SAMPLE_U16);
  g_assert_cmpfloat (odl_image_info (grey)->pixel_aspect, ==, 1);
  check_size (source, 29, 33, 50);
}

// A file whose size and times change midway: two recordings put one after the other.
static void
test_joined_files (void)
{
  g_autofree char *one = odl_test_make_moving (
      folder, "one.ts", "x264enc key-int-max=10 ! h264parse ! mpegtsmux", 64, 48, 30);
  g_autofree char *two = odl_test_make_moving (
      folder, "two.ts", "x264enc key-int-max=10 ! h264parse ! mpegtsmux", 130, 98, 30);
  g_autofree char *first = NULL, *second = NULL;
  gsize n_first = 0, n_second = 0;

  if (one == NULL || two == NULL)
    return;
  g_assert_true (g_file_get_contents (one, &first, &n_first, NULL));
  g_assert_true (g_file_get_contents (two, &second, &n_second, NULL));
  g_autofree char *both = g_malloc (n_first + n_second);
  memcpy (both, first, n_first);
  memcpy (both + n_first, second, n_second);
  g_autofree char *path = odl_test_write (folder, "both.ts", both, n_first + n_second);
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  int small = 0, large = 0;
  for (int i = 0; i < 90; i++) {
    g_autoptr (GError) error = NULL;
    source->info.n_frames = 0; // as if the length were unknown
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, &error);
    if (image == NULL) {
      g_test_message ("frame %d: %s", i, error->message);
      if (g_error_matches (error, ODL_ERROR, ODL_ERROR_END))
        break;
      continue;
    }
    small += odl_image_info (image)->extent.x == 64;
    large += odl_image_info (image)->extent.x == 130;
  }
  g_test_message ("%d small frames, %d large ones", small, large);
  g_assert_cmpint (small, >=, 29);
  g_assert_cmpint (large, >=, 29);
  check_size (source, 5, 64, 48);
  check_size (source, 50, 130, 98);
}

// The times of the second part begin again; its frames follow nevertheless.
static void
test_backward_times (void)
{
  g_autoptr (OdlSource) source = open_pipeline (
      "concat name=c adjust-base=false " MOVING "num-buffers=20 ! " CAPS (
          64, 48) "! c. " MOVING "num-buffers=20 ! " CAPS (64, 48) "! c. c. ! identity");
  guint64 sums[FRAMES];

  clean_sums (sums);
  for (int i = 0; i < FRAMES; i++)
    g_assert_cmpuint (odl_test_frame_checksum (source, i), ==, sums[i % 20]);
  check_end (source, 60, "");
  g_assert_cmpint (source->info.n_frames, ==, FRAMES);
}

static void
test_no_times (void)
{
  g_autofree char *raw = g_build_filename (folder, "raw.yuv", NULL);
  g_autofree char *maker = g_strdup_printf (
      MOVING "num-buffers=40 ! " CAPS (64, 48) "! filesink location=%s", raw);
  g_assert_true (odl_test_run_pipeline (maker));
  g_autofree char *description
      = g_strdup_printf ("filesrc location=%s ! rawvideoparse format=i420 width=64 "
                         "height=48 framerate=0/1",
                         raw);
  g_autoptr (OdlSource) source = open_pipeline (description);
  guint64 sums[FRAMES];

  clean_sums (sums);
  g_test_message ("%g per second, %s", source->info.frame_rate, source->info.timing);
  for (int i = 0; i < FRAMES; i++)
    g_assert_cmpuint (odl_test_frame_checksum (source, i), ==, sums[i]);
  g_assert_cmpuint (odl_test_frame_checksum (source, 3), ==, sums[3]);
  g_assert_cmpuint (odl_test_frame_checksum (source, 33), ==, sums[33]);
}

// A rate that is not said is measured.
static void
test_unstated_rate (void)
{
  g_autoptr (OdlSource) source = open_pipeline (
      MOVING "num-buffers=40 ! " CAPS (64, 48) "! capssetter replace=true caps=\"video/"
                                               "x-raw,format=I420,width=64,height=48,"
                                               "framerate=0/1,interlace-mode="
                                               "progressive\"");
  guint64 sums[FRAMES];

  clean_sums (sums);
  g_assert_cmpfloat (source->info.frame_rate, ==, 25);
  for (int i = 0; i < FRAMES; i++)
    g_assert_cmpuint (odl_test_frame_checksum (source, i), ==, sums[i]);
}

static void
test_endless (void)
{
  g_autoptr (OdlSource) source = open_pipeline ("videotestsrc ! " CAPS (64, 48));

  g_assert_cmpint (source->info.n_frames, ==, 0);
  g_assert_cmpuint (odl_test_frame_checksum (source, 500), !=, 0);
  const gint64 start = g_get_monotonic_time ();
  g_clear_pointer (&source, odl_source_unref);
  odl_test_took ("stopping an endless stream", g_get_monotonic_time () - start,
                 G_USEC_PER_SEC);
}

// Nobody says that nothing will come; it is found out soon.
static void
test_dead (void)
{
  g_autoptr (GError) error = NULL;
  const gint64 start = g_get_monotonic_time ();

  g_assert_null (odl_test_open_described ("input-selector", NULL, &error));
  g_test_message ("%.2f s: %s", (double) (g_get_monotonic_time () - start) / 1e6,
                  error->message);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
  odl_test_took ("noticing a dead pipeline", g_get_monotonic_time () - start,
                 2 * G_USEC_PER_SEC);
}

static void *
cancel_soon (void *cancellable)
{
  g_usleep (100000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

// A stream that only waits is left at once when asked to.
static void
test_stuck_is_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  const gint64 start = g_get_monotonic_time ();

  g_assert_null (odl_test_open_described ("appsrc", cancellable, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CANCELLED);
  odl_test_took ("leaving a stuck stream", g_get_monotonic_time () - start,
                 2 * G_USEC_PER_SEC);
  g_thread_join (thread);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_true (odl_gst_start (NULL));
  folder = odl_test_folder ();
  g_test_add_func ("/faults/an-error-ends-it-with-words", test_error);
  g_test_add_func ("/faults/an-early-end-is-an-end", test_end);
  g_test_add_func ("/faults/lost-frames-are-told", test_drops);
  g_test_add_func ("/faults/size-and-format-may-change", test_changes);
  g_test_add_func ("/faults/joined-files-play-on", test_joined_files);
  g_test_add_func ("/faults/times-may-begin-again", test_backward_times);
  g_test_add_func ("/faults/times-may-be-absent", test_no_times);
  g_test_add_func ("/faults/an-unstated-rate-is-measured", test_unstated_rate);
  g_test_add_func ("/faults/an-endless-stream-plays-and-stops", test_endless);
  g_test_add_func ("/faults/a-dead-pipeline-is-noticed", test_dead);
  g_test_add_func ("/faults/a-stuck-stream-is-left", test_stuck_is_cancelled);
  int result = g_test_run ();
  odl_test_remove_folder (folder);
  g_free (folder);
  return result;
}
