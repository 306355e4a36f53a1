// SPDX-License-Identifier: MIT
// Opens files, folders and moving sources in the real window.
#include "support/support.h"

#include "session/session_private.h"
#include "widgets/window/parts.h"

// Small enough to lie in the middle of the canvas, away from the badge; odd on purpose.
#define WIDTH 211
#define HEIGHT 157

static void
test_failed_open (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "good.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  g_autofree char *bad = g_build_filename (fixture->folder, "bad <b>&.png", NULL);
  g_assert_true (g_file_set_contents (bad, "this is no picture", -1, NULL));
  odl_main_window_open (fixture->window, bad, NULL);
  wait_until (fixture, has_toast, "bad <b>&.png");
  settle (fixture);
  g_assert_cmpstr (odl_session_info (fixture->session)->location, ==, path);
  static const char *const none[] = { NULL };
  g_autoptr (GdkPixbuf) expected = cli_process (fixture, path, none);
  assert_canvas_shows (fixture, expected);
}

static void
test_empty_then_failed (Fixture *fixture, const void *data)
{
  g_assert_true (odl_main_window_is_empty (fixture->window));
  odl_main_window_open (fixture->window, "/nonexistent/scan.dcm", NULL);
  wait_until (fixture, has_toast, "scan.dcm");
  settle (fixture);
  g_assert_true (has_label (GTK_WIDGET (fixture->window), "scan.dcm"));
  g_assert_false (
      g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), "save"));
}

static bool
shows_panels (Fixture *fixture, const void *data)
{
  OdlMainWindow *window = fixture->window;
  return adw_flap_get_reveal_flap (
             odl_window_child (odl_main_window_parts (window), "sources_flap"))
         && adw_flap_get_reveal_flap (
             odl_window_child (odl_main_window_parts (window), "filters_flap"));
}

static bool
shows_filters (Fixture *fixture, const void *window)
{
  return adw_flap_get_reveal_flap (odl_window_child (
      odl_main_window_parts ((OdlMainWindow *) window), "filters_flap"));
}

// An invitation, and what acts on a picture when there is one.
static void
test_empty (Fixture *fixture, const void *data)
{
  OdlMainWindow *window = fixture->window;
  settle (fixture);
  g_assert_true (has_label (GTK_WIDGET (window), "Open a Picture"));
  g_assert_false (adw_flap_get_reveal_flap (
      odl_window_child (odl_main_window_parts (window), "sources_flap")));
  g_assert_false (adw_flap_get_reveal_flap (
      odl_window_child (odl_main_window_parts (window), "filters_flap")));
  g_autofree char *path = write_png (fixture, "a.png", 40, 30, false);
  open_and_wait (fixture, path);
  g_assert_true (shows_panels (fixture, NULL));
  // As they were left, also when the first thing is opened in full screen.
  odl_settings_set_boolean (fixture->settings, "show-sources", false);
  g_autoptr (GtkWidget) other = g_object_ref_sink (
      odl_main_window_new (GTK_APPLICATION (fixture->application), fixture->settings));
  odl_screen_set_full (odl_main_window_parts (ODL_MAIN_WINDOW (other))->screen, true);
  odl_main_window_open (ODL_MAIN_WINDOW (other), path, NULL);
  odl_screen_set_full (odl_main_window_parts (ODL_MAIN_WINDOW (other))->screen, false);
  g_assert_false (adw_flap_get_reveal_flap (odl_window_child (
      odl_main_window_parts (ODL_MAIN_WINDOW (other)), "sources_flap")));
  wait_until (fixture, shows_filters, other);
  gtk_window_destroy (GTK_WINDOW (other));
}

static void
test_folder (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_png (fixture, "a2.png", 40, 30, false);
  g_autofree char *second = write_png (fixture, "a10.png", 40, 30, false);
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  wait_until (fixture, has_location, first);
  settle (fixture);
  activate_and_settle (fixture, "step-file", "1");
  wait_until (fixture, has_location, second);
}

static bool
plays (Fixture *fixture, const void *data)
{
  OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->index > 3;
}

// The pictures that are numbered like the one on screen play; stills go on being stills.
static void
test_sequence (Fixture *fixture, const void *data)
{
  GActionMap *actions = G_ACTION_MAP (fixture->window);
  GAction *action = g_action_map_lookup_action (actions, "play-sequence");
  for (int i = 1; i <= 12; i++) {
    g_autofree char *name = g_strdup_printf ("slice%d.png", i);
    g_free (write_png (fixture, name, 40, 30, false));
  }
  g_autofree char *first = g_build_filename (fixture->folder, "slice3.png", NULL);
  g_assert_false (g_action_get_enabled (action));
  odl_main_window_open (fixture->window, first, NULL);
  settle (fixture);
  g_assert_false (odl_playback_is_moving (odl_session_playback (fixture->session)));
  g_assert_true (g_action_get_enabled (action));
  activate_and_settle (fixture, "play-sequence", NULL);
  wait_until (fixture, plays, NULL);
  g_assert_cmpint (odl_playback_n_frames (odl_session_playback (fixture->session)), ==,
                   12);
  g_assert_false (g_action_get_enabled (action));
}

static void
test_moving (Fixture *fixture, const void *data)
{
  odl_main_window_open (fixture->window, "phantom:96x96", NULL);
  wait_until (fixture, plays, NULL);
  g_assert_true (odl_session_playing (fixture->session));
  activate_and_settle (fixture, "play", NULL);
  g_assert_false (odl_session_playing (fixture->session));
  // One may be due, and one on its way to the window.
  const guint64 arrival = fixture->session->arrival;
  let_pass (300);
  settle (fixture);
  g_assert_cmpuint (fixture->session->arrival, <=, arrival + 2);
  // And from where it stands it goes on.
  activate (fixture, "play", NULL);
  wait_for_frames (fixture, 5);
}

static void
test_quit_while_opening (Fixture *fixture, const void *data)
{
  odl_main_window_open (fixture->window, "phantom:1024x1024", NULL);
  // Once it is open it plays, and a slow canvas would never be done.
  while (odl_session_opening (fixture->session) && g_main_context_iteration (NULL, FALSE))
    ;
}

static void
test_opens_above (Fixture *fixture, const void *data)
{
  static const char *const names[] = { "preferences", "show-engines" };
  GListModel *windows = gtk_window_get_toplevels ();
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    GtkWindow *above = NULL;
    activate (fixture, names[i], NULL);
    for (guint j = 0; j < g_list_model_get_n_items (windows); j++) {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, j);
      if (gtk_window_get_transient_for (window) == GTK_WINDOW (fixture->window))
        above = window;
    }
    g_assert_nonnull (above);
    gtk_window_destroy (above);
  }
}

// With an engine asked for, only what goes through the canvas: a rasteriser in software
// takes its time.
static const struct {
  const char *name;
  void (*test) (Fixture *fixture, const void *data);
  bool on_every_canvas;
} tests[] = {
  { "a-failed-open-keeps-the-previous-picture", test_failed_open, false },
  { "an-empty-window-has-an-invitation-alone", test_empty, false },
  { "an-empty-window-says-what-failed", test_empty_then_failed, false },
  { "a-folder-opens-and-steps-in-order", test_folder, false },
  { "numbered-pictures-play", test_sequence, true },
  { "a-moving-source-plays-and-pauses", test_moving, true },
  { "preferences-and-engines-open-above-it", test_opens_above, false },
  { "it-closes-while-opening", test_quit_while_opening, true },
};

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  bool all = !g_getenv ("ODL_TEST_ENGINE");
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strconcat ("/window/", tests[i].name, NULL);
    if (all || tests[i].on_every_canvas)
      ADD (path, tests[i].test);
  }
  return g_test_run ();
}
