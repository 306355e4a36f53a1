// SPDX-License-Identifier: MIT
// The order of a presentation against a clock of the test's own.
#include "session/presentation.h"

#include "filter/recipe.h"

#define S ((int64_t) G_USEC_PER_SEC)

static void
test_sources_and_recipes_in_turn (void)
{
  // Three sources, two recipes, 10 s each, from an odd moment on.
  int64_t now = 12345;
  OdlPresentation show = odl_presentation_begin (3, 2, 10, now);
  for (int round = 0; round < 7; round++) {
    g_assert_cmpint (show.source, ==, round % 3);
    g_assert_cmpint (show.recipe, ==, 0);
    g_assert_cmpint (show.state, ==, ODL_PRESENTATION_OPENING);
    // Opening does not count.
    now += 3 * S;
    g_assert_cmpint (odl_presentation_advance (&show, now), ==, ODL_PRESENTATION_STAY);
    odl_presentation_shown (&show, now);
    int changes = 0;
    for (int ms = 0; ms < 9990; ms += 10) {
      now += 10000;
      const OdlPresentationMove move = odl_presentation_advance (&show, now);
      changes += move == ODL_PRESENTATION_CHANGE;
      g_assert_cmpint (move, !=, ODL_PRESENTATION_OPEN);
      g_assert_cmpint (show.recipe, ==, ms + 10 < 5000 ? 0 : 1);
    }
    g_assert_cmpint (changes, ==, 1);
    now += 20000;
    g_assert_cmpint (odl_presentation_advance (&show, now), ==, ODL_PRESENTATION_OPEN);
  }
}

static void
test_one_source_is_not_opened_again (void)
{
  OdlPresentation show = odl_presentation_begin (1, 3, 6, 0);
  odl_presentation_shown (&show, 0);
  int changes = 0;
  for (int64_t now = 0; now < 60 * S; now += S / 10) {
    const OdlPresentationMove move = odl_presentation_advance (&show, now);
    g_assert_cmpint (move, !=, ODL_PRESENTATION_OPEN);
    changes += move == ODL_PRESENTATION_CHANGE;
    g_assert_cmpint (show.recipe, ==, (int) (now % (6 * S) / (2 * S)));
  }
  g_assert_cmpint (changes, ==, 29);
}

// A picture that takes long to compute has as much time as others once it is there, and
// whoever comes back finds what he left.
static void
test_time_waits (void)
{
  OdlPresentation show = odl_presentation_begin (2, 2, 10, 0);
  odl_presentation_shown (&show, S);
  for (int s = 1; s <= 60; s++) {
    odl_presentation_hold (&show, s * S);
    g_assert_cmpint (odl_presentation_advance (&show, s * S), ==, ODL_PRESENTATION_STAY);
  }
  g_assert_cmpint (odl_presentation_advance (&show, 66 * S), ==, ODL_PRESENTATION_CHANGE);
  g_assert_cmpint (show.recipe, ==, 1);
  // Left for an hour, six seconds into its time.
  odl_presentation_resume (&show, 4000 * S);
  g_assert_cmpint (show.state, ==, ODL_PRESENTATION_OPENING);
  odl_presentation_shown (&show, 4001 * S);
  g_assert_cmpint (odl_presentation_advance (&show, 4004 * S), ==, ODL_PRESENTATION_STAY);
  g_assert_cmpint (show.recipe, ==, 1);
  g_assert_cmpint (odl_presentation_advance (&show, 4006 * S), ==, ODL_PRESENTATION_OPEN);
  g_assert_cmpint (show.source, ==, 1);
  // The next one begins anew.
  odl_presentation_shown (&show, 4007 * S);
  g_assert_cmpint (odl_presentation_advance (&show, 4011 * S), ==, ODL_PRESENTATION_STAY);
}

// A file that is missing, a camera that is pulled out: the sentence stays, then it goes
// on; the only source is tried again.
static void
test_failures_are_passed_over (void)
{
  OdlPresentation show = odl_presentation_begin (2, 1, 10, 0);
  odl_presentation_failed (&show, S);
  g_assert_cmpint (odl_presentation_advance (&show, 2 * S), ==, ODL_PRESENTATION_STAY);
  g_assert_cmpfloat (odl_presentation_wipe (&show), ==, 1);
  // Silence is told again and again; that does not make it longer.
  for (int64_t now = 2 * S; now < 5 * S; now += S / 4) {
    odl_presentation_failed (&show, now);
    g_assert_cmpint (odl_presentation_advance (&show, now), ==, ODL_PRESENTATION_STAY);
  }
  g_assert_cmpint (odl_presentation_advance (&show, 6 * S), ==, ODL_PRESENTATION_OPEN);
  g_assert_cmpint (show.source, ==, 1);
  odl_presentation_shown (&show, 7 * S);
  odl_presentation_failed (&show, 8 * S);
  odl_presentation_set_paused (&show, true, 8 * S);
  g_assert_cmpint (odl_presentation_advance (&show, 13 * S), ==, ODL_PRESENTATION_OPEN);
  g_assert_cmpint (show.source, ==, 0);
  // Nothing comes, not even an error.
  g_assert_cmpint (odl_presentation_advance (&show, 20 * S), ==, ODL_PRESENTATION_STAY);
  g_assert_cmpint (odl_presentation_advance (&show, 40 * S), ==, ODL_PRESENTATION_OPEN);

  OdlPresentation lone = odl_presentation_begin (1, 1, 10, 0);
  odl_presentation_failed (&lone, 0);
  g_assert_cmpint (odl_presentation_advance (&lone, 5 * S), ==, ODL_PRESENTATION_OPEN);
  g_assert_cmpint (lone.source, ==, 0);
}

// A camera that is back before the next source comes keeps the rest of its time, and one
// that comes and goes does not hold it up.
static void
test_back_in_time (void)
{
  OdlPresentation show = odl_presentation_begin (2, 1, 10, 0);
  odl_presentation_shown (&show, 0);
  odl_presentation_advance (&show, 5 * S);
  odl_presentation_failed (&show, 5 * S);
  odl_presentation_advance (&show, 6 * S);
  odl_presentation_recovered (&show, 6 * S);
  g_assert_cmpint (show.state, ==, ODL_PRESENTATION_SHOWING);
  g_assert_cmpint (odl_presentation_advance (&show, 9 * S), ==, ODL_PRESENTATION_STAY);
  g_assert_cmpint (odl_presentation_advance (&show, 10 * S), ==, ODL_PRESENTATION_OPEN);
  // Its time begins anew when it has its turn again; what is not lost cannot be back.
  odl_presentation_recovered (&show, 11 * S);
  g_assert_cmpint (show.state, ==, ODL_PRESENTATION_OPENING);
  odl_presentation_failed (&show, 12 * S);
  odl_presentation_recovered (&show, 12 * S);
  g_assert_cmpint (odl_presentation_advance (&show, 21 * S), ==, ODL_PRESENTATION_STAY);
  // In a pause it is looked at for as long as one likes.
  odl_presentation_set_paused (&show, true, 21 * S);
  odl_presentation_failed (&show, 21 * S);
  odl_presentation_advance (&show, 24 * S);
  odl_presentation_recovered (&show, 24 * S);
  g_assert_cmpint (odl_presentation_advance (&show, 1000 * S), ==, ODL_PRESENTATION_STAY);
  odl_presentation_set_paused (&show, false, 1000 * S);
  g_assert_cmpint (odl_presentation_advance (&show, 1001 * S), ==, ODL_PRESENTATION_OPEN);
}

static void
test_pause_holds_everything (void)
{
  OdlPresentation show = odl_presentation_begin (2, 2, 8, 0);
  odl_presentation_shown (&show, 0);
  odl_presentation_advance (&show, 3 * S);
  odl_presentation_set_paused (&show, true, 3 * S);
  const double wipe = odl_presentation_wipe (&show);
  g_assert_cmpint (odl_presentation_advance (&show, 1000 * S), ==, ODL_PRESENTATION_STAY);
  g_assert_cmpfloat (odl_presentation_wipe (&show), ==, wipe);
  odl_presentation_set_paused (&show, false, 1000 * S);
  g_assert_cmpint (odl_presentation_advance (&show, 1000 * S + S / 2), ==,
                   ODL_PRESENTATION_STAY);
  g_assert_cmpint (odl_presentation_advance (&show, 1002 * S), ==,
                   ODL_PRESENTATION_CHANGE);
  g_assert_cmpint (odl_presentation_advance (&show, 1006 * S), ==, ODL_PRESENTATION_OPEN);
}

static void
test_steps_both_ways (void)
{
  OdlPresentation show = odl_presentation_begin (3, 1, 10, 0);
  odl_presentation_shown (&show, 0);
  g_assert_cmpint (odl_presentation_step (&show, -1, S), ==, ODL_PRESENTATION_OPEN);
  g_assert_cmpint (show.source, ==, 2);
  odl_presentation_step (&show, 1, S);
  odl_presentation_step (&show, 1, S);
  g_assert_cmpint (show.source, ==, 1);
  g_assert_cmpint (show.state, ==, ODL_PRESENTATION_OPENING);
}

static void
test_divider (void)
{
  OdlPresentation show = odl_presentation_begin (1, 2, 40, 0);
  odl_presentation_shown (&show, 0);
  double least = 1, before = 1;
  for (int64_t now = 0; now < 40 * S; now += S / 50) {
    const OdlPresentationMove move = odl_presentation_advance (&show, now);
    const double wipe = odl_presentation_wipe (&show);
    g_assert_cmpfloat (wipe, >=, 0);
    g_assert_cmpfloat (wipe, <=, 1);
    g_assert_cmpfloat (ABS (wipe - before), <, 0.01); // it never jumps
    if (move == ODL_PRESENTATION_CHANGE)
      g_assert_cmpfloat (wipe, >, 0.999); // all original when the recipe changes
    least = MIN (least, wipe);
    before = wipe;
  }
  g_assert_cmpfloat (least, <, 0.001);
}

static void
test_built_in_recipes (void)
{
  for (int i = 0; odl_presentation_recipes[i]; i++) {
    OdlRecipe recipe;
    g_autoptr (GError) error = NULL;
    odl_recipe_init (&recipe);
    g_assert_true (odl_recipe_parse (&recipe, odl_presentation_recipes[i], &error));
    g_assert_no_error (error);
    g_assert_false (odl_recipe_is_identity (&recipe));
  }
}

static void
test_odd_dwell_times (void)
{
  g_assert_cmpint (odl_presentation_begin (1, 1, 0, 0).dwell_us, ==, 20 * S);
  g_assert_cmpint (odl_presentation_begin (1, 1, -5, 0).dwell_us, ==, 20 * S);
  g_assert_cmpint (odl_presentation_begin (1, 1, 1e-9, 0).dwell_us, ==, S);
  g_assert_cmpint (odl_presentation_begin (1, 1, 1e99, 0).dwell_us, ==, 86400 * S);
  // A clock that stood still or went back a little.
  OdlPresentation show = odl_presentation_begin (2, 1, 5, 10 * S);
  odl_presentation_shown (&show, 10 * S);
  g_assert_cmpint (odl_presentation_advance (&show, 9 * S), ==, ODL_PRESENTATION_STAY);
  g_assert_cmpint (show.elapsed_us, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/presentation/sources-and-recipes-come-in-turn",
                   test_sources_and_recipes_in_turn);
  g_test_add_func ("/presentation/one-source-is-not-opened-again",
                   test_one_source_is_not_opened_again);
  g_test_add_func ("/presentation/time-waits-for-pictures", test_time_waits);
  g_test_add_func ("/presentation/failures-are-passed-over",
                   test_failures_are_passed_over);
  g_test_add_func ("/presentation/back-in-time-it-keeps-its-turn", test_back_in_time);
  g_test_add_func ("/presentation/a-pause-holds-everything", test_pause_holds_everything);
  g_test_add_func ("/presentation/steps-go-both-ways", test_steps_both_ways);
  g_test_add_func ("/presentation/the-divider-hides-the-change", test_divider);
  g_test_add_func ("/presentation/built-in-recipes-are-recipes", test_built_in_recipes);
  g_test_add_func ("/presentation/odd-dwell-times-are-cut", test_odd_dwell_times);
  return g_test_run ();
}
