// SPDX-License-Identifier: MIT
// Measuring steps of gl-compute and gl-fragment: every slot against the reference, and
// numbers that come back, from gl-compute without waiting.
#include <math.h>

#include "../helpers/disc.h"
#include "fixture.h"
#include "plan/flow.h"
#include "plan/numbers.h"

static float *
observed (OdlEngine *engine, const OdlPlan *plan)
{
  float *numbers = g_new (float, odl_plan_count_observed (plan));

  for (int i = 0; i < plan->n_slots; i++) {
    g_autoptr (GError) error = NULL;
    if (!plan->slots[i].observed)
      continue;
    g_autoptr (OdlImage) slot = odl_engine_read_back (engine, plan, i, &error);
    g_assert_no_error (error);
    odl_image_scaled_row (slot, 0, 0, 0, 0, numbers + odl_plan_observed_at (plan, i));
  }
  return numbers;
}

// Counts may differ by what lies at the edges of bins: `loose` of them.
static void
assert_numbers (const char *recipe,
                const OdlPlan *plan,
                const float *got,
                const float *wanted,
                float bound,
                float loose)
{
  for (int i = 0; i < odl_plan_count_observed (plan); i++)
    if (!(fabsf (got[i] - wanted[i]) <= MAX (bound * fabsf (wanted[i]), 1e-6F))
        && !(floorf (got[i]) == got[i] && fabsf (got[i] - wanted[i]) <= loose))
      g_error ("%s, number %d: %g, the reference has %g", recipe, i, (double) got[i],
               (double) wanted[i]);
}

static void
check (const char *recipe, OdlImage *image, float bound, float loose)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  g_autoptr (OdlEngine) reference = odl_engine_open (odl_engine_find ("reference"), NULL);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
  g_autoptr (GError) error = NULL;

  engine->observing = true; // else there are no histograms
  for (int turn = 0; turn < 2; turn++) { // what is left behind must not count again
    g_autoptr (OdlImage) got = odl_engine_process (engine, plan, image, &error);
    g_assert_no_error (error);
    g_autoptr (OdlImage) wanted = odl_engine_process (reference, plan, image, &error);
    g_assert_no_error (error);
    g_autofree float *numbers = observed (engine, plan);
    g_autofree float *right = observed (reference, plan);
    assert_numbers (recipe, plan, numbers, right, bound, loose);
  }
  engine->observing = false; // another order, and no histograms
  g_autoptr (OdlImage) seen = odl_engine_read_back (engine, plan, plan->result, &error);
  g_autoptr (OdlImage) unseen = odl_engine_process (engine, plan, image, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (odl_gl_test_difference (seen, unseen, 0, 0).max, <=, 1e-6);
  odl_gl_test_no_gl_error ();
}

static bool
is_compute (const OdlEngine *engine)
{
  return g_str_equal (engine->klass->name, "gl-compute");
}

static void
check_numbers (const char *variant)
{
  g_autoptr (OdlImage) disc = odl_test_disc (40, 90, 0);
  g_autoptr (OdlImage) padded = odl_test_disc (40, 70, 700);
  g_autoptr (OdlImage) colour = odl_gl_test_noise (45, 38, 3, ODL_SAMPLE_U8, 3);

  odl_gl_test_choose (odl_gl_test_shared_engine (), variant);
  check ("bayes-shrink:levels=4", disc, 1e-3F, 2);
  check ("bayes-shrink:wavelet=db2,levels=2 border=periodic", padded, 1e-3F, 2);
  check ("bayes-shrink:levels=2,sigma=0.02", padded, 1e-3F, 2);
  check ("bayes-shrink:levels=2", colour, 1e-3F, 2);
  check ("bayes-shrink:levels=2 colour=luma", colour, 1e-3F, 2);
  check ("bayes-shrink:levels=2 view=filtered-analysis", colour, 1e-3F, 2);
  check ("sharpen bayes-shrink:levels=1 median bayes-shrink:levels=2", disc, 1e-3F, 4);
  check ("bayes-shrink:levels=2 precision=16", colour, 0.1F, 60);
  check ("sure-shrink:levels=4", disc, 1e-3F, 2);
  check ("sure-shrink:levels=2", colour, 1e-3F, 2);
  check ("visu-shrink:wavelet=db2,levels=2 border=periodic", padded, 1e-3F, 2);
}

static void
numbers_are_the_references (void)
{
  if (!is_compute (odl_gl_test_shared_engine ()))
    check_numbers ("quads");
  else
    check_numbers ("pairs");
  check_numbers (NULL);
}

static void
every_slot_is_the_references (void)
{
  g_autoptr (OdlImage) colour = odl_gl_test_noise (45, 38, 3, ODL_SAMPLE_U8, 3);
  OdlEngine *engine = odl_gl_test_shared_engine ();
  g_autoptr (OdlEngine) reference = odl_engine_open (odl_engine_find ("reference"), NULL);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan ("bayes-shrink:levels=3", colour);
  g_autoptr (GError) error = NULL;

  g_assert_true (odl_engine_prepare (engine, plan, &error)
                 && odl_engine_run (engine, plan, colour, &error)
                 && odl_engine_prepare (reference, plan, &error)
                 && odl_engine_run (reference, plan, colour, &error));
  for (int i = 0; i < plan->n_slots; i++) {
    if (plan->slots[i].kind == ODL_SLOT_NUMBERS || plan->slots[i].kind == ODL_SLOT_BANDS)
      continue; // LL of what was shrunk is nothing
    g_autoptr (OdlImage) got = odl_engine_read_back (engine, plan, i, &error);
    g_autoptr (OdlImage) wanted = odl_engine_read_back (reference, plan, i, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat (odl_gl_test_difference (got, wanted, 0, 0).max, <=, 2e-5);
  }
}

// A frame that follows another one has its own numbers.
static void
every_frame_is_measured (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  g_autoptr (OdlEngine) reference = odl_engine_open (odl_engine_find ("reference"), NULL);
  g_autoptr (OdlImage) first = odl_gl_test_noise (45, 38, 1, ODL_SAMPLE_U8, 3);
  g_autoptr (OdlImage) second = odl_gl_test_noise (45, 38, 1, ODL_SAMPLE_U8, 4);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan ("bayes-shrink:levels=2", first);
  g_autoptr (GError) error = NULL;

  engine->observing = true;
  g_assert_true (odl_engine_prepare (engine, plan, &error)
                 && odl_engine_run (engine, plan, first, &error)
                 && odl_engine_run (engine, plan, second, &error)
                 && odl_engine_prepare (reference, plan, &error)
                 && odl_engine_run (reference, plan, second, &error));
  g_autofree float *numbers = observed (engine, plan);
  g_autofree float *right = observed (reference, plan);
  assert_numbers ("the second frame", plan, numbers, right, 1e-3F, 2);
}

// Frames follow each other, and a moved slider changes the last one.
static void
numbers_come_without_waiting (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlEngine) reference = odl_engine_open (odl_engine_find ("reference"), NULL);
  g_autoptr (OdlImage) image = odl_test_disc (40, 90, 0);
  g_autoptr (GError) error = NULL;
  static const char *const recipes[]
      = { "bayes-shrink:levels=2", "bayes-shrink:levels=2,sigma=0.03" };

  engine->observing = true;
  for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++) {
    g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipes[r], image);
    g_autofree float *numbers = g_new0 (float, odl_plan_count_observed (plan));
    for (int frame = 0; frame < 5; frame++)
      g_assert_true (odl_engine_prepare (engine, plan, &error)
                     && odl_engine_run (engine, plan, image, &error));
    g_assert_cmpint (engine->n_observing > 0, ==, is_compute (engine));
    bool come = odl_engine_observe (engine, plan, numbers);
    while (engine->n_observing > 0) {
      g_usleep (1000);
      come |= odl_engine_observe (engine, plan, numbers);
    }
    g_assert_true (come);
    g_assert_false (odl_engine_observe (engine, plan, numbers));
    g_autoptr (OdlImage) done = odl_engine_process (reference, plan, image, &error);
    g_autofree float *right = observed (reference, plan);
    assert_numbers (recipes[r], plan, numbers, right, 1e-3F, 2);
  }
  odl_gl_test_no_gl_error ();
}

static const OdlGlTest tests[] = {
  { "measure/numbers-are-the-references", numbers_are_the_references, NULL },
  { "measure/every-slot-is-the-references", every_slot_is_the_references, NULL },
  { "measure/every-frame-is-measured", every_frame_is_measured, NULL },
  { "measure/numbers-come-without-waiting", numbers_come_without_waiting, NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
