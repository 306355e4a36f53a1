// SPDX-License-Identifier: MIT
// What plays in the window is, frame by frame and bit by bit, what the command line
// writes.
#include <string.h>

#include "engine/gl/platform/headless.h"
#include "image/display/display.h"
#include "session/render/engine_pair.h"
#include "source/source.h"
#include "watcher.h"
#include "../../helpers/test_data.h"

#define CINE "fo-dicom/HasFragmentSequence.dcm" // angiography
#define ECHO "pydicom/examples_ybr_color.dcm"
#define B_MODE "PlusLibData/SpinePhantomFreehand.igs.mha"
#define DEEP "pydicom-data/emri_small_RLE.dcm" // 12 bits, so the PNG has 16
#define VIDEO "imageio-binaries/realshort.mp4"
#define SHRINK "soft-threshold:wavelet=cdf97,levels=3,threshold=0.05"

#define AHEAD \
  "convolve:shape=gaussian,size=3,sigma=0.7,duration=5,time-sigma=1,dimensions=4," \
  "border=symmetric"

// The number that people give to frame 0.
#define FIRST_NUMBER 1

// So many frames of each file are compared, of those that play.
#define COMPARED 8

// Frames of one stretch that are compared, and how often playing may lose one of them.
#define STRETCH 7
#define ATTEMPTS 10

// ---- A canvas ------------------------------------------------------------------------

// What a canvas does with frames: runs those of a GL engine, and keeps the pictures.
typedef struct {
  Watcher watcher;
  OdlGlHeadless *headless; // NULL: the session runs the engine
  OdlEnginePair engines;
  GPtrArray *pictures; // by index, as the command line writes them; NULL: not seen
  guint64 serial; // of the last frame
  int64_t next; // that is to be seen next; −1: any, which each is kept once
  int n_kept;
  bool broken; // another one was seen
} Canvas;

static OdlImage *
picture_of (Canvas *canvas, const OdlFrame *frame)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) result = NULL;
  const OdlWindow window = { .mode = ODL_WINDOW_FILE };

  if (frame->result != NULL) {
    result = odl_image_ref (frame->result);
  } else {
    OdlEngine *engine = odl_engine_pair_take (&canvas->engines, frame, &error);
    g_assert_no_error (error);
    result = odl_engine_process (engine, frame->plan, frame->input, &error);
  }
  g_assert_no_error (error);
  const OdlDisplay display
      = odl_display_make (odl_image_info (frame->input), &window, frame->plan->details);
  const int bits = frame->plan->geometry.bits <= 8 ? 8 : 16;
  OdlImage *picture = odl_display_render (result, &display, bits, &error);
  g_assert_no_error (error);
  return picture;
}

static void
see (Watcher *watcher, OdlFrame *frame)
{
  Canvas *canvas = watcher->data;

  if (frame->moment.serial == canvas->serial)
    return;
  canvas->serial = frame->moment.serial;
  // What comes until playing has stopped is more than was asked for.
  if (canvas->next >= 0 && canvas->n_kept == STRETCH)
    return;
  g_autoptr (OdlImage) picture = picture_of (canvas, frame);
  OdlImage **place = (OdlImage **) &g_ptr_array_index (canvas->pictures, frame->index);
  const bool awaited = canvas->next < 0 || frame->index == canvas->next;
  // Frames that were on their way when a seek began come before the first one.
  canvas->broken |= !awaited && canvas->n_kept > 0;
  if (!awaited || canvas->broken || *place != NULL)
    return;
  *place = g_steal_pointer (&picture);
  canvas->n_kept++;
  if (canvas->next >= 0)
    canvas->next++;
}

// A frame of a lead-in.
static bool
run (OdlFrame *frame, void *data)
{
  Canvas *canvas = data;
  OdlEngine *engine = odl_engine_pair_take (&canvas->engines, frame, NULL);

  return engine != NULL && odl_engine_prepare (engine, frame->plan, NULL)
         && odl_engine_run (engine, frame->plan, frame->input, NULL);
}

static void
forget (Canvas *canvas, int64_t next)
{
  g_ptr_array_set_size (canvas->pictures, 0);
  g_ptr_array_set_size (canvas->pictures, 1000);
  canvas->next = next;
  canvas->n_kept = 0;
  canvas->broken = false;
}

static void
image_free (void *image)
{
  if (image != NULL)
    odl_image_unref (image);
}

// False: skip.
static bool
canvas_open (Canvas *canvas, const char *engine, const char *path, const char *recipe)
{
  g_autoptr (GError) error = NULL;
  const OdlEngineClass *klass = odl_engine_find (engine);

  if (path == NULL)
    return false;
  if (klass->needs_gl && (canvas->headless = odl_gl_headless_new (&error)) == NULL) {
    g_test_skip (error->message);
    return false;
  }
  g_assert_no_error (error);
  canvas->pictures = g_ptr_array_new_with_free_func (image_free);
  forget (canvas, -1);
  canvas->watcher.see = see;
  canvas->watcher.data = canvas;
  watch (&canvas->watcher, path, recipe, engine,
         canvas->headless ? ODL_GL_SOFTWARE : ODL_GL_NONE);
  if (canvas->headless != NULL)
    odl_session_set_run (canvas->watcher.session, run, canvas);
  return true;
}

static void
canvas_close (Canvas *canvas)
{
  g_assert_finalize_object (canvas->watcher.session);
  odl_engine_pair_clear (&canvas->engines);
  g_clear_pointer (&canvas->headless, odl_gl_headless_free);
  g_ptr_array_unref (canvas->pictures);
}

// ---- The command line ----------------------------------------------------------------

// `filters`: separated by spaces; `frames`: NULL for all; `lead_in`: NULL for what it is
// when nobody says.
static char *
process (const char *path,
         const char *engine,
         const char *filters,
         const char *frames,
         const char *lead_in)
{
  char *out = g_dir_make_tmp ("ondelette-live-XXXXXX", NULL);
  g_autofree char *pattern = g_build_filename (out, "%d.png", NULL);
  g_autofree char *messages = NULL;
  g_autoptr (GError) error = NULL;
  const char *argv[] = { g_getenv ("ODL_CLI"),
                         "process",
                         path,
                         "-o",
                         pattern,
                         "-f",
                         filters,
                         "-e",
                         engine,
                         lead_in ? "--lead-in" : "--force",
                         lead_in ? lead_in : "--force",
                         frames ? "--frames" : NULL,
                         frames,
                         NULL };
  int status;

  g_spawn_sync (NULL, (char **) argv, NULL, 0, NULL, NULL, NULL, &messages, &status,
                &error);
  g_assert_no_error (error);
  g_test_message ("%s, %s: %s", engine, filters, messages);
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  return out;
}

static void
assert_same (const OdlImage *a, const OdlImage *b, int64_t index)
{
  const OdlImageInfo *x = odl_image_info (a), *y = odl_image_info (b);
  const int n = x->extent.x;
  g_autofree float *rows = g_new (float, (size_t) 2 * n);

  g_assert_cmpint (n, ==, y->extent.x);
  g_assert_cmpint (x->extent.y, ==, y->extent.y);
  g_assert_cmpint (x->channels, ==, y->channels);
  g_assert_cmpint (x->type, ==, y->type);
  for (int c = 0; c < x->channels; c++)
    for (int line = 0; line < x->extent.y; line++) {
      odl_image_scaled_row (a, c, line, 0, 0, rows);
      odl_image_scaled_row (b, c, line, 0, 0, rows + n);
      if (memcmp (rows, rows + n, sizeof (float) * (size_t) n) != 0)
        g_error ("frame %d differs in line %d", (int) index, line);
    }
}

// How many of the pictures were seen; each equals its file.
static int
compare_all (const Canvas *canvas, const char *out)
{
  int n = 0;

  for (guint i = 0; i < canvas->pictures->len; i++) {
    const OdlImage *shown = canvas->pictures->pdata[i];
    if (shown == NULL)
      continue;
    g_autofree char *name = g_strdup_printf ("%u.png", i + FIRST_NUMBER);
    g_autofree char *path = g_build_filename (out, name, NULL);
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);
    g_assert_no_error (error);
    g_autoptr (OdlImage) image = odl_source_read_frame (source, 0, NULL, &error);
    g_assert_no_error (error);
    assert_same (shown, image, i);
    n++;
  }
  return n;
}

// From the first picture that was seen to the last, as the command line counts.
static char *
seen_frames (const Canvas *canvas)
{
  guint first = 0, last = canvas->pictures->len - 1;

  while (first < last && canvas->pictures->pdata[first] == NULL)
    first++;
  while (last > first && canvas->pictures->pdata[last] == NULL)
    last--;
  return g_strdup_printf ("%u-%u", first + FIRST_NUMBER, last + FIRST_NUMBER);
}

// ---- Frame by frame ------------------------------------------------------------------

static void
test_same_picture (const void *data)
{
  g_auto (GStrv) words = g_strsplit (data, " ", 2); // engine, file
  g_autofree char *path = odl_test_data (words[1]);
  Canvas canvas = { 0 };
  Watcher *watcher = &canvas.watcher;

  if (!canvas_open (&canvas, words[0], path, SHRINK))
    return;
  odl_session_set_playing (watcher->session, true);
  run_until (watcher, 20, TIMEOUT_US);
  // Backwards too: another way to the same frame.
  odl_session_set_playing (watcher->session, false);
  settle (watcher->session);
  odl_playback_step (odl_session_playback (watcher->session), -3);
  settle (watcher->session);
  // A machine that is too busy has shown the same few again and again.
  while (canvas.n_kept < COMPARED) {
    odl_playback_step (odl_session_playback (watcher->session), 1);
    settle (watcher->session);
  }
  g_autofree char *frames = seen_frames (&canvas);
  g_autofree char *out = process (path, words[0], SHRINK, frames, "0");
  const int n = compare_all (&canvas, out);
  g_test_message ("%s: %d frames of the live picture compared", words[0], n);
  g_assert_cmpint (n, >=, COMPARED);
  remove_folder (out);
  canvas_close (&canvas);
}

// ---- Filters over time ---------------------------------------------------------------

static void
go_to (Canvas *canvas, int64_t index)
{
  OdlSession *session = canvas->watcher.session;
  const int64_t end = g_get_monotonic_time () + TIMEOUT_US;

  odl_playback_seek (odl_session_playback (session), index);
  while (odl_session_frame (session)->index != index && g_get_monotonic_time () < end)
    run_until (&canvas->watcher, G_MAXUINT, 1000);
  g_assert_cmpint (odl_session_frame (session)->index, ==, index);
}

// Played from a seek on, so that there is no lead-in.
static void
run_stretch (Canvas *canvas, int64_t first)
{
  OdlSession *session = canvas->watcher.session;
  const int64_t end = g_get_monotonic_time () + TIMEOUT_US;

  // From elsewhere, so that the first frame does not follow the one before.
  odl_session_set_playing (session, false);
  settle (session);
  go_to (canvas, first + STRETCH + 1);
  settle (session);
  forget (canvas, first);
  odl_playback_set_speed (odl_session_playback (session), 0.25);
  odl_session_set_playing (session, true);
  odl_playback_seek (odl_session_playback (session), first);
  while (canvas->n_kept < STRETCH && !canvas->broken && g_get_monotonic_time () < end)
    run_until (&canvas->watcher, G_MAXUINT, 1000);
  odl_session_set_playing (session, false);
}

// A stretch that begins at frame `first`, in the window by a seek.
static void
compare_stretch (Canvas *canvas, const char *path, const char *recipe_text, int first)
{
  const char *engine = odl_session_engine (canvas->watcher.session);
  g_autofree char *frames = g_strdup_printf ("%d-%d", first + FIRST_NUMBER,
                                             first + STRETCH - 1 + FIRST_NUMBER);
  OdlRecipe recipe;
  int attempt = 0;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, recipe_text, NULL));
  odl_session_set_recipe (canvas->watcher.session, &recipe, NULL);
  do
    run_stretch (canvas, first);
  while (canvas->n_kept < STRETCH && ++attempt < ATTEMPTS);
  if (canvas->n_kept < STRETCH) {
    g_test_skip ("the machine is too busy to play seven frames without losing one");
    return;
  }
  g_autofree char *out = process (path, engine, recipe_text, frames, "0");
  g_assert_cmpint (compare_all (canvas, out), ==, STRETCH);
  remove_folder (out);
}

static void
test_over_time (const void *data)
{
  static const char *const recipes[] = {
    "recursive-average:weight=0.2",
    "sliding-mean:frames=5",
    "sliding-median:frames=3",
    "persistence:level=5,threshold=0.02",
    SHRINK " persistence:level=3 sliding-mean:frames=3",
    AHEAD,
  };
  g_auto (GStrv) words = g_strsplit (data, " ", 2); // engine, file
  g_autofree char *path = odl_test_data (words[1]);
  Canvas canvas = { 0 };

  if (!canvas_open (&canvas, words[0], path, NULL))
    return;
  for (size_t i = 0; i < G_N_ELEMENTS (recipes); i++)
    compare_stretch (&canvas, path, recipes[i], i % 2 == 0 ? 7 : 0);
  canvas_close (&canvas);
}

// ---- At rest -------------------------------------------------------------------------

// What rests on the canvas is what `process` writes of this frame alone.
static void
compare_rest (Canvas *canvas, const char *path, const char *recipe, int index)
{
  OdlSession *session = canvas->watcher.session;

  settle (session);
  OdlFrame *frame = odl_session_frame (session);
  g_assert_cmpint (frame->index, ==, index);
  g_assert_cmpint (frame->past, ==, ODL_PAST_KNOWN);
  forget (canvas, -1);
  canvas->pictures->pdata[index] = picture_of (canvas, frame);
  g_autofree char *number = g_strdup_printf ("%d", index + FIRST_NUMBER);
  g_autofree char *out
      = process (path, odl_session_engine (session), recipe, number, NULL);
  g_assert_cmpint (compare_all (canvas, out), ==, 1);
  remove_folder (out);
}

static void
set_recipe (OdlSession *session, const char *text)
{
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, text, NULL));
  odl_session_set_recipe (session, &recipe, NULL);
}

static void
test_at_rest (const void *data)
{
  static const char *const recipes[] = {
    "recursive-average:weight=0.4", SHRINK " persistence:level=1 sliding-median:frames=3",
    "recursive-average:weight=0.5", AHEAD,
    AHEAD " sliding-mean:frames=3",
  };
  g_auto (GStrv) words = g_strsplit (data, " ", 2); // engine, file
  g_autofree char *path = odl_test_data (words[1]);
  Canvas canvas = { 0 };

  if (!canvas_open (&canvas, words[0], path, recipes[0]))
    return;
  OdlSession *session = canvas.watcher.session;
  // Where the player is ahead of the first picture, a pause is at that picture.
  while (session->arrival < 2)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (100);
  odl_session_set_playing (session, false);
  settle (session);
  compare_rest (&canvas, path, recipes[0], (int) odl_session_frame (session)->index);
  go_to (&canvas, 21);
  compare_rest (&canvas, path, recipes[0], 21);
  // Playing, which goes on from there, stops somewhere.
  odl_session_set_playing (session, true);
  run_until (&canvas.watcher, canvas.watcher.n_seen + 3, TIMEOUT_US);
  odl_session_set_playing (session, false);
  settle (session);
  compare_rest (&canvas, path, recipes[0], (int) odl_session_frame (session)->index);
  go_to (&canvas, 4);
  set_recipe (session, recipes[1]);
  compare_rest (&canvas, path, recipes[1], 4);
  odl_playback_step (odl_session_playback (session), 1);
  compare_rest (&canvas, path, recipes[1], 5);
  go_to (&canvas, 24);
  odl_playback_step (odl_session_playback (session), -1);
  compare_rest (&canvas, path, recipes[1], 23);
  odl_playback_step (odl_session_playback (session), 1);
  settle (session);
  set_recipe (session, recipes[2]);
  compare_rest (&canvas, path, recipes[2], 24);
  // Filters that look at other frames too, which are read with each one.
  for (int i = 3; i < (int) G_N_ELEMENTS (recipes); i++) {
    set_recipe (session, recipes[i]);
    compare_rest (&canvas, path, recipes[i], 24);
    odl_playback_step (odl_session_playback (session), 1);
    compare_rest (&canvas, path, recipes[i], 25);
    go_to (&canvas, 1);
    compare_rest (&canvas, path, recipes[i], 1);
    go_to (&canvas, 24);
    settle (session);
  }
  canvas_close (&canvas);
}

// BM3D of several frames, of which little is to be seen where it does not see them.
static void
test_groups_of_frames (void)
{
  const char *recipe = "bm3d:sigma=0.02,effort=fast,frames=3";
  g_autofree char *path = odl_test_data (CINE);
  Canvas canvas = { 0 };

  if (!canvas_open (&canvas, "cpu", path, recipe))
    return;
  OdlSession *session = canvas.watcher.session;
  odl_session_set_playing (session, false);
  go_to (&canvas, 9);
  settle (session);
  g_assert_null (odl_session_note (session));
  compare_rest (&canvas, path, recipe, 9);
  odl_playback_step (odl_session_playback (session), 1);
  compare_rest (&canvas, path, recipe, 10);
  canvas_close (&canvas);
}

int
main (int argc, char **argv)
{
  static const char *const plain[] = {
    "cpu " CINE,           "cpu " VIDEO,        "cpu " ECHO,          "cpu " B_MODE,
    "cpu " DEEP,           "gl-fragment " CINE, "gl-fragment " VIDEO, "gl-fragment " ECHO,
    "gl-fragment " B_MODE, "gl-fragment " DEEP,
  };
  // Not gl-compute: of 320 × 240 pixels a software renderer loses frames in each of ten
  // attempts. Its filters over time are compared at rest.
  static const char *const over_time[]
      = { "cpu " CINE, "cpu " VIDEO, "cpu " ECHO, "gl-fragment " VIDEO };
  static const char *const at_rest[]
      = { "cpu " CINE, "cpu " VIDEO, "gl-fragment " ECHO, "gl-compute " VIDEO };

  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (plain); i++) {
    g_autofree char *name
        = g_strdup_printf ("/live/the-picture-of-the-command-line/%zu", i);
    g_test_add_data_func (name, plain[i], test_same_picture);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (over_time); i++) {
    g_autofree char *name
        = g_strdup_printf ("/live/filters-over-time-as-on-the-command-line/%zu", i);
    g_test_add_data_func (name, over_time[i], test_over_time);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (at_rest); i++) {
    g_autofree char *name
        = g_strdup_printf ("/live/at-rest-it-is-the-frame-of-the-command-line/%zu", i);
    g_test_add_data_func (name, at_rest[i], test_at_rest);
  }
  g_test_add_func ("/live/groups-of-frames-are-those-of-the-command-line",
                   test_groups_of_frames);
  return g_test_run ();
}
