// SPDX-License-Identifier: MIT
// Cards of thresholds: in which scale they are, and what they were measured in.
#include <math.h>

#include "support/support.h"

#include "filter/normalisation.h"
#include "filter/noise.h"
#include "filter/received.h"
#include "session/band_meter.h"
#include "widgets/lab/band_histograms.h"
#include "widgets/panels/parameters/parameter_row.h"
#include "widgets/window/parts.h"

#define AGAIN "Measure Again"

static void
add (Fixture *fixture, const char *name)
{
  GtkWidget *panel = GTK_WIDGET (odl_main_window_parts (fixture->window)->filter_panel);
  g_assert_true (gtk_widget_activate_action (panel, "panel.add-filter", "s", name));
  settle (fixture);
}

static double
threshold (Fixture *fixture, int item, const char *key)
{
  return odl_recipe_get (recipe_of (fixture), item, key, 0);
}

static OdlNormalisation
scale (Fixture *fixture, int item)
{
  return odl_recipe_item_normalisation (&recipe_of (fixture)->items[item]);
}

// The row with that choice.
static bool
is_scale (GtkWidget *widget, const void *data)
{
  return ODL_IS_PARAMETER_ROW (widget) && has_label (widget, "Normalisation");
}

static void
choose (Fixture *fixture, OdlNormalisation wanted)
{
  GtkWidget *row = find_where (card_of (fixture, 0), is_scale, NULL);
  g_assert_nonnull (row);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (find_widget (row, GTK_TYPE_DROP_DOWN)),
                              wanted);
  settle (fixture);
}

static bool
is_metered (Fixture *fixture, const void *row)
{
  return odl_band_histograms_shown ((GtkWidget *) row, 1, ODL_BAND_HH).n > 0;
}

// What the window adds is orthonormal, and says so; texts mean what they did. The other
// choice leaves the picture and the lines in histograms where they are, in one step.
static void
test_scales (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 128, 96, true);
  open_and_wait (fixture, path);
  add (fixture, "soft-threshold");
  g_assert_cmpint (scale (fixture, 0), ==, ODL_ORTHONORMAL);
  g_assert_true (has_label (card_of (fixture, 0), "orthonormal"));
  const double sigma
      = odl_noise_of (odl_session_frame (fixture->session)->input, ODL_COLOUR_CHANNELS);
  g_assert_cmpfloat (sigma, >, 0.001);
  g_assert_cmpfloat_with_epsilon (threshold (fixture, 0, "threshold") / sigma, 1, 0.1);
  set_filters (fixture, "shrinkage:levels=2,thresholds=0.08:0.06:0.1/0.05");
  g_assert_cmpint (scale (fixture, 0), ==, ODL_UNIT_GAIN);
  GtkWidget *bands = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  wait_until (fixture, is_metered, bands);
  const OdlBandShown before = odl_band_histograms_shown (bands, 1, ODL_BAND_HH);
  choose (fixture, ODL_ORTHONORMAL);
  static const double wanted[] = { 0.08, 0.06, 0.05, 0.1, 0.1, 0.05 };
  for (int i = 0; i < 6; i++)
    g_assert_cmpfloat_with_epsilon (
        odl_recipe_get (recipe_of (fixture), 0, "thresholds", i), wanted[i], 1e-9);
  bands = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  wait_until (fixture, is_metered, bands);
  const OdlBandShown after = odl_band_histograms_shown (bands, 1, ODL_BAND_HH);
  g_assert_cmpfloat_with_epsilon (after.threshold, before.threshold, 1e-9);
  g_assert_cmpfloat_with_epsilon (after.zeroed, before.zeroed, 1e-9);
  // A line that is dragged there stands for the number in the filter's scale.
  odl_band_histograms_drag (bands, 1, ODL_BAND_HL, 0.0625);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (
      odl_recipe_get (recipe_of (fixture), 0, "thresholds", 3), 0.125, 1e-3);
  activate_and_settle (fixture, "undo", NULL);
  activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpint (scale (fixture, 0), ==, ODL_UNIT_GAIN);
  g_assert_cmpfloat (threshold (fixture, 0, "thresholds"), ==, 0.08);
  // Beyond 1 there are orthonormal ones, which stay when the card is shown.
  set_filters (fixture, "shrinkage:levels=3,thresholds=3.5,normalisation=orthonormal");
  g_assert_cmpfloat (threshold (fixture, 0, "thresholds"), ==, 3.5);
  choose (fixture, ODL_UNIT_GAIN);
  g_assert_cmpfloat (threshold (fixture, 0, "thresholds"), ==, 1);
  // Reset: as it is when it is added. Another filter of the kind keeps the scale.
  gtk_widget_activate_action (card_of (fixture, 0), "card.reset", NULL);
  settle (fixture);
  g_assert_cmpint (scale (fixture, 0), ==, ODL_ORTHONORMAL);
}

static bool
offers_again (Fixture *fixture, const void *data)
{
  return has_label (card_of (fixture, 1), AGAIN);
}

static bool
offers_no_more (Fixture *fixture, const void *data)
{
  return !offers_again (fixture, NULL);
}

static bool
is_again (GtkWidget *widget, const void *data)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), AGAIN) == 0;
}

// A filter before it that changes leaves the number, and says so.
static void
test_measured_before (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 128, 96, true);
  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian:sigma=0.6");
  add (fixture, "soft-threshold");
  const double first = threshold (fixture, 1, "threshold");
  g_assert_true (offers_no_more (fixture, NULL));
  OdlRecipe recipe = *recipe_of (fixture);
  odl_recipe_set (&recipe, 0, "sigma", 0, 0.3);
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  wait_until (fixture, offers_again, NULL);
  g_assert_true (has_label (card_of (fixture, 1), "Measured before this"));
  g_assert_cmpfloat (threshold (fixture, 1, "threshold"), ==, first);
  g_signal_emit_by_name (find_where (card_of (fixture, 1), is_again, NULL), "clicked");
  wait_until (fixture, offers_no_more, NULL);
  g_assert_cmpfloat (threshold (fixture, 1, "threshold"), >, 1.2 * first);
  activate_and_settle (fixture, "undo", NULL);
  wait_until (fixture, offers_again, NULL);
  activate_and_settle (fixture, "undo", NULL); // what it was measured in
  wait_until (fixture, offers_no_more, NULL);
  g_assert_cmpfloat (threshold (fixture, 1, "threshold"), ==, first);
  // A number of one's own was not measured.
  odl_recipe_set (&recipe, 1, "threshold", 0, 0.1);
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  settle (fixture);
  g_assert_true (offers_no_more (fixture, NULL));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/thresholds/scales-are-converted", test_scales);
  ADD ("/thresholds/measured-before-a-change", test_measured_before);
  return g_test_run ();
}
