// SPDX-License-Identifier: MIT
// A measured screen in the real window: what the canvas shows, what is saved, and what is
// said about it.
#include <math.h>
#include <string.h>

#include "support/support.h"
#include "widgets/preferences.h"
#include "widgets/windows/preferences_window.h"

// Levels 0, 15, … 255 of a screen of gamma 1.4, far from the standard's function.
static char *
measurement (void)
{
  GString *text = g_string_new ("date, 2026-11-26\nambient, 0.3\n");
  for (int i = 0; i <= 17; i++)
    g_string_append_printf (text, "%d, %.4f\n", 15 * i, 0.2 + 250 * pow (i / 17.0, 1.4));
  return g_string_free (text, FALSE);
}

static GBytes *
grab (Fixture *fixture, int *width, int *height)
{
  settle (fixture);
  run_cycles (fixture, 3);
  return odl_viewport_grab (fixture->viewport, width, height);
}

static GBytes *
taken_away (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture
      = odl_viewport_render_picture (fixture->viewport, &error);
  g_assert_no_error (error);
  return gdk_texture_save_to_png_bytes (texture);
}

// Grey pixels of both, but for what is drawn over the picture, follow the curve.
static void
assert_follows (GBytes *before, GBytes *after, const OdlCurve *curve)
{
  const guint8 *was = g_bytes_get_data (before, NULL);
  const guint8 *is = g_bytes_get_data (after, NULL);
  gsize follows = 0, apart = 0, moved = 0;
  g_assert_cmpuint (g_bytes_get_size (before), ==, g_bytes_get_size (after));
  for (gsize i = 0; i < g_bytes_get_size (before); i += 4) {
    // The canvas around the picture stays.
    if (was[i] != was[i + 1] || was[i] != was[i + 2] || was[i] == ODL_CANVAS_LEVEL)
      continue;
    const double wanted
        = 255 * (double) odl_curve_at (curve->levels, curve->n, (float) was[i] / 255);
    *(fabs (wanted - is[i]) <= 2 ? &follows : &apart) += 1;
    moved += is[i] != was[i];
  }
  g_assert_cmpuint (moved, >, 1000);
  g_assert_cmpuint (follows, >, 50 * apart);
}

static void
test_canvas (Fixture *fixture, const void *data)
{
  g_autofree char *text = measurement ();
  OdlMonitor screen;
  int width, height;
  g_assert_true (odl_monitor_parse (&screen, text, NULL));
  OdlCurve *curve = odl_monitor_curve (&screen);
  open_and_wait (fixture, "phantom:200x160");
  odl_session_set_playing (fixture->session, false);
  activate_and_settle (fixture, "actual-size", NULL);
  for (int inverted = 0; inverted < 2; inverted++) {
    odl_viewport_set_screen (fixture->viewport, NULL);
    g_autoptr (GBytes) before = grab (fixture, &width, &height);
    g_autoptr (GBytes) saved_before = taken_away (fixture);
    odl_viewport_set_screen (fixture->viewport, &screen);
    g_autoptr (GBytes) after = grab (fixture, &width, &height);
    g_autoptr (GBytes) saved_after = taken_away (fixture);
    assert_follows (before, after, curve);
    g_assert_true (g_bytes_equal (saved_before, saved_after));
    activate_and_settle (fixture, "invert", NULL);
  }
  odl_curve_unref (curve);
}

static void
test_colours_stay (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "colour.png", 120, 90, true);
  g_autofree char *text = measurement ();
  OdlMonitor screen;
  int width, height;
  g_assert_true (odl_monitor_parse (&screen, text, NULL));
  open_and_wait (fixture, path);
  g_autoptr (GBytes) before = grab (fixture, &width, &height);
  odl_viewport_set_screen (fixture->viewport, &screen);
  g_autoptr (GBytes) after = grab (fixture, &width, &height);
  g_assert_true (g_bytes_equal (before, after));
}

// What is in the settings may be anything.
static void
test_settings (Fixture *fixture, const void *data)
{
  g_autofree char *text = measurement ();
  odl_settings_set_string (fixture->settings, "screen-luminance", text);
  odl_preferences_apply (fixture->settings, fixture->session, fixture->viewport);
  const OdlMonitor *screen = odl_viewport_screen (fixture->viewport);
  g_assert_nonnull (screen);
  g_assert_cmpstr (screen->date, ==, "2026-11-26");
  odl_settings_set_string (fixture->settings, "screen-luminance", "0, 5\n255, 1\n");
  odl_preferences_apply (fixture->settings, fixture->session, fixture->viewport);
  g_assert_null (odl_viewport_screen (fixture->viewport));
}

// A file of the measurement; reads as somebody chooses it.
static void
load (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  odl_preferences_load_screen (fixture->window, file);
}

static void
test_loading (Fixture *fixture, const void *data)
{
  g_autofree char *text = measurement ();
  g_autofree char *undated = g_strdup (strchr (text, '\n') + 1);
  g_autofree char *long_text = g_strnfill (2 << 20, '1');
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *today = g_date_time_format (now, "%Y-%m-%d");

  // Nobody sees what it would say.
  load (fixture, "early.csv", text);
  g_assert_null (odl_viewport_screen (fixture->viewport));
  GtkWidget *window = GTK_WIDGET (odl_preferences_window_present (fixture->window));
  g_assert_true (has_label (window, "ot calibrated"));
  load (fixture, "screen.csv", text);
  g_assert_cmpstr (odl_viewport_screen (fixture->viewport)->date, ==, "2026-11-26");
  g_assert_cmpfloat_with_epsilon (odl_viewport_screen (fixture->viewport)->ambient, 0.3,
                                  1e-9);
  g_assert_true (has_label (window, "2026-11-26"));
  // What is none is said with its name, and the one before stays.
  load (fixture, "falling.csv", "0, 5\n255, 1\n");
  g_assert_true (has_label (window, "falling.csv: "));
  load (fixture, "long.csv", long_text);
  g_assert_true (has_label (window, "long.csv: "));
  g_assert_true (has_label (window, "no short text"));
  load (fixture, "latin.csv", "\xe4mbient, 1\n");
  g_assert_true (has_label (window, "latin.csv: "));
  g_assert_cmpstr (odl_viewport_screen (fixture->viewport)->date, ==, "2026-11-26");
  // One without a day has that on which it was loaded.
  load (fixture, "undated.csv", undated);
  g_assert_cmpstr (odl_viewport_screen (fixture->viewport)->date, ==, today);
  g_assert_false (has_label (window, "latin.csv"));
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/calibrated/the-canvas-follows-and-what-is-saved-does-not", test_canvas);
  ADD ("/calibrated/colours-stay", test_colours_stay);
  ADD ("/calibrated/a-file-is-taken-or-it-is-said-why-not", test_loading);
  ADD ("/calibrated/settings-that-make-no-sense-are-left-out", test_settings);
  return g_test_run ();
}
