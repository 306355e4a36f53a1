// SPDX-License-Identifier: MIT
// Presentations in the real window: what is shown in turn, and what becomes of the
// screen.
#include "base/error.h"
#include "session/session_private.h"
#include "support/support.h"
#include "widgets/window/parts.h"

#include <glib/gstdio.h>

// Longer than a sentence about a failure stays.
#define NOTICE_MS 5000

static bool
reads (Fixture *fixture, const char *css_class, const char *text)
{
  GtkLabel *label = label_with_class (GTK_WIDGET (fixture->window), css_class);
  return gtk_widget_get_mapped (GTK_WIDGET (label))
         && strstr (gtk_label_get_text (label), text);
}

static bool
has_notice (Fixture *fixture, const void *text)
{
  return reads (fixture, "readout-notice", text);
}

static bool
has_work (Fixture *fixture, const void *text)
{
  return reads (fixture, "readout-work", text);
}

static bool
has_rate (Fixture *fixture, const void *data)
{
  return reads (fixture, "readout-rate", "fps");
}

static bool
has_filter (Fixture *fixture, const void *name)
{
  const OdlRecipe *recipe = odl_session_recipe (fixture->session);
  return recipe->n_items > 0 && g_str_equal (recipe->items[0].filter->name, name);
}

static bool
wipe_is_left_of (Fixture *fixture, const void *filter)
{
  return odl_viewport_wipe_position (fixture->viewport) < 0.5
         && has_filter (fixture, filter);
}

// What was missing at the place of another one.
typedef struct {
  const char *missing;
  const char *location;
} PassedOver;

static bool
passes_over (Fixture *fixture, const void *data)
{
  const PassedOver *what = data;
  return has_notice (fixture, what->missing) && has_location (fixture, what->location);
}

// No window manager runs here: what counts is what the window asked for.
static bool
is_full_screen (Fixture *fixture, const void *data)
{
  return gtk_widget_has_css_class (GTK_WIDGET (fixture->window), "bare");
}

static bool
is_not_full_screen (Fixture *fixture, const void *data)
{
  return !is_full_screen (fixture, data);
}

static const char *
cursor_name (Fixture *fixture)
{
  GdkCursor *cursor = gtk_widget_get_cursor (GTK_WIDGET (fixture->viewport));
  return cursor ? gdk_cursor_get_name (cursor) : NULL;
}

static void
stop (Fixture *fixture)
{
  activate (fixture, "cancel", NULL);
  wait_until (fixture, is_not_full_screen, NULL);
}

static void
test_presents (Fixture *fixture, const void *data)
{
  g_autofree char *still = write_png (fixture, "a.png", 200, 100, false);
  g_autofree char *missing = g_build_filename (fixture->folder, "gone.dcm", NULL);
  const char *const locations[] = { "phantom:128x128", missing, still, NULL };
  OdlRecipe recipes[2];
  for (int i = 0; i < 2; i++) {
    odl_recipe_init (&recipes[i]);
    g_assert_true (
        odl_recipe_parse (&recipes[i], i ? "sharpen" : "gaussian:sigma=2", NULL));
  }
  odl_show_begin (odl_main_window_parts (fixture->window)->show, locations, recipes, 2,
                  4);
  wait_until (fixture, has_location, locations[0]);
  wait_until (fixture, has_rate, NULL);
  wait_until (fixture, wipe_is_left_of, "gaussian"); // by itself
  wait_until (fixture, has_filter, "sharpen");
  // What is missing is said, and passed over.
  const PassedOver gone = { "gone.dcm", locations[0] };
  wait_until (fixture, passes_over, &gone);
  wait_until (fixture, has_location, still);
  g_assert_false (has_notice (fixture, ""));
  // Keys: the source before, past the missing one.
  activate (fixture, "step-file", "-1");
  wait_until (fixture, has_notice, "gone.dcm");
  activate (fixture, "step-file", "-1");
  wait_until (fixture, has_location, locations[0]);
  activate (fixture, "play", NULL);
  g_assert_false (odl_session_playing (fixture->session));
  let_pass (200); // one more move may be on its way
  run_cycles (fixture, 5);
  const double wipe = odl_viewport_wipe_position (fixture->viewport);
  let_pass (200);
  run_cycles (fixture, 5);
  g_assert_cmpfloat (odl_viewport_wipe_position (fixture->viewport), ==, wipe);
  activate (fixture, "cancel", NULL);
  settle (fixture);
  g_assert_false (odl_viewport_wipe (fixture->viewport));
  g_assert_false (has_rate (fixture, NULL));
}

// Escape keeps list and filters, and F5 goes on with the source that it was left at.
static void
test_goes_on (Fixture *fixture, const void *data)
{
  static const char *const locations[]
      = { "phantom:128x96", "phantom:96x128", "phantom:64x64", NULL };
  present (fixture, locations, "gaussian:sigma=2", 3600);
  wait_until (fixture, has_location, locations[0]);
  activate (fixture, "step-file", "1");
  wait_until (fixture, has_location, locations[1]);
  activate (fixture, "cancel", NULL);
  settle (fixture);
  g_assert_false (odl_main_window_parts (fixture->window)->state->presenting);
  g_assert_true (has_location (fixture, locations[1]));
  g_assert_true (has_filter (fixture, "gaussian"));
  g_assert_true (has_toast (fixture, "F5"));
  // Another picture meanwhile.
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, false);
  open_and_wait (fixture, path);
  activate (fixture, "present", NULL);
  wait_until (fixture, has_location, locations[1]);
  wait_until (fixture, has_filter, "gaussian");
  activate (fixture, "step-file", "1");
  wait_until (fixture, has_location, locations[2]);
  activate (fixture, "full-screen", NULL); // F11
  settle (fixture);
  g_assert_true (has_location (fixture, path)); // which was open before
  activate (fixture, "present", NULL);
  wait_until (fixture, has_location, locations[2]);
  activate (fixture, "cancel", NULL);
  settle (fixture);
}

// F5 and back: as it was.
static void
test_comes_back (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 200, 100, false);
  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian:sigma=3");
  const OdlRecipe before = *odl_session_recipe (fixture->session);
  activate (fixture, "present", NULL);
  settle (fixture);
  g_assert_true (odl_viewport_wipe (fixture->viewport));
  g_assert_true (odl_recipe_equal (&before, odl_session_recipe (fixture->session)));
  activate (fixture, "present", NULL);
  settle (fixture);
  g_assert_false (odl_viewport_wipe (fixture->viewport));
  g_assert_true (odl_recipe_equal (&before, odl_session_recipe (fixture->session)));
  g_assert_cmpstr (odl_session_info (fixture->session)->location, ==, path);
  // A window that is closed in the middle of it leaves nothing behind.
  activate (fixture, "present", NULL);
}

static OdlView
change_view (Fixture *fixture)
{
  odl_viewport_zoom_by (fixture->viewport, 3);
  odl_viewport_pan (fixture->viewport, 31, -17);
  odl_viewport_rotate (fixture->viewport, 1);
  odl_viewport_set_window (fixture->viewport, 90, 60);
  odl_viewport_set_invert (fixture->viewport, true);
  settle (fixture);
  return *odl_viewport_view (fixture->viewport);
}

static bool
has_view (Fixture *fixture, const void *data)
{
  const OdlView *before = data;
  const OdlView *view = odl_viewport_view (fixture->viewport);
  const OdlWindow window = odl_viewport_window (fixture->viewport);
  return view->fit == before->fit && view->zoom == before->zoom
         && view->centre.x == before->centre.x && view->centre.y == before->centre.y
         && view->quarter_turns == before->quarter_turns && window.invert
         && window.centre == 90 && window.width == 60;
}

// A picture without filters is shown without filters, all of it; nothing is left to undo.
static void
test_changes_nothing (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 200, 100, false);
  open_and_wait (fixture, path);
  const OdlView before = change_view (fixture);
  odl_viewport_set_wipe_position (fixture->viewport, 0.25);
  activate (fixture, "present", NULL);
  settle (fixture);
  g_assert_true (odl_recipe_is_identity (odl_session_recipe (fixture->session)));
  g_assert_false (odl_viewport_wipe (fixture->viewport));
  g_assert_true (odl_viewport_view (fixture->viewport)->fit);
  // Whatever is done meanwhile.
  set_filters (fixture, "gaussian:sigma=3");
  odl_viewport_zoom_by (fixture->viewport, 2);
  stop (fixture);
  settle (fixture);
  g_assert_true (odl_recipe_is_identity (odl_session_recipe (fixture->session)));
  g_assert_false (odl_history_can_undo (odl_session_history (fixture->session)));
  g_assert_false (odl_history_can_redo (odl_session_history (fixture->session)));
  g_assert_true (has_view (fixture, &before));
  g_assert_cmpfloat (odl_viewport_wipe_position (fixture->viewport), ==, 0.25);
}

static bool
is_held_at_the_fifth (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->index == 4 && !odl_session_playing (fixture->session)
         && odl_playback_mode (odl_session_playback (fixture->session))->speed == 0.5
         && odl_playback_range (odl_session_playback (fixture->session)).first == 2
         && odl_playback_range (odl_session_playback (fixture->session)).last == 6
         && odl_playback_mode (odl_session_playback (fixture->session))->repeat
                == ODL_REPEAT_SWEEP;
}

// Also after other sources: a cine that was held is held, at its frame, with its steps.
static void
test_comes_back_to_a_cine (Fixture *fixture, const void *data)
{
  const char *const others[] = { "phantom:128x96", NULL };
  for (int i = 1; i <= 8; i++) {
    g_autofree char *name = g_strdup_printf ("slice%d.png", i);
    g_free (write_png (fixture, name, 80, 60, false));
  }
  g_autofree char *cine = g_strdup_printf ("sequence:%s", fixture->folder);
  odl_main_window_open (fixture->window, cine, NULL);
  wait_until (fixture, has_location, cine);
  settle (fixture);
  set_filters (fixture, "gaussian:sigma=3");
  odl_session_set_playing (fixture->session, false);
  odl_playback_set_speed (odl_session_playback (fixture->session), 0.5);
  odl_playback_set_repeat (odl_session_playback (fixture->session), ODL_REPEAT_SWEEP);
  odl_playback_set_range (odl_session_playback (fixture->session), 2, 6);
  odl_playback_seek (odl_session_playback (fixture->session), 4);
  const OdlView before = change_view (fixture);
  wait_until (fixture, is_held_at_the_fifth, NULL);
  for (int round = 0; round < 2; round++) {
    if (round == 0)
      present (fixture, others, "sharpen", 0);
    else
      activate (fixture, "present", NULL); // what is open
    wait_until (fixture, has_location, round == 0 ? others[0] : cine);
    wait_for_frames (fixture, 3); // it plays
    stop (fixture);
    wait_until (fixture, has_location, cine);
    wait_until (fixture, is_held_at_the_fifth, NULL);
    wait_until (fixture, has_view, &before);
    g_assert_true (has_filter (fixture, "gaussian"));
  }
  odl_session_undo (fixture->session);
  g_assert_true (odl_recipe_is_identity (odl_session_recipe (fixture->session)));
  g_assert_false (odl_history_can_undo (odl_session_history (fixture->session)));
}

// Nor is it remembered what was shown to others.
static void
test_remembers_nothing (Fixture *fixture, const void *data)
{
  g_autofree char *shown = write_png (fixture, "a.png", 80, 60, false);
  const char *const locations[] = { shown, NULL };
  odl_settings_set_boolean (fixture->settings, "remember-recent", TRUE);
  odl_settings_set_string (fixture->settings, "last-folder", "/elsewhere");
  present (fixture, locations, "sharpen", 0);
  wait_until (fixture, has_location, shown);
  settle (fixture);
  g_autofree char *folder = odl_settings_get_string (fixture->settings, "last-folder");
  g_assert_cmpstr (folder, ==, "/elsewhere");
  stop (fixture);
  settle (fixture);
  // Nothing was open: what was shown stays, with its filters.
  g_assert_true (has_filter (fixture, "sharpen"));
  g_assert_false (odl_history_can_undo (odl_session_history (fixture->session)));
}

static void
test_screen (Fixture *fixture, const void *data)
{
  const char *const locations[] = { "phantom:128x96", NULL };
  present (fixture, locations, "gaussian:sigma=2", 0);
  wait_until (fixture, has_location, locations[0]);
  wait_until (fixture, is_full_screen, NULL);
  g_assert_cmpstr (cursor_name (fixture), ==, "none");
  // Size and time, large.
  wait_until (fixture, has_work, "128");
  wait_until (fixture, has_work, "96");
  wait_until (fixture, has_work, "ms");
  stop (fixture);
  g_assert_null (cursor_name (fixture));
  g_assert_false (has_work (fixture, ""));
}

// What a window manager that leaves full screen makes the window see.
static void
leave_by_window_manager (Fixture *fixture)
{
  g_object_notify (G_OBJECT (fixture->window), "fullscreened");
}

// The window manager takes the window off a monitor that goes, which is not the user's
// request to end it.
static void
test_monitors (Fixture *fixture, const void *data)
{
  const char *const locations[] = { "phantom:128x96", NULL };
  GListModel *monitors
      = gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (fixture->window)));
  present (fixture, locations, "gaussian:sigma=2", 0);
  wait_until (fixture, has_work, "128");
  g_list_model_items_changed (monitors, 0, 0, 0);
  leave_by_window_manager (fixture);
  settle (fixture);
  g_assert_true (is_full_screen (fixture, NULL));
  g_assert_true (has_work (fixture, "128"));
  stop (fixture);
  // Without such a change it is.
  present (fixture, locations, "gaussian:sigma=2", 0);
  wait_until (fixture, has_work, "128");
  leave_by_window_manager (fixture);
  wait_until (fixture, is_not_full_screen, NULL);
  g_assert_false (has_work (fixture, ""));
}

static bool
panel_is_open (Fixture *fixture, const char *name)
{
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window), name);
  return g_variant_get_boolean (state);
}

// A panel that had no room in the window has it on the screen, and stays away.
static void
test_narrow_window (Fixture *fixture, const void *data)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 660, 600);
  g_autofree char *path = write_png (fixture, "a.png", 200, 100, false);
  open_and_wait (fixture, path);
  let_pass (500); // panels slide
  g_assert_true (panel_is_open (fixture, "show-sources"));
  g_assert_false (panel_is_open (fixture, "show-filters"));
  activate (fixture, "present", NULL);
  wait_until (fixture, is_full_screen, NULL);
  let_pass (500);
  g_assert_false (panel_is_open (fixture, "show-sources"));
  g_assert_false (panel_is_open (fixture, "show-filters"));
  stop (fixture);
  let_pass (500);
  g_assert_true (panel_is_open (fixture, "show-sources"));
  g_assert_false (panel_is_open (fixture, "show-filters"));
}

// How much bluer than red the canvas is in the middle of its left edge, of 255.
static int
blue_of_edge (Fixture *fixture)
{
  GtkWidget *canvas = GTK_WIDGET (fixture->viewport);
  const int width = gtk_widget_get_width (canvas);
  const int height = gtk_widget_get_height (canvas);
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (canvas);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (fixture->window));
  const graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, width, height);
  g_autoptr (GdkTexture) texture = gsk_renderer_render_texture (renderer, node, &all);
  g_autofree guchar *bgra = g_malloc ((gsize) width * height * 4);
  gdk_texture_download (texture, bgra, (gsize) width * 4);
  const guchar *pixel = bgra + (gsize) (height / 2) * width * 4;
  return pixel[0] - pixel[2];
}

// Who uses keys sees a frame around what has the focus, but not around the whole screen.
static void
test_no_frame (Fixture *fixture, const void *data)
{
  const char *const locations[] = { "phantom:128x96", NULL };
  g_autofree char *path = write_png (fixture, "a.png", 100, 200, false);
  open_and_wait (fixture, path);
  activate (fixture, "focus-picture", NULL);
  gtk_window_set_focus_visible (GTK_WINDOW (fixture->window), TRUE);
  run_cycles (fixture, 3);
  g_assert_cmpint (blue_of_edge (fixture), >, 20);
  present (fixture, locations, "gaussian:sigma=2", 0);
  wait_until (fixture, has_work, "128");
  gtk_window_set_focus_visible (GTK_WINDOW (fixture->window), TRUE);
  run_cycles (fixture, 3);
  g_assert_cmpint (abs (blue_of_edge (fixture)), <, 3);
}

// A folder stands for its files, an empty one is passed over with a sentence.
static void
test_folders (Fixture *fixture, const void *data)
{
  g_autofree char *second = write_png (fixture, "picture10.png", 80, 60, false);
  g_autofree char *first = write_png (fixture, "picture9.png", 80, 60, true);
  g_autofree char *empty = g_build_filename (fixture->folder, "nothing here", NULL);
  g_assert_cmpint (g_mkdir (empty, 0700), ==, 0);
  const char *const locations[] = { fixture->folder, empty, "phantom:128x96", NULL };
  present (fixture, locations, "gaussian:sigma=2", 2);
  wait_until (fixture, has_location, first);
  wait_until (fixture, has_location, second);
  wait_until (fixture, has_notice, "nothing here");
  wait_until (fixture, has_location, "phantom:128x96");
  wait_until (fixture, has_location, first); // and round again
  stop (fixture);
  g_rmdir (empty);
}

// What is wrong with a file is told to the one who opens it, not to the audience.
static void
test_no_warnings (Fixture *fixture, const void *data)
{
  static const char cut[] = "ObjectType = Image\nNDims = 2\nDimSize = 8 8\n"
                            "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n12345678";
  g_autofree char *path = g_build_filename (fixture->folder, "cut.mha", NULL);
  g_assert_true (g_file_set_contents (path, cut, -1, NULL));
  const char *const locations[] = { path, NULL };
  present (fixture, locations, "gaussian", 100);
  wait_until (fixture, has_location, path);
  settle (fixture);
  g_assert_null (odl_messages_last (odl_main_window_parts (fixture->window)->messages));
  activate (fixture, "cancel", NULL);
  odl_main_window_open (fixture->window, path, NULL);
  wait_until (fixture, has_toast, "The samples are damaged or end too early");
}

static void
say_of_frame (Fixture *fixture, int code, const char *text)
{
  g_autoptr (GError) error = g_error_new_literal (ODL_ERROR, code, text);
  g_signal_emit_by_name (fixture->session, "frame-failed", error);
}

static void
set_trouble (Fixture *fixture, const char *text)
{
  g_clear_error (&fixture->session->trouble);
  if (text)
    fixture->session->trouble
        = g_error_new_literal (ODL_ERROR, ODL_ERROR_NO_SIGNAL, text);
  g_signal_emit_by_name (fixture->session, "trouble-changed");
}

// What the source in place says while the next one is being opened does not shorten that
// one's turn, and a source that is back in time keeps its own.
static void
test_turns (Fixture *fixture, const void *data)
{
  static const char *const locations[] = { "phantom:128x96", "phantom:96x128", NULL };
  present (fixture, locations, "gaussian:sigma=2", 3600);
  wait_until (fixture, has_location, locations[0]);
  // Nor does a damaged frame, or an end that came early: the rest plays.
  say_of_frame (fixture, ODL_ERROR_CORRUPT, "a hole");
  say_of_frame (fixture, ODL_ERROR_END, "too short");
  g_assert_false (has_notice (fixture, ""));
  activate (fixture, "step-file", "1");
  g_assert_nonnull (odl_session_opening (fixture->session));
  say_of_frame (fixture, ODL_ERROR_IO, "of the one before");
  set_trouble (fixture, "of the one before");
  g_assert_false (has_notice (fixture, ""));
  wait_until (fixture, has_location, locations[1]);
  set_trouble (fixture, "it went");
  g_assert_true (has_notice (fixture, "it went"));
  set_trouble (fixture, NULL);
  g_assert_false (has_notice (fixture, ""));
  let_pass (NOTICE_MS);
  g_assert_true (has_location (fixture, locations[1]));
  // Lost for good, it is passed over.
  say_of_frame (fixture, ODL_ERROR_IO, "it went");
  wait_until (fixture, has_location, locations[0]);
  stop (fixture);
}

// What is said of a source is true of it at every moment.
static void
named_cb (GtkLabel *name, GParamSpec *property, Fixture *fixture)
{
  const bool wide = g_str_has_prefix (gtk_label_get_text (name), "wide.png");
  g_assert_true (reads (fixture, "readout-work", wide ? "200 × 100" : "90 × 120"));
}

static void
test_numbers_of_the_next (Fixture *fixture, const void *data)
{
  g_autofree char *wide = write_png (fixture, "wide.png", 200, 100, false);
  g_autofree char *high = write_png (fixture, "high.png", 90, 120, false);
  const char *const locations[] = { wide, high, NULL };
  present (fixture, locations, "gaussian:sigma=2", 3600);
  wait_until (fixture, has_work, "200 × 100");
  GtkWidget *work
      = GTK_WIDGET (label_with_class (GTK_WIDGET (fixture->window), "readout-work"));
  g_signal_connect (gtk_widget_get_next_sibling (work), "notify::label",
                    G_CALLBACK (named_cb), fixture);
  for (int i = 1; i < 5; i++) {
    activate (fixture, "step-file", "1");
    wait_until (fixture, has_work, i % 2 ? "90 × 120" : "200 × 100");
  }
  stop (fixture);
}

static bool
is_fast (Fixture *fixture, const void *location)
{
  return has_location (fixture, location) && has_work (fixture, "as fast as possible")
         && odl_playback_is_fast (odl_session_playback (fixture->session));
}

// Over all sources, until it is over; also where the next one follows at once.
static void
test_fast (Fixture *fixture, const void *data)
{
  static const char *const locations[] = { "phantom:128x96", "phantom:96x128", NULL };
  present (fixture, locations, "gaussian:sigma=2", 3600);
  wait_until (fixture, has_location, locations[0]);
  wait_for_frames (fixture, 3);
  activate (fixture, "fast", NULL);
  activate (fixture, "step-file", "1");
  wait_until (fixture, is_fast, locations[1]);
  activate (fixture, "step-file", "-1");
  wait_until (fixture, is_fast, locations[0]);
  stop (fixture);
  settle (fixture);
  g_assert_false (odl_playback_is_fast (odl_session_playback (fixture->session)));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/presenting/sources-and-recipes", test_presents);
  ADD ("/presenting/f5-goes-on-where-it-was-left", test_goes_on);
  ADD ("/presenting/ends-as-it-began", test_comes_back);
  ADD ("/presenting/changes-nothing-that-outlives-it", test_changes_nothing);
  ADD ("/presenting/a-held-cine-is-held-again", test_comes_back_to_a_cine);
  ADD ("/presenting/remembers-nothing", test_remembers_nothing);
  ADD ("/presenting/numbers-and-no-pointer", test_screen);
  ADD ("/presenting/a-monitor-that-changes", test_monitors);
  ADD ("/presenting/from-a-narrow-window", test_narrow_window);
  ADD ("/presenting/no-frame-around-the-screen", test_no_frame);
  ADD ("/presenting/folders", test_folders);
  ADD ("/presenting/whose-turn-it-is", test_turns);
  ADD ("/presenting/numbers-are-of-what-is-shown", test_numbers_of_the_next);
  ADD ("/presenting/as-fast-as-possible-lasts", test_fast);
  ADD ("/presenting/no-warnings-over-the-picture", test_no_warnings);
  return g_test_run ();
}
