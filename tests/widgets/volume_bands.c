// SPDX-License-Identifier: MIT
// Coefficients of a volume, slice by slice, in the real window.
#include <math.h>
#include <string.h>

#include "support/support.h"
#include "widgets/transport/seek_bar.h"
#include "widgets/viewport/private.h"

static bool
has_both_sides (Fixture *fixture, const void *data)
{
  OdlPoint pixel;
  g_autofree char *probed = odl_viewport_probe (fixture->viewport, &pixel);
  return strstr (probed, "→") != NULL;
}

// The second value is the one that the view of filtered coefficients shows there.
static void
check_after (Fixture *fixture, const char *probed)
{
  OdlPoint pixel;
  g_autofree char *told = g_strdup (strstr (probed, "→"));
  activate_and_settle (fixture, "view", "'filtered-analysis'");
  OdlFrame *frame = odl_session_frame (fixture->session);
  OdlProbe value;
  g_free (odl_viewport_probe (fixture->viewport, &pixel));
  g_assert_true (odl_probe (frame->input, frame->result, (int) floor (pixel.x),
                            (int) floor (pixel.y), &value));
  g_autofree char *shown = odl_probe_difference_to_text (frame->input, &value);
  g_autofree char *expected = g_strconcat ("→ ", shown, NULL);
  g_assert_cmpstr (told, ==, expected);
  activate_and_settle (fixture, "view", "'analysis'");
}

// Of a volume those that the slice shows, by the names of three axes.
static void
test_bands_of_a_volume (Fixture *fixture, const void *data)
{
  static const char *const names[2][7] = {
    { "HLL 1", "LHL 1", "HHL 1", "HLL 2", "LHL 2", "HHL 2", "LLL 2" },
    { "LLH 1", "HLH 1", "LHH 1", "HHH 1" },
  };
  OdlPoint pixel;
  open_and_wait (fixture, "phantom:48x32x11");
  g_autofree char *place = odl_seek_bar_place (fixture->session, 5);
  g_assert_cmpstr (place, ==, "0.0 mm");
  set_filters (fixture, "shrinkage:levels=2,thresholds=0.02/0.01,dimensions=3");
  activate_and_settle (fixture, "next-level", NULL);
  g_assert_cmpint (odl_session_recipe (fixture->session)->view, ==, ODL_VIEW_LEVEL);
  activate_and_settle (fixture, "view", "'analysis'");
  // They lie in no place of the patient.
  g_autofree char *nowhere = odl_seek_bar_place (fixture->session, 5);
  g_assert_cmpstr (nowhere, ==, "");
  for (int high = 0; high < 2; high++) {
    odl_playback_seek (odl_session_playback (fixture->session), high ? 8 : 1);
    settle (fixture);
    for (int i = 0; i < 7; i++) {
      g_autofree char *name = odl_viewport_band_name (fixture->viewport, i);
      g_assert_cmpstr (name, ==, names[high][i]);
    }
    g_assert_true (odl_viewport_show_band (fixture->viewport, 2 + high));
    const int width = gtk_widget_get_width (GTK_WIDGET (fixture->viewport));
    const int height = gtk_widget_get_height (GTK_WIDGET (fixture->viewport));
    odl_viewport_move_pointer (fixture->viewport, true, width * 0.5, height * 0.5 + 1);
    wait_until (fixture, has_both_sides, NULL);
    g_autofree char *probed = odl_viewport_probe (fixture->viewport, &pixel);
    g_assert_true (
        g_str_has_prefix (probed, high ? "HHH 1 · 12, 8, 2:" : "HHL 1 · 12, 8, 1:"));
    check_after (fixture, probed);
  }
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/volume_bands/have-names-of-three-letters", test_bands_of_a_volume);
  return g_test_run ();
}
