// SPDX-License-Identifier: MIT
// Steps over time on the GPU: sequences against the reference, in every variant.
#include <glib.h>

#include "../helpers/sequences.h"
#include "fixture.h"

static OdlEngine *
open_reference (void)
{
  return odl_engine_open (odl_engine_find ("reference"), NULL);
}

static void
check_all (OdlEngine *engine, int width, int height, int channels, const char *more)
{
  g_autoptr (OdlEngine) reference = open_reference ();

  for (size_t r = 0; r < G_N_ELEMENTS (sequence_recipes); r++) {
    g_autofree char *text = g_strconcat (sequence_recipes[r], more, NULL);
    sequence_check (engine, reference, text, width, height, channels);
  }
  odl_gl_test_no_gl_error ();
}

static void
grey_frames_are_the_references (void)
{
  check_all (odl_gl_test_shared_engine (), 67, 43, 1, "");
}

static void
colour_frames_are_the_references (void)
{
  check_all (odl_gl_test_shared_engine (), 23, 17, 3, "");
  check_all (odl_gl_test_shared_engine (), 17, 13, 4, "");
}

static void
luma_is_the_references (void)
{
  check_all (odl_gl_test_shared_engine (), 33, 21, 3, " colour=luma");
}

static void
small_frames_are_the_references (void)
{
  check_all (odl_gl_test_shared_engine (), 1, 1, 1, "");
  check_all (odl_gl_test_shared_engine (), 2, 3, 1, "");
  check_all (odl_gl_test_shared_engine (), 9, 1, 3, "");
}

static void
every_variant_is_the_references (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  const OdlEngineVariant *v = engine->klass->variants;

  for (; v != NULL && v->name != NULL; v++)
    if (!v->inexact && odl_gl_test_choose (engine, v->name))
      check_all (engine, 29, 38, 1, "");
}

static void
sliders_leave_no_trace (void)
{
  sequence_check_sliders (odl_gl_test_shared_engine ());
  odl_gl_test_no_gl_error ();
}

// What a read-back computes again, and what the canvas looks at, is the same frame.
static void
read_backs_leave_no_trace (void)
{
  const char *text
      = "recursive-average:weight=0.2 shrinkage:levels=2 sliding-median:frames=3";
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlEngine) reference = open_reference ();

  for (int i = 0; i < 6; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlImage) image = sequence_frame (64, 48, 1, i);
    g_autoptr (OdlPlan) plan = odl_test_plan (text, image);
    const OdlMoment moment = { 1, (uint64_t) i + 1 };
    g_autoptr (OdlImage) got = sequence_run (engine, plan, image, moment);
    g_autoptr (OdlImage) want = sequence_run (reference, plan, image, moment);
    g_assert_cmpfloat (sequence_difference (got, want), <, SEQUENCE_BOUND);
    for (int slot = 0; slot < plan->n_slots; slot++) {
      g_autoptr (OdlImage) some = odl_engine_read_back (engine, plan, slot, &error);
      g_assert_no_error (error);
      g_assert_nonnull (some);
    }
    g_autoptr (OdlImage) same = odl_engine_read_back (engine, plan, plan->result, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat (sequence_difference (got, same), ==, 0);
  }
  odl_gl_test_no_gl_error ();
}

static const OdlGlTest tests[] = {
  { "time/grey-frames-are-the-references", grey_frames_are_the_references, NULL },
  { "time/colour-frames-are-the-references", colour_frames_are_the_references, NULL,
    true },
  { "time/luma-is-the-references", luma_is_the_references, NULL, true },
  { "time/small-frames-are-the-references", small_frames_are_the_references, NULL, true },
  { "time/every-variant-is-the-references", every_variant_is_the_references, NULL, true },
  { "time/sliders-leave-no-trace", sliders_leave_no_trace, NULL },
  { "time/read-backs-leave-no-trace", read_backs_leave_no_trace, NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
