// SPDX-License-Identifier: MIT
// Plays for a long time in the real window, with sliders moving, seeking and sources that
// change: memory, files, threads and GL objects must not grow.
//
// The time stands in ODL_SOAK_SECONDS (four rounds of the sources at least), that of one
// source in ODL_SOAK_TURN, the engine in ODL_TEST_ENGINE.
#include <epoxy/gl.h>
#include <malloc.h>
#include <stdlib.h>

#include "load.h"
#include "real_window.h"

// From here on things have what they keep: caches, pools, the arenas of threads.
#define SETTLED_PART 0.4
#define LEAST_ROUNDS 2 // to settle, and from then on; of slow machines
// What was stopped ends by itself, on a busy machine a while later; what has grown stays.
#define PATIENCE_S 60.0
#define TURN_S 3.0 // each source, unless ODL_SOAK_TURN says otherwise
#define MAX_OBJECTS 4096
// Growth allowed from then on. Memory comes from the system by the megabyte, and caches
// of frames differ by what is played.
#define RESIDENT_SLACK ((gsize) 24 << 20)
#define HEAP_SLACK ((gsize) 6 << 20)
#define DESCRIPTOR_SLACK 6
#define THREAD_SLACK 4
// What a frame on its way has, or does not have yet; one left by each frame, or each
// source, would be hundreds.
#define OBJECT_SLACK 16

typedef struct {
  RealWindow real;
  OdlLoad load;
  int objects; // of GL
} State;

static GtkWidget *
find_gl_area (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_GL_AREA (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget);
       found == NULL && child != NULL; child = gtk_widget_get_next_sibling (child))
    found = find_gl_area (child);
  return found;
}

// Names in use in the canvas's context, if it has one.
static int
count_objects (State *state)
{
  GtkWidget *area = find_gl_area (GTK_WIDGET (state->real.viewport));
  int n = 0;

  if (area == NULL || gtk_gl_area_get_error (GTK_GL_AREA (area)) != NULL)
    return 0;
  gtk_gl_area_make_current (GTK_GL_AREA (area));
  if (gdk_gl_context_get_current () == NULL)
    return 0;
  for (GLuint name = 1; name < MAX_OBJECTS; name++)
    n += glIsTexture (name) + glIsBuffer (name) + glIsProgram (name)
         + glIsFramebuffer (name) + glIsQuery (name);
  return n;
}

static void
look (State *state)
{
  odl_load_clear (&state->load);
  malloc_trim (0);
  odl_load_read (&state->load);
  state->objects = count_objects (state);
}

static void
set_filter (State *state, int turn, int step)
{
  static const char *const wavelets[] = { "cdf97", "cdf53", "haar", "db4" };
  g_autofree char *text = g_strdup_printf (
      "soft-threshold:wavelet=%s,levels=%d,threshold=%g",
      wavelets[turn % G_N_ELEMENTS (wavelets)], 1 + turn % 5, (1 + step % 90) / 300.0);
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  if (odl_recipe_parse (&recipe, text, NULL))
    odl_session_set_recipe (state->real.session, &recipe, NULL);
}

// One source for a while: the slider moves all the time, and now and then the user seeks.
static void
play_turn (State *state, const char *location, int turn)
{
  const char *text = g_getenv ("ODL_SOAK_TURN");
  const int steps = (int) (20 * (text != NULL ? g_ascii_strtod (text, NULL) : TURN_S));

  odl_main_window_open (state->real.window, location, NULL);
  real_window_run (0.4);
  odl_session_set_playing (state->real.session, true);
  for (int step = 0; step < steps; step++) {
    set_filter (state, turn, step);
    const int64_t n = odl_playback_n_frames (odl_session_playback (state->real.session));
    if (step % 15 == 7 && n > 0)
      odl_playback_seek (odl_session_playback (state->real.session),
                         g_random_int_range (0, (gint32) n));
    if (step % 20 == 11)
      odl_session_set_playing (state->real.session, true);
    real_window_run (0.05);
  }
}

static void
report (const char *when, const State *state)
{
  g_test_message (
      "%s: resident %.1f MB, heap %.1f MB, %d files, %d threads, %d GL objects", when,
      (double) state->load.resident_bytes / 1e6, (double) state->load.heap_bytes / 1e6,
      state->load.descriptors, state->load.threads, state->objects);
}

// The largest of some looks, each after a whole round of the sources.
static void
widen (State *most, const State *now)
{
  most->load.resident_bytes = MAX (most->load.resident_bytes, now->load.resident_bytes);
  most->load.heap_bytes = MAX (most->load.heap_bytes, now->load.heap_bytes);
  most->load.descriptors = MAX (most->load.descriptors, now->load.descriptors);
  most->load.threads = MAX (most->load.threads, now->load.threads);
  most->objects = MAX (most->objects, now->objects);
}

static bool
is_flat (const State *before, const State *after)
{
  return after->load.resident_bytes <= before->load.resident_bytes + RESIDENT_SLACK
         && after->load.heap_bytes <= before->load.heap_bytes + HEAP_SLACK
         && after->load.descriptors <= before->load.descriptors + DESCRIPTOR_SLACK
         && after->load.threads <= before->load.threads + THREAD_SLACK
         && after->objects <= before->objects + OBJECT_SLACK;
}

static void
assert_flat (const State *before, State *after)
{
  const int64_t end = g_get_monotonic_time () + (int64_t) (PATIENCE_S * 1e6);

  while (!is_flat (before, after) && g_get_monotonic_time () < end) {
    real_window_run (1);
    look (after);
  }
  report ("settled", before);
  report ("end", after);
  g_assert_cmpuint (after->load.resident_bytes, <=,
                    before->load.resident_bytes + RESIDENT_SLACK);
  g_assert_cmpuint (after->load.heap_bytes, <=, before->load.heap_bytes + HEAP_SLACK);
  g_assert_cmpint (after->load.descriptors, <=,
                   before->load.descriptors + DESCRIPTOR_SLACK);
  g_assert_cmpint (after->load.threads, <=, before->load.threads + THREAD_SLACK);
  g_assert_cmpint (after->objects, <=, before->objects + OBJECT_SLACK);
}

static void
soak (const char *const *sources, double seconds)
{
  const int64_t start = g_get_monotonic_time ();
  const int64_t span = (int64_t) (seconds * 1e6);
  State state = { 0 }, settled = { 0 };
  int rounds = 0;

  real_window_open (&state.real, g_getenv ("ODL_TEST_ENGINE"), 900, 560);
  // On a busy machine until something was seen, however long that takes.
  while (g_get_monotonic_time () - start < span || rounds < 2 * LEAST_ROUNDS
         || odl_session_n_painted (state.real.session) <= 5) {
    // Every round the same: what a driver compiles and keeps for a filter is there after
    // one.
    for (int i = 0; sources[i] != NULL; i++)
      play_turn (&state, sources[i], i);
    look (&state);
    report ("round", &state);
    rounds++;
    if (rounds <= LEAST_ROUNDS
        || g_get_monotonic_time () - start < (int64_t) (SETTLED_PART * span))
      widen (&settled, &state);
  }
  assert_flat (&settled, &state);
  real_window_close (&state.real);
  odl_load_clear (&state.load);
}

static void
test_soak (void)
{
  const char *text = g_getenv ("ODL_SOAK_SECONDS");
  const char *data = g_getenv ("ODL_TESTDATA");
  g_autofree char *cine = g_build_filename (data != NULL ? data : "",
                                            "pydicom/examples_ybr_color.dcm", NULL);
  g_autofree char *meta = g_build_filename (
      data != NULL ? data : "", "PlusLibData/SpinePhantomFreehand.igs.mha", NULL);
  g_autofree char *video = g_build_filename (data != NULL ? data : "",
                                             "imageio-binaries/realshort.mp4", NULL);
  const char *sources[5] = { "phantom:256x256", "phantom:512x512,rate=50" };
  int n = 2;

  if (g_file_test (cine, G_FILE_TEST_EXISTS))
    sources[1] = cine;
  if (g_file_test (meta, G_FILE_TEST_EXISTS))
    sources[n++] = meta;
  if (g_file_test (video, G_FILE_TEST_EXISTS))
    sources[n++] = video;
  soak (sources, text != NULL ? g_ascii_strtod (text, NULL) : 120);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!real_window_begin ()) {
    g_print ("1..0 # SKIP there is no display\n");
    return 77;
  }
  g_test_add_func ("/soak/playing-for-long-takes-no-more-and-more", test_soak);
  return g_test_run ();
}
