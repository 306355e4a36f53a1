// SPDX-License-Identifier: MIT
// Real engines measured against each other on whatever OpenGL there is.
#include <glib/gstdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "bench/bench.h"
#include "engine/choice_cache.h"
#include "engine/choice_measure.h"
#include "engine/gl/platform/headless.h"
#include "engine/prices.h"

#include "../helpers/plans.h"

#define PATIENT_NS ((int64_t) 20000000000) // compiling in software takes its time

typedef struct {
  OdlImage *image;
  OdlPlan *plan;
  OdlRanking *ranking;
  OdlChoiceMeasure params;
} Fixture;

static void
set_up (Fixture *fixture, const void *data)
{
  g_autoptr (GError) error = NULL;

  fixture->image = odl_bench_texture (384, 256, 1, &error);
  g_assert_no_error (error);
  fixture->plan
      = odl_test_plan ("soft-threshold:levels=3,threshold=0.05", fixture->image);
  fixture->ranking = odl_ranking_new ("test");
  fixture->params = (OdlChoiceMeasure){ .plan = fixture->plan,
                                        .image = fixture->image,
                                        .budget_ns = PATIENT_NS,
                                        .thorough = true };
  g_unsetenv ("ODL_FAULT");
}

static void
tear_down (Fixture *fixture, const void *data)
{
  odl_ranking_free (fixture->ranking);
  odl_plan_unref (fixture->plan);
  odl_image_unref (fixture->image);
  g_unsetenv ("ODL_FAULT");
}

// The name of the only GPU (or rasteriser) that there is; skips the test without one.
static char *
need_gpu (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlGlHeadless) headless = odl_gl_headless_new (&error);

  if (headless == NULL) {
    g_test_skip (error->message);
    return NULL;
  }
  return g_strdup (odl_gl_headless_gpu (headless));
}

static const OdlCandidate *
candidate (Fixture *fixture, const char *text)
{
  OdlEngineChoice choice;

  g_assert_true (odl_engine_choice_parse (text, &choice, NULL));
  return odl_ranking_find (fixture->ranking, choice);
}

static bool
everything (OdlEngineChoice choice, void *data)
{
  return true;
}

static void
tell (Fixture *fixture)
{
  for (int i = 0; i < fixture->ranking->n; i++) {
    const OdlCandidate *c = &fixture->ranking->candidates[i];
    g_autofree char *name = odl_engine_choice_to_text (c->choice);
    g_test_message ("%s: state %d, %.3f ms %s", name, c->state, c->ms,
                    c->reason != NULL ? c->reason : "");
  }
}

static void
every_engine_gets_its_time (Fixture *fixture, const void *data)
{
  g_autofree char *gpu = need_gpu ();

  if (gpu == NULL)
    return;
  fixture->params.gpu = gpu;
  g_assert_true (odl_choice_measure (fixture->ranking, &fixture->params));
  tell (fixture);
  for (int i = 0; i < fixture->ranking->n; i++) {
    const OdlCandidate *c = &fixture->ranking->candidates[i];
    // Other Programs may have kept it from running all the time.
    g_assert_cmpint (c->state, !=, ODL_CANDIDATE_FAILED);
    g_assert_true (c->state != ODL_CANDIDATE_MEASURED || (c->ms > 0 && c->ms < 10000));
  }
  g_assert_cmpint (fixture->ranking->measured_at, >, 0);

  OdlEngineChoice best = odl_choice_pick (fixture->ranking, everything, NULL);
  if (fixture->ranking->software)
    g_assert_cmpstr (best.klass->name, ==, "cpu");
}

static void
what_cannot_win_is_left_out (Fixture *fixture, const void *data)
{
  g_autofree char *gpu = need_gpu ();

  if (gpu == NULL)
    return;
  fixture->params.thorough = false;
  g_assert_true (odl_choice_measure (fixture->ranking, &fixture->params));
  tell (fixture);
  if (!fixture->ranking->software) {
    g_test_skip ("OpenGL renders in hardware");
    return;
  }
  for (int i = 0; i < fixture->ranking->n; i++)
    g_assert_true (fixture->ranking->candidates[i].choice.klass->needs_gl
                   == (fixture->ranking->candidates[i].state == ODL_CANDIDATE_FAILED));
  g_assert_cmpstr (odl_choice_pick (fixture->ranking, everything, NULL).klass->name, ==,
                   "cpu");
}

// On a busy machine the others take all the time that there is.
static void
what_cannot_win_takes_no_time (Fixture *fixture, const void *data)
{
  g_autofree char *gpu = need_gpu ();

  if (gpu == NULL)
    return;
  fixture->params.thorough = false;
  fixture->params.budget_ns = 1;
  g_assert_true (odl_choice_measure (fixture->ranking, &fixture->params));
  tell (fixture);
  for (int i = 0; i < fixture->ranking->n; i++) {
    const OdlCandidate *c = &fixture->ranking->candidates[i];
    const bool ruled_out = fixture->ranking->software && c->choice.klass->needs_gl;
    g_assert_cmpint (c->state, ==,
                     ruled_out ? ODL_CANDIDATE_FAILED : ODL_CANDIDATE_UNMEASURED);
  }
}

static void
what_fails_is_told_and_left_out (Fixture *fixture, const void *data)
{
  g_autofree char *gpu = need_gpu ();

  if (gpu == NULL)
    return;
  g_setenv ("ODL_FAULT", "gl-fragment/run,cpu/prepare=too-large", TRUE);
  fixture->params.gpu = gpu;
  g_assert_true (odl_choice_measure (fixture->ranking, &fixture->params));
  tell (fixture);
  const OdlCandidate *fragment = candidate (fixture, "gl-fragment");
  g_assert_cmpint (fragment->state, ==, ODL_CANDIDATE_FAILED);
  g_assert_nonnull (strstr (fragment->reason, "ODL_FAULT"));
  // Memory may be there another time.
  const OdlCandidate *cpu = candidate (fixture, "cpu");
  g_assert_cmpint (cpu->state, ==, ODL_CANDIDATE_UNMEASURED);
  g_assert_nonnull (strstr (cpu->reason, "ODL_FAULT"));
}

static void
a_gpu_out_of_reach_is_no_slow_one (Fixture *fixture, const void *data)
{
  fixture->params.gpu = "A card that nobody has; 4.6";
  g_assert_true (odl_choice_measure (fixture->ranking, &fixture->params));
  tell (fixture);
  for (int i = 0; i < fixture->ranking->n; i++) {
    const OdlCandidate *c = &fixture->ranking->candidates[i];
    g_assert_cmpint (c->choice.klass->needs_gl, ==,
                     c->state == ODL_CANDIDATE_OUT_OF_REACH);
    g_assert_cmpint (c->state, !=, ODL_CANDIDATE_FAILED);
  }
  g_assert_cmpstr (odl_choice_pick (fixture->ranking, everything, NULL).klass->name, ==,
                   "gl-fragment");
}

static void
what_is_known_is_not_measured_again (Fixture *fixture, const void *data)
{
  for (int i = 0; i < fixture->ranking->n; i++)
    odl_ranking_set_measured (fixture->ranking, i, 1000 + i);
  g_assert_true (odl_choice_measure (fixture->ranking, &fixture->params));
  for (int i = 0; i < fixture->ranking->n; i++)
    g_assert_cmpfloat (fixture->ranking->candidates[i].ms, ==, 1000 + i);
}

static void
without_time_nothing_is_measured (Fixture *fixture, const void *data)
{
  int64_t begin_ns = odl_clock_now_ns ();

  fixture->params.budget_ns = 1;
  g_assert_true (odl_choice_measure (fixture->ranking, &fixture->params));
  g_assert_cmpint (odl_clock_now_ns () - begin_ns, <, 1000000000);
  for (int i = 0; i < fixture->ranking->n; i++)
    g_assert_cmpint (fixture->ranking->candidates[i].state, ==, ODL_CANDIDATE_UNMEASURED);
}

static bool
after_three (void *data)
{
  int *asked = data;

  return ++*asked > 3;
}

static void
it_ends_when_told (Fixture *fixture, const void *data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("ondelette-XXXXXX", &error);
  g_assert_no_error (error);
  g_autofree char *path = g_build_filename (folder, "engines.ini", NULL);
  int asked = 0;

  fixture->params.cancelled = after_three;
  fixture->params.data = &asked;
  fixture->params.cache_path = path;
  g_assert_false (odl_choice_measure (fixture->ranking, &fixture->params));
  g_assert_false (odl_ranking_is_complete (fixture->ranking));
  // Ending on request is no accident.
  for (int i = 0; i < 3; i++) {
    g_autoptr (OdlRanking) kept = odl_choice_cache_load (path, "test");
    for (int k = 0; kept != NULL && k < kept->n; k++)
      g_assert_cmpint (kept->candidates[k].state, !=, ODL_CANDIDATE_FAILED);
    asked = 0;
    g_assert_false (odl_choice_measure (fixture->ranking, &fixture->params));
  }
  g_unlink (path);
  g_rmdir (folder);
}

// How the engine would convolve at these prices.
static char *
way_at (Fixture *fixture, const char *device, double price)
{
  g_autofree char *path = odl_prices_path ();
  const OdlPrices prices = { price, price, true };
  g_autoptr (OdlPlan) plan
      = odl_test_plan ("convolve:shape=quadrature,size=11", fixture->image);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlGlHeadless) headless = odl_gl_headless_new (&error);
  g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find ("gl-compute"), &error);

  g_assert_no_error (error);
  g_assert_cmpstr (engine->device, ==, device);
  g_assert_true (odl_prices_save (path, device, &prices, &error));
  g_assert_true (odl_engine_prepare (engine, plan, &error));
  char *way = g_strdup (engine->variant);
  odl_engine_close (g_steal_pointer (&engine));
  return way;
}

static bool
at_once (void *data)
{
  return true;
}

static void
prices_are_measured_and_obeyed (Fixture *fixture, const void *data)
{
  g_autofree char *gpu = need_gpu ();
  g_autofree char *path = odl_prices_path ();
  OdlPrices prices;

  if (gpu == NULL)
    return;
  g_autofree char *device = odl_prices_device (gpu);
  g_unlink (path);
  odl_prices_measure (gpu, NULL, NULL); // ODL_PRICES=shipped
  g_assert_false (odl_prices_load (path, device, &prices));
  g_unsetenv ("ODL_PRICES");
  for (int i = 0; i < 3; i++)
    odl_prices_measure (gpu, at_once, NULL); // which is no attempt
  g_assert_false (odl_prices_load (path, device, &prices));
  odl_prices_measure (gpu, NULL, NULL);
  if (odl_prices_load (path, device, &prices)) {
    g_test_message ("pictures %g, volumes %g", prices.pictures, prices.volumes);
    g_assert_true (prices.pictures > 1 / ODL_PRICES_MOST
                   && prices.pictures < ODL_PRICES_MOST);
    g_assert_true (prices.volumes > 1 / ODL_PRICES_MOST
                   && prices.volumes < ODL_PRICES_MOST);
    g_autofree char *dear = way_at (fixture, device, ODL_PRICES_MOST);
    g_autofree char *cheap = way_at (fixture, device, 1 / ODL_PRICES_MOST);
    g_assert_cmpstr (dear, ==, "direct");
    g_assert_cmpstr (cheap, ==, "fft");
    g_setenv ("ODL_PRICES", "shipped", TRUE);
    g_autofree char *as_shipped = way_at (fixture, device, 1 / ODL_PRICES_MOST);
    g_assert_cmpstr (as_shipped, ==, "direct");
    // What is known is not measured again.
    g_unsetenv ("ODL_PRICES");
    odl_prices_measure (gpu, NULL, NULL);
    g_assert_true (odl_prices_load (path, device, &prices));
    g_assert_cmpfloat (prices.pictures, ==, 1 / ODL_PRICES_MOST);
    g_assert_true (g_file_set_contents (path, "[broken", -1, NULL));
    odl_prices_measure (gpu, NULL, NULL);
    g_assert_true (odl_prices_load (path, device, &prices));
  } else {
    g_test_skip ("no compute shaders");
  }
  // Two attempts that did not end are enough.
  g_unlink (path);
  for (int i = 0; i < 2; i++)
    g_assert_true (odl_prices_begin (path, device, 2, NULL));
  odl_prices_measure (gpu, NULL, NULL);
  g_assert_false (odl_prices_load (path, device, &prices));
  g_unlink (path);
  g_setenv ("ODL_PRICES", "shipped", TRUE);
}

// A frame of a card has a way out, and the next frame is whole.
static void
a_frame_is_given_up (Fixture *fixture, const void *data)
{
  g_autoptr (OdlGlHeadless) headless = odl_gl_headless_new (NULL);

  if (headless == NULL) {
    g_test_skip ("no OpenGL");
    return;
  }
  for (int i = 0; i < fixture->ranking->n; i++) {
    const OdlEngineChoice choice = fixture->ranking->candidates[i].choice;
    g_autoptr (GError) error = NULL;
    OdlProgress progress = { .span = 1, .until_ns = odl_clock_now_ns () };
    if (!choice.klass->needs_gl
        || !odl_engine_can_run (choice.klass, fixture->plan, NULL))
      continue;
    OdlEngine *engine = odl_engine_open_choice (choice, &error);
    if (engine == NULL)
      continue; // gl-compute in GLES 3.0
    engine->progress = &progress;
    g_assert_null (odl_engine_process (engine, fixture->plan, fixture->image, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_CANCELLED);
    g_clear_error (&error);
    engine->progress = NULL;
    g_autoptr (OdlImage) result
        = odl_engine_process (engine, fixture->plan, fixture->image, &error);
    g_assert_no_error (error);
    odl_engine_close (engine);
  }
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*test) (Fixture *fixture, const void *data);
  } tests[] = {
    { "/choice/every-engine-gets-its-time", every_engine_gets_its_time },
    { "/choice/what-cannot-win-is-left-out", what_cannot_win_is_left_out },
    { "/choice/what-cannot-win-takes-no-time", what_cannot_win_takes_no_time },
    { "/choice/what-fails-is-told-and-left-out", what_fails_is_told_and_left_out },
    { "/choice/another-gpu-is-not-measured", a_gpu_out_of_reach_is_no_slow_one },
    { "/choice/what-is-known-is-not-measured-again",
      what_is_known_is_not_measured_again },
    { "/choice/without-time-nothing-is-measured", without_time_nothing_is_measured },
    { "/choice/it-ends-when-told", it_ends_when_told },
    { "/choice/a-frame-is-given-up", a_frame_is_given_up },
    { "/choice/prices-are-measured-and-obeyed", prices_are_measured_and_obeyed },
  };

  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
