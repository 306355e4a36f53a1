// SPDX-License-Identifier: MIT
// The window of somebody who examines patients: what is shown before it is asked for.
#include <adwaita.h>

#include "support/patient.h"
#include "support/support.h"

#include "widgets/panels/filter_card.h"
#include "widgets/window/parts.h"

#define PANEL_WIDTH 320

static bool
filters_are_open (Fixture *fixture)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (
      G_ACTION_GROUP (fixture->window), "show-filters");
  return g_variant_get_boolean (state);
}

static bool
parameters_are_open (Fixture *fixture)
{
  return gtk_expander_get_expanded (odl_filter_panel_parameters (
      odl_main_window_parts (fixture->window)->filter_panel));
}

// Closed for examinations until asked for; what was chosen is kept for each of the two.
static void
test_on_request (Fixture *fixture, const void *data)
{
  g_autofree char *mr = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 80);
  g_autofree char *ct = write_patient (fixture, "Ct", "1\\0\\0\\0\\1\\0", 100);
  g_autofree char *png = write_png (fixture, "a.png", 64, 48, false);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
  g_assert_false (filters_are_open (fixture));
  open_and_wait (fixture, mr);
  g_assert_false (filters_are_open (fixture));
  open_and_wait (fixture, png);
  g_assert_true (filters_are_open (fixture));
  g_assert_true (parameters_are_open (fixture));
  open_and_wait (fixture, ct);
  g_assert_false (filters_are_open (fixture));
  activate (fixture, "show-filters", NULL);
  g_assert_true (filters_are_open (fixture));
  g_assert_false (parameters_are_open (fixture));
  open_and_wait (fixture, mr);
  g_assert_true (filters_are_open (fixture));
  open_and_wait (fixture, png);
  activate (fixture, "show-filters", NULL);
  g_assert_false (filters_are_open (fixture));
  open_and_wait (fixture, mr);
  g_assert_true (filters_are_open (fixture));
  g_assert_true (odl_settings_get_boolean (fixture->settings, "show-filters-medical"));
  g_assert_false (odl_settings_get_boolean (fixture->settings, "show-filters"));
}

static bool
is_folded (Fixture *fixture, const void *data)
{
  return adw_flap_get_folded (
      odl_window_child (odl_main_window_parts (fixture->window), "filters_flap"));
}

static bool
is_wide (Fixture *fixture, const void *data)
{
  return !is_folded (fixture, data);
}

// A window that was narrow for a while shows what it did before.
static void
test_narrow_for_a_while (Fixture *fixture, const void *data)
{
  g_autofree char *mr = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 80);
  odl_settings_set_boolean (fixture->settings, "show-filters-medical", FALSE);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
  open_and_wait (fixture, mr);
  for (int i = 0; i < 2; i++) {
    const bool shown = i > 0;
    g_assert_true (filters_are_open (fixture) == shown);
    gtk_window_set_default_size (GTK_WINDOW (fixture->window), 450, 600);
    wait_until (fixture, is_folded, NULL);
    g_assert_false (filters_are_open (fixture));
    gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
    wait_until (fixture, is_wide, NULL);
    run_cycles (fixture, 3);
    g_assert_true (filters_are_open (fixture) == shown);
    if (!shown)
      activate (fixture, "show-filters", NULL);
  }
}

// However long the names of filters, parameters and choices are.
static void
test_one_width (Fixture *fixture, const void *data)
{
  GtkWidget *panel = GTK_WIDGET (odl_main_window_parts (fixture->window)->filter_panel);
  g_autofree char *png = write_png (fixture, "a.png", 64, 48, true);
  open_and_wait (fixture, png);
  for (size_t i = 1; i < odl_filter_count (); i++) {
    OdlRecipe recipe;
    int least;
    odl_recipe_init (&recipe);
    odl_recipe_append (&recipe, odl_filter_at (i));
    odl_recipe_append (&recipe, odl_filter_at (i));
    odl_session_set_recipe (fixture->session, &recipe, NULL);
    settle (fixture);
    gtk_widget_measure (panel, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
    g_test_message ("%s: %d", odl_filter_at (i)->name, least);
    g_assert_cmpint (least, ==, PANEL_WIDTH);
  }
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/clinician/filters-on-request", test_on_request);
  ADD ("/clinician/a-window-narrow-for-a-while", test_narrow_for_a_while);
  ADD ("/clinician/the-panel-keeps-its-width", test_one_width);
  return g_test_run ();
}
