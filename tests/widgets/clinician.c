// SPDX-License-Identifier: MIT
// The window of somebody who examines patients: what is shown before it is asked for.
#include <adwaita.h>
#include <string.h>

#include "support/patient.h"
#include "support/support.h"

#include "widgets/panels/filter_card.h"
#include "widgets/window/parts.h"

#define PANEL_WIDTH 320

static bool
is_shown (Fixture *fixture, const char *action)
{
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window), action);
  return g_variant_get_boolean (state);
}

static bool
filters_are_open (Fixture *fixture)
{
  return is_shown (fixture, "show-filters");
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

// Both go at once, and come back as they were.
static void
test_panels (Fixture *fixture, const void *data)
{
  g_autofree char *mr = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 80);
  odl_settings_set_boolean (fixture->settings, "show-filters-medical", FALSE);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
  open_and_wait (fixture, mr);
  g_assert_true (is_shown (fixture, "show-sources"));
  activate (fixture, "show-panels", NULL);
  g_assert_false (is_shown (fixture, "show-sources"));
  activate (fixture, "show-panels", NULL);
  g_assert_true (is_shown (fixture, "show-sources"));
  g_assert_false (is_shown (fixture, "show-filters"));
}

static const char *
line_above (Fixture *fixture)
{
  const OdlWindowParts *parts = odl_main_window_parts (fixture->window);
  return gtk_widget_get_mapped (odl_window_child (parts, "window_line"))
             ? gtk_label_get_text (odl_window_child (parts, "window_line"))
             : NULL;
}

static bool
is_above (Fixture *fixture, const void *data)
{
  return line_above (fixture) && *line_above (fixture);
}

static bool
is_not_above (Fixture *fixture, const void *data)
{
  return !line_above (fixture) || !*line_above (fixture);
}

// In the corner of an examination with what computed it, else above the picture.
static void
test_said_once (Fixture *fixture, const void *data)
{
  g_autofree char *ct = write_patient (fixture, "Ct", "1\\0\\0\\0\\1\\0", 100);
  g_autofree char *png = write_png (fixture, "a.png", 64, 48, false);
  GtkWidget *canvas = GTK_WIDGET (fixture->viewport);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 800);
  open_and_wait (fixture, ct);
  wait_until (fixture, is_not_above, NULL);
  run_cycles (fixture, 2);
  g_assert_null (line_above (fixture));
  g_assert_true (has_label (canvas, "W 100 HU"));
  g_assert_false (has_label (canvas, "cpu"));
  odl_session_set_engine (fixture->session, "cpu:scalar");
  set_filters (fixture, "gaussian");
  run_cycles (fixture, 2);
  g_assert_true (has_label (canvas, "cpu:scalar"));
  activate (fixture, "show-corners", NULL);
  wait_until (fixture, is_above, NULL);
  g_assert_nonnull (strstr (line_above (fixture), "W 100 HU"));
  activate (fixture, "show-corners", NULL);
  wait_until (fixture, is_not_above, NULL);
  open_and_wait (fixture, png);
  wait_until (fixture, is_above, NULL);
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
  ADD ("/clinician/panels-come-back-as-they-were", test_panels);
  ADD ("/clinician/window-and-zoom-stand-once", test_said_once);
  ADD ("/clinician/the-panel-keeps-its-width", test_one_width);
  return g_test_run ();
}
