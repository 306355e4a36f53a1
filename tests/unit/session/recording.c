// SPDX-License-Identifier: MIT
// Recording and exporting without a window: what threads hand to each other, told or
// freed at any moment.
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../source/support.h"
#include "../source/video_maker.h"
#include "base/clock.h"
#include "base/error.h"
#include "image/compare.h"
#include "image/render/preset.h"
#include "image/volume/volume.h"
#include "session/save/exporter.h"
#include "session/save/recorder.h"
#include "source/gst_frame.h"
#include "source/neighbour_reader.h"
#include "source/source.h"
#include "source/volume.h"
#include "work/result.h"
#include "told.h"

#define WIDTH 64
#define HEIGHT 48
#define PICTURES 40

static char *folder;

static OdlImage *
picture_new (int i)
{
  const OdlImageInfo info = { .extent = { WIDTH, HEIGHT, 1, 1 },
                              .channels = 3,
                              .pts_ns = odl_clock_now_ns () };
  void *samples;
  OdlImage *image = odl_image_alloc (&info, &samples, NULL);

  memset (samples, 5 * i, (size_t) 3 * WIDTH * HEIGHT);
  return image;
}

static void
record (OdlRecorder *recorder, int n)
{
  for (int i = 0; i < n; i++) {
    g_autoptr (OdlImage) image = picture_new (i);
    odl_recorder_add (recorder, image);
    const OdlRecorderState state = odl_recorder_state (recorder);
    g_assert_cmpint (state.pictures + state.dropped, ==, i + 1);
    g_usleep (2000);
  }
}

static int
count_frames (const char *path)
{
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  int n = 0;

  for (;; n++) {
    g_autoptr (OdlImage) image = odl_source_read_frame (source, n, NULL, NULL);
    if (image == NULL)
      return n;
  }
}

static bool
can_record (void)
{
  g_autoptr (GError) error = NULL;

  if (odl_codec_find (NULL, ODL_QUALITY_HIGH, ODL_CONTAINER_MP4, &error) != NULL)
    return true;
  g_test_skip (error->message);
  return false;
}

static OdlRecorder *
recorder_new (const char *path, Told *told)
{
  const OdlRecorderParams params
      = { .path = path, .replace = true, .description = "a test" };

  return odl_recorder_new (&params, told_cb, told);
}

static void
a_recording_is_told_when_it_has_ended (void)
{
  g_autofree char *path = g_build_filename (folder, "told.mkv", NULL);
  Told told = { 0 };

  if (!can_record ())
    return;
  g_autoptr (OdlRecorder) recorder = recorder_new (path, &told);
  record (recorder, PICTURES);
  odl_recorder_finish (recorder);
  wait_until_told (&told);
  g_assert_cmpint (told.code, ==, -1);
  const OdlRecorderState state = odl_recorder_state (recorder);
  g_assert_cmpint (state.pictures + state.dropped, ==, PICTURES);
  g_assert_cmpint (count_frames (path), >, 0);
}

static void
a_recorder_can_be_freed_at_any_moment (void)
{
  if (!can_record ())
    return;
  for (int n = 0; n < 12; n += 3) {
    g_autofree char *name = g_strdup_printf ("freed-%d.mkv", n);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    Told told = { 0 };
    OdlRecorder *recorder = recorder_new (path, &told);
    record (recorder, n);
    odl_recorder_free (recorder);
    while (g_main_context_iteration (NULL, FALSE))
      ;
    g_assert_cmpint (told.n_told, ==, 0);
    g_assert_true (n == 0 || count_frames (path) > 0);
  }
}

// What a killed program leaves of a picture that stayed.
static void
a_picture_that_stays_is_written_meanwhile (void)
{
  g_autofree char *path = g_build_filename (folder, "stays.mkv", NULL);
  g_autofree char *part = g_strconcat (path, ".part", NULL);
  g_autofree char *left = g_build_filename (folder, "left.mkv", NULL);
  const int64_t end = g_get_monotonic_time () + TOLD_TIMEOUT_US;
  g_autofree char *bytes = NULL;
  gsize n = 0;
  Told told = { 0 };

  if (!can_record ())
    return;
  g_autoptr (OdlRecorder) recorder = recorder_new (path, &told);
  record (recorder, 1);
  for (; n == 0 && g_get_monotonic_time () < end; g_usleep (10000)) {
    g_clear_pointer (&bytes, g_free);
    g_file_get_contents (part, &bytes, &n, NULL);
  }
  g_test_message ("%" G_GSIZE_FORMAT " bytes", n);
  g_assert_true (g_file_set_contents (left, bytes, (gssize) n, NULL));
  g_assert_cmpint (count_frames (left), >, 0);
}

static void
a_recording_that_cannot_be_written_is_told (void)
{
  g_autofree char *path = g_build_filename (folder, "none", "at all.mkv", NULL);
  Told told = { 0 };

  if (!can_record ())
    return;
  g_autoptr (OdlRecorder) recorder = recorder_new (path, &told);
  // It may have failed by now, and takes nothing any more.
  for (int i = 0; i < 3; i++) {
    g_autoptr (OdlImage) image = picture_new (i);
    odl_recorder_add (recorder, image);
  }
  odl_recorder_finish (recorder);
  wait_until_told (&told);
  g_assert_cmpint (told.code, >=, 0);
}

// ---- Exporting ----

static char *
make_video (void)
{
  return odl_test_make_moving (folder, "source.webm", "vp8enc deadline=1 ! webmmux",
                               WIDTH, HEIGHT, PICTURES);
}

static OdlExporter *
export_range (const char *video,
              const char *path,
              const char *filter,
              int64_t first,
              int64_t count,
              Told *told)
{
  OdlExporterParams params
      = { .location = video, .replace = true, .first = first, .count = count };
  g_autofree char *fitting = odl_save_format_fit (&params.format, path);
  g_autoptr (GError) error = NULL;

  params.path = fitting;
  odl_recipe_init (&params.recipe);
  g_assert_true (odl_recipe_parse (&params.recipe, filter, &error));
  g_assert_true (odl_engine_choice_parse ("cpu", &params.engine, &error));
  return odl_exporter_new (&params, told_cb, told);
}

static OdlExporter *
export_new (const char *video, const char *path, const char *filter, Told *told)
{
  return export_range (video, path, filter, 0, 0, told);
}

static void
told_without_a_thread (void)
{
  g_autofree char *path = g_build_filename (folder, "no-thread.mkv", NULL);
  Told told = { 0 }, exported = { 0 };

  g_setenv ("ODL_FAULT", "thread/new", TRUE);
  g_autoptr (OdlRecorder) recorder = recorder_new (path, &told);
  odl_recorder_add (recorder, NULL);
  wait_until_told (&told);
  g_assert_cmpint (told.code, ==, ODL_ERROR_TOO_LARGE);
  g_autoptr (OdlExporter) exporter
      = export_new ("phantom:16x16", path, "gaussian", &exported);
  wait_until_told (&exported);
  g_assert_cmpint (exported.code, ==, ODL_ERROR_TOO_LARGE);
  g_unsetenv ("ODL_FAULT");
}

static void
exports_are_whole (void)
{
  static const char *const names[] = { "whole.mkv", "whole.png" };
  g_autofree char *video = make_video ();

  if (video == NULL || !can_record ())
    return;
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (folder, names[i], NULL);
    Told told = { 0 };
    g_autoptr (OdlExporter) exporter
        = export_new (video, path, "shrinkage:levels=2", &told);
    while (told.n_told == 0) {
      const OdlExporterState state = odl_exporter_state (exporter);
      g_assert_cmpint (state.written, <=, PICTURES);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
    g_assert_cmpint (told.code, ==, -1);
    g_assert_cmpint (odl_exporter_state (exporter).written, ==, PICTURES);
  }
  g_autofree char *last = g_build_filename (folder, "whole-00040.png", NULL);
  g_assert_true (g_file_test (last, G_FILE_TEST_EXISTS));
}

// What a PNG file says in its texts, which are not compressed.
static bool
file_says (const char *name, const char *words)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *bytes = NULL;
  gsize size = 0;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  for (gsize i = 0; i + strlen (words) <= size; i++)
    if (memcmp (bytes + i, words, strlen (words)) == 0)
      return true;
  return false;
}

static void
export_numbered (const char *location, const char *name, const char *filter)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  Told told = { 0 };
  g_autoptr (OdlExporter) exporter = export_new (location, path, filter, &told);

  wait_until_told (&told);
  g_assert_cmpint (told.code, ==, -1);
}

static OdlImage *
read_picture (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);

  g_assert_no_error (error);
  OdlImage *image = odl_source_read_frame (source, 0, NULL, &error);
  g_assert_no_error (error);
  return image;
}

// Without filters, too, below the picture.
static void
a_rendered_view_says_so (void)
{
  g_autofree char *path = g_build_filename (folder, "beat.mkv", NULL);
  const OdlRenderScene scene
      = { .preset = odl_render_preset_find ("maximum"), .place = { 0, 0, 64, 48 } };
  OdlExporterParams params
      = { .location = "phantom:24x20x8x4", .path = path, .rendering = &scene };
  Told told = { 0 };

  if (!can_record ())
    return;
  odl_recipe_init (&params.recipe);
  g_assert_true (odl_engine_choice_parse ("cpu", &params.engine, NULL));
  g_autoptr (OdlExporter) exporter = odl_exporter_new (&params, told_cb, &told);
  wait_until_told (&told);
  g_assert_cmpint (told.code, ==, -1);
  g_autoptr (OdlSource) source = odl_test_open_video (path);
  g_autoptr (OdlImage) image = odl_source_read_frame (source, 0, NULL, NULL);
  g_assert_cmpint (odl_image_info (image)->extent.y, >, 48);
}

// Filters over time see the frames before the first one of a range.
static void
ranges_have_their_lead_in (void)
{
  const char *filter = "sliding-mean:frames=5";
  g_autofree char *video = make_video ();
  g_autofree char *path = g_build_filename (folder, "part.png", NULL);
  Told told = { 0 };

  if (video == NULL || !can_record ())
    return;
  export_numbered (video, "all.png", filter);
  g_autoptr (OdlExporter) exporter = export_range (video, path, filter, 10, 3, &told);
  wait_until_told (&told);
  g_assert_cmpint (told.code, ==, -1);
  g_assert_cmpint (odl_exporter_state (exporter).written, ==, 3);
  g_assert_cmpint (odl_exporter_state (exporter).total, ==, 3);
  for (int k = 10; k < 13; k++) {
    g_autofree char *all = g_strdup_printf ("all-%05d.png", k + 1);
    g_autofree char *part = g_strdup_printf ("part-%05d.png", k + 1);
    g_autoptr (OdlImage) a = read_picture (all), b = read_picture (part);
    OdlComparison found;
    g_assert_true (odl_compare (a, b, &found, NULL));
    g_assert_cmpuint (found.differing, ==, 0);
  }
}

// As the window does it, by the reference of what is exported.
static OdlImage *
filter_volume (OdlEngine *engine,
               OdlNeighbourReader *reader,
               int number,
               const char *filters,
               bool in_time)
{
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, filters, &error));
  g_autoptr (OdlNeighbours) neighbours
      = odl_neighbours_read (reader, number, 1, 1, false, NULL, &error);
  g_assert_no_error (error);
  OdlImage *volume = odl_neighbours_find (neighbours, number);
  OdlGeometry geometry = odl_geometry_of (volume);
  geometry.in_time = in_time;
  geometry.neighbours
      = odl_plan_time_reach (&recipe, &geometry).past > 0 ? neighbours : NULL;
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, &error);
  g_assert_no_error (error);
  engine->moment = (OdlMoment){ 1, (uint64_t) number };
  OdlImage *filtered = odl_engine_process (engine, plan, volume, &error);
  g_assert_no_error (error);
  return filtered;
}

// Of float values the file has 8 bits.
static void
check_exported (OdlSource *source, gsize of, int index, OdlImage *filtered, int z)
{
  g_autofree char *name = g_strdup_printf ("volume-%zu-%05d.png", of, index + 1);
  g_autoptr (OdlImage) got = read_picture (name), slice = odl_volume_slice (filtered, z);
  g_autoptr (OdlImage) frame = odl_source_read_frame (source, index, NULL, NULL);
  const OdlGeometry geometry = odl_geometry_of (frame);
  OdlRecipe nothing;
  OdlComparison found;

  odl_recipe_init (&nothing);
  g_autoptr (OdlPlan) plan = odl_plan_new (&nothing, &geometry, NULL);
  const int bits = odl_image_info (got)->stored_max > 255 ? 16 : 8;
  const OdlWindow window = { 0 };
  g_autoptr (OdlImage) shown
      = odl_result_render (slice, frame, plan, &nothing, &window, bits, NULL);
  g_assert_true (odl_compare (got, shown, &found, NULL));
  g_assert_cmpuint (found.differing, ==, 0);
}

// One that is given up while its volume is filtered writes nothing.
static void
a_volume_that_is_given_up_leaves_no_video (void)
{
  g_autofree char *path = g_build_filename (folder, "no volume.mkv", NULL);
  Told told = { 0 };

  if (!can_record ())
    return;
  g_autoptr (OdlExporter) exporter
      = export_new ("phantom:128x128x128", path,
                    "bilateral:dimensions=3,size=9 bilateral:dimensions=3,size=9", &told);
  while (told.n_told == 0 && odl_exporter_state (exporter).filtering <= 0)
    g_usleep (1000);
  odl_exporter_cancel (exporter);
  wait_until_told (&told);
  g_assert_cmpint (told.code, ==, ODL_ERROR_CANCELLED);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

// Whoever finds such a file alone reads in it what was done, and that a frame is damaged.
static void
exported_files_say_what_they_are (void)
{
  g_autofree char *video = make_video ();
  g_autofree char *pattern = g_build_filename (folder, "plain-%05d.png", NULL);
  g_autofree char *torn = g_build_filename (folder, "plain-00002.png", NULL);

  if (video == NULL)
    return;
  export_numbered (video, "plain.png", "");
  g_assert_false (file_says ("plain-00001.png", "not for diagnostic use"));
  g_assert_cmpint (truncate (torn, 150), ==, 0);
  export_numbered (pattern, "filtered.png", "gaussian:sigma=2");
  for (int i = 0; i < 3; i++) {
    g_autofree char *name = g_strdup_printf ("filtered-%05d.png", i + 1);
    g_assert_true (file_says (name, "recipe gaussian"));
    g_assert_true (file_says (name, "not for diagnostic use"));
    g_assert_cmpint (file_says (name, "damaged"), ==, i == 1);
  }
}

// A frame that cannot be read takes no part in filters over time, and is crossed.
static void
damaged_frames_are_those_of_the_command_line (void)
{
  const char recipe[] = "gaussian:sigma=2 sliding-mean:frames=3";
  g_autofree char *video = make_video ();
  g_autofree char *pattern = g_build_filename (folder, "entire-%05d.png", NULL);
  g_autofree char *torn = g_build_filename (folder, "entire-00003.png", NULL);
  g_autofree char *out = g_build_filename (folder, "command-%05d.png", NULL);
  const char *const words[] = { g_getenv ("ODL_CLI"),
                                "process",
                                pattern,
                                "-o",
                                out,
                                "--engine",
                                "cpu",
                                "--filter",
                                "gaussian:sigma=2",
                                "--filter",
                                "sliding-mean:frames=3",
                                NULL };
  g_autofree char *said = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  if (video == NULL)
    return;
  export_numbered (video, "entire.png", "");
  g_assert_cmpint (truncate (torn, 150), ==, 0);
  export_numbered (pattern, "window.png", recipe);
  g_assert_true (g_spawn_sync (NULL, (char **) words, NULL, 0, NULL, NULL, NULL, &said,
                               &status, &error));
  g_test_message ("%s", said);
  // Done, but frames were damaged.
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 3);
  for (int i = 1; i <= PICTURES; i++) {
    g_autofree char *own = g_strdup_printf ("window-%05d.png", i);
    g_autofree char *other = g_strdup_printf ("command-%05d.png", i);
    g_autoptr (OdlImage) got = read_picture (own), truth = read_picture (other);
    OdlComparison found;
    g_assert_true (odl_compare (got, truth, &found, NULL));
    g_test_message ("%d: %" G_GUINT64_FORMAT " samples differ", i,
                    (guint64) found.differing);
    g_assert_cmpuint (found.differing, ==, 0);
    g_assert_cmpint (file_says (other, "damaged"), ==, i == 3);
    g_assert_cmpint (file_says (own, "damaged"), ==, i == 3);
  }
}

// Filters of an export see what they see in the window: all slices, and later ones.
static void
volumes_are_exported_as_they_are_shown (void)
{
  static const struct {
    const char *location, *filters;
  } cases[] = {
    { "phantom:32x24x16", "shrinkage:dimensions=3,levels=2,thresholds=0.1" },
    { "phantom:32x24x16", "convolve:dimensions=3,shape=gaussian,size=5" },
    { "phantom:32x24x8x3", "sliding-mean:frames=3" },
    { "phantom:32x24x8x3", "convolve:dimensions=4,shape=gaussian,size=3" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlSource) source = odl_source_open (cases[i].location, NULL, &error);
    g_assert_no_error (error);
    const int n = source->info.n_slices, volumes = (int) source->info.n_frames / n;
    g_autofree char *name = g_strdup_printf ("volume-%zu.png", i);
    export_numbered (cases[i].location, name, cases[i].filters);
    g_autoptr (OdlNeighbourReader) reader
        = odl_neighbour_reader_new (source, ODL_VOLUME_FILTERED_SLICES);
    OdlEngine *engine = odl_engine_open (odl_engine_find ("cpu"), &error);
    g_assert_no_error (error);
    for (int v = 0; v < volumes; v++) {
      g_autoptr (OdlImage) filtered
          = filter_volume (engine, reader, v, cases[i].filters, volumes > 1);
      for (int z = 0; z < n; z++)
        check_exported (source, i, v * n + z, filtered, z);
    }
    odl_engine_close (engine);
  }
}

static void
an_export_can_be_cancelled_or_freed_at_any_moment (void)
{
  g_autofree char *video = make_video ();

  if (video == NULL || !can_record ())
    return;
  for (int i = 0; i < 8; i++) {
    g_autofree char *path = g_build_filename (folder, "given up.mkv", NULL);
    Told told = { 0 };
    g_unlink (path); // of one that was faster
    g_autoptr (OdlExporter) exporter
        = export_new (video, path, "recursive-average:weight=0.5", &told);
    g_usleep ((gulong) i * 15000);
    if (i % 2 == 0) {
      odl_exporter_cancel (exporter);
      wait_until_told (&told);
      // Or it was faster.
      g_assert_true (told.code == ODL_ERROR_CANCELLED || told.code == -1);
      g_assert_cmpint (g_file_test (path, G_FILE_TEST_EXISTS), ==, told.code == -1);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_true (odl_gst_start (NULL));
  folder = odl_test_folder ();
  g_test_add_func ("/recording/a-recording-is-told-when-it-has-ended",
                   a_recording_is_told_when_it_has_ended);
  g_test_add_func ("/recording/a-recorder-can-be-freed-at-any-moment",
                   a_recorder_can_be_freed_at_any_moment);
  g_test_add_func ("/recording/a-picture-that-stays-is-written-meanwhile",
                   a_picture_that_stays_is_written_meanwhile);
  g_test_add_func ("/recording/a-recording-that-cannot-be-written-is-told",
                   a_recording_that_cannot_be_written_is_told);
  g_test_add_func ("/recording/without-a-thread-it-is-told", told_without_a_thread);
  g_test_add_func ("/recording/exports-are-whole", exports_are_whole);
  g_test_add_func ("/recording/a-rendered-view-says-so", a_rendered_view_says_so);
  g_test_add_func ("/recording/ranges-have-their-lead-in", ranges_have_their_lead_in);
  g_test_add_func ("/recording/exported-files-say-what-they-are",
                   exported_files_say_what_they_are);
  g_test_add_func ("/recording/damaged-frames-are-those-of-the-command-line",
                   damaged_frames_are_those_of_the_command_line);
  g_test_add_func ("/recording/volumes-are-exported-as-they-are-shown",
                   volumes_are_exported_as_they_are_shown);
  g_test_add_func ("/recording/a-volume-that-is-given-up-leaves-no-video",
                   a_volume_that_is_given_up_leaves_no_video);
  g_test_add_func ("/recording/an-export-can-be-cancelled-or-freed-at-any-moment",
                   an_export_can_be_cancelled_or_freed_at_any_moment);
  const int status = g_test_run ();
  odl_test_remove_folder (folder);
  g_free (folder);
  return status;
}
