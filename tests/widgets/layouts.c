// SPDX-License-Identifier: MIT
// Several panes in the real window: each with a picture and filters of its own.
#include <glib/gstdio.h>
#include <string.h>

#include "support/panes.h"
#include "widgets/viewport/private.h"

static void
test_own_pictures (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *b = write_png (fixture, "b.png", 53, 59, false);
  static const char *const none[] = { NULL };
  static const char *const filtered[] = { "--filter=gaussian:sigma=3", NULL };
  g_assert_cmpint (n_panes (fixture), ==, 1);
  open_and_wait (fixture, a);
  activate (fixture, "next-pane", "1");
  g_assert_true (has_toast (fixture, "one pane"));
  lay_out (fixture, "1x2");
  g_assert_cmpint (n_panes (fixture), ==, 2);
  g_assert_true (has_label (pane_at (fixture, 1)->widget, "Drop a picture here"));
  open_in (fixture, 1, b);
  g_assert_false (has_label (pane_at (fixture, 1)->widget, "Drop a picture here"));

  const guint64 painted = odl_viewport_painted (pane_at (fixture, 0)->viewport);
  const guint64 serial = odl_session_frame (pane_at (fixture, 0)->session)->source_serial;
  set_filters (fixture, "gaussian:sigma=3");
  activate_and_settle (fixture, "actual-size", NULL);
  g_autoptr (GdkPixbuf) second = cli_process (fixture, b, filtered);
  assert_canvas_shows (fixture, second);
  // The other one was neither computed nor painted again.
  g_assert_cmpuint (odl_viewport_painted (pane_at (fixture, 0)->viewport), ==, painted);
  g_assert_cmpuint (odl_session_frame (pane_at (fixture, 0)->session)->source_serial, ==,
                    serial);
  g_assert_true (has_location (fixture, b));

  go_to (fixture, 0);
  g_assert_true (has_location (fixture, a));
  g_assert_cmpint (odl_session_recipe (fixture->session)->n_items, ==, 0);
  g_assert_true (
      g_str_has_suffix (gtk_window_get_title (GTK_WINDOW (fixture->window)), "a.png"));
  activate_and_settle (fixture, "actual-size", NULL);
  g_autoptr (GdkPixbuf) first = cli_process (fixture, a, none);
  assert_canvas_shows (fixture, first);
}

// Undo, keys and panels act in the active pane.
static void
test_active (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  open_and_wait (fixture, a);
  lay_out (fixture, "2x2");
  g_assert_cmpint (n_panes (fixture), ==, 4);
  open_in (fixture, 2, a);
  set_filters (fixture, "median");
  activate_and_settle (fixture, "invert", NULL);
  g_assert_true (odl_viewport_invert (pane_at (fixture, 2)->viewport));
  g_assert_false (odl_viewport_invert (pane_at (fixture, 0)->viewport));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (pane_at (fixture, 2)->filter_panel)));
  g_assert_false (
      gtk_widget_get_mapped (GTK_WIDGET (pane_at (fixture, 0)->filter_panel)));
  activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpint (odl_session_recipe (fixture->session)->n_items, ==, 0);
  activate (fixture, "next-pane", "1");
  g_assert_true (odl_layout_is_active (parts_of (fixture)->layout, pane_at (fixture, 3)));
  activate (fixture, "next-pane", "1");
  g_assert_true (odl_layout_is_active (parts_of (fixture)->layout, pane_at (fixture, 0)));
  activate (fixture, "next-pane", "-1");
  g_assert_true (odl_layout_is_active (parts_of (fixture)->layout, pane_at (fixture, 3)));
  // The focus takes it along, by Tab or a click.
  gtk_widget_grab_focus (GTK_WIDGET (pane_at (fixture, 1)->viewport));
  run_cycles (fixture, 3);
  g_assert_true (odl_layout_is_active (parts_of (fixture)->layout, pane_at (fixture, 1)));
}

static void
test_fewer (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *b = write_png (fixture, "b.png", 53, 59, false);
  open_and_wait (fixture, a);
  lay_out (fixture, "2x2");
  open_in (fixture, 3, b);
  // Alone, and together again.
  activate (fixture, "pane-alone", NULL);
  run_cycles (fixture, 3);
  g_assert_false (gtk_widget_get_mapped (pane_at (fixture, 0)->widget));
  g_assert_true (gtk_widget_get_mapped (pane_at (fixture, 3)->widget));
  g_assert_cmpint (gtk_widget_get_width (pane_at (fixture, 3)->widget), ==,
                   gtk_widget_get_width (odl_window_child (parts_of (fixture), "panes")));
  activate (fixture, "pane-alone", NULL);
  run_cycles (fixture, 3);
  g_assert_true (gtk_widget_get_mapped (pane_at (fixture, 0)->widget));
  activate (fixture, "pane-alone", NULL);
  activate (fixture, "cancel", NULL); // Escape
  run_cycles (fixture, 3);
  g_assert_true (gtk_widget_get_mapped (pane_at (fixture, 0)->widget));
  // The active one stays, whichever it was.
  lay_out (fixture, "1x2");
  g_assert_cmpint (n_panes (fixture), ==, 2);
  g_assert_true (has_location (fixture, b));
  settle (fixture);
  arrange (fixture, "close-pane", NULL);
  run_cycles (fixture, 3);
  g_assert_cmpint (n_panes (fixture), ==, 1);
  g_assert_true (has_location (fixture, a));
  settle (fixture);
  g_assert_false (
      g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), "close-pane"));
}

// A damaged file is told of in its pane, and the others stay.
static bool
page_covers (Fixture *fixture, const void *data)
{
  return odl_page_covers (pane_at (fixture, 1)->page);
}

static void
test_damaged (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *bad = g_build_filename (fixture->folder, "bad.png", NULL);
  g_assert_true (g_file_set_contents (bad, "no picture", -1, NULL));
  open_and_wait (fixture, a);
  lay_out (fixture, "1x2");
  go_to (fixture, 1);
  odl_main_window_open (fixture->window, bad, NULL);
  // It fails while another pane is active.
  go_to (fixture, 0);
  wait_until (fixture, page_covers, NULL);
  run_cycles (fixture, 3);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (pane_at (fixture, 1)->failure)));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (pane_at (fixture, 0)->failure)));
  g_assert_true (
      g_str_has_suffix (gtk_window_get_title (GTK_WINDOW (fixture->window)), "a.png"));
  settle (fixture);
  go_to (fixture, 1);
  g_assert_true (
      g_str_has_suffix (gtk_window_get_title (GTK_WINDOW (fixture->window)), "bad.png"));
  g_assert_false (
      g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), "save"));
  activate (fixture, "close-page", NULL);
  run_cycles (fixture, 3);
  g_assert_false (odl_page_covers (pane_at (fixture, 1)->page));
  g_assert_true (has_label (pane_at (fixture, 1)->widget, "Drop a picture here"));
}

static bool
has_name (const OdlPane *pane, const char *part)
{
  g_autofree char *wrong = gtk_test_accessible_check_property (
      GTK_ACCESSIBLE (pane->viewport), GTK_ACCESSIBLE_PROPERTY_LABEL, "", NULL);
  return wrong && strstr (wrong, part);
}

// Names are hidden in all panes, and those opened in any of them are known.
static void
test_names (Fixture *fixture, const void *data)
{
  static const Series series = { "1.1", PATIENT_FRAME, 0, 2, 2, 0.5 };
  g_autofree char *stack = write_series (fixture, &series);
  g_autofree char *a = write_png (fixture, "anna.png", 200, 180, false);
  open_and_wait (fixture, a);
  activate (fixture, "show-panels", NULL); // hides them: corners need room
  lay_out (fixture, "1x2");
  g_assert_true (has_name (pane_at (fixture, 1), "Pane 2 of 2. Empty"));
  open_in (fixture, 1, stack);
  go_to (fixture, 0);
  run_cycles (fixture, 3);
  g_assert_true (has_name (pane_at (fixture, 1), "Pane 2 of 2. "));
  g_assert_true (has_name (pane_at (fixture, 0), "Pane 1 of 2. anna.png"));
  g_assert_true (has_label (pane_at (fixture, 1)->widget, "Kranich"));
  activate_and_settle (fixture, "mask-names", NULL);
  run_cycles (fixture, 3);
  g_assert_false (has_label (GTK_WIDGET (fixture->window), "Kranich"));
  g_assert_false (has_label (GTK_WIDGET (fixture->window), "anna"));
  g_assert_false (has_name (pane_at (fixture, 0), "anna"));
  g_autofree char *told
      = odl_names_in_text (odl_names_of (fixture->session), "of Kranich, Berta");
  g_assert_null (strstr (told, "Kranich"));
}

// What is recorded is that pane, whichever is active, and it is not closed.
static void
test_recorded (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *movie = g_build_filename (fixture->folder, "a.mkv", NULL);
  open_and_wait (fixture, a);
  lay_out (fixture, "1x2");
  open_in (fixture, 1, a);
  activate_with_text (fixture, "record-to", movie);
  g_assert_true (parts_of (fixture)->state->recorded == fixture->viewport);
  activate (fixture, "close-pane", NULL);
  g_assert_cmpint (n_panes (fixture), ==, 2);
  g_assert_true (has_toast (fixture, "being recorded"));
  go_to (fixture, 0);
  g_assert_true (parts_of (fixture)->state->recorded == pane_at (fixture, 1)->viewport);
  activate_and_settle (fixture, "invert", NULL);
  activate (fixture, "record", NULL);
  wait_until (fixture, has_toast, "Saved");
  go_to (fixture, 1);
  arrange (fixture, "close-pane", NULL);
  g_assert_cmpint (n_panes (fixture), ==, 1);
}

// What any pane reads is never written over.
static void
test_saved (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *b = write_png (fixture, "b.png", 53, 59, false);
  g_autofree char *before = NULL, *after = NULL;
  gsize n_before, n_after;
  open_and_wait (fixture, a);
  lay_out (fixture, "1x2");
  open_in (fixture, 1, b);
  g_assert_true (g_file_get_contents (a, &before, &n_before, NULL));
  activate_with_text (fixture, "save-to", a);
  g_assert_true (has_toast (fixture, "never written over"));
  let_pass (100);
  g_assert_true (g_file_get_contents (a, &after, &n_after, NULL));
  g_assert_cmpmem (before, n_before, after, n_after);
}

// A folder opens where it was asked for, whichever pane is active when it is read.
static void
test_folder (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *folder = g_build_filename (fixture->folder, "other", NULL);
  g_autofree char *copy = g_build_filename (folder, "b.png", NULL);
  g_autofree char *bytes = NULL;
  gsize n;
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_true (g_file_get_contents (a, &bytes, &n, NULL));
  g_assert_true (g_file_set_contents (copy, bytes, (gssize) n, NULL));
  open_and_wait (fixture, a);
  lay_out (fixture, "1x2");
  go_to (fixture, 1);
  odl_main_window_open (fixture->window, folder, NULL);
  go_to (fixture, 0);
  look_at (fixture, 1);
  wait_until (fixture, has_location, copy);
  settle (fixture);
  look_at (fixture, 0);
  g_assert_true (has_location (fixture, a));
}

// A presentation is of one pane, and the others are there again afterwards.
static void
test_presented (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *b = write_png (fixture, "b.png", 53, 59, false);
  open_and_wait (fixture, a);
  lay_out (fixture, "1x2");
  open_in (fixture, 1, b);
  activate (fixture, "present", NULL);
  run_cycles (fixture, 3);
  g_assert_false (gtk_widget_get_mapped (pane_at (fixture, 0)->widget));
  activate (fixture, "next-pane", "1");
  g_assert_true (odl_layout_is_active (parts_of (fixture)->layout, pane_at (fixture, 1)));
  activate (fixture, "present", NULL);
  run_cycles (fixture, 3);
  g_assert_true (gtk_widget_get_mapped (pane_at (fixture, 0)->widget));
  settle (fixture);
  g_assert_true (has_location (fixture, b));
}

// A row of the list goes to an empty pane, else to the next one.
static void
test_other (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  g_autofree char *b = write_png (fixture, "b.png", 53, 59, false);
  open_and_wait (fixture, a);
  arrange (fixture, "open-in-other", b);
  g_assert_cmpint (n_panes (fixture), ==, 2);
  g_assert_true (fixture->session == pane_at (fixture, 1)->session);
  wait_until (fixture, has_location, b);
  settle (fixture);
  look_at (fixture, 0);
  g_assert_true (has_location (fixture, a));
  lay_out (fixture, "2x2");
  arrange (fixture, "open-in-other", a);
  g_assert_true (fixture->session == pane_at (fixture, 2)->session);
  wait_until (fixture, has_location, a);
  settle (fixture);
}

// Filters A beside filters B, of the same frame.
static void
test_a_beside_b (Fixture *fixture, const void *data)
{
  g_autofree char *a = write_png (fixture, "a.png", 61, 47, false);
  open_and_wait (fixture, a);
  set_filters (fixture, "gaussian:sigma=2");
  activate_and_settle (fixture, "recipe", "'B'");
  set_filters (fixture, "median");
  activate_and_settle (fixture, "a-beside-b", NULL);
  run_cycles (fixture, 3);
  g_assert_true (odl_viewport_beside (fixture->viewport));
  const OdlFrame *frame = odl_session_frame (fixture->session);
  g_assert_nonnull (frame->other);
  g_autofree char *other = odl_recipe_to_text (&frame->other_recipe, " ");
  g_assert_true (g_str_has_prefix (other, "gaussian"));
  g_assert_true (has_label (GTK_WIDGET (fixture->viewport), "A"));
  // Another pane compares nothing.
  lay_out (fixture, "1x2");
  open_in (fixture, 1, a);
  g_assert_false (odl_viewport_beside (fixture->viewport));
  g_assert_null (odl_session_frame (fixture->session)->other);
  go_to (fixture, 0);
  activate_and_settle (fixture, "a-beside-b", NULL);
  g_assert_false (odl_viewport_beside (fixture->viewport));
}

// Grey levels and zoom stand in the corners of an examination. An empty pane has none,
// and shows no strip that would move the pictures.
static void
test_strip (Fixture *fixture, const void *data)
{
  static const Series series
      = { .name = "a", .frame = PATIENT_FRAME, .step = 5, .n = 2, .spacing = 0.1 };
  g_autofree char *a = write_series (fixture, &series);
  GtkWidget *strip = odl_window_child (parts_of (fixture), "diagnostics");
  open_and_wait (fixture, a);
  lay_out (fixture, "1x2");
  g_assert_false (gtk_widget_get_visible (strip));
  go_to (fixture, 1);
  run_cycles (fixture, 3);
  g_assert_false (gtk_widget_get_visible (strip));
  g_autofree char *b = write_png (fixture, "b.png", 61, 47, false);
  open_in (fixture, 1, b);
  g_assert_true (gtk_widget_get_visible (strip));
  go_to (fixture, 0);
  run_cycles (fixture, 3);
  g_assert_true (gtk_widget_get_visible (strip));
}

static void
test_keys (Fixture *fixture, const void *data)
{
  static const struct {
    const char *key, *action;
  } keys[] = {
    { "<Control><Alt>1", "win.layout::1x1" },
    { "<Control><Alt>2", "win.layout::1x2" },
    { "<Control><Alt>3", "win.layout::2x1" },
    { "<Control><Alt>4", "win.layout::2x2" },
    { "F6", "win.next-pane(1)" },
    { "<Shift>F6", "win.next-pane(-1)" },
    { "<Shift>F11", "win.pane-alone" },
    { "<Control><Shift>w", "win.close-pane" },
    { "<Control>l", "win.link-all" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++) {
    g_auto (GStrv) actions = gtk_application_get_actions_for_accel (
        GTK_APPLICATION (fixture->application), keys[i].key);
    g_assert_cmpstr (actions[0], ==, keys[i].action);
  }
  lay_out (fixture, "1x2");
  activate (fixture, "link-all", NULL);
  static const char *const links[]
      = { "link-view", "link-slices", "link-window", "link-time" };
  for (size_t i = 0; i < G_N_ELEMENTS (links); i++) {
    g_autoptr (GVariant) state
        = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window), links[i]);
    g_assert_true (g_variant_get_boolean (state));
  }
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/layouts/each-pane-has-picture-and-filters-of-its-own", test_own_pictures);
  ADD ("/layouts/keys-and-panels-act-in-the-active-one", test_active);
  ADD ("/layouts/fewer-panes-keep-the-active-one", test_fewer);
  ADD ("/layouts/a-damaged-file-is-told-of-in-its-pane", test_damaged);
  ADD ("/layouts/names-are-hidden-in-all", test_names);
  ADD ("/layouts/what-is-recorded-stays", test_recorded);
  ADD ("/layouts/what-is-shown-is-never-written-over", test_saved);
  ADD ("/layouts/a-folder-opens-where-it-was-asked-for", test_folder);
  ADD ("/layouts/a-presentation-is-of-one-pane", test_presented);
  ADD ("/layouts/a-row-opens-in-the-other-pane", test_other);
  ADD ("/layouts/filters-a-beside-b", test_a_beside_b);
  ADD ("/layouts/an-empty-pane-moves-no-picture", test_strip);
  ADD ("/layouts/keys", test_keys);
  return g_test_run ();
}
