// SPDX-License-Identifier: MIT
// Dispatches of a frame that follow each other without a barrier: announced frames stay
// what they are whatever comes between them, and what is issued is in order on a GPU
// that does as much at the same time as it may.
#include <epoxy/gl.h>
#include <string.h>

#include "base/error.h"
#include "engine/gl/compute_private.h"
#include "frames.h"
#include "issued.h"

#define FRAMES ODL_GL_TEST_MOST_FRAMES
#define SEEDS 200

#define RECIPE "soft-threshold:levels=4,threshold=0.05 precision=32"
#define OTHER_LIMIT "soft-threshold:levels=4,threshold=0.2 precision=32"
#define OTHER_LEVELS "soft-threshold:levels=2,threshold=0.05 precision=32"

static OdlGlTestLog issued;

// Each channel has work groups of its own.
static const struct {
  const char *variant;
  int channels;
} cases[] = { { NULL, 1 }, { "lifting", 1 }, { "pairs", 1 }, { NULL, 3 } };

typedef struct {
  OdlGlTestFrames base;
  OdlPlan *other_limit, *other_levels;
} Fixture;

static void
run_plan (Fixture *f, OdlPlan *plan, int frame)
{
  odl_gl_test_frames_run (&f->base, plan, frame);
}

static void
set_up (Fixture *f, const char *variant, int width, int height, int channels)
{
  g_assert_true (odl_gl_test_choose (odl_gl_test_shared_engine (), variant));
  odl_gl_test_frames_init (&f->base, RECIPE, FRAMES, width, height, channels,
                           ODL_SAMPLE_U8);
  f->other_limit = odl_gl_test_plan (OTHER_LIMIT, f->base.frames[0]);
  f->other_levels = odl_gl_test_plan (OTHER_LEVELS, f->base.frames[0]);
}

static void
tear_down (Fixture *f)
{
  odl_gl_test_frames_clear (&f->base);
  odl_plan_unref (f->other_limit);
  odl_plan_unref (f->other_levels);
}

// Frames `first` … `end` − 1, each announced before, and the one behind them announced.
static void
run_frames (Fixture *f, int first, int end)
{
  for (int i = first; i < end; i++) {
    odl_engine_prefetch (f->base.engine, f->base.frames[(i + 1) % FRAMES]);
    run_plan (f, f->base.plan, i);
  }
}

static void
check_result (Fixture *f, const OdlImage *expected, OdlPlan *plan)
{
  odl_gl_test_frames_check (&f->base, plan, expected);
}

static void
any_number_of_frames (void)
{
  Fixture f;

  set_up (&f, NULL, 300, 200, 1);
  for (int n = 1; n <= FRAMES; n++) {
    run_frames (&f, 0, n);
    check_result (&f, f.base.alone[n - 1], f.base.plan);
  }
  tear_down (&f);
}

static bool
is_in_order (const Fixture *f)
{
  return odl_gl_compute_of (f->base.engine)->caps.starts_in_order;
}

// The copy of the next frame, a dispatch after the other, each of which but the first
// waits for one, and a barrier at the end.
static void
check_relayed_frame (void)
{
  g_assert_cmpint (issued.n, >=, 4);
  for (int i = 0; i < issued.n; i++) {
    g_assert_true (issued.calls[i].is_copy == (i == 0));
    g_assert_true (issued.calls[i].is_barrier == (i == issued.n - 1));
    g_assert_true ((issued.calls[i].waits_at >= 0) == (i > 1 && i < issued.n - 1));
  }
}

// Where nobody knows in which order work groups start, no dispatch is without a barrier.
static void
check_stepwise_frame (void)
{
  for (int i = 0; i < issued.n; i++)
    if (!issued.calls[i].is_barrier && !issued.calls[i].is_copy) {
      g_assert_cmpint (i + 1, <, issued.n);
      g_assert_true (issued.calls[i + 1].is_barrier);
      g_assert_cmpint (issued.calls[i].waits_at, ==, -1);
    }
  g_assert_true (issued.calls[issued.n - 1].is_barrier);
}

static void
frames_end_with_the_only_barrier (void)
{
  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
    Fixture f;
    set_up (&f, cases[c].variant, 300, 200, cases[c].channels);
    for (int i = 0; i < FRAMES; i++) {
      odl_gl_test_log_start (&issued, true);
      run_frames (&f, i, i + 1);
      odl_gl_test_log_stop ();
      if (is_in_order (&f))
        check_relayed_frame ();
      else
        check_stepwise_frame ();
    }
    check_result (&f, f.base.alone[FRAMES - 1], f.base.plan);
    tear_down (&f);
  }
  odl_gl_test_choose (odl_gl_test_shared_engine (), NULL);
}

static void
frames_without_order_have_barriers (void)
{
  bool *in_order
      = &odl_gl_compute_of (odl_gl_test_shared_engine ())->caps.starts_in_order;
  const bool before = *in_order;

  *in_order = false;
  frames_end_with_the_only_barrier ();
  *in_order = before;
}

// What can come between frame MIDDLE − 1 and those that follow.
#define MIDDLE 4

static void
reads_the_result (Fixture *f)
{
  check_result (f, f->base.alone[MIDDLE - 1], f->base.plan);
}

static void
reads_the_source (Fixture *f)
{
  g_autoptr (OdlImage) source
      = odl_gl_test_frames_read (&f->base, f->base.plan, f->base.plan->source);
  const float *got = odl_image_info (source)->planes[0].data;
  const guint8 *stored = odl_image_info (f->base.frames[MIDDLE - 1])->planes[0].data;

  for (int i = 0; i < 300; i++)
    g_assert_cmpfloat_with_epsilon ((double) got[i], stored[i] / 255.0, 1e-5);
}

// Coefficients that only another way of computing the frame stores.
static void
reads_coefficients (Fixture *f)
{
  const OdlStep *steps = f->base.plan->steps;
  int forward = f->base.plan->n_steps - 1;

  while (steps[forward].kind != ODL_STEP_FORWARD)
    forward--;
  g_autoptr (OdlImage) got
      = odl_gl_test_frames_read (&f->base, f->base.plan, steps[forward].writes);
  odl_engine_prefetch (f->base.engine, NULL);
  run_plan (f, f->base.plan, MIDDLE - 1);
  g_autoptr (OdlImage) expected
      = odl_gl_test_frames_read (&f->base, f->base.plan, steps[forward].writes);
  g_assert_cmpfloat (odl_gl_test_difference (got, expected, 0, 0).max, ==, 0);
  run_plan (f, f->base.plan, MIDDLE - 2);
  run_frames (f, MIDDLE - 1, MIDDLE);
}

static void
shows_the_result (Fixture *f)
{
  g_autofree float *texels = g_new (float, 300 * 200);
  const float *expected = odl_image_info (f->base.alone[MIDDLE - 1])->planes[0].data;
  const OdlGlPicture picture
      = odl_gl_compute_picture (f->base.engine, f->base.plan->result);
  GLuint framebuffer;

  glGenFramebuffers (1, &framebuffer);
  glBindFramebuffer (GL_FRAMEBUFFER, framebuffer);
  glFramebufferTexture2D (GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                          picture.texture, 0);
  glReadPixels (0, 0, 300, 200, GL_RED, GL_FLOAT, texels);
  if (glGetError () == GL_NO_ERROR) // GLES need not read single components
    for (int i = 0; i < 300 * 200; i++)
      g_assert_cmpfloat (texels[i] + picture.bias, ==, expected[i]);
  glBindFramebuffer (GL_FRAMEBUFFER, 0);
  glDeleteFramebuffers (1, &framebuffer);
}

static void
shows_the_original (Fixture *f)
{
  g_assert_cmpuint (odl_gl_compute_picture (f->base.engine, f->base.plan->source).texture,
                    >, 0);
}

static void
moves_a_slider (Fixture *f)
{
  const size_t resumed = f->base.engine->counters.resumed;

  run_plan (f, f->other_limit, MIDDLE - 1);
  g_assert_cmpuint (f->base.engine->counters.resumed, ==, resumed + 1);
}

// While the next picture comes beside it, twice.
static void
moves_a_slider_back (Fixture *f)
{
  odl_engine_prefetch (f->base.engine, f->base.frames[MIDDLE]);
  moves_a_slider (f);
  odl_engine_prefetch (f->base.engine, f->base.frames[MIDDLE]);
  run_plan (f, f->base.plan, MIDDLE - 1);
}

// The same when the picture itself was announced once more.
static void
moves_a_slider_of_what_came (Fixture *f)
{
  const size_t resumed = f->base.engine->counters.resumed;

  run_frames (f, MIDDLE - 2, MIDDLE - 1);
  odl_engine_prefetch (f->base.engine, f->base.frames[MIDDLE - 1]);
  run_plan (f, f->base.plan, MIDDLE - 1);
  odl_engine_prefetch (f->base.engine, f->base.frames[MIDDLE]);
  run_plan (f, f->other_limit, MIDDLE - 1);
  g_assert_cmpuint (f->base.engine->counters.resumed, ==, resumed + 1);
}

// The relay begins anew, and so does what is written down.
static void
has_other_levels (Fixture *f)
{
  odl_gl_test_log_stop ();
  odl_engine_prefetch (f->base.engine, f->base.frames[MIDDLE + 1]);
  run_plan (f, f->other_levels, MIDDLE);
  run_plan (f, f->base.plan, MIDDLE - 1);
  odl_gl_test_log_start (&issued, true);
}

static void
was_not_announced (Fixture *f)
{
  run_plan (f, f->base.plan, MIDDLE + 2);
}

static void
was_announced_wrongly (Fixture *f)
{
  odl_engine_prefetch (f->base.engine, f->base.frames[MIDDLE]);
  run_plan (f, f->base.plan, MIDDLE + 2);
}

static void
is_the_last (Fixture *f)
{
  odl_engine_prefetch (f->base.engine, NULL);
  run_plan (f, f->base.plan, MIDDLE);
}

static void
is_measured (Fixture *f)
{
  f->base.engine->timing = true;
  run_frames (f, MIDDLE, MIDDLE + 1);
  f->base.engine->timing = false;
}

static void
is_repeated (Fixture *f)
{
  odl_gl_compute_repeat (f->base.engine, true);
  odl_gl_compute_repeat (f->base.engine, false);
}

static const struct {
  const char *what;
  void (*between) (Fixture *f);
} between[] = {
  { "reads the result", reads_the_result },
  { "reads the source", reads_the_source },
  { "reads coefficients", reads_coefficients },
  { "shows the result", shows_the_result },
  { "shows the original", shows_the_original },
  { "moves a slider", moves_a_slider },
  { "moves a slider back", moves_a_slider_back },
  { "has other levels", has_other_levels },
  { "moves a slider of what came", moves_a_slider_of_what_came },
  { "was not announced", was_not_announced },
  { "was announced wrongly", was_announced_wrongly },
  { "is the last", is_the_last },
  { "is measured", is_measured },
  { "is repeated", is_repeated },
};

static bool
has_timers (void)
{
  return epoxy_is_desktop_gl () || epoxy_has_gl_extension ("GL_EXT_disjoint_timer_query");
}

// Frames up to `end`, with something between, from a structure that has relayed none.
static void
run_around (Fixture *f, void (*in_between) (Fixture *f), int end)
{
  run_plan (f, f->other_levels, 0); // who watched one structure does not watch the next
  run_plan (f, f->base.plan, 0);
  odl_gl_test_log_start (&issued, true);
  run_frames (f, 0, MIDDLE);
  in_between (f);
  run_frames (f, MIDDLE, end);
  odl_gl_test_log_stop ();
  check_result (f, f->base.alone[end - 1], f->base.plan);
}

// Whatever comes between, pictures are as they were, and in order.
static void
anything_may_come_between (void)
{
  static const guint32 none_handed_on[ODL_GL_TEST_PLACES];
  Fixture f;

  set_up (&f, NULL, 300, 200, 1);
  for (size_t b = 0; b < G_N_ELEMENTS (between); b++) {
    g_test_message ("%s", between[b].what);
    if (between[b].between == is_measured && !has_timers ())
      continue;
    for (int end = MIDDLE + 1; end <= FRAMES; end += FRAMES - MIDDLE - 1) {
      run_around (&f, between[b].between, end);
      for (guint32 seed = 0; seed < SEEDS / 20; seed++)
        odl_gl_test_simulate (&issued, none_handed_on, seed);
    }
  }
  tear_down (&f);
}

// A slider that moves with the next frame changes uniforms and nothing else.
static void
sliders_move_with_the_next_frame (void)
{
  Fixture f;

  set_up (&f, NULL, 300, 200, 1);
  g_autoptr (OdlImage) expected
      = odl_gl_test_frames_alone (&f.base, f.other_limit, MIDDLE);
  run_frames (&f, 0, MIDDLE);
  odl_gl_test_log_start (&issued, true);
  odl_engine_prefetch (f.base.engine, f.base.frames[MIDDLE + 1]);
  run_plan (&f, f.other_limit, MIDDLE);
  odl_gl_test_log_stop ();
  if (is_in_order (&f))
    check_relayed_frame ();
  check_result (&f, expected, f.other_limit);
  run_frames (&f, MIDDLE + 1, FRAMES);
  check_result (&f, f.base.alone[FRAMES - 1], f.base.plan);
  tear_down (&f);
}

// Who looked at a frame looks at the next: its last dispatch makes the texture.
static void
watched_frames_end (void)
{
  Fixture f;

  set_up (&f, NULL, 300, 200, 1);
  for (int i = 0; i < FRAMES; i++) {
    odl_gl_test_log_start (&issued, false);
    run_frames (&f, i, i + 1);
    odl_gl_test_log_stop ();
    // One for who reads buffers, one for who reads textures.
    for (int last = 1; i > 0 && last <= 2; last++)
      g_assert_true (issued.calls[issued.n - last].is_barrier);
    if (is_in_order (&f))
      g_assert_cmpint (odl_gl_test_log_barriers (&issued), ==, i > 0 ? 2 : 1);
    odl_gl_test_log_start (&issued, false);
    g_assert_cmpuint (odl_gl_compute_picture (f.base.engine, f.base.plan->result).texture,
                      >, 0);
    odl_gl_test_log_stop ();
    if (i > 0)
      g_assert_cmpint (issued.n, ==, 0);
    check_result (&f, f.base.alone[i], f.base.plan);
  }
  tear_down (&f);
}

// There is no program for the samples of a frame that follows: for LOAD, or for the first
// level, when its copy was issued.
static void
frames_that_fail_end (void)
{
  static const char *const files[] = { "include/stored.glsl", "include/source.glsl" };
  OdlGlPrograms *programs;
  Fixture f;

  set_up (&f, NULL, 300, 200, 1);
  g_autoptr (OdlImage) deeper = odl_gl_test_noise (300, 200, 1, ODL_SAMPLE_S16, 1);
  programs = odl_gl_test_programs (f.base.engine);
  for (int round = 0; round < 2; round++) {
    g_autoptr (GError) error = NULL;
    run_frames (&f, 0, MIDDLE - 1);
    odl_engine_prefetch (f.base.engine, deeper);
    run_plan (&f, f.base.plan, MIDDLE - 1);
    odl_gl_programs_inject (programs, files[round], "no shader\n");
    odl_engine_prefetch (f.base.engine, f.base.frames[MIDDLE]);
    odl_gl_test_log_start (&issued, false);
    g_assert_false (odl_engine_run (f.base.engine, f.base.plan, deeper, &error));
    odl_gl_test_log_stop ();
    odl_gl_programs_inject (programs, NULL, NULL);
    g_assert_error (error, ODL_ERROR, ODL_ERROR_GPU);
    g_assert_true (issued.calls[issued.n - 1].is_barrier);
    if (is_in_order (&f)) {
      g_assert_cmpint (issued.n, ==, round == 0 ? 3 : 2);
      g_assert_cmpuint (odl_gl_compute_of (f.base.engine)->structure.relay.progress, ==,
                        0);
    }
    run_frames (&f, MIDDLE, FRAMES);
    check_result (&f, f.base.alone[FRAMES - 1], f.base.plan);
  }
  tear_down (&f);
}

// Counters go round after some days.
static void
wind_forward (OdlGlRelay *relay, guint n)
{
  const guint32 less = 40;

  for (guint i = 0; i < n; i++)
    relay->counted[i] = 0u - less * (i + 1);
  glBindBuffer (GL_SHADER_STORAGE_BUFFER, relay->progress);
  glBufferSubData (GL_SHADER_STORAGE_BUFFER, 0, n * (GLsizeiptr) sizeof *relay->counted,
                   relay->counted);
  glBindBuffer (GL_SHADER_STORAGE_BUFFER, 0);
}

// Every work group has handed on once.
static void
check_progress (const OdlGlRelay *relay, guint n)
{
  const size_t bytes = n * sizeof *relay->counted;

  glMemoryBarrier (GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer (GL_SHADER_STORAGE_BUFFER, relay->progress);
  const guint32 *progress = glMapBufferRange (GL_SHADER_STORAGE_BUFFER, 0,
                                              (GLsizeiptr) bytes, GL_MAP_READ_BIT);
  g_assert_nonnull (progress);
  g_assert_cmpmem (progress, bytes, relay->counted, bytes);
  glUnmapBuffer (GL_SHADER_STORAGE_BUFFER);
  glBindBuffer (GL_SHADER_STORAGE_BUFFER, 0);
}

static void
any_gpu_keeps_the_order (void)
{
  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
    guint32 progress[ODL_GL_TEST_PLACES] = { 0 };
    Fixture f;

    set_up (&f, cases[c].variant, 300, 200, cases[c].channels);
    OdlGlStructure *structure = &odl_gl_compute_of (f.base.engine)->structure;
    const guint n = structure->dispatches->len;
    run_frames (&f, 0, 1);
    if (is_in_order (&f)) {
      g_assert_cmpuint (n, <=, ODL_GL_TEST_PLACES);
      wind_forward (&structure->relay, n);
      memcpy (progress, structure->relay.counted, n * sizeof *progress);
    }
    odl_gl_test_log_start (&issued, true);
    run_frames (&f, 1, FRAMES);
    odl_gl_test_log_stop ();
    check_result (&f, f.base.alone[FRAMES - 1], f.base.plan);
    if (is_in_order (&f))
      check_progress (&structure->relay, n);
    for (guint32 seed = 0; seed < SEEDS; seed++)
      odl_gl_test_simulate (&issued, progress, seed);
    tear_down (&f);
  }
  odl_gl_test_choose (odl_gl_test_shared_engine (), NULL);
}

// On a GPU, where much is on its way at a time.
static void
large_frames (void)
{
  Fixture f;

  set_up (&f, NULL, 1030, 770, 1);
  run_frames (&f, 0, FRAMES);
  check_result (&f, f.base.alone[FRAMES - 1], f.base.plan);
  run_frames (&f, 0, MIDDLE);
  check_result (&f, f.base.alone[MIDDLE - 1], f.base.plan);
  tear_down (&f);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "relay/any-number", any_number_of_frames, "gl-compute" },
    { "relay/barriers", frames_end_with_the_only_barrier, "gl-compute" },
    { "relay/no-order", frames_without_order_have_barriers, "gl-compute" },
    { "relay/between", anything_may_come_between, "gl-compute" },
    { "relay/sliders", sliders_move_with_the_next_frame, "gl-compute" },
    { "relay/watched", watched_frames_end, "gl-compute" },
    { "relay/failure", frames_that_fail_end, "gl-compute" },
    { "relay/order", any_gpu_keeps_the_order, "gl-compute" },
    { "relay/large", large_frames, "gl-compute" },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
