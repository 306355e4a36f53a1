// SPDX-License-Identifier: MIT
// Stored pictures in the window whose filters look at those before and after: each comes
// with those about it, however it is reached.
#include <math.h>

#include "base/error.h"
#include "session/session_private.h"
#include "settle.h"

#define SIDE 16
#define COUNT 40
#define READ_US 2000
#define SHOWN 12
#define OTHER 20 // has another size
#define LOST 30 // cannot be read
#define KERNEL \
  "convolve:shape=gaussian,size=3,sigma=0.5,duration=%d,time-sigma=1,dimensions=4," \
  "border=%s"

static int
value_of (int64_t index)
{
  return 20 + (int) (index * 73 % 200);
}

typedef struct {
  OdlSource base;
  bool flawed;
} Numbered;

static OdlImage *
read_frame (OdlSource *source, int64_t index, GCancellable *cancellable, GError **error)
{
  const Numbered *numbered = (const Numbered *) source;
  const int side = numbered->flawed && index == OTHER ? SIDE + 2 : SIDE;
  const OdlImageInfo info = { .extent = { side, side, 1, 1 }, .channels = 1 };
  uint8_t *samples;

  g_usleep (READ_US);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (index >= COUNT || (numbered->flawed && index == LOST)) {
    const bool ends = index >= COUNT;
    g_set_error_literal (error, ODL_ERROR, ends ? ODL_ERROR_END : ODL_ERROR_IO,
                         ends ? "" : "it is lost");
    return NULL;
  }
  OdlImage *image = odl_image_alloc (&info, (void **) &samples, error);
  memset (samples, value_of (index), (size_t) side * side);
  return image;
}

static void
close_source (OdlSource *source)
{
}

static const OdlSourceClass class_of_numbered
    = { .name = "numbered", .read_frame = read_frame, .close = close_source };

typedef struct {
  OdlSession *session;
  int duration; // of the kernel; 0: each picture stays as it is
  bool wraps;
  int64_t next; // index that is to follow; −1: any
  int n, n_wrong, n_skipped;
} Watch;

static int64_t
beyond_ends (int64_t index, bool wraps)
{
  if (wraps)
    return (index + COUNT) % COUNT;
  return index < 0 ? -index : index >= COUNT ? 2 * (COUNT - 1) - index : index;
}

// Of the filter, for pictures that are flat.
static double
wanted (const Watch *watch, int64_t index)
{
  double sum = 0, weights = 0;

  for (int t = -(watch->duration / 2); t <= watch->duration / 2; t++) {
    const double weight = watch->duration > 0 ? exp (-t * t / 2.0) : 1;
    sum += weight * value_of (beyond_ends (index - t, watch->wraps));
    weights += weight;
  }
  return sum / weights / 255;
}

static double
middle_of (OdlImage *image)
{
  float row[SIDE + 2];

  odl_image_scaled_row (image, 0, SIDE / 2, 0, 0, row);
  return (double) row[SIDE / 2];
}

static void
ready_cb (OdlSession *session, Watch *watch)
{
  const OdlFrame *frame = odl_session_frame (session);

  // As it came, while its filters are at work.
  if (!odl_recipe_equal (&frame->recipe, odl_session_recipe (session)))
    return;
  const double value = middle_of (frame->result);
  watch->n++;
  if (fabs (value - wanted (watch, frame->index)) > 1e-5) {
    watch->n_wrong++;
    g_test_message ("frame %d: %.4f instead of %.4f", (int) frame->index, value * 255,
                    wanted (watch, frame->index) * 255);
  }
  g_assert_cmpint ((int) lround (middle_of (frame->input) * 255), ==,
                   value_of (frame->index));
}

static void
set_recipe (Watch *watch, const char *text, int duration, bool wraps)
{
  OdlRecipe recipe;
  g_autoptr (GError) error = NULL;

  odl_recipe_init (&recipe);
  odl_recipe_parse (&recipe, text, &error);
  g_assert_no_error (error);
  watch->duration = duration;
  watch->wraps = wraps;
  watch->n = watch->n_wrong = 0;
  odl_session_set_recipe (watch->session, &recipe, NULL);
}

static void
set_kernel (Watch *watch, int duration, bool wraps)
{
  g_autofree char *text
      = g_strdup_printf (KERNEL, duration, wraps ? "periodic" : "symmetric");

  set_recipe (watch, text, duration, wraps);
}

static void
run_until (Watch *watch, int n)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  while (watch->n < n && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  g_assert_cmpint (watch->n, >=, n);
  g_assert_cmpint (watch->n_wrong, ==, 0);
}

// What is at rest.
static void
check_at (Watch *watch, int64_t index)
{
  const OdlFrame *frame;

  settle (watch->session);
  frame = odl_session_frame (watch->session);
  g_assert_cmpint (frame->index, ==, index);
  g_assert_cmpfloat_with_epsilon (middle_of (frame->result), wanted (watch, index), 1e-5);
  g_assert_cmpint (watch->n_wrong, ==, 0);
}

static void
go_to (Watch *watch, int64_t index)
{
  odl_playback_seek (odl_session_playback (watch->session), index);
  check_at (watch, index);
}

static void
open_numbered (Watch *watch, int64_t n_frames, bool flawed)
{
  Numbered *numbered = g_new0 (Numbered, 1);
  OdlSource *source = &numbered->base;
  g_autoptr (GError) error = NULL;

  *watch = (Watch){ .session = odl_session_new () };
  odl_source_init (source, &class_of_numbered, "numbered");
  numbered->flawed = flawed;
  source->info.n_frames = n_frames;
  source->info.frame_rate = 50;
  OdlImage *first = read_frame (source, 0, NULL, &error);
  g_assert_no_error (error);
  odl_session_set_canvas (watch->session, ODL_GL_NONE, 0, false);
  odl_session_set_engine (watch->session, "cpu");
  g_signal_connect (watch->session, "frame-ready", G_CALLBACK (ready_cb), watch);
  odl_session_take_source (watch->session, source, first, NULL);
  odl_session_begin (watch->session);
  odl_session_set_playing (watch->session, false);
}

// `data`: not NULL: the length is not known before the end, and little is kept.
static void
comes_with_those_about_it (const void *data)
{
  Watch watch;

  open_numbered (&watch, data == NULL ? COUNT : 0, false);
  OdlPlayback *playback = odl_session_playback (watch.session);
  if (data != NULL)
    odl_playback_set_cache_bytes (playback, 0);
  set_kernel (&watch, 5, false);
  check_at (&watch, 0);
  // It plays over the end, and pauses where it is seen.
  odl_session_set_playing (watch.session, true);
  run_until (&watch, COUNT + SHOWN);
  odl_session_set_playing (watch.session, false);
  settle (watch.session);
  check_at (&watch, odl_session_frame (watch.session)->index);
  go_to (&watch, 17);
  odl_playback_step (playback, 1);
  check_at (&watch, 18);
  odl_playback_step (playback, -1);
  check_at (&watch, 17);
  set_kernel (&watch, 9, false);
  check_at (&watch, 17);
  go_to (&watch, COUNT - 1);
  go_to (&watch, 1);
  set_kernel (&watch, 3, true);
  check_at (&watch, 1);
  go_to (&watch, 0);
  go_to (&watch, COUNT - 1);
  // Fewer, none, and again while it plays.
  odl_session_set_playing (watch.session, true);
  set_kernel (&watch, 7, false);
  run_until (&watch, SHOWN);
  set_recipe (&watch, "gaussian:sigma=1", 0, false);
  run_until (&watch, SHOWN);
  g_assert_null (odl_session_about_neighbours (watch.session));
  set_kernel (&watch, 3, false);
  run_until (&watch, SHOWN);
  g_assert_finalize_object (watch.session);
}

// Each picture is another scene: none is seen in another one.
static void
leaves_no_ghosts (void)
{
  Watch watch;

  open_numbered (&watch, COUNT, false);
  set_recipe (&watch, "bm3d:sigma=0.0001,effort=fast,frames=5", 0, false);
  check_at (&watch, 0);
  odl_session_set_playing (watch.session, true);
  run_until (&watch, SHOWN);
  odl_session_set_playing (watch.session, false);
  go_to (&watch, 25);
  g_assert_finalize_object (watch.session);
}

// What is beside a picture of another size, or beside one that cannot be read, stands
// alone, and is seen.
static void
stands_alone_beside_flaws (void)
{
  Watch watch;

  open_numbered (&watch, COUNT, true);
  set_kernel (&watch, 3, false);
  go_to (&watch, 5);
  watch.duration = 0;
  go_to (&watch, OTHER - 1);
  go_to (&watch, LOST + 1);
  watch.duration = 3;
  go_to (&watch, LOST + 3);
  g_assert_finalize_object (watch.session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/session/about/comes-with-those-about-it", NULL,
                        comes_with_those_about_it);
  g_test_add_data_func ("/session/about/is-read-again-where-little-is-kept", "",
                        comes_with_those_about_it);
  g_test_add_func ("/session/about/leaves-no-ghosts", leaves_no_ghosts);
  g_test_add_func ("/session/about/stands-alone-beside-flaws", stands_alone_beside_flaws);
  return g_test_run ();
}
