// SPDX-License-Identifier: MIT
// Beams of ultrasound in a session: once they are converted, frames have the picture that
// the beams make by themselves in the place of the original, in one size with the result.
#include <math.h>

#include "engine/received.h"
#include "settle.h"

#define CHAIN "envelope %s log-compress:reference=0.3 scan-convert:width=200"

static void
set_recipe (OdlSession *session, const char *text)
{
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, text, NULL));
  odl_session_set_recipe (session, &recipe, NULL);
  settle (session);
  // Until the frame shown was made by the plan in force.
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (session->frame->plan != session->plan && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (session->frame->plan == session->plan);
}

static OdlSession *
open_beams (const char *more)
{
  g_autofree char *location = g_strconcat ("phantom:beams:64x512", more, NULL);
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  OdlSession *session = odl_session_new ();

  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  odl_session_open (session, location, NULL);
  while (odl_session_opening (session) != NULL && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  odl_session_set_playing (session, false);
  return session;
}

static double
largest_difference (const OdlImage *a, const OdlImage *b)
{
  const OdlExtent extent = odl_image_info (a)->extent;
  g_autofree float *rows = g_new (float, 2 * extent.x);
  double largest = 0;

  for (int y = 0; y < extent.y; y++) {
    odl_image_scaled_row (a, 0, y, 0, 0, rows);
    odl_image_scaled_row (b, 0, y, 0, 0, rows + extent.x);
    for (int x = 0; x < extent.x; x++)
      largest = fmax (largest, fabs ((double) (rows[x] - rows[extent.x + x])));
  }
  return largest;
}

static void
assert_size (const OdlImage *image, int width, int height, bool has_beams)
{
  const OdlImageInfo *info = odl_image_info (image);

  g_assert_cmpint (info->extent.x, ==, width);
  g_assert_cmpint (info->extent.y, ==, height);
  g_assert_true ((info->beams.array != ODL_BEAMS_NONE) == has_beams);
  g_assert_true ((info->spacing_mm[0] > 0) == !has_beams);
}

static void
the_original_is_a_picture_of_the_beams (void)
{
  g_autoptr (OdlSession) session = open_beams ("");
  g_autofree char *bare = g_strdup_printf (CHAIN, "");
  g_autofree char *filtered
      = g_strdup_printf (CHAIN, "srad:input=intensity,steps=20,q0=0.4");

  set_recipe (session, bare);
  OdlFrame *frame = odl_session_frame (session);
  const int height = odl_image_info (frame->result)->extent.y;
  g_assert_cmpint (height, >, 20);
  assert_size (frame->result, 200, height, false);
  assert_size (frame->input, 200, height, false);
  assert_size (odl_frame_came (frame), 64, 512, true);
  g_assert_cmpfloat (largest_difference (frame->input, frame->result), ==, 0);
  g_autoptr (OdlImage) picture = odl_image_ref (frame->result);
  // What is drawn is drawn on the picture, beyond the last beam, too.
  odl_session_annotate (session,
                        &(OdlAnnotation){ .kind = &odl_annotation_length,
                                          .n_points = 2,
                                          .points = { { 10, 9 }, { 150, 20 } } });
  g_assert_true (odl_annotations_fit (odl_session_annotations (session), 200, height));
  g_assert_cmpint (odl_annotations_count (odl_session_annotations (session)), ==, 1);

  set_recipe (session, filtered);
  frame = odl_session_frame (session);
  assert_size (frame->result, 200, height, false);
  assert_size (frame->input, 200, height, false);
  g_assert_cmpfloat (largest_difference (frame->input, picture), <, 1e-6);
  g_assert_cmpfloat (largest_difference (frame->result, picture), >, 0.1);
}

// Amplitudes of IQ have half as many columns; so has what they are compared with.
static void
numbers_of_iq_become_one (void)
{
  g_autoptr (OdlSession) session = open_beams (",iq");

  set_recipe (session, "gaussian:sigma=1 envelope");
  assert_size (odl_session_frame (session)->result, 64, 512, true);
  assert_size (odl_session_frame (session)->input, 64, 512, true);
  assert_size (odl_frame_came (odl_session_frame (session)), 128, 512, true);
  set_recipe (session, "gaussian:sigma=1");
  assert_size (odl_session_frame (session)->result, 128, 512, true);
  assert_size (odl_session_frame (session)->input, 128, 512, true);
}

// A filter may be taken away at any time, and the source stays what it is.
static void
beams_come_back (void)
{
  g_autoptr (OdlSession) session = open_beams ("");
  g_autofree char *chain = g_strdup_printf (CHAIN, "");

  for (int i = 0; i < 3; i++) {
    set_recipe (session, chain);
    assert_size (odl_session_frame (session)->input, 200,
                 odl_image_info (odl_session_frame (session)->result)->extent.y, false);
    set_recipe (session, "envelope");
    assert_size (odl_session_frame (session)->input, 64, 512, true);
    assert_size (odl_session_frame (session)->result, 64, 512, true);
  }
}

// With a filter over time, whose frames before the one that is shown are run, too.
static void
steps_go_on (void)
{
  g_autoptr (OdlSession) session = open_beams ("");
  g_autofree char *chain = g_strdup_printf (CHAIN, "persistence");

  set_recipe (session, chain);
  for (int i = 0; i < 4; i++) {
    odl_playback_step (odl_session_playback (session), 1);
    settle (session);
    const OdlFrame *frame = odl_session_frame (session);
    assert_size (frame->input, 200, odl_image_info (frame->result)->extent.y, false);
  }
}

// Until nothing waits for all frames.
static double
reference_found (OdlSession *session)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  while (odl_recipe_waits_for_cine (odl_session_recipe (session))
         && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  return odl_recipe_get (odl_session_recipe (session), 1, "reference", 0);
}

// The largest amplitude of a period, as the envelope has it.
static double
largest_of_all (const char *location)
{
  g_autoptr (OdlSource) source = odl_source_open (location, NULL, NULL);
  g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find ("reference"), NULL);
  OdlRecipe recipe;
  double peak = 0;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, "envelope", NULL));
  for (int i = 0; i < source->info.n_frames; i++) {
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, NULL);
    const OdlGeometry geometry = odl_geometry_of (image);
    g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, NULL);
    g_autoptr (OdlImage) made = odl_engine_process (engine, plan, image, NULL);
    peak = fmax (peak, odl_peak_of (made));
  }
  return peak;
}

// Whichever frame is shown, and in the step of the history that asked for it.
static void
the_reference_is_that_of_all_frames (void)
{
  g_autoptr (OdlSession) session = open_beams (",seed=4");
  const double wanted = largest_of_all ("phantom:beams:64x512,seed=4");

  set_recipe (session, "envelope log-compress:reference=cine");
  const guint steps = session->history.steps->len;
  g_assert_cmpfloat (fabs (reference_found (session) / wanted - 1), <, 0.006);
  g_assert_cmpuint (session->history.steps->len, ==, steps);
  settle (session);
  g_assert_true (odl_recipe_is_measured (&session->planned));
  // In each frame it stays a word.
  set_recipe (session, "envelope log-compress:reference=frame");
  g_assert_cmpfloat (reference_found (session), ==, ODL_VALUE_FRAME);
  OdlOther other = { .letter = 'A', .other_letter = 'B' };
  odl_recipe_init (&other.recipe);
  g_assert_true (
      odl_recipe_parse (&other.recipe, "envelope log-compress:reference=cine", NULL));
  odl_session_set_other (session, &other);
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (odl_recipe_waits_for_cine (&session->other.recipe)
         && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpfloat (
      fabs (odl_recipe_get (&session->other.recipe, 1, "reference", 0) / wanted - 1), <,
      0.006);
}

// A search is given up with its recipe, and with the session.
static void
searches_are_given_up (void)
{
  g_autoptr (OdlSession) session = open_beams (",seed=5");

  for (int i = 0; i < 3; i++) {
    set_recipe (session, "envelope srad:steps=60,input=intensity "
                         "log-compress:reference=cine");
    set_recipe (session, "envelope");
  }
  set_recipe (session, "envelope log-compress:reference=cine");
  g_assert_cmpfloat (reference_found (session), >, 0);
  set_recipe (session, "envelope srad:steps=60,input=intensity "
                       "log-compress:reference=cine");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beams/the-original-is-a-picture-of-the-beams",
                   the_original_is_a_picture_of_the_beams);
  g_test_add_func ("/beams/numbers-of-iq-become-one", numbers_of_iq_become_one);
  g_test_add_func ("/beams/they-come-back", beams_come_back);
  g_test_add_func ("/beams/steps-go-on", steps_go_on);
  g_test_add_func ("/beams/the-reference-is-that-of-all-frames",
                   the_reference_is_that_of_all_frames);
  g_test_add_func ("/beams/searches-are-given-up", searches_are_given_up);
  return g_test_run ();
}
