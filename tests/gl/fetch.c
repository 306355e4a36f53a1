// SPDX-License-Identifier: MIT
// The next frame's samples come beside the work on the present frame: pictures stay what
// they are, whatever was announced.
#include "frames.h"

#define FRAMES 4
#define RECIPE "soft-threshold:levels=3,threshold=0.05 precision=32"

static void
set_up (OdlGlTestFrames *f, int width, int height, int channels, OdlSampleType type)
{
  odl_gl_test_frames_init (f, RECIPE, FRAMES, width, height, channels, type);
}

// Runs `frame` after announcing `next` (−1: none) for the run that follows.
static void
check_frame (OdlGlTestFrames *f, int frame, int next)
{
  odl_engine_prefetch (f->engine, next >= 0 ? f->frames[next] : NULL);
  odl_gl_test_frames_run (f, f->plan, frame);
  odl_gl_test_frames_check (f, f->plan, f->alone[frame]);
}

static void
announced_frames_are_the_same (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 3, 2 }, { 61, 37 }, { 200, 131 } };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int channels = 1; channels <= 3; channels += 2)
      for (OdlSampleType type = ODL_SAMPLE_U8; type <= ODL_SAMPLE_F32; type++) {
        OdlGlTestFrames f;
        set_up (&f, sizes[s][0], sizes[s][1], channels, type);
        const size_t before = f.engine->counters.prefetched;
        for (int i = 0; i < 2 * FRAMES; i++)
          check_frame (&f, i % FRAMES, (i + 1) % FRAMES);
        g_assert_cmpuint (f.engine->counters.prefetched - before, ==, 2 * FRAMES - 1);
        odl_gl_test_frames_clear (&f);
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
  OdlGlTestFrames f;

  set_up (&f, 200, 123, 1, ODL_SAMPLE_U16);
  for (size_t i = 0; i < G_N_ELEMENTS (runs); i++)
    check_frame (&f, runs[i].frame, runs[i].next);
  odl_gl_test_frames_clear (&f);
}

// An image of another size may be announced, for a plan that is not there yet.
static void
another_size_is_next (void)
{
  OdlGlTestFrames f, larger;

  set_up (&larger, 300, 200, 1, ODL_SAMPLE_U8);
  set_up (&f, 64, 48, 1, ODL_SAMPLE_U8);
  odl_engine_prefetch (f.engine, larger.frames[1]);
  odl_gl_test_frames_run (&f, f.plan, 2);
  odl_gl_test_frames_check (&f, f.plan, f.alone[2]);
  odl_gl_test_frames_run (&larger, larger.plan, 1);
  odl_gl_test_frames_check (&larger, larger.plan, larger.alone[1]);
  odl_gl_test_frames_clear (&f);
  odl_gl_test_frames_clear (&larger);
}

// Two buffers in turns: nothing is made per frame.
static void
nothing_is_allocated_per_frame (void)
{
  OdlGlTestFrames f;

  set_up (&f, 128, 128, 1, ODL_SAMPLE_U8);
  for (int i = 0; i < FRAMES; i++)
    check_frame (&f, i, (i + 1) % FRAMES);
  OdlEngineCounters before = f.engine->counters;
  for (int i = 0; i < 3 * FRAMES; i++)
    check_frame (&f, i % FRAMES, (i + 1) % FRAMES);
  before.prefetched += 3 * FRAMES;
  g_assert_cmpmem (&before, sizeof before, &f.engine->counters, sizeof before);
  odl_gl_test_frames_clear (&f);
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
