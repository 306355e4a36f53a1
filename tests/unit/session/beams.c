// SPDX-License-Identifier: MIT
// Beams of ultrasound in a session: once they are converted, frames have the picture that
// the beams make by themselves in the place of the original, in one size with the result.
#include <math.h>

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
open_beams (void)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  OdlSession *session = odl_session_new ();

  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  odl_session_open (session, "phantom:beams:64x512", NULL);
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
  g_autoptr (OdlSession) session = open_beams ();
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

// A filter may be taken away at any time, and the source stays what it is.
static void
beams_come_back (void)
{
  g_autoptr (OdlSession) session = open_beams ();
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
  g_autoptr (OdlSession) session = open_beams ();
  g_autofree char *chain = g_strdup_printf (CHAIN, "persistence");

  set_recipe (session, chain);
  for (int i = 0; i < 4; i++) {
    odl_playback_step (odl_session_playback (session), 1);
    settle (session);
    const OdlFrame *frame = odl_session_frame (session);
    assert_size (frame->input, 200, odl_image_info (frame->result)->extent.y, false);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beams/the-original-is-a-picture-of-the-beams",
                   the_original_is_a_picture_of_the_beams);
  g_test_add_func ("/beams/they-come-back", beams_come_back);
  g_test_add_func ("/beams/steps-go-on", steps_go_on);
  return g_test_run ();
}
