// SPDX-License-Identifier: MIT
// The window of calculations: it follows what is measured, of all panes, says why there
// is no result, and what it says is saved with the measurements.
#include <glib/gstdio.h>
#include <string.h>

#include "image/annotation/calculation.h"
#include "support/panes.h"
#include "support/support.h"
#include "widgets/windows/calculation_window.h"

// The annotation that it becomes; with `id` in the place of that one.
static void
put (Fixture *fixture, const char *kind, const char *numbers, int64_t frame, unsigned id)
{
  OdlAnnotation annotation;
  g_assert_true (
      odl_annotation_from_text (odl_annotation_kind_find (kind), numbers, &annotation));
  annotation.frame = frame;
  annotation.id = id;
  odl_session_annotate (fixture->session, &annotation);
  run_cycles (fixture, 2);
}

static GtkWidget *
open_window (Fixture *fixture)
{
  activate (fixture, "calculations", NULL);
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next)
    if (g_object_get_data (at->data, "calculation"))
      return at->data;
  g_assert_not_reached ();
}

// Row 0 chooses the calculation, the next ones its inputs.
static AdwComboRow *
row_at (GtkWidget *window, int n)
{
  return ADW_COMBO_ROW (find_nth (window, ADW_TYPE_COMBO_ROW, n));
}

static void
choose (GtkWidget *window, const char *name)
{
  guint i = 0;
  while (!g_str_equal (odl_calculation_at (i)->name, name))
    i++;
  adw_combo_row_set_selected (row_at (window, 0), i);
}

// What one of the rows offers, and which of it is chosen.
static void
assert_offered (GtkWidget *window, int n, guint n_things, const char *chosen)
{
  AdwComboRow *row = row_at (window, n);
  GListModel *model = adw_combo_row_get_model (row);
  GtkStringObject *item = adw_combo_row_get_selected_item (row);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (row)));
  g_test_message ("%d: %s", n, gtk_string_object_get_string (item));
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, n_things);
  g_assert_nonnull (strstr (gtk_string_object_get_string (item), chosen));
}

static void
wait_for_label (Fixture *fixture, GtkWidget *window, const char *part)
{
  for (int i = 0; i < 40 && !has_label (window, part); i++)
    let_pass (100);
  g_test_message ("%s", part);
  g_assert_true (has_label (window, part));
}

// A sphere of 40 mm, calibrated by hand, that becomes as long again, and is gone.
static void
test_follows (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 300, 200, false);
  open_and_wait (fixture, path);
  GtkWidget *window = open_window (fixture);
  g_assert_true (has_label (window, "“Volume of an ellipsoid” needs “Length” as well"));
  g_assert_true (has_label (window, "This program's, not for diagnosis"));
  assert_offered (window, 1, 1, "none");
  put (fixture, "length", "10,10,110,10", 0, 0);
  wait_for_label (fixture, window, "“Length” is in pixels (millimetres unknown)");
  assert_offered (window, 1, 1, "Length, 100.0 px");
  assert_offered (window, 2, 2, "none"); // it may be the same once more
  put (fixture, "length", "10,20,110,20", 0, 0);
  put (fixture, "length", "10,30,110,30", 0, 0);
  put (fixture, "calibration", "0,50,50,50,20 mm", 0, 0);
  wait_for_label (fixture, window, "33.5 ml");
  g_assert_true (has_label (window, "calibrated by hand"));
  for (int i = 1; i <= 3; i++)
    assert_offered (window, i, 3, "Length, 40.0 mm");
  put (fixture, "length", "10,30,210,30", 0, 3);
  wait_for_label (fixture, window, "67.0 ml");
  assert_offered (window, 3, 3, "Length, 80.0 mm");
  // Twice the longer one.
  adw_combo_row_set_selected (row_at (window, 1), 2);
  wait_for_label (fixture, window, "134.0 ml");
  choose (window, "fl");
  wait_for_label (fixture, window, "22.9 weeks (22 weeks + 6 days)");
  g_assert_true (has_label (window, "Hadlock et al., Radiology 1984; 152: 497–501"));
  g_assert_true (has_label (window, "10.35 + 2.460 · FL + 0.170 · FL² (cm)"));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (row_at (window, 2))));
  adw_combo_row_set_selected (row_at (window, 1), 2);
  wait_for_label (fixture, window, "40.9 weeks (40 weeks + 6 days)");
  put (fixture, "length", "10,30,260,30", 0, 3);
  wait_for_label (fixture, window, "calibrated by hand, outside the published range");
  // What was chosen is gone: the first one is taken.
  odl_session_remove_annotation (fixture->session, 3);
  wait_for_label (fixture, window, "22.9 weeks");
  g_assert_false (has_label (window, "outside the published range"));
}

// The row of the table, and not where the window has no result.
static void
test_saved (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 300, 200, false);
  g_autofree char *table = g_build_filename (fixture->folder, "table.csv", NULL);
  g_autofree char *with = NULL, *without = NULL;
  open_and_wait (fixture, path);
  put (fixture, "length", "10,10,110,10", 0, 0);
  put (fixture, "calibration", "0,50,50,50,20 mm", 0, 0);
  GtkWidget *window = open_window (fixture);
  activate_with_text (fixture, "save-measures-to", table);
  wait_until (fixture, has_toast, "Saved “table.csv”");
  g_assert_true (g_file_get_contents (table, &without, NULL, NULL));
  g_assert_null (strstr (without, "calculation"));
  g_assert_cmpint (g_remove (table), ==, 0);
  choose (window, "fl");
  wait_for_label (fixture, window, "22.9 weeks");
  activate_with_text (fixture, "save-measures-to", table);
  for (int i = 0; i < 100 && !g_file_get_contents (table, &with, NULL, NULL); i++)
    let_pass (100);
  g_assert_nonnull (with);
  g_assert_true (g_str_has_prefix (with, without));
  g_assert_true (g_str_has_prefix (
      with + strlen (without), "\"a.png\",1,calculation,\"fl: length 10,10,110,10; this "
                               "program's, not for diagnosis\",fl,22.9"));
  g_assert_true (g_str_has_suffix (with, ",\"wk\",hand,,,,\n"));
}

// Two contours in two panes of one patient make a volume; with those of another patient
// they make none. In a stack the frame on screen counts, unless it is a volume.
static void
test_panes (Fixture *fixture, const void *data)
{
  static const Series rows[] = {
    { "1.1", PATIENT_FRAME, 0, 2, 3, 1 },
    { "1.2", PATIENT_FRAME, 0, 2, 4, 0.5, .interval_ms = 40 },
    { "1.3", PATIENT_FRAME, 0, 6, 5, 1, .person = "Storch^Carl" },
  };
  g_autofree char *first = write_series (fixture, &rows[0]);
  g_autofree char *second = write_series (fixture, &rows[1]);
  g_autofree char *strange = write_series (fixture, &rows[2]);
  open_and_wait (fixture, first);
  put (fixture, "ellipse", "10,10,20,20", 1, 0); // 20 mm
  put (fixture, "length", "20,10,20,30", 1, 0);
  lay_out (fixture, "1x2");
  open_in (fixture, 1, second);
  odl_session_set_playing (fixture->session, false);
  put (fixture, "ellipse", "0,0,40,40", 2, 0); // 20 mm
  put (fixture, "length", "0,20,40,20", 2, 0);
  GtkWidget *window = open_window (fixture);
  choose (window, "simpson-biplane");
  wait_for_label (fixture, window, "4.19 ml"); // π/6 · 20³, and 0.1 %
  assert_offered (window, 1, 2, "mm (pane 1) (frame 2)");
  assert_offered (window, 3, 2, "mm (pane 2) (frame 3)");
  // An axis of the other picture is none.
  adw_combo_row_set_selected (row_at (window, 2), 1);
  wait_for_label (fixture, window, "drawn over another picture than its contour");
  adw_combo_row_set_selected (row_at (window, 2), 0);
  wait_for_label (fixture, window, "4.19 ml");
  open_in (fixture, 1, strange);
  run_cycles (fixture, 3);
  wait_for_label (fixture, window, "“First contour” as well");
  go_to (fixture, 0);
  run_cycles (fixture, 3);
  wait_for_label (fixture, window, "“Second contour” as well");
}

// What was calculated is in a workspace, by what the things are rather than by their
// numbers, and comes back when they are measured again; what makes no sense is left.
static void
test_comes_back (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 300, 200, false);
  g_autoptr (OdlWorkspace) workspace = odl_workspace_new ();
  g_autoptr (OdlWorkspace) again = odl_workspace_new ();
  g_autoptr (OdlWorkspace) wrong = odl_workspace_new ();
  open_and_wait (fixture, path);
  odl_calculation_window_save (fixture->window, workspace);
  g_assert_null (workspace->calculation);
  put (fixture, "calibration", "0,50,50,50,20 mm", 0, 0);
  put (fixture, "length", "10,10,110,10", 0, 0);
  put (fixture, "length", "10,20,210,20", 0, 0);
  GtkWidget *window = open_window (fixture);
  choose (window, "fl");
  adw_combo_row_set_selected (row_at (window, 1), 1);
  wait_for_label (fixture, window, "40.9 weeks");
  odl_calculation_window_save (fixture->window, workspace);
  g_assert_cmpstr (workspace->calculation, ==, "fl");
  g_assert_cmpstr (workspace->calculated_from[0], ==, "1 length 1 10,20,210,20");
  gtk_window_destroy (GTK_WINDOW (window));
  OdlAnnotations *all = odl_session_annotations (fixture->session);
  for (int n = odl_annotations_count (all); n > 0; n--) {
    odl_session_remove_annotation (fixture->session, odl_annotations_at (all, 0)->id);
    all = odl_session_annotations (fixture->session);
  }
  odl_calculation_window_restore (fixture->window, workspace);
  window = open_window (fixture);
  g_assert_true (has_label (window, "needs “Femur length (FL)” as well"));
  // It is still wanted, and the first one that comes is another one.
  odl_calculation_window_save (fixture->window, again);
  g_assert_cmpstr (again->calculated_from[0], ==, workspace->calculated_from[0]);
  put (fixture, "length", "10,10,110,10", 0, 0);
  put (fixture, "length", "10,20,210,20", 0, 0);
  put (fixture, "calibration", "0,50,50,50,20 mm", 0, 0);
  wait_for_label (fixture, window, "40.9 weeks");
  wrong->calculation = g_strdup ("nothing");
  odl_calculation_window_restore (fixture->window, wrong);
  g_assert_true (has_label (window, "40.9 weeks"));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/calculations/they-follow-what-is-measured", test_follows);
  ADD ("/calculations/they-are-saved-with-the-measurements", test_saved);
  ADD ("/calculations/two-panes-of-one-patient-make-a-volume", test_panes);
  ADD ("/calculations/they-come-back-with-a-workspace", test_comes_back);
  return g_test_run ();
}
