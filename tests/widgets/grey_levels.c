// SPDX-License-Identifier: MIT
// Grey levels by name in the real window: those of a modality, edited and kept, and those
// of a region that was measured.
#include <string.h>

#include "support/patient.h"
#include "support/support.h"
#include "widgets/window/parts.h"
#include "widgets/window/window_presets.h"

static void
assert_window (Fixture *fixture, double centre, double width)
{
  double got_centre, got_width;
  odl_viewport_get_window (fixture->viewport, &got_centre, &got_width);
  g_assert_cmpfloat_with_epsilon (got_centre, centre, 1e-3);
  g_assert_cmpfloat_with_epsilon (got_width, width, 1e-3);
}

// Those of CT are for CT alone.
static void
test_of_ct (Fixture *fixture, const void *data)
{
  g_autofree char *ct = write_patient (fixture, "Ct", "1\\0\\0\\0\\1\\0", 100);
  g_autofree char *mr = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 80);
  open_and_wait (fixture, ct);
  assert_window (fixture, 30, 100);
  activate (fixture, "window-preset", "3");
  assert_window (fixture, -600, 1500);
  activate (fixture, "window-preset", "6");
  assert_window (fixture, 40, 80);
  activate (fixture, "window-preset", "7");
  assert_window (fixture, 40, 80);
  activate (fixture, "window-preset", "1");
  assert_window (fixture, 30, 100);
  open_and_wait (fixture, mr);
  double centre, width;
  odl_viewport_get_window (fixture->viewport, &centre, &width);
  activate (fixture, "window-preset", "3");
  assert_window (fixture, centre, width);
  g_assert_true (has_toast (fixture, "no such grey levels"));
}

static guint
n_toasts (Fixture *fixture)
{
  return odl_messages_waiting (odl_main_window_parts (fixture->window)->messages)->len;
}

// A key that can do nothing says why, and what it said goes with the next one.
static void
test_keys_say_why (Fixture *fixture, const void *data)
{
  g_autofree char *mr = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 80);
  open_and_wait (fixture, mr);
  for (const char *numbers = "1359"; *numbers; numbers++) {
    const char number[] = { *numbers, 0 };
    activate (fixture, "window-preset", number);
    g_assert_true (has_toast (fixture, *number == '1' ? "no grey levels of its own"
                                                      : "no such grey levels"));
    g_assert_cmpuint (n_toasts (fixture), ==, 1);
  }
  activate (fixture, "invert", NULL);
  g_assert_cmpuint (n_toasts (fixture), ==, 0);
}

// The window that edits them; NULL: there is none.
static GtkWidget *
editor (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next)
    if (g_object_get_data (at->data, "odl-presets"))
      return at->data;
  return NULL;
}

static GtkWidget *
find (GType type, int n)
{
  return find_nth (editor (), type, n);
}

static GtkWidget *
button (const char *label)
{
  for (int n = 0;; n++) {
    GtkWidget *widget = find (GTK_TYPE_BUTTON, n);
    g_assert_nonnull (widget);
    if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0)
      return widget;
  }
}

static void
type (GtkWidget *entry, const char *text)
{
  g_assert_nonnull (entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
}

// Somebody makes one for MR, whose values no program knows beforehand.
static void
test_edited (Fixture *fixture, const void *data)
{
  g_autofree char *mr = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 80);
  g_autofree char *ct = write_patient (fixture, "Ct", "1\\0\\0\\0\\1\\0", 100);
  open_and_wait (fixture, mr);
  odl_viewport_set_window (fixture->viewport, 70, 20);
  activate (fixture, "edit-presets", NULL);
  g_assert_null (find (ADW_TYPE_ENTRY_ROW, 0));
  g_signal_emit_by_name (button ("_Add What Is Shown"), "clicked");
  type (find (ADW_TYPE_ENTRY_ROW, 0), "Vessels");
  type (find (GTK_TYPE_ENTRY, 1), "0");
  g_assert_true (gtk_widget_has_css_class (find (GTK_TYPE_ENTRY, 1), "error"));
  type (find (GTK_TYPE_ENTRY, 1), "35.5");
  g_assert_false (gtk_widget_has_css_class (find (GTK_TYPE_ENTRY, 1), "error"));
  gtk_window_close (GTK_WINDOW (editor ()));
  activate (fixture, "window-preset", "1");
  activate (fixture, "window-preset", "2");
  assert_window (fixture, 70, 35.5);
  g_autofree char *kept = odl_settings_get_string (fixture->settings, ODL_PRESETS_KEY);
  g_assert_nonnull (strstr (kept, "MR\tVessels\t70\t35.5\n"));
  // Those of CT are as they were; one that is removed is gone.
  open_and_wait (fixture, ct);
  activate (fixture, "window-preset", "2");
  assert_window (fixture, 40, 400);
  activate (fixture, "edit-presets", NULL);
  for (int n = 0;; n++) {
    GtkWidget *remove = find (GTK_TYPE_BUTTON, n);
    g_assert_nonnull (remove);
    if (g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (remove)), "user-trash-symbolic")
        == 0) {
      g_signal_emit_by_name (remove, "clicked");
      break;
    }
  }
  activate (fixture, "window-preset", "2");
  assert_window (fixture, -600, 1500);
  g_signal_emit_by_name (button ("_Reset All"), "clicked");
  activate (fixture, "window-preset", "2");
  assert_window (fixture, 40, 400);
  gtk_window_close (GTK_WINDOW (editor ()));
}

// Text from the settings may be anything.
static void
test_text (Fixture *fixture, const void *data)
{
  g_autoptr (GString) text = g_string_new ("nonsense\nCT\ta\t1\nCT\tb\tx\t3\n"
                                           "CT\tc\t1\t-3\nCT\t \t1\t3\n"
                                           "CT\td\t1e300\t3\nCT\te\tnan\t3\n");
  for (int i = 0; i < 20; i++)
    g_string_append_printf (text, "MR\t%d\t%d\t1\n", i, i);
  g_autoptr (GPtrArray) presets = odl_window_presets_parse (text->str);
  g_assert_cmpuint (presets->len, ==, ODL_MOST_PRESETS);
  g_assert_null (odl_window_presets_nth (presets, "CT", 0));
  g_autofree char *again = odl_window_presets_to_text (presets);
  g_autoptr (GPtrArray) same = odl_window_presets_parse (again);
  g_assert_cmpuint (same->len, ==, presets->len);
  // None at all is not the same as those that are built in.
  g_ptr_array_set_size (presets, 0);
  g_autofree char *none = odl_window_presets_to_text (presets);
  g_autoptr (GPtrArray) empty = odl_window_presets_parse (none);
  g_assert_cmpuint (empty->len, ==, 0);
}

// From the smallest to the largest value of what was measured, as the file has them.
static void
test_region (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 60, 50, false);
  double centre, width;
  open_and_wait (fixture, path);
  odl_viewport_get_window (fixture->viewport, &centre, &width);
  activate (fixture, "window-region", NULL);
  assert_window (fixture, centre, width);
  g_assert_true (has_toast (fixture, "Draw an ellipse"));
  OdlAnnotation annotation;
  g_assert_true (odl_annotation_from_text (odl_annotation_kind_find ("polygon"),
                                           "10,10,20,10,20,20,10,20", &annotation));
  annotation.frame = 0;
  odl_session_annotate (fixture->session, &annotation);
  activate (fixture, "window-region", NULL);
  // The samples of columns and rows 10 to 19, from the PNG itself.
  g_autoptr (GdkPixbuf) pixels = gdk_pixbuf_new_from_file (path, NULL);
  int least = 255, most = 0;
  for (int y = 10; y < 20; y++)
    for (int x = 10; x < 20; x++) {
      const int grey
          = gdk_pixbuf_read_pixels (pixels)[y * gdk_pixbuf_get_rowstride (pixels)
                                            + x * gdk_pixbuf_get_n_channels (pixels)];
      least = MIN (least, grey);
      most = MAX (most, grey);
    }
  assert_window (fixture, (least + most) / 2.0, most - least);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/presets/those-of-ct-are-for-ct", test_of_ct);
  ADD ("/presets/keys-without-effect-say-why", test_keys_say_why);
  ADD ("/presets/edited-ones-are-kept-for-their-modality", test_edited);
  ADD ("/presets/text-that-makes-no-sense-is-left-out", test_text);
  ADD ("/presets/the-window-of-a-region-measured", test_region);
  return g_test_run ();
}
