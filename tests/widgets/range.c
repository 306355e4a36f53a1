// SPDX-License-Identifier: MIT
// The handles of the range on the seek bar, by keys and as a screen reader sees them;
// long pauses of a file.
#include "../helpers/pause.h"
#include "support/support.h"

#include <glib/gstdio.h>
#include <string.h>

#include "widgets/transport/range_handle.h"
#include "widgets/transport/seek_bar.h"
#include "widgets/transport/transport.h"

#define FRAMES 12

static bool
is_sequence (Fixture *fixture, const void *data)
{
  return odl_playback_n_frames (odl_session_playback (fixture->session)) == FRAMES
         && odl_session_n_painted (fixture->session) > 0
         && !odl_session_opening (fixture->session);
}

static bool
shows_frame (Fixture *fixture, const void *index)
{
  return odl_session_frame (fixture->session)->index == *(const int64_t *) index;
}

static void
open_numbered (Fixture *fixture)
{
  static const int64_t first = 0;
  for (int i = FRAMES; i >= 1; i--) {
    g_autofree char *name = g_strdup_printf ("slice%d.png", i);
    g_autofree char *path = write_png (fixture, name, 40, 30, false);
    if (i == 1)
      open_and_wait (fixture, path);
  }
  activate (fixture, "play-sequence", NULL);
  wait_until (fixture, is_sequence, NULL);
  odl_session_set_playing (fixture->session, false);
  activate (fixture, "first-frame", NULL);
  wait_until (fixture, shows_frame, &first);
  settle (fixture);
}

// The handle of the beginning, or of the end.
static GtkWidget *
handle_of (Fixture *fixture, bool last)
{
  GtkWidget *bar = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_SEEK_BAR);
  for (GtkWidget *child = gtk_widget_get_first_child (bar); child;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_has_css_class (child, last ? "last" : "first")
        && ODL_IS_RANGE_HANDLE (child))
      return child;
  g_assert_not_reached ();
}

static bool
press (GtkWidget *widget, guint key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  gboolean handled = FALSE;
  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !handled; i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
      g_signal_emit_by_name (controller, "key-pressed", key, 0, 0, &handled);
  }
  return handled;
}

static void
assert_range (Fixture *fixture, int64_t first, int64_t last)
{
  g_assert_cmpint (odl_playback_range (odl_session_playback (fixture->session)).first, ==,
                   first);
  g_assert_cmpint (odl_playback_range (odl_session_playback (fixture->session)).last, ==,
                   last);
}

static void
test_keys (Fixture *fixture, const void *data)
{
  open_numbered (fixture);
  GtkWidget *first = handle_of (fixture, false), *last = handle_of (fixture, true);
  g_assert_true (gtk_widget_grab_focus (first));
  assert_range (fixture, 0, FRAMES - 1);
  g_assert_false (gtk_widget_has_css_class (first, "set"));
  for (int i = 0; i < 3; i++)
    g_assert_true (press (first, GDK_KEY_Right));
  // The picture is that of the end that moved.
  const int64_t three = 3;
  wait_until (fixture, shows_frame, &three);
  settle (fixture);
  assert_range (fixture, 3, FRAMES - 1);
  g_assert_true (gtk_widget_has_css_class (first, "set"));

  g_assert_true (press (last, GDK_KEY_Page_Down));
  settle (fixture);
  assert_range (fixture, 3, FRAMES - 2);
  // Neither passes the other.
  g_assert_true (press (last, GDK_KEY_Home));
  settle (fixture);
  assert_range (fixture, 3, 3);
  g_assert_true (press (first, GDK_KEY_Right));
  assert_range (fixture, 3, 3);
  g_assert_true (press (first, GDK_KEY_Home));
  g_assert_true (press (last, GDK_KEY_End));
  settle (fixture);
  assert_range (fixture, 0, FRAMES - 1);
  g_assert_false (gtk_widget_has_css_class (last, "set"));
  // Other keys are the window's.
  g_assert_false (press (first, GDK_KEY_space));
}

static void
test_places (Fixture *fixture, const void *data)
{
  open_numbered (fixture);
  GtkWidget *first = handle_of (fixture, false), *last = handle_of (fixture, true);
  GtkWidget *bar = gtk_widget_get_parent (first);
  odl_playback_set_range (odl_session_playback (fixture->session), 5, 5);
  odl_seek_bar_update (ODL_SEEK_BAR (bar));
  settle (fixture);
  graphene_rect_t a, b, whole;
  g_assert_true (gtk_widget_compute_bounds (first, bar, &a));
  g_assert_true (gtk_widget_compute_bounds (last, bar, &b));
  g_assert_true (gtk_widget_compute_bounds (bar, bar, &whole));
  // Side by side over one frame, and all within the bar.
  g_assert_cmpfloat (a.origin.x + a.size.width, <=, b.origin.x + 3);
  g_assert_cmpfloat (a.origin.x, <, b.origin.x);
  odl_playback_set_range (odl_session_playback (fixture->session), 0, G_MAXINT64);
  odl_seek_bar_update (ODL_SEEK_BAR (bar));
  settle (fixture);
  g_assert_true (gtk_widget_compute_bounds (first, bar, &a));
  g_assert_true (gtk_widget_compute_bounds (last, bar, &b));
  g_assert_true (graphene_rect_contains_rect (&whole, &a));
  g_assert_true (graphene_rect_contains_rect (&whole, &b));
}

static void
test_names (Fixture *fixture, const void *data)
{
  open_numbered (fixture);
  for (int last = 0; last < 2; last++) {
    GtkAccessible *handle = GTK_ACCESSIBLE (handle_of (fixture, last));
    g_assert_true (gtk_test_accessible_has_role (handle, GTK_ACCESSIBLE_ROLE_SLIDER));
    g_autofree char *name = gtk_test_accessible_check_property (
        handle, GTK_ACCESSIBLE_PROPERTY_LABEL,
        last ? "End of the range" : "Beginning of the range");
    g_assert_null (name);
    g_autofree char *value = gtk_test_accessible_check_property (
        handle, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, last ? (double) FRAMES : 1.0);
    g_assert_null (value);
  }
}

static bool
is_visible (Fixture *fixture, const void *widget)
{
  return gtk_widget_get_visible ((GtkWidget *) widget);
}

// While it plays, a long pause is counted down on a button that skips it.
static void
test_pause (Fixture *fixture, const void *data)
{
  static const int64_t after = 2;
  g_autofree char *folder = g_dir_make_tmp ("ondelette-pause-XXXXXX", NULL);
  g_autofree char *path = odl_write_pause (folder);
  GtkWidget *bar = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_TRANSPORT);
  GtkWidget *skip
      = GTK_WIDGET (gtk_widget_get_template_child (bar, ODL_TYPE_TRANSPORT, "skip"));

  open_and_wait (fixture, path);
  odl_session_set_playing (fixture->session, true);
  wait_until (fixture, is_visible, skip);
  const char *label = gtk_button_get_label (GTK_BUTTON (skip));
  g_assert_true (strstr (label, "59:") || strstr (label, "60:"));
  odl_session_set_playing (fixture->session, false);
  settle (fixture);
  g_assert_false (gtk_widget_get_visible (skip));
  odl_session_set_playing (fixture->session, true);
  wait_until (fixture, is_visible, skip);
  g_signal_emit_by_name (skip, "clicked");
  wait_until (fixture, shows_frame, &after);
  g_assert_true (odl_session_playing (fixture->session));
  g_remove (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/range/keys-move-the-handles", test_keys);
  ADD ("/range/the-handles-lie-at-their-frames", test_places);
  ADD ("/range/the-handles-have-names-and-values", test_names);
  ADD ("/range/a-long-pause-can-be-skipped", test_pause);
  return g_test_run ();
}
