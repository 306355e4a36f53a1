// SPDX-License-Identifier: MIT
// A thousand frames of every engine, and a third of that of its variants, with sliders
// that move: nothing grows.
// And the load of a paced run, which must sleep between frames.
#include <epoxy/gl.h>
#include <malloc.h>

#include "base/clock.h"
#include "bench/bench.h"
#include "bench/load.h"
#include "engine/gl/platform/headless.h"

#include "../helpers/plans.h"

#define FRAMES 1000
#define FRAMES_OF_VARIANTS 330
#define SETTLED 50 // frames until drivers have what they keep
#define WIDTH 60
#define HEIGHT 44
// A driver starts threads, and opens files, for the cache of its programs, whenever it
// gets to it; one for each frame would be hundreds.
#define FEW 8
// Drivers keep caches, and take memory by the megabyte, but not some kilobytes a frame.
#define HEAP_SLACK (2500 * 1024)

typedef struct {
  OdlEngineCounters counters;
  int descriptors; // open files
  int objects; // of GL
  size_t heap; // bytes in use
  int threads;
} State;

static int
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  int n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static State
look (const OdlEngine *engine)
{
  State state = { .counters = engine->counters,
                  .descriptors = count_files ("/proc/self/fd"),
                  .threads = count_files ("/proc/self/task"),
                  .heap = mallinfo2 ().uordblks };

  for (GLuint name = 1; engine->klass->needs_gl && name < 4096; name++)
    state.objects += glIsTexture (name) + glIsBuffer (name) + glIsProgram (name)
                     + glIsFramebuffer (name) + glIsQuery (name);
  return state;
}

static void
run_frame (OdlEngine *engine, int frame, OdlImage *image)
{
  g_autofree char *text
      = g_strdup_printf ("soft-threshold:levels=3,threshold=%g", frame % 100 / 200.0);
  g_autoptr (OdlPlan) plan = odl_test_plan (text, image);

  odl_test_run (engine, plan, image);
}

static void
soak (OdlEngineChoice choice)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = odl_bench_texture (WIDTH, HEIGHT, 1, &error);
  g_autoptr (OdlEngine) engine = odl_engine_open_choice (choice, &error);
  g_autofree char *name = odl_engine_choice_to_text (choice);
  State before = { 0 };

  if (engine == NULL) {
    g_test_message ("%s: %s", name, error->message);
    return;
  }
  engine->timing = choice.klass->needs_gl;
  const int n_frames = choice.variant == NULL ? FRAMES : FRAMES_OF_VARIANTS;
  for (int frame = 0; frame < n_frames; frame++) {
    if (frame == SETTLED) {
      if (choice.klass->needs_gl)
        glFinish ();
      before = look (engine);
    }
    run_frame (engine, frame, image);
    // A window waits for its frame clock; without that llvmpipe's queue would grow.
    if (choice.klass->needs_gl && frame % 10 == 0)
      glFinish ();
  }
  if (choice.klass->needs_gl)
    glFinish ();

  State after = look (engine);
  g_test_message ("%s: %d objects, %d files, %d threads, heap %+ld bytes", name,
                  after.objects, after.descriptors, after.threads,
                  (long) after.heap - (long) before.heap);
  g_assert_cmpuint (after.counters.allocations, ==, before.counters.allocations);
  g_assert_cmpuint (after.counters.programs, ==, before.counters.programs);
  g_assert_cmpuint (after.counters.textures, ==, before.counters.textures);
  g_assert_cmpint (after.objects, ==, before.objects);
  g_assert_cmpint (after.descriptors, <=, before.descriptors + FEW);
  g_assert_cmpint (after.threads, <=, before.threads + FEW);
  g_assert_cmpuint (after.heap, <, before.heap + HEAP_SLACK);
}

static void
soak_engine (const void *data)
{
  const OdlEngineClass *klass = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlGlHeadless) headless = NULL;

  if (klass->needs_gl && (headless = odl_gl_headless_new (&error)) == NULL) {
    g_test_skip (error->message);
    return;
  }
  soak ((OdlEngineChoice){ klass, NULL });
  for (const OdlEngineVariant *v = klass->variants; v != NULL && v->name != NULL; v++)
    soak ((OdlEngineChoice){ klass, v->name });
}

static void
check_load (const OdlEngineClass *klass, OdlGlHeadless *headless)
{
  static const OdlBenchLoadParams params = { .fps = 40, .seconds = 0.5 };
  const OdlGeometry geometry = { WIDTH, HEIGHT, 1, 8 };
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = odl_bench_texture (WIDTH, HEIGHT, 1, &error);
  g_autoptr (OdlEngine) engine = odl_engine_open (klass, &error);
  OdlRecipe recipe;
  OdlBenchLoad load;

  g_assert_no_error (error);
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, "soft-threshold:levels=3", &error));
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, &error);
  int64_t begin_ns = odl_clock_now_ns ();
  odl_bench_load (engine, headless, plan, image, &params, &load, &error);
  int64_t ns = odl_clock_now_ns () - begin_ns;
  g_assert_no_error (error);
  g_test_message ("%s: %.1f %% of a core at %.1f frames per second, %d of %d late",
                  klass->name, load.percent, load.fps, load.late, load.frames);
  g_assert_cmpint (load.frames, ==, 20);
  // Half a second of warming up and half a second of frames, however fast they are.
  g_assert_cmpint (ns, >=, 960000000);
  g_assert_cmpfloat (load.fps, <, 40.5);
  g_assert_cmpfloat (load.percent, >, 0);
}

static void
a_paced_run_keeps_its_pace (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlGlHeadless) headless = odl_gl_headless_new (&error);

  check_load (odl_engine_find ("cpu"), NULL);
  if (headless == NULL) {
    g_test_message ("%s", error->message);
    return;
  }
  check_load (odl_engine_find ("cpu"), headless);
  check_load (odl_engine_find ("gl-fragment"), headless);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < odl_engine_count (); i++) {
    g_autofree char *path
        = g_strconcat ("/soak/nothing-grows/", odl_engine_at (i)->name, NULL);
    g_test_add_data_func (path, odl_engine_at (i), soak_engine);
  }
  g_test_add_func ("/load/a-paced-run-keeps-its-pace", a_paced_run_keeps_its_pace);
  return g_test_run ();
}
