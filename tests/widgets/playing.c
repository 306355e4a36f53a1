// SPDX-License-Identifier: MIT
// The transport bar in the real window, on a real cine.
#include "heart.h"
#include "support.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <time.h>

#include "widgets/preferences_window.h"
#include "widgets/seek_bar.h"
#include "widgets/transport.h"

#define CINE "pydicom/examples_ybr_color.dcm"
#define CINE_FRAMES 30

static char *
data_path (const char *name)
{
  const char *folder = g_getenv ("ODL_TESTDATA");
  return g_build_filename (folder ? folder : "", name, NULL);
}

static bool
has_opened (Fixture *fixture, const void *location)
{
  return g_strcmp0 (odl_session_location (fixture->session), location) == 0
         && odl_session_frame (fixture->session)
         && odl_session_n_painted (fixture->session) > 1;
}

static bool
shows_frame (Fixture *fixture, const void *index)
{
  OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->index == *(const int64_t *) index;
}

// Opens the cine and pauses at frame 0; false: skip.
static bool
open_cine (Fixture *fixture)
{
  static const int64_t first = 0;
  g_autofree char *path = data_path (CINE);
  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_test_skip ("the real cine is not at hand");
    return false;
  }
  odl_main_window_open (fixture->window, path, NULL);
  wait_until (fixture, has_opened, path);
  odl_session_set_playing (fixture->session, false);
  activate (fixture, "first-frame", NULL);
  wait_until (fixture, shows_frame, &first);
  settle (fixture);
  return true;
}

static GtkWidget *
bar_of (Fixture *fixture)
{
  return find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_TRANSPORT);
}

// ---- the transport bar ---------------------------------------------------------------

static void
test_steps_and_numbers (Fixture *fixture, const void *data)
{
  if (!open_cine (fixture))
    return;
  GtkWidget *slider = find_widget (bar_of (fixture), ODL_TYPE_SEEK_BAR);
  GtkWidget *entry = find_widget (bar_of (fixture), GTK_TYPE_ENTRY);
  int64_t index = 3;
  for (int i = 0; i < 3; i++)
    activate (fixture, "step-frame", "1");
  wait_until (fixture, shows_frame, &index);
  settle (fixture);
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (slider)), ==, 3);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "4");

  // A number that was typed.
  gtk_widget_grab_focus (entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), "12");
  g_signal_emit_by_name (entry, "activate");
  index = 11;
  wait_until (fixture, shows_frame, &index);
  settle (fixture);
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (slider)), ==, 11);
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (fixture->viewport)));

  // What is no number changes nothing, what is beyond the end goes to the end.
  gtk_editable_set_text (GTK_EDITABLE (entry), "-7 x");
  g_signal_emit_by_name (entry, "activate");
  settle (fixture);
  g_assert_true (shows_frame (fixture, &index));
  gtk_editable_set_text (GTK_EDITABLE (entry), "99999");
  g_signal_emit_by_name (entry, "activate");
  index = CINE_FRAMES - 1;
  wait_until (fixture, shows_frame, &index);
}

static bool
slide_to (Fixture *fixture, int64_t index)
{
  gboolean handled;
  GtkWidget *slider = find_widget (bar_of (fixture), ODL_TYPE_SEEK_BAR);
  g_signal_emit_by_name (slider, "change-value", GTK_SCROLL_JUMP, (double) index,
                         &handled);
  wait_until (fixture, shows_frame, &index);
  return true;
}

static void
test_slider_seeks (Fixture *fixture, const void *data)
{
  if (!open_cine (fixture))
    return;
  static const int64_t places[] = { 29, 4, 17, 0, 22 };
  double worst_ms = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (places); i++) {
    const int64_t begin = g_get_monotonic_time ();
    slide_to (fixture, places[i]);
    worst_ms = MAX (worst_ms, (double) (g_get_monotonic_time () - begin) / 1000);
  }
  g_test_message ("slider to frame: worst %.1f ms", worst_ms);
}

static void
test_range (Fixture *fixture, const void *data)
{
  if (!open_cine (fixture))
    return;
  slide_to (fixture, 5);
  activate (fixture, "set-range", "false");
  slide_to (fixture, 9);
  activate (fixture, "set-range", "true");
  g_assert_cmpint (odl_session_range_first (fixture->session), ==, 5);
  g_assert_cmpint (odl_session_range_last (fixture->session), ==, 9);
  odl_session_set_playing (fixture->session, true);
  const int64_t end = g_get_monotonic_time () + G_USEC_PER_SEC;
  while (g_get_monotonic_time () < end) {
    g_main_context_iteration (NULL, FALSE);
    const int64_t index = odl_session_frame (fixture->session)->index;
    g_assert_cmpint (index, >=, 5);
    g_assert_cmpint (index, <=, 9);
  }
  odl_session_set_playing (fixture->session, false);
  // An end before the beginning takes the beginning along.
  slide_to (fixture, 2);
  activate (fixture, "set-range", "true");
  g_assert_cmpint (odl_session_range_first (fixture->session), ==, 2);
  g_assert_cmpint (odl_session_range_last (fixture->session), ==, 2);
  activate (fixture, "clear-range", NULL);
  g_assert_cmpint (odl_session_range_first (fixture->session), ==, 0);
  g_assert_cmpint (odl_session_range_last (fixture->session), ==, CINE_FRAMES - 1);
}

static void
test_modes (Fixture *fixture, const void *data)
{
  if (!open_cine (fixture))
    return;
  static const OdlRepeat repeats[]
      = { ODL_REPEAT_SWEEP, ODL_REPEAT_ONCE, ODL_REPEAT_LOOP };
  for (size_t i = 0; i < G_N_ELEMENTS (repeats); i++) {
    activate (fixture, "cycle-repeat", NULL);
    g_assert_cmpint (odl_session_repeat (fixture->session), ==, repeats[i]);
  }
  activate (fixture, "speed", "0.25");
  g_assert_cmpfloat (odl_session_speed (fixture->session), ==, 0.25);
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window), "speed");
  g_assert_cmpfloat (g_variant_get_double (state), ==, 0.25);
}

// Only what can act is there: a phantom has no end, but a rate.
static void
test_phantom_has_its_controls (Fixture *fixture, const void *data)
{
  static const char location[] = "phantom:64x64";
  odl_main_window_open (fixture->window, location, NULL);
  wait_until (fixture, has_opened, location);
  settle (fixture);
  GtkWidget *slider = find_widget (bar_of (fixture), ODL_TYPE_SEEK_BAR);
  GtkWidget *rate = find_widget (bar_of (fixture), GTK_TYPE_SPIN_BUTTON);
  g_assert_false (gtk_widget_get_visible (slider));
  g_assert_true (gtk_widget_get_visible (rate));
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (rate)), ==, 25);
  // What is being typed stays while the numbers beside it run.
  gtk_editable_set_text (GTK_EDITABLE (rate), "12");
  let_pass (400);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rate)), ==, "12");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (rate), 100);
  g_assert_cmpfloat (odl_session_frame_rate (fixture->session), ==, 100);
  g_assert_false (
      g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), "set-range"));
  g_assert_true (
      g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), "step-frame"));
}

// Twelve numbered pictures in the folder; opens the first.
static void
open_numbered (Fixture *fixture)
{
  for (int i = 12; i >= 1; i--) {
    g_autofree char *name = g_strdup_printf ("slice%d.png", i);
    g_autofree char *path = write_png (fixture, name, 40, 30, false);
    if (i == 1)
      open_and_wait (fixture, path);
  }
}

static bool
is_moving (Fixture *fixture, const void *data)
{
  return odl_session_is_moving (fixture->session)
         && !odl_session_opening (fixture->session);
}

static double
measured_rate (Fixture *fixture, int milliseconds)
{
  const guint64 before
      = odl_session_n_painted (fixture->session) + odl_session_dropped (fixture->session);
  const int64_t begin = g_get_monotonic_time ();
  let_pass (milliseconds);
  const guint64 after
      = odl_session_n_painted (fixture->session) + odl_session_dropped (fixture->session);
  return (double) (after - before) * G_USEC_PER_SEC
         / (double) (g_get_monotonic_time () - begin);
}

// What states no rate has that of the preferences, also while it plays.
static void
test_rate_of_the_preferences (Fixture *fixture, const void *data)
{
  open_numbered (fixture);
  activate (fixture, "play-sequence", NULL);
  wait_until (fixture, is_moving, NULL);
  g_assert_cmpfloat (odl_session_frame_rate (fixture->session), ==, 25);
  GtkWindow *window = odl_preferences_window_present (fixture->window);
  GtkWidget *entry = find_widget (GTK_WIDGET (window), GTK_TYPE_SPIN_BUTTON);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry)), ==, 25);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry), 5);
  g_assert_cmpint (odl_settings_get_int (fixture->settings, "sequence-rate"), ==, 5);
  g_assert_cmpfloat (odl_session_frame_rate (fixture->session), ==, 5);
  g_assert_cmpfloat_with_epsilon (odl_session_length_s (fixture->session), 12.0 / 5,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (measured_rate (fixture, 2000), 5, 1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry), 25);
  g_assert_cmpfloat_with_epsilon (measured_rate (fixture, 2000), 25, 3);
  gtk_window_destroy (window);

  // What states one keeps it.
  if (open_cine (fixture)) {
    const double rate = odl_session_frame_rate (fixture->session);
    odl_session_set_default_rate (fixture->session, 7);
    g_assert_cmpfloat (odl_session_frame_rate (fixture->session), ==, rate);
  }
}

static GtkLabel *
label_with_text (GtkWidget *root, const char *part)
{
  if (GTK_IS_LABEL (root) && strstr (gtk_label_get_text (GTK_LABEL (root)), part))
    return GTK_LABEL (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child;
       child = gtk_widget_get_next_sibling (child)) {
    GtkLabel *found = label_with_text (child, part);
    if (found)
      return found;
  }
  return NULL;
}

// A filter over time says so where it cannot do anything.
static void
test_filter_over_time_on_a_still (Fixture *fixture, const void *data)
{
  GtkWidget *panel = GTK_WIDGET (odl_main_window_filter_panel (fixture->window));
  static const char said[] = "no frames before it";
  open_numbered (fixture);
  set_filters (fixture, "gaussian recursive-average");
  let_pass (50);
  GtkLabel *label = label_with_text (panel, said);
  g_assert_nonnull (label);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (label)));
  odl_session_set_keep_recipe (fixture->session, true);
  activate (fixture, "play-sequence", NULL);
  wait_until (fixture, is_moving, NULL);
  g_assert_true (odl_recipe_is_temporal (odl_session_recipe (fixture->session)));
  let_pass (50);
  label = label_with_text (panel, said);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (label)));
  set_filters (fixture, "gaussian");
  let_pass (50);
  g_assert_null (label_with_text (panel, said));
}

static void
test_narrow (Fixture *fixture, const void *data)
{
  if (!open_cine (fixture))
    return;
  GtkWidget *bar = bar_of (fixture);
  int one, two, three, minimum;
  gtk_widget_measure (bar, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, 1400, &one, NULL, NULL, NULL);
  gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, 650, &two, NULL, NULL, NULL);
  gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, 360, &three, NULL, NULL, NULL);
  g_test_message ("at least %d wide; %d, %d, %d high", minimum, one, two, three);
  g_assert_cmpint (minimum, <=, 360);
  g_assert_cmpint (one, <, two);
  g_assert_cmpint (two, <, three);
  g_assert_cmpint (three, <, 150);
}

// ---- never blocked -------------------------------------------------------------------

static void
test_never_blocks (Fixture *fixture, const void *data)
{
  static const char *const sources[]
      = { CINE, "imageio-binaries/realshort.mp4", "phantom:512x512" };
  static const char *const filters[]
      = { "shrinkage:levels=3", "gaussian:sigma=3", "soft-threshold:levels=5", "" };
  g_autofree char *cine = data_path (CINE);
  if (!g_file_test (cine, G_FILE_TEST_EXISTS)) {
    g_test_skip ("the real cine is not at hand");
    return;
  }
  g_autofree char *png = write_png (fixture, "first.png", 320, 240, true);
  open_and_wait (fixture, png); // the canvas is up, GStreamer is not
  for (size_t i = 0; i < G_N_ELEMENTS (sources); i++) {
    g_autofree char *path = i < 2 ? data_path (sources[i]) : g_strdup (sources[i]);
    Heart heart = { 0 };
    heart_start (&heart);
    odl_main_window_open (fixture->window, path, NULL);
    let_pass (700);
    for (int k = 0; k < 8; k++) {
      OdlRecipe recipe;
      odl_recipe_init (&recipe);
      g_assert_true (odl_recipe_parse (&recipe, filters[k % 4], NULL));
      odl_session_seek (fixture->session, k * 11 % 30);
      let_pass (100);
      odl_session_set_recipe (fixture->session, &recipe, NULL);
      let_pass (100);
    }
    // Another source in the middle of it all.
    odl_main_window_open (fixture->window, "phantom:128x128", NULL);
    odl_main_window_open (fixture->window, path, NULL);
    let_pass (400);
    heart_stop (&heart, sources[i]);
    g_assert_cmpstr (odl_session_location (fixture->session), ==, path);
  }
}

static const struct {
  const char *name;
  void (*test) (Fixture *fixture, const void *data);
} tests[] = {
  { "steps-and-typed-numbers-choose-the-frame", test_steps_and_numbers },
  { "the-slider-seeks", test_slider_seeks },
  { "a-range-is-played-and-cleared", test_range },
  { "speed-and-repeat-are-the-sessions", test_modes },
  { "a-phantom-has-a-rate-and-no-slider", test_phantom_has_its_controls },
  { "the-preferences-say-the-rate-of-numbered-pictures", test_rate_of_the_preferences },
  { "filters-over-time-say-that-a-still-stays", test_filter_over_time_on_a_still },
  { "it-fits-a-narrow-window", test_narrow },
  { "the-main-loop-is-never-blocked", test_never_blocks },
};

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strconcat ("/playing/", tests[i].name, NULL);
    ADD (path, tests[i].test);
  }
  return g_test_run ();
}
