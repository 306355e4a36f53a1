// SPDX-License-Identifier: MIT
// Volumes that an engine with GL filters in the renderer's own context, like the
// processor; and who takes over when it cannot.
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "engine/gl/platform/headless.h"
#include "engine/prices.h"
#include "engine/volume.h"
#include "image/volume/volume.h"
#include "settle.h"

// Single floats of values from 0 to 1, summed in another order.
#define LEAST 2e-5

#define PHANTOM "phantom:40x30x20"
#define IN_TIME "phantom:40x30x20x3"
#define KERNEL "convolve:dimensions=3,shape=gaussian,size=5"

typedef struct {
  OdlSession *session;
  char *said; // all messages
} Fixture;

static void
message_cb (OdlSession *session, const char *text, Fixture *fixture)
{
  char *before = fixture->said;
  fixture->said = g_strconcat (before, text, "\n", NULL);
  g_free (before);
}

static void
set_up (Fixture *fixture, const void *data)
{
  fixture->said = g_strdup ("");
  fixture->session = odl_session_new ();
  g_signal_connect (fixture->session, "message", G_CALLBACK (message_cb), fixture);
  odl_session_set_canvas (fixture->session, ODL_GL_SOFTWARE, 4096, true);
  odl_session_set_planes (fixture->session, true);
  odl_session_set_engine (fixture->session, "gl-compute");
}

static void
tear_down (Fixture *fixture, const void *data)
{
  g_assert_finalize_object (fixture->session);
  g_unsetenv ("ODL_FAULT");
  g_free (fixture->said);
}

static bool
shows_planes (OdlSession *session)
{
  const OdlFrame *frame = odl_session_frame (session);

  return frame && frame->planes && frame->result && session_is_quiet (session)
         && frame->engine == odl_session_choose_engine (session).klass
         && odl_recipe_equal (&frame->recipe, odl_session_recipe (session));
}

static bool
shows_slice (OdlSession *session)
{
  const OdlFrame *frame = odl_session_frame (session);

  return frame && !frame->planes && session_is_quiet (session);
}

static bool
is_at_work (OdlSession *session)
{
  OdlVolumeWork work;
  return odl_session_volume_work (session, &work) && work.done > 0;
}

static void
wait_until (OdlSession *session, bool (*condition) (OdlSession *session))
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  while (!condition (session) && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  g_assert_true (condition (session));
}

static void
set_filters (Fixture *fixture, const char *filters)
{
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, filters, NULL));
  odl_session_set_recipe (fixture->session, &recipe, NULL);
}

static void
open_with (Fixture *fixture, const char *location, const char *filters)
{
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, filters, NULL));
  odl_session_open (fixture->session, location, &recipe);
}

// The axial plane of what is shown against what the processor makes of the same volume.
static void
check_like_cpu (OdlSession *session)
{
  const OdlFrame *frame = odl_session_frame (session);
  const OdlExtent extent = odl_image_info (frame->volume)->extent;
  g_autoptr (OdlEngine) cpu = odl_engine_open (odl_engine_find ("cpu"), NULL);
  cpu->moment = frame->moment;
  g_autoptr (OdlImage) volume
      = odl_engine_process_volume (cpu, frame->plan, frame->volume, NULL);
  g_autoptr (OdlImage) slice = odl_volume_slice (volume, frame->voxel.at[2]);
  g_autofree float *got = g_new (float, (gsize) odl_image_info (frame->result)->extent.x);
  g_autofree float *wanted = g_new (float, (gsize) extent.x);
  double changed = 0;

  for (int y = 0; y < extent.y; y++) {
    odl_image_scaled_row (slice, 0, y, 0, 0, wanted);
    odl_image_scaled_row (frame->input, 0, y, 0, 0, got);
    for (int x = 0; x < extent.x; x++)
      changed = fmax (changed, fabs ((double) got[x] - wanted[x]));
    odl_image_scaled_row (frame->result, 0, y, 0, 0, got);
    for (int x = 0; x < extent.x; x++)
      g_assert_cmpfloat_with_epsilon (got[x], wanted[x], LEAST);
  }
  g_assert_cmpfloat (changed, >, 0.01);
}

static bool
is_by (OdlSession *session, const char *engine)
{
  const OdlFrame *frame = odl_session_frame (session);

  return g_str_equal (frame->engine->name, engine)
         && (frame->renderer != NULL) == frame->engine->needs_gl;
}

typedef struct {
  const char *name, *location, *filters;
} Case;

static const Case cases[] = {
  { "a-kernel-in-three-dimensions", PHANTOM, KERNEL },
  { "wavelets-in-three-dimensions", PHANTOM, "shrinkage:dimensions=3,levels=2" },
  { "a-kernel-in-four-dimensions", IN_TIME,
    "convolve:dimensions=4,shape=gaussian,size=3,border=symmetric" },
  { "adaptive-in-four-dimensions", IN_TIME, "adaptive:dimensions=4" },
  { "slice-by-slice", PHANTOM, "gaussian:sigma=2" },
};

static void
test_like_cpu (Fixture *fixture, const void *data)
{
  const Case *of = data;

  open_with (fixture, of->location, of->filters);
  wait_until (fixture->session, shows_planes);
  g_assert_cmpstr (fixture->said, ==, "");
  g_assert_null (odl_session_fallback_reason (fixture->session));
  g_assert_true (is_by (fixture->session, "gl-compute"));
  check_like_cpu (fixture->session);
}

// A slice stands for the volume until that was read. A canvas without OpenGL could not
// show it by this engine, which nobody needs to know.
static void
test_soft_canvas (Fixture *fixture, const void *data)
{
  odl_session_set_canvas (fixture->session, ODL_GL_NONE, 0, false);
  test_like_cpu (fixture, &cases[0]);
  odl_session_set_planes (fixture->session, false);
  set_filters (fixture, "median");
  wait_until (fixture->session, shows_slice);
  g_assert_nonnull (strstr (fixture->said, "in place of gl-compute"));
}

// The canvas has the slices, and the renderer the volume: none needs the other's context.
static void
test_slices (Fixture *fixture, const void *data)
{
  open_with (fixture, PHANTOM, "median");
  wait_until (fixture->session, shows_planes);
  g_assert_true (is_by (fixture->session, "gl-compute"));
  odl_session_set_planes (fixture->session, false);
  wait_until (fixture->session, shows_slice);
  g_assert_null (odl_session_frame (fixture->session)->result);
  odl_session_set_planes (fixture->session, true);
  wait_until (fixture->session, shows_planes);
  check_like_cpu (fixture->session);
}

// Its time is not measured yet.
static void
test_auto (Fixture *fixture, const void *data)
{
  odl_session_set_engine (fixture->session, "auto");
  odl_session_set_canvas (fixture->session, ODL_GL_HARDWARE, 4096, true);
  open_with (fixture, PHANTOM, KERNEL);
  wait_until (fixture->session, shows_planes);
  g_assert_true (is_by (fixture->session, "cpu"));
}

// A sentence says who takes over, and why; what fails for volumes may show slices.
static void
test_failing (Fixture *fixture, const void *data)
{
  g_setenv ("ODL_FAULT", data, TRUE);
  open_with (fixture, PHANTOM, KERNEL);
  wait_until (fixture->session, shows_planes);
  g_assert_true (is_by (fixture->session, "cpu"));
  g_assert_nonnull (
      strstr (fixture->said, "The engine gl-compute failed, cpu takes over: ODL_FAULT"));
  g_assert_nonnull (odl_session_fallback_reason (fixture->session));
  check_like_cpu (fixture->session);
  set_filters (fixture, "median");
  odl_session_set_planes (fixture->session, false);
  wait_until (fixture->session, shows_slice);
  g_assert_true (
      g_str_equal (odl_session_frame (fixture->session)->engine->name, "gl-compute"));
  g_assert_null (odl_session_fallback_reason (fixture->session));

  // Asked for again, it has another context.
  g_unsetenv ("ODL_FAULT");
  odl_session_set_engine (fixture->session, "auto");
  odl_session_set_engine (fixture->session, "gl-compute");
  odl_session_set_planes (fixture->session, true);
  wait_until (fixture->session, shows_planes);
  g_assert_true (is_by (fixture->session, "gl-compute"));
  check_like_cpu (fixture->session);
}

// Other engines with GL have no steps for volumes.
static void
test_unsupported (Fixture *fixture, const void *data)
{
  odl_session_set_engine (fixture->session, "gl-fragment");
  open_with (fixture, PHANTOM, KERNEL);
  wait_until (fixture->session, shows_planes);
  g_assert_true (is_by (fixture->session, "cpu"));
  g_assert_nonnull (strstr (fixture->said, "cpu works in place of gl-fragment: "));
}

static int64_t
time_until_shown (OdlSession *session)
{
  const int64_t begin = g_get_monotonic_time ();

  wait_until (session, shows_planes);
  return g_get_monotonic_time () - begin;
}

// Between two of its dispatches; what comes next is computed as ever.
static void
test_given_up (Fixture *fixture, const void *data)
{
  open_with (fixture, "phantom:64x64x48", "adaptive:dimensions=3");
  wait_until (fixture->session, is_at_work);
  odl_session_give_up_volume (fixture->session);
  const int64_t given_up_us = time_until_shown (fixture->session);
  g_assert_true (odl_session_recipe (fixture->session)->items[0].bypassed);
  g_assert_cmpstr (fixture->said, ==, "");
  odl_session_undo (fixture->session);
  const int64_t whole_us = time_until_shown (fixture->session);
  g_test_message ("given up within %d of %d ms", (int) (given_up_us / 1000),
                  (int) (whole_us / 1000));
  g_assert_cmpint (2 * given_up_us, <, whole_us);
  set_filters (fixture, KERNEL);
  wait_until (fixture->session, shows_planes);
  g_assert_true (is_by (fixture->session, "gl-compute"));
  check_like_cpu (fixture->session);
}

static bool
prices_hold (const char *path, const char *word)
{
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, word);
}

// False: all was measured before, which nobody on a busy machine may be in time to end.
static bool
iterate_until_held (const char *path, const char *word)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  while (!prices_hold (path, word) && !prices_hold (path, "volumes=")
         && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  if (prices_hold (path, "volumes="))
    return false;
  g_assert_true (prices_hold (path, word));
  return true;
}

// Nothing is measured while it plays; what had begun ends, does not count as an attempt,
// and begins anew when it rests.
static void
test_prices (Fixture *fixture, const void *data)
{
  g_autofree char *path = odl_prices_path ();
  g_autofree char *before = g_strdup (g_getenv ("ODL_PRICES"));
  g_autoptr (OdlGlHeadless) headless = odl_gl_headless_new (NULL);
  odl_session_set_gpu (fixture->session, odl_gl_headless_gpu (headless));
  g_clear_pointer (&headless, odl_gl_headless_free);
  g_unlink (path);
  g_unsetenv ("ODL_PRICES");

  open_with (fixture, IN_TIME,
             "convolve:dimensions=3,shape=quadrature,direction=30,size=5");
  wait_until (fixture->session, shows_planes);
  odl_session_set_playing (fixture->session, true);
  // Until the planes were there it rested, perhaps long enough to begin.
  const int64_t patience = g_get_monotonic_time () + PATIENCE_US;
  while (prices_hold (path, "attempts=1") && g_get_monotonic_time () < patience)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  const int64_t end = g_get_monotonic_time () + 1500 * 1000;
  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  g_assert_false (prices_hold (path, "attempts=1"));

  bool in_time = !prices_hold (path, "volumes=");
  for (int i = 0; i < 3 && in_time; i++) {
    odl_session_set_playing (fixture->session, false);
    in_time = iterate_until_held (path, "attempts=1");
    odl_session_set_playing (fixture->session, true);
    in_time = in_time && iterate_until_held (path, "attempts=0");
  }
  g_test_message ("%s", in_time ? "measuring was ended and begun anew" : "too late");
  odl_session_set_playing (fixture->session, false);
  g_assert_false (iterate_until_held (path, "volumes="));
  g_unlink (path);
  if (before)
    g_setenv ("ODL_PRICES", before, TRUE);
}

static void
add (const char *name, const void *data, void (*test) (Fixture *, const void *))
{
  g_autofree char *path = g_strconcat ("/session/volume-gl/", name, NULL);
  g_test_add (path, Fixture, data, set_up, test, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_autoptr (OdlGlHeadless) headless = odl_gl_headless_new (NULL);
  g_autoptr (OdlEngine) engine
      = headless ? odl_engine_open (odl_engine_find ("gl-compute"), NULL) : NULL;
  if (!engine) {
    g_print ("1..0 # SKIP no compute shaders without a display\n");
    return 0;
  }
  g_clear_pointer (&engine, odl_engine_close);
  g_clear_pointer (&headless, odl_gl_headless_free);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    add (cases[i].name, &cases[i], test_like_cpu);
  add ("a-canvas-without-opengl", NULL, test_soft_canvas);
  add ("slices-are-the-canvas-s", NULL, test_slices);
  add ("auto-leaves-them-to-the-processor", NULL, test_auto);
  add ("no-context", "gl-compute/open", test_failing);
  add ("too-little-memory", "gl-compute/run=too-large", test_failing);
  add ("a-lost-context", "gl-compute/run", test_failing);
  add ("no-such-step", NULL, test_unsupported);
  add ("what-takes-long-is-given-up", NULL, test_given_up);
  add ("prices-are-measured-at-rest", NULL, test_prices);
  return g_test_run ();
}
