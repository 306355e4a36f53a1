// SPDX-License-Identifier: MIT
// The next frame's samples come beside the work on the present frame: pictures stay what
// they are, whatever was announced.
#include <string.h>

#include "fixture.h"

#define FRAMES 4

typedef struct {
  OdlEngine *engine;
  OdlPlan *plan;
  OdlImage *frames[FRAMES];
  OdlImage *alone[FRAMES]; // results without any hint
} Fixture;

static OdlImage *
run (Fixture *f, int frame)
{
  g_autoptr (GError) error = NULL;

  odl_engine_run (f->engine, f->plan, f->frames[frame], &error);
  g_assert_no_error (error);
  OdlImage *result
      = f->engine->klass->read_back (f->engine, f->plan, f->plan->result, &error);
  g_assert_no_error (error);
  return result;
}

static void
set_up (Fixture *f, int width, int height, int channels, OdlSampleType type)
{
  g_autoptr (GError) error = NULL;

  f->engine = odl_gl_test_shared_engine ();
  odl_engine_prefetch (f->engine, NULL);
  for (guint32 i = 0; i < FRAMES; i++)
    f->frames[i] = odl_gl_test_noise (width, height, channels, type, 100 + i);
  f->plan = odl_gl_test_plan ("soft-threshold:levels=3,threshold=0.05 precision=32",
                              f->frames[0]);
  odl_engine_prepare (f->engine, f->plan, &error);
  g_assert_no_error (error);
  for (int i = 0; i < FRAMES; i++)
    f->alone[i] = run (f, i);
  g_assert_cmpfloat (odl_gl_test_difference (f->alone[0], f->alone[1], 0, 0).max, >, 0.1);
}

static void
tear_down (Fixture *f)
{
  odl_engine_prefetch (f->engine, NULL);
  for (int i = 0; i < FRAMES; i++) {
    odl_image_unref (f->frames[i]);
    odl_image_unref (f->alone[i]);
  }
  odl_plan_unref (f->plan);
}

// Runs `frame` after announcing `next` (−1: none) for the run that follows.
static void
check_frame (Fixture *f, int frame, int next)
{
  odl_engine_prefetch (f->engine, next >= 0 ? f->frames[next] : NULL);
  g_autoptr (OdlImage) got = run (f, frame);
  g_assert_cmpfloat (odl_gl_test_difference (got, f->alone[frame], 0, 0).max, ==, 0);
}

static void
announced_frames_are_the_same (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 3, 2 }, { 61, 37 }, { 200, 131 } };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int channels = 1; channels <= 3; channels += 2)
      for (OdlSampleType type = ODL_SAMPLE_U8; type <= ODL_SAMPLE_F32; type++) {
        Fixture f;
        set_up (&f, sizes[s][0], sizes[s][1], channels, type);
        const size_t before = f.engine->counters.prefetched;
        for (int i = 0; i < 2 * FRAMES; i++)
          check_frame (&f, i % FRAMES, (i + 1) % FRAMES);
        g_assert_cmpuint (f.engine->counters.prefetched - before, ==, 2 * FRAMES - 1);
        tear_down (&f);
      }
  odl_gl_test_no_gl_error ();
}

// What was announced and does not come, comes later, twice, or is the present one.
static void
wrong_hints_do_no_harm (void)
{
  static const struct {
    int frame, next;
  } runs[] = { { 0, 1 }, { 2, 3 }, { 0, 3 }, { 3, 3 }, { 3, 3 }, { 1, -1 },
               { 0, 1 }, { 2, 1 }, { 1, 1 }, { 0, 2 }, { 2, -1 } };
  Fixture f;

  set_up (&f, 200, 123, 1, ODL_SAMPLE_U16);
  for (size_t i = 0; i < G_N_ELEMENTS (runs); i++)
    check_frame (&f, runs[i].frame, runs[i].next);
  tear_down (&f);
}

// An image of another size may be announced, for a plan that is not there yet.
static void
another_size_is_next (void)
{
  g_autoptr (GError) error = NULL;
  Fixture f, larger;

  set_up (&larger, 300, 200, 1, ODL_SAMPLE_U8);
  set_up (&f, 64, 48, 1, ODL_SAMPLE_U8);
  odl_engine_prefetch (f.engine, larger.frames[1]);
  g_autoptr (OdlImage) small = run (&f, 2);
  g_assert_cmpfloat (odl_gl_test_difference (small, f.alone[2], 0, 0).max, ==, 0);
  odl_engine_prepare (larger.engine, larger.plan, &error);
  g_assert_no_error (error);
  g_autoptr (OdlImage) large = run (&larger, 1);
  g_assert_cmpfloat (odl_gl_test_difference (large, larger.alone[1], 0, 0).max, ==, 0);
  tear_down (&f);
  tear_down (&larger);
}

// Two buffers in turns: nothing is made per frame.
static void
nothing_is_allocated_per_frame (void)
{
  Fixture f;

  set_up (&f, 128, 128, 1, ODL_SAMPLE_U8);
  for (int i = 0; i < FRAMES; i++)
    check_frame (&f, i, (i + 1) % FRAMES);
  OdlEngineCounters before = f.engine->counters;
  for (int i = 0; i < 3 * FRAMES; i++)
    check_frame (&f, i % FRAMES, (i + 1) % FRAMES);
  before.prefetched += 3 * FRAMES;
  g_assert_cmpmem (&before, sizeof before, &f.engine->counters, sizeof before);
  tear_down (&f);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "fetch/announced", announced_frames_are_the_same, "gl-compute" },
    { "fetch/wrong-hints", wrong_hints_do_no_harm, "gl-compute" },
    { "fetch/another-size", another_size_is_next, "gl-compute" },
    { "fetch/allocations", nothing_is_allocated_per_frame, "gl-compute" },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
