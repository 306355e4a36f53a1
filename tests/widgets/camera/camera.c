// SPDX-License-Identifier: MIT
// From a camera of a real PipeWire server to the canvas: colours, what is said when it
// fails, and that it comes back.
#include <adwaita.h>

#include "base/error.h"
#include "camera_window.h"
#include "session/job.h"
#include "session/session_private.h"
#include "widgets/camera_bar.h"
#include "widgets/failure_page.h"
#include "widgets/panels/sources/source_panel.h"
#include "widgets/window/parts.h"

static OdlFailurePage *
page_of (Fixture *fixture)
{
  return ODL_FAILURE_PAGE (
      find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_FAILURE_PAGE));
}

static bool
shows_page (Fixture *fixture, const void *title)
{
  OdlFailurePage *page = page_of (fixture);
  const bool visible = gtk_widget_get_visible (GTK_WIDGET (page));
  return title ? visible && g_str_equal (odl_failure_page_title (page), title) : !visible;
}

static bool
has_row (Fixture *fixture, const void *name)
{
  // The list is there when something was opened, or when it is asked for.
  if (!adw_flap_get_reveal_flap (
          odl_window_child (odl_main_window_parts (fixture->window), "sources_flap")))
    activate (fixture, "show-sources", NULL);
  GtkWidget *list
      = find_widget (find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_SOURCE_PANEL),
                     GTK_TYPE_LIST_VIEW);
  for (GtkWidget *row = gtk_widget_get_first_child (list); row;
       row = gtk_widget_get_next_sibling (row)) {
    GtkWidget *label = find_widget (row, GTK_TYPE_LABEL);
    if (label && gtk_widget_get_mapped (label)
        && g_str_equal (gtk_label_get_text (GTK_LABEL (label)), name))
      return true;
  }
  return false;
}

static bool
lacks_row (Fixture *fixture, const void *name)
{
  return !has_row (fixture, name);
}

static bool
is_open (Fixture *fixture, const void *location)
{
  return !odl_session_opening (fixture->session)
         && g_strcmp0 (odl_session_info (fixture->session)->location, location) == 0
         && odl_session_frame (fixture->session);
}

// The picture of a camera that sends, and no word of trouble. A machine that stood still
// for a while makes the camera seem lost until its next picture.
static bool
is_live (Fixture *fixture, const void *colour)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && !odl_image_info (frame->input)->mark && shows_page (fixture, NULL)
         && shows_colour (fixture, colour);
}

// The words, and the last picture marked.
static bool
is_lost (Fixture *fixture, const void *title)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return shows_page (fixture, title) && shows_colour (fixture, &dark_red)
         && g_strcmp0 (odl_image_info (frame->input)->mark, "signal lost") == 0;
}

static bool
is_answered (Fixture *fixture, const void *data)
{
  return !odl_session_opening (fixture->session);
}

// Again and again: on a machine that stands still a camera may answer, or send its first
// picture, later than people are made to wait.
static void
open_camera (Fixture *fixture, const char *location)
{
  for (int i = 0; i < 10; i++) {
    odl_main_window_open (fixture->window, location, NULL);
    wait_until (fixture, is_answered, NULL);
    if (!shows_page (fixture, "Camera in Use") && !shows_page (fixture, "Signal Lost"))
      return;
  }
}

static void
test_none (Fixture *fixture, const void *data)
{
  Camera camera = { 0 };
  odl_main_window_open (fixture->window, "webcam", NULL);
  wait_until (fixture, shows_page, "Camera Not Found");
  g_assert_nonnull (
      strstr (gtk_window_get_title (GTK_WINDOW (fixture->window)), "Camera"));
  // The button, by the keyboard.
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  g_assert_true (focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (page_of (fixture))));
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  wait_until (fixture, has_row, "Red Camera");
  gtk_widget_activate (focus);
  wait_until (fixture, is_live, &red);
  camera_unplug (&camera);
}

static void
test_colours (Fixture *fixture, const void *data)
{
  Camera one = { 0 }, two = { 0 };
  camera_plug (&one, "red-camera", "Red Camera", RED_320);
  camera_plug (&two, "green-camera", "Green Camera", GREEN_640);
  wait_until (fixture, has_row, "Red Camera");
  wait_until (fixture, has_row, "Green Camera");
  open_camera (fixture, "webcam:red-camera");
  wait_until (fixture, shows_colour, &red);
  g_assert_true (odl_session_info (fixture->session)->capture);
  // Its pace is its own.
  static const char *const speeds[] = { "speed", "fast" };
  for (size_t i = 0; i < G_N_ELEMENTS (speeds); i++)
    g_assert_false (
        g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), speeds[i]));
  odl_playback_set_speed (odl_session_playback (fixture->session), ODL_SPEED_FAST);
  g_assert_false (odl_playback_is_fast (odl_session_playback (fixture->session)));
  open_camera (fixture, "webcam:Green Camera");
  wait_until (fixture, shows_colour, &green);
  // What was used last is taken the next time.
  g_autofree char *last = odl_settings_get_string (fixture->settings, "last-camera");
  g_assert_cmpstr (last, ==, "webcam:green-camera,size=640x480,rate=30.00,format=raw");
  odl_main_window_open (fixture->window, ODL_PHANTOM_LOCATION, NULL);
  wait_until (fixture, is_open, ODL_PHANTOM_LOCATION);
  open_camera (fixture, "webcam");
  wait_until (fixture, shows_colour, &green);
  camera_unplug (&two);
  wait_until (fixture, lacks_row, "Green Camera");
  // It is not there today: any other one is.
  odl_main_window_open (fixture->window, ODL_PHANTOM_LOCATION, NULL);
  wait_until (fixture, is_open, ODL_PHANTOM_LOCATION);
  open_camera (fixture, "webcam");
  wait_until (fixture, shows_colour, &red);
  camera_unplug (&one);
}

static void
test_filtered (Fixture *fixture, const void *data)
{
  Camera camera = { 0 };
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  wait_until (fixture, has_row, "Red Camera");
  open_camera (fixture, "webcam");
  wait_until (fixture, shows_colour, &red);
  set_filters (fixture, "shrinkage");
  wait_for_frames (fixture, 10);
  wait_until (fixture, is_live, &red);
  camera_unplug (&camera);
}

static bool
is_marked (Fixture *fixture, const void *mark)
{
  return has_label (GTK_WIDGET (fixture->viewport), mark);
}

// A picture that stands still must not be taken for what happens now.
static void
test_marks (Fixture *fixture, const void *data)
{
  Camera camera = { 0 };
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  wait_until (fixture, has_row, "Red Camera");
  open_camera (fixture, "webcam");
  wait_until (fixture, is_live, &red);
  wait_until (fixture, is_marked, "LIVE");
  activate (fixture, "play", NULL);
  wait_until (fixture, is_marked, "FROZEN");
  g_assert_false (is_marked (fixture, "LIVE"));
  activate (fixture, "play", NULL);
  wait_until (fixture, is_marked, "LIVE");
  camera_freeze (&camera);
  wait_until (fixture, is_marked, "NO SIGNAL");
  g_assert_false (is_marked (fixture, "LIVE"));
  camera_thaw (&camera);
  wait_until (fixture, is_marked, "LIVE");
  camera_unplug (&camera);
  wait_until (fixture, is_marked, "NO SIGNAL");
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  wait_until (fixture, is_marked, "LIVE");
  // A frozen picture is not taken for a live one, whatever becomes of the camera.
  activate (fixture, "play", NULL);
  wait_until (fixture, is_marked, "FROZEN");
  camera_unplug (&camera);
  wait_until (fixture, lacks_row, "Red Camera");
  g_assert_false (is_marked (fixture, "LIVE"));
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  wait_until (fixture, has_row, "Red Camera");
  let_pass (1000);
  g_assert_false (is_marked (fixture, "LIVE"));
  activate (fixture, "play", NULL);
  wait_until (fixture, is_marked, "LIVE");
  odl_main_window_open (fixture->window, ODL_PHANTOM_LOCATION, NULL);
  wait_until (fixture, is_open, ODL_PHANTOM_LOCATION);
  run_cycles (fixture, 3);
  g_assert_false (is_marked (fixture, "LIVE"));
  camera_unplug (&camera);
}

static void
test_lost (Fixture *fixture, const void *data)
{
  Camera camera = { 0 };
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  wait_until (fixture, has_row, "Red Camera");
  open_camera (fixture, "webcam");
  wait_until (fixture, is_live, &red);
  // How soon it is said is measured by the bench.
  camera_freeze (&camera);
  wait_until (fixture, is_lost, "Signal Lost");
  camera_thaw (&camera);
  wait_until (fixture, is_live, &red);
  camera_unplug (&camera);
  wait_until (fixture, is_lost, "Camera Unplugged");
  // Closed by hand, the mark stays in the picture.
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), "cancel", NULL);
  g_assert_true (shows_page (fixture, NULL));
  settle (fixture);
  g_assert_true (shows_colour (fixture, &dark_red));
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  wait_until (fixture, is_live, &red);
  camera_unplug (&camera);
}

// The picture in place stays when a camera that is asked for is not there.
static void
test_keeps_picture (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "grey.png", 64, 48, false);
  open_and_wait (fixture, path);
  odl_main_window_open (fixture->window, "webcam", NULL);
  wait_until (fixture, shows_page, "Camera Not Found");
  g_assert_cmpstr (odl_session_info (fixture->session)->location, ==, path);
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), "cancel", NULL);
  g_assert_true (shows_page (fixture, NULL));
}

static void
count_cb (int *n)
{
  (*n)++;
}

// And so does the camera in place when another one is not there.
static void
test_keeps_camera (Fixture *fixture, const void *data)
{
  Camera camera = { 0 };
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  wait_until (fixture, has_row, "Red Camera");
  open_camera (fixture, "webcam:red-camera");
  wait_until (fixture, shows_colour, &red);
  // On a machine that stands still the one in place seems lost for a while, and the page
  // tells of that.
  int troubles = 1;
  const gulong handler = g_signal_connect_swapped (fixture->session, "trouble-changed",
                                                   G_CALLBACK (count_cb), &troubles);
  for (int i = 0; i < 10 && troubles > 0; i++) {
    odl_main_window_open (fixture->window, "webcam:nowhere", NULL);
    wait_until (fixture, shows_page, "Camera Not Found");
    troubles = 0;
    wait_for_frames (fixture, 15);
    wait_until (fixture, shows_colour, &red);
    if (troubles == 0)
      g_assert_true (shows_page (fixture, "Camera Not Found"));
  }
  g_signal_handler_disconnect (fixture->session, handler);
  camera_unplug (&camera);
}

// Nor is it lost when another one has been opened and is cancelled before it is shown.
static void
test_cancelled_late (Fixture *fixture, const void *data)
{
  Camera camera = { 0 }, other = { 0 };
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  camera_plug (&other, "green-camera", "Green Camera", GREEN_640);
  wait_until (fixture, has_row, "Red Camera");
  wait_until (fixture, has_row, "Green Camera");
  open_camera (fixture, "webcam:red-camera");
  wait_until (fixture, is_live, &red);
  odl_main_window_open (fixture->window, "webcam:green-camera", NULL);
  g_assert_true (odl_gate_wait (fixture->session->gate, PATIENCE_US));
  odl_session_cancel_open (fixture->session);
  wait_for_frames (fixture, 30);
  wait_until (fixture, is_live, &red);
  camera_unplug (&camera);
  camera_unplug (&other);
}

static gboolean
beat_cb (void *beats)
{
  ++*(int *) beats;
  return G_SOURCE_CONTINUE;
}

// Nothing in the window waits for a camera that does not answer: while it is asked, and
// when something else is opened, the loop goes on.
static void
test_never_blocks (Fixture *fixture, const void *data)
{
  Camera camera = { 0 };
  int beats = 0;
  camera_plug (&camera, "red-camera", "Red Camera", RED_320);
  wait_until (fixture, has_row, "Red Camera");
  open_camera (fixture, "webcam");
  wait_until (fixture, shows_colour, &red);
  camera_freeze (&camera);
  const guint id = g_timeout_add (2, beat_cb, &beats);
  // A machine that stands still may let the answer's time go by.
  for (int i = 0; i < 10 && beats < 20; i++) {
    beats = 0;
    odl_main_window_open (fixture->window, "webcam", NULL);
    while (beats < 20 && odl_session_opening (fixture->session))
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (1000);
  }
  g_assert_cmpint (beats, >=, 20);
  odl_main_window_open (fixture->window, ODL_PHANTOM_LOCATION, NULL);
  wait_until (fixture, is_open, ODL_PHANTOM_LOCATION);
  g_source_remove (id);
  camera_thaw (&camera);
  camera_unplug (&camera);
}

// ---- what the page says --------------------------------------------------------------

static bool
has_action (GtkWidget *widget, const void *action)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), action)
                == 0;
}

static void
test_states (Fixture *fixture, const void *data)
{
  static const struct {
    int code;
    const char *title;
    const char *help; // of this state only
    bool lost;
  } rows[] = {
    { ODL_ERROR_NO_DEVICE, "Camera Not Found", "Is it plugged in" },
    { ODL_ERROR_NO_DEVICE, "Camera Unplugged", "the camera is back", true },
    { ODL_ERROR_DENIED, "Camera Not Allowed", "Privacy, Camera" },
    { ODL_ERROR_BUSY, "Camera in Use", "Close video calls" },
    { ODL_ERROR_NO_SIGNAL, "Signal Lost", "lens cover", true },
    { ODL_ERROR_BUSY, "Camera in Use", "Close video calls", true },
    { ODL_ERROR_UNSUPPORTED, "Camera Support Missing", "Install" },
    { ODL_ERROR_IO, "Camera Failed", "plug it in again" },
    { ODL_ERROR_CORRUPT, "Camera Failed", "plug it in again" },
  };
  OdlFailurePage *page = page_of (fixture);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GError) error
        = g_error_new (ODL_ERROR, rows[i].code, "What happened, <%zu> & more.", i);
    odl_failure_page_show (page, rows[i].lost ? ODL_FAILURE_LOST : ODL_FAILURE_CAMERA,
                           NULL, error, false);
    settle (fixture);
    g_test_message ("%s", rows[i].title);
    g_assert_cmpstr (odl_failure_page_title (page), ==, rows[i].title);
    // As it was said, marks and all.
    g_assert_true (has_label (GTK_WIDGET (page), error->message));
    for (size_t k = 0; k < G_N_ELEMENTS (rows); k++)
      g_assert_cmpint (has_label (GTK_WIDGET (page), rows[k].help), ==,
                       g_str_equal (rows[k].help, rows[i].help));
    GtkWidget *retry = find_where (GTK_WIDGET (page), has_action, "win.retry");
    g_assert_true (retry && gtk_widget_get_mapped (retry)
                   && gtk_widget_get_sensitive (retry));
  }
}

// ---- which format --------------------------------------------------------------------

static GtkDropDown *
formats_of (Fixture *fixture)
{
  GtkWidget *bar = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_CAMERA_BAR);
  return GTK_DROP_DOWN (find_widget (bar, GTK_TYPE_DROP_DOWN));
}

// The row of the drop-down with that text; GTK_INVALID_LIST_POSITION: there is none.
static guint
row_of (Fixture *fixture, const char *text)
{
  GListModel *rows = gtk_drop_down_get_model (formats_of (fixture));
  for (guint i = 0; rows && i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (GtkStringObject) row = g_list_model_get_item (rows, i);
    if (g_str_equal (gtk_string_object_get_string (row), text))
      return i;
  }
  return GTK_INVALID_LIST_POSITION;
}

static bool
is_selected (Fixture *fixture, const void *text)
{
  const guint row = row_of (fixture, text);
  return row != GTK_INVALID_LIST_POSITION
         && gtk_drop_down_get_selected (formats_of (fixture)) == row;
}

static bool
has_width (Fixture *fixture, const void *data)
{
  OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && odl_image_info (frame->input)->extent.x == GPOINTER_TO_INT (data);
}

static void
test_formats (Fixture *fixture, const void *data)
{
  Camera camera = { 0 };
  camera_plug_flexible (&camera, "flexible-camera", "Flexible Camera");
  wait_until (fixture, has_row, "Flexible Camera");
  open_camera (fixture, "webcam:flexible-camera,size=320x240,rate=30,format=raw");
  wait_until (fixture, has_width, GINT_TO_POINTER (320));
  wait_until (fixture, is_selected, "320 × 240, 30 fps, raw");
  settle (fixture);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (formats_of (fixture))));
  gtk_drop_down_set_selected (formats_of (fixture),
                              row_of (fixture, "640 × 480, 30 fps, raw"));
  wait_until (fixture, has_width, GINT_TO_POINTER (640));
  wait_until (fixture, is_selected, "640 × 480, 30 fps, raw");
  g_autofree char *last = odl_settings_get_string (fixture->settings, "last-camera");
  g_assert_cmpstr (last, ==, "webcam:flexible-camera,size=640x480,rate=30.00,format=raw");
  // And so it is opened the next time.
  odl_main_window_open (fixture->window, ODL_PHANTOM_LOCATION, NULL);
  wait_until (fixture, is_open, ODL_PHANTOM_LOCATION);
  open_camera (fixture, "webcam");
  wait_until (fixture, has_width, GINT_TO_POINTER (640));
  camera_unplug (&camera);
}

int
main (int argc, char **argv)
{
  need_camera_window (&argc, &argv);
  ADD ("/camera/none is said, and found by the keyboard", test_none);
  ADD ("/camera/colours are right, and the last one is remembered", test_colours);
  ADD ("/camera/filters run on it", test_filtered);
  ADD ("/camera/a lost signal is marked and comes back", test_lost);
  ADD ("/camera/a picture that stands still is no live one", test_marks);
  ADD ("/camera/the picture in place stays", test_keeps_picture);
  ADD ("/camera/the camera in place stays", test_keeps_camera);
  ADD ("/camera/cancelled late, the one in place stays, too", test_cancelled_late);
  ADD ("/camera/the window never waits for it", test_never_blocks);
  ADD ("/camera/each state has its title and its advice", test_states);
  ADD ("/camera/a format is chosen from the list and remembered", test_formats);
  return g_test_run ();
}
