// SPDX-License-Identifier: MIT
// Sweeps from the window: what is asked, the sheet and the plot of what was found, and
// what puts a point into the filters.
#include <adwaita.h>
#include <math.h>
#include <string.h>

#include "support/keyboard.h"
#include "support/support.h"

#include "session/sweep.h"
#include "widgets/sweep/sweep_plot.h"
#include "widgets/sweep/sweep_window.h"
#include "widgets/units.h"

#define CLEAN "phantom:128x96,clean"
#define FILTERS "soft-threshold:threshold=0.01,levels=3,wavelet=haar"
#define NOISE "gaussian:25/255,7"
#define LONG "non-local-means:strength=0.05"

static bool
shows_first (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);

  return frame != NULL && frame->index == 0;
}

static GtkWindow *
open_sweep (Fixture *fixture, const char *location, const char *filters)
{
  odl_session_set_engine (fixture->session, "cpu");
  odl_units_set (fixture->session, ODL_UNIT_SHARE);
  open_and_wait (fixture, location);
  odl_session_set_playing (fixture->session, FALSE);
  activate_and_settle (fixture, "first-frame", NULL);
  set_filters (fixture, filters);
  // What is swept is the frame on screen, which played until it was stopped.
  wait_until (fixture, shows_first, NULL);
  activate (fixture, "sweep", NULL);
  run_cycles (fixture, 2);
  return odl_sweep_window_present (fixture->window);
}

static bool
has_tooltip (GtkWidget *widget, const void *text)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_widget_get_tooltip_text (widget), text) == 0;
}

static bool
has_button_label (GtkWidget *widget, const void *label)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

static bool
has_title (GtkWidget *widget, const void *title)
{
  return ADW_IS_PREFERENCES_ROW (widget)
         && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)),
                       title)
                == 0;
}

static GtkWidget *
row_of (GtkWidget *root, const char *title)
{
  GtkWidget *row = find_where (root, has_title, title);
  g_assert_nonnull (row);
  return row;
}

static void
type_into (GtkWidget *root, const char *title, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (row_of (root, title)), text);
}

static void
vary (GtkWindow *window,
      const char *title,
      const char *from,
      const char *to,
      const char *step)
{
  GtkWidget *row = row_of (GTK_WIDGET (window), title);
  adw_expander_row_set_enable_expansion (ADW_EXPANDER_ROW (row), TRUE);
  type_into (row, "From", from);
  type_into (row, "To", to);
  type_into (row, "Step", step);
}

static void
choose_row (GtkWindow *window, const char *title, guint selected)
{
  adw_combo_row_set_selected (ADW_COMBO_ROW (row_of (GTK_WIDGET (window), title)),
                              selected);
}

static GtkButton *
start_button (GtkWindow *window)
{
  return GTK_BUTTON (gtk_window_get_default_widget (window));
}

static bool
has_ended (Fixture *fixture, const void *window)
{
  return g_str_equal (gtk_button_get_label (start_button ((GtkWindow *) window)),
                      "_Start");
}

static void
start (GtkWindow *window)
{
  g_signal_emit_by_name (start_button (window), "clicked");
}

static GtkSelectionModel *
rows_of (GtkWindow *window)
{
  return gtk_column_view_get_model (
      GTK_COLUMN_VIEW (find_widget (GTK_WIDGET (window), GTK_TYPE_COLUMN_VIEW)));
}

static guint
n_rows (GtkWindow *window)
{
  return g_list_model_get_n_items (G_LIST_MODEL (rows_of (window)));
}

static double
threshold_of (Fixture *fixture)
{
  return odl_recipe_get (recipe_of (fixture), 0, "threshold", 0);
}

static void
sweep_thresholds (Fixture *fixture, GtkWindow *window, const char *to)
{
  vary (window, "Threshold", "0", to, "0.02");
  type_into (GTK_WIDGET (window), "Seed", "7");
  start (window);
  wait_until (fixture, has_ended, window);
}

// ---- one parameter -------------------------------------------------------------------

// What the command line writes: the table, or with another ending the plot. `varied` ends
// with NULL.
static char *
written_by_command (Fixture *fixture, const char *const *varied, const char *ending)
{
  g_autofree char *csv = path_in (fixture, "theirs.csv");
  g_autofree char *name = g_strconcat ("theirs", ending, NULL);
  g_autofree char *path = path_in (fixture, name);
  const char *command[32] = { g_getenv ("ODL_CLI"),
                              "sweep",
                              CLEAN,
                              "-f",
                              FILTERS,
                              "--noise",
                              NOISE,
                              "--frame",
                              "1",
                              "--force",
                              "--csv",
                              csv };
  int n = 12;
  g_autoptr (GError) error = NULL;
  char *table = NULL;
  int status = -1;
  for (int i = 0; varied[i]; i++) {
    command[n++] = "--vary";
    command[n++] = varied[i];
  }
  if (!g_str_equal (ending, ".csv")) {
    command[n++] = "--plot";
    command[n++] = path;
  }
  g_assert_true (g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_STDOUT_TO_DEV_NULL,
                               NULL, NULL, NULL, NULL, &status, &error));
  g_assert_true (g_spawn_check_wait_status (status, &error));
  g_assert_true (g_file_get_contents (path, &table, NULL, &error));
  return table;
}

// Saves what the window shows, and compares it with what the command line writes.
static void
assert_as_written (Fixture *fixture,
                   GtkWindow *window,
                   const char *const *varied,
                   const char *ending)
{
  g_autofree char *name = g_strconcat ("ours", ending, NULL);
  g_autofree char *path = path_in (fixture, name);
  g_autofree char *ours = NULL;
  g_test_message ("%s", ending);
  g_assert_true (odl_sweep_window_save (window, path));
  g_assert_true (g_file_get_contents (path, &ours, NULL, NULL));
  g_autofree char *theirs = written_by_command (fixture, varied, ending);
  g_assert_cmpstr (ours, ==, theirs);
}

static void
test_sheet (Fixture *fixture, const void *data)
{
  static const char *const varied[] = { "soft-threshold.threshold=0:0.2:0.02", NULL };
  GtkWindow *window = open_sweep (fixture, CLEAN, FILTERS);
  sweep_thresholds (fixture, window, "0.2");
  g_assert_cmpuint (n_rows (window), ==, 11);
  g_assert_true (has_label (GTK_WIDGET (window), "Best: Threshold 0.0"));
  g_assert_false (has_label (GTK_WIDGET (window), "end of its range"));

  for (int i = 0; i < 4; i++)
    assert_as_written (fixture, window, varied,
                       ((const char *const[]){ ".csv", ".svg", ".png", ".pdf" })[i]);
  // What was measured stands above the results.
  g_assert_true (has_label (GTK_WIDGET (window), "frame 1 · noise: Gaussian 25/255, "
                                                 "seed 7 · compared with the picture "
                                                 "without the noise"));

  // The best stands first and is selected; Enter puts it into the filters, in one step.
  GtkWidget *view = find_widget (GTK_WIDGET (window), GTK_TYPE_COLUMN_VIEW);
  g_assert_true (gtk_selection_model_is_selected (rows_of (window), 0));
  g_assert_cmpfloat (threshold_of (fixture), ==, 0.01);
  const guint steps = odl_session_history (fixture->session)->position;
  g_signal_emit_by_name (view, "activate", 0);
  settle (fixture);
  const double best = threshold_of (fixture);
  g_assert_cmpfloat (best, >, 0.01);
  g_assert_cmpfloat (best, <, 0.2);
  g_assert_cmpuint (odl_session_history (fixture->session)->position, ==, steps + 1);
  g_assert_cmpfloat (odl_recipe_get (recipe_of (fixture), 0, "levels", 0), ==, 3);
  activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpfloat (threshold_of (fixture), ==, 0.01);

  // By another column other rows come first.
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (GTK_COLUMN_VIEW (view)), 0);
  gtk_column_view_sort_by_column (GTK_COLUMN_VIEW (view), column, GTK_SORT_DESCENDING);
  run_cycles (fixture, 2);
  g_signal_emit_by_name (view, "activate", 0);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (threshold_of (fixture), 0.2, 1e-12);
}

static void
test_warning (Fixture *fixture, const void *data)
{
  GtkWindow *window = open_sweep (fixture, CLEAN, FILTERS);
  sweep_thresholds (fixture, window, "0.04");
  g_assert_true (has_label (GTK_WIDGET (window), "The best Threshold, 0.04, lies at the "
                                                 "end of its range"));
}

// ---- trying a result -----------------------------------------------------------------

static GtkWidget *
apply_button (GtkWindow *window)
{
  return find_where (GTK_WIDGET (window), has_button_label, "_Apply");
}

static void
select_row (Fixture *fixture, GtkWindow *window, guint row)
{
  gtk_selection_model_select_item (rows_of (window), row, TRUE);
  settle (fixture);
}

// One click tries a row, without a trace if it is not applied.
static void
test_trying (Fixture *fixture, const void *data)
{
  GtkWindow *window = open_sweep (fixture, CLEAN, FILTERS);
  sweep_thresholds (fixture, window, "0.2");
  const guint steps = odl_session_history (fixture->session)->position;
  g_assert_cmpfloat (threshold_of (fixture), ==, 0.01);
  select_row (fixture, window, 1);
  const double second = threshold_of (fixture);
  g_assert_cmpfloat (second, !=, 0.01);
  select_row (fixture, window, 2);
  const double third = threshold_of (fixture);
  g_assert_cmpfloat (third, !=, second);
  g_assert_cmpuint (odl_session_history (fixture->session)->position, ==, steps + 1);
  // Of the task nothing changes, and another one begins with the filters as they were.
  GtkWidget *row = row_of (GTK_WIDGET (window), "Threshold");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row_of (row, "To"))), ==, "0.2");
  start (window);
  g_assert_cmpfloat (threshold_of (fixture), ==, 0.01);
  wait_until (fixture, has_ended, window);
  // Applied it stays, in one step.
  select_row (fixture, window, 2);
  g_signal_emit_by_name (apply_button (window), "clicked");
  settle (fixture);
  g_assert_cmpfloat (threshold_of (fixture), ==, third);
  g_assert_cmpuint (odl_session_history (fixture->session)->position, ==, steps + 1);
  // What is tried after that goes when the window is closed.
  select_row (fixture, window, 1);
  g_assert_cmpfloat (threshold_of (fixture), ==, second);
  gtk_window_close (window);
  run_cycles (fixture, 3);
  g_assert_cmpfloat (threshold_of (fixture), ==, third);
  activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpfloat (threshold_of (fixture), ==, 0.01);
}

// Who changes the filters meanwhile keeps what he changed.
static void
test_tried_and_changed (Fixture *fixture, const void *data)
{
  GtkWindow *window = open_sweep (fixture, CLEAN, FILTERS);
  sweep_thresholds (fixture, window, "0.2");
  select_row (fixture, window, 1);
  set_filters (fixture, "median");
  gtk_window_close (window);
  run_cycles (fixture, 3);
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 1);
  g_assert_cmpstr (recipe_of (fixture)->items[0].filter->name, ==, "median");
}

// ---- units ---------------------------------------------------------------------------

// What a sheet shows in a column of its first row.
static bool
has_text (GtkWidget *widget, const void *text)
{
  return GTK_IS_LABEL (widget)
         && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text);
}

static void
test_units (Fixture *fixture, const void *data)
{
  g_autofree char *path = path_in (fixture, "ours.csv");
  g_autofree char *table = NULL;
  GtkWindow *window = open_sweep (fixture, CLEAN, FILTERS);
  odl_units_set (fixture->session, ODL_UNIT_8_BIT);
  run_cycles (fixture, 20);
  GtkWidget *root = GTK_WIDGET (window), *row = row_of (root, "Threshold");
  g_assert_cmpstr (adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (row)), ==,
                   "Soft threshold, of 255");
  vary (window, "Threshold", "0", "50", "12.5");
  start (window);
  wait_until (fixture, has_ended, window);
  g_assert_cmpuint (n_rows (window), ==, 5);
  g_assert_true (has_label (root, "Best: Threshold 25: PSNR"));
  g_assert_nonnull (find_where (root, has_text, "Threshold (of 255)"));
  g_assert_nonnull (find_where (root, has_text, "12.5"));
  g_assert_nonnull (find_where (root, has_text, "50"));
  // Tables and filters have shares.
  g_assert_true (odl_sweep_window_save (window, path));
  g_assert_true (g_file_get_contents (path, &table, NULL, NULL));
  g_test_message ("%s", table);
  g_assert_nonnull (strstr (table, ",0.0980392156863,"));
  select_row (fixture, window, 1);
  select_row (fixture, window, 0);
  g_assert_cmpfloat_with_epsilon (threshold_of (fixture), 25 / 255.0, 1e-9);
}

// ---- other filters -------------------------------------------------------------------

static void
choose_filter (Fixture *fixture, GtkWindow *window, const char *label)
{
  GtkWidget *choice
      = find_widget (row_of (GTK_WIDGET (window), "Compare with"), GTK_TYPE_DROP_DOWN);
  GListModel *names = gtk_drop_down_get_model (GTK_DROP_DOWN (choice));
  for (guint i = 0; i < g_list_model_get_n_items (names); i++) {
    g_autoptr (GtkStringObject) name = g_list_model_get_item (names, i);
    if (!g_str_equal (gtk_string_object_get_string (name), label))
      continue;
    gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), i);
    run_cycles (fixture, 3);
    g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (choice)), ==, 0);
    return;
  }
  g_assert_not_reached ();
}

static void
vary_other (GtkWindow *window, const char *title, const char *to, const char *step)
{
  GtkWidget *row = row_of (GTK_WIDGET (window), title);
  type_into (row, "From", "0.02");
  type_into (row, "To", to);
  type_into (row, "Step", step);
}

static void
test_filters (Fixture *fixture, const void *data)
{
  static const char *const varied[]
      = { "soft-threshold=soft-threshold,bivariate,non-local-means,median",
          "soft-threshold.threshold=0:0.2:0.05",
          "bivariate.sigma=0.02:0.1:0.02",
          "non-local-means.strength=0.02:0.2:0.06",
          "median.size=3,5",
          NULL };
  GtkWindow *window = open_sweep (fixture, CLEAN, FILTERS);
  GtkWidget *root = GTK_WIDGET (window);
  choose_filter (fixture, window, "Bivariate shrinkage");
  choose_filter (fixture, window, "Sobel");
  choose_filter (fixture, window, "Non-local means");
  choose_filter (fixture, window, "Median");
  // One that was chosen by mistake goes again.
  g_signal_emit_by_name (find_where (root, has_tooltip, "Without Sobel"), "clicked");
  g_assert_null (find_where (root, has_title, "Sobel"));
  vary (window, "Threshold", "0", "0.2", "0.05");
  vary_other (window, "Bivariate shrinkage", "0.1", "0.02");
  vary_other (window, "Non-local means", "0.2", "0.06");
  type_into (row_of (root, "Median"), "Words, separated by commas", "3,5");
  type_into (root, "Seed", "7");
  start (window);
  wait_until (fixture, has_ended, window);
  g_assert_cmpuint (n_rows (window), ==, 5 + 5 + 4 + 2);
  for (int i = 0; i < 2; i++)
    assert_as_written (fixture, window, varied,
                       ((const char *const[]){ ".csv", ".svg" })[i]);
  g_assert_true (has_label (root, "Best: Non-local means, Strength 0."));
  // A try of another filter leaves the task as it is; applied it is in the chain.
  select_row (fixture, window, 1);
  select_row (fixture, window, 0);
  run_cycles (fixture, 20);
  g_assert_cmpstr (recipe_of (fixture)->items[0].filter->name, ==, "non-local-means");
  g_assert_nonnull (find_where (root, has_title, "Bivariate shrinkage"));
  g_signal_emit_by_name (apply_button (window), "clicked");
  run_cycles (fixture, 20);
  g_assert_null (find_where (root, has_title, "Bivariate shrinkage"));
  activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpstr (recipe_of (fixture)->items[0].filter->name, ==, "soft-threshold");
  g_assert_cmpfloat (threshold_of (fixture), ==, 0.01);
}

// Words of drop-downs are whole, in the row and in its list.
static void
test_words (Fixture *fixture, const void *data)
{
  GtkWindow *window = open_sweep (fixture, CLEAN, FILTERS);
  choose_row (window, "Computed are", 1);
  GtkWidget *row = row_of (GTK_WIDGET (window), "Computed are");
  gtk_widget_activate (row);
  run_cycles (fixture, 10);
  int seen = 0;
  GtkWidget *label;
  for (int i = 0; (label = find_nth (row, GTK_TYPE_LABEL, i)) != NULL; i++) {
    PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (label));
    if (!gtk_widget_get_mapped (label)
        || g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)),
                      "Only the best, by a search")
               != 0)
      continue;
    g_assert_false (pango_layout_is_ellipsized (layout));
    seen++;
  }
  gtk_popover_popdown (GTK_POPOVER (find_widget (row, GTK_TYPE_POPOVER)));
  run_cycles (fixture, 10);
  g_assert_cmpint (seen, ==, 2);
}

// What was typed is not a task: a sentence, and what is there stays.
static void
test_mistakes (Fixture *fixture, const void *data)
{
  GtkWindow *window = open_sweep (fixture, CLEAN, FILTERS);
  GtkWidget *root = GTK_WIDGET (window);
  start (window);
  g_assert_true (has_label (root, "Switch on at least one parameter"));
  vary (window, "Threshold", "0", "many", "0.02");
  start (window);
  g_assert_true (has_label (root, "Threshold: write three numbers"));
  vary (window, "Threshold", "0.2", "0", "0.02");
  start (window);
  g_assert_true (has_label (root, "a range goes upwards"));
  // Sums are numbers, too; the number of values follows, and is followed.
  vary (window, "Threshold", "0", "25/250", "0.02");
  GtkWidget *row = row_of (root, "Threshold");
  g_assert_cmpstr (
      gtk_editable_get_text (GTK_EDITABLE (row_of (row, "Number of values"))), ==, "6");
  type_into (row, "Number of values", "3");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row_of (row, "Step"))), ==,
                   "0.05");
  // What the window calls it, not what the command line does.
  vary (window, "Levels", "1", "99", "1");
  start (window);
  g_assert_true (has_label (root, "Levels: “17” for “levels” is outside"));
  g_assert_false (has_label (root, "--vary"));
  vary (window, "Levels", "1", "2", "1");
  choose_row (window, "Noise that is added", 4);
  start (window);
  g_assert_true (has_label (root, "There is nothing to measure by."));
  choose_row (window, "The best by", ODL_SCORE_CNR);
  start (window);
  g_assert_true (has_label (root, "CNR is of two regions."));
  g_assert_cmpuint (n_rows (window), ==, 0);
}

static void
draw (Fixture *fixture, const char *numbers)
{
  OdlAnnotation annotation;
  g_assert_true (
      odl_annotation_from_text (&odl_annotation_ellipse, numbers, &annotation));
  annotation.id = 0;
  annotation.frame = odl_session_frame (fixture->session)->index;
  odl_session_annotate (fixture->session, &annotation);
  settle (fixture);
}

// Two regions say which result is the best, without a clean picture.
static void
test_regions (Fixture *fixture, const void *data)
{
  g_autofree char *path = path_in (fixture, "ours.csv");
  g_autofree char *table = NULL;
  GtkWindow *window = open_sweep (fixture, "phantom:128x96", FILTERS);
  draw (fixture, "52,60,24,8");
  draw (fixture, "90,46,13,7");
  vary (window, "Threshold", "0", "0.2", "0.05");
  choose_row (window, "Noise that is added", 4);
  choose_row (window, "The best by", ODL_SCORE_GCNR);
  start (window);
  wait_until (fixture, has_ended, window);
  g_assert_cmpuint (n_rows (window), ==, 5);
  g_assert_true (has_label (GTK_WIDGET (window), ": gCNR "));
  g_assert_true (odl_sweep_window_save (window, path));
  g_assert_true (g_file_get_contents (path, &table, NULL, NULL));
  g_test_message ("%s", table);
  g_assert_nonnull (strstr (table, ",none,,\"52,60,24,8\",\"90,46,13,7\",0.05,"));
}

static GtkWidget *
last_row_of (GtkWidget *root, const char *title)
{
  GtkWidget *last = NULL, *row;
  for (int i = 0; (row = find_nth (root, ADW_TYPE_EXPANDER_ROW, i)) != NULL; i++)
    if (has_title (row, title))
      last = row;
  return last;
}

// Of all pictures of the folder the mean, and of the second filter of that name.
static void
test_folder (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_png (fixture, "a1.png", 64, 48, false);
  g_autofree char *second = write_png (fixture, "a2.png", 80, 60, false);
  g_autofree char *path = path_in (fixture, "ours.csv");
  g_autofree char *table = NULL;
  g_autofree char *input = g_strdup_printf ("\n2,sequence:%s,1-2,", fixture->folder);
  GtkWindow *window
      = open_sweep (fixture, first, "gaussian:sigma=0.3 median gaussian:sigma=0.4");
  GtkWidget *row = last_row_of (GTK_WIDGET (window), "Standard deviation");
  adw_expander_row_set_enable_expansion (ADW_EXPANDER_ROW (row), TRUE);
  type_into (row, "To", "1");
  type_into (row, "Step", "0.5");
  choose_row (window, "Filtered are", 1);
  start (window);
  wait_until (fixture, has_ended, window);
  g_assert_cmpuint (n_rows (window), ==, 3);
  g_assert_true (odl_sweep_window_save (window, path));
  g_assert_true (g_file_get_contents (path, &table, NULL, NULL));
  g_test_message ("%s", table);
  g_assert_nonnull (strstr (table, "gaussian:2.sigma"));
  g_assert_nonnull (strstr (table, input));
  // What is swept are the filters that were there; another chain gives way as a whole.
  set_filters (fixture, "median");
  GtkWidget *view = find_widget (GTK_WIDGET (window), GTK_TYPE_COLUMN_VIEW);
  g_signal_emit_by_name (view, "activate", 0);
  settle (fixture);
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 3);
  g_assert_cmpfloat (odl_recipe_get (recipe_of (fixture), 0, "sigma", 0), ==, 0.3);
  activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 1);
  // Who hides names leaves them in no table.
  activate (fixture, "mask-names", NULL);
  g_autofree char *other = path_in (fixture, "hidden.csv");
  g_assert_false (odl_sweep_window_save (window, other));
  g_assert_true (has_label (GTK_WIDGET (window), "Names are hidden"));
  g_assert_false (g_file_test (other, G_FILE_TEST_EXISTS));
  activate (fixture, "mask-names", NULL);
  g_assert_true (odl_sweep_window_save (window, other));
  // A table is never written over a picture that is shown.
  g_assert_false (odl_sweep_window_save (window, first));
}

// ---- the plot ------------------------------------------------------------------------

static OdlSweepPlot *
show_plot (Fixture *fixture, GtkWindow *window)
{
  GtkWidget *stack = find_widget (GTK_WIDGET (window), GTK_TYPE_STACK);
  gtk_stack_set_visible_child_name (GTK_STACK (stack), "plot");
  run_cycles (fixture, 3);
  return ODL_SWEEP_PLOT (find_widget (GTK_WIDGET (window), ODL_TYPE_SWEEP_PLOT));
}

static void
press (OdlSweepPlot *plot, guint key)
{
  GtkEventController *keys
      = controller_of (GTK_WIDGET (plot), GTK_TYPE_EVENT_CONTROLLER_KEY);
  gboolean taken = FALSE;
  g_signal_emit_by_name (keys, "key-pressed", key, 0, 0, &taken);
  g_assert_true (taken);
}

static void
marked_cb (OdlSweepPlot *plot, const OdlSweepRow *row, const OdlSweepRow **marked)
{
  *marked = row;
}

static void
test_curve (Fixture *fixture, const void *data)
{
  GtkWindow *window = open_sweep (fixture, CLEAN, FILTERS);
  const OdlSweepRow *marked = NULL;
  double x, y;
  sweep_thresholds (fixture, window, "0.2");
  OdlSweepPlot *plot = show_plot (fixture, window);
  g_signal_connect (plot, "marked", G_CALLBACK (marked_cb), &marked);
  // From the best to the right, and there Enter.
  press (plot, GDK_KEY_Right);
  g_assert_nonnull (marked);
  press (plot, GDK_KEY_Return);
  settle (fixture);
  const double right = threshold_of (fixture);
  g_assert_cmpfloat (right, ==, 0.02 * marked->indices[0]);
  press (plot, GDK_KEY_Left);
  press (plot, GDK_KEY_Left);
  g_assert_true (odl_sweep_plot_place (plot, marked, &x, &y));
  // A click a little beside a point tries it, and a second one applies it.
  press (plot, GDK_KEY_Right);
  g_signal_emit_by_name (controller_of (GTK_WIDGET (plot), GTK_TYPE_GESTURE_CLICK),
                         "released", 1, x + 2, y + 9);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (threshold_of (fixture), right - 0.04, 1e-12);
  g_signal_emit_by_name (controller_of (GTK_WIDGET (plot), GTK_TYPE_GESTURE_CLICK),
                         "released", 2, x + 2, y + 9);
  gtk_window_close (window);
  run_cycles (fixture, 3);
  g_assert_cmpfloat_with_epsilon (threshold_of (fixture), right - 0.04, 1e-12);
}

static void
test_pointer (Fixture *fixture, const void *data)
{
  GtkWindow *window = open_sweep (fixture, CLEAN, FILTERS);
  double x, y;
  const OdlSweepRow *marked = NULL;
  sweep_thresholds (fixture, window, "0.2");
  OdlSweepPlot *plot = show_plot (fixture, window);
  g_signal_connect (plot, "marked", G_CALLBACK (marked_cb), &marked);
  press (plot, GDK_KEY_Left);
  press (plot, GDK_KEY_Right);
  g_assert_true (odl_sweep_plot_place (plot, marked, &x, &y));
  // The pointer says what is there, and changes nothing.
  const double before = threshold_of (fixture);
  GtkEventController *motion
      = controller_of (GTK_WIDGET (plot), GTK_TYPE_EVENT_CONTROLLER_MOTION);
  g_signal_emit_by_name (motion, "motion", 1.0, y);
  settle (fixture);
  g_assert_cmpfloat (threshold_of (fixture), ==, before);
  g_assert_true (has_label (GTK_WIDGET (window), "Threshold 0: PSNR"));
  g_signal_emit_by_name (motion, "leave");
  g_assert_false (has_label (GTK_WIDGET (window), "Threshold 0: PSNR"));
  // The sheet has the same row.
  const GtkBitset *selected = gtk_selection_model_get_selection (rows_of (window));
  g_assert_cmpuint (gtk_bitset_get_size (selected), ==, 1);
}

// A curve for each filter, over its own range; arrow keys go from one to the other.
static void
test_curves_of_filters (Fixture *fixture, const void *data)
{
  GtkWindow *window = open_sweep (fixture, CLEAN, FILTERS);
  const OdlSweepRow *marked = NULL;
  double x[2], y;
  choose_filter (fixture, window, "Bivariate shrinkage");
  vary (window, "Threshold", "0", "0.2", "0.1");
  vary_other (window, "Bivariate shrinkage", "0.08", "0.02");
  start (window);
  wait_until (fixture, has_ended, window);
  OdlSweepPlot *plot = show_plot (fixture, window);
  g_signal_connect (plot, "marked", G_CALLBACK (marked_cb), &marked);
  for (int i = 0; i < 12; i++)
    press (plot, i < 4 ? GDK_KEY_Left : i < 8 ? GDK_KEY_Up : GDK_KEY_Right);
  g_assert_cmpuint (marked->indices[0], ==, 1);
  g_assert_cmpuint (marked->indices[2], ==, 3);
  g_assert_true (odl_sweep_plot_place (plot, marked, &x[0], &y));
  press (plot, GDK_KEY_Down);
  g_assert_cmpuint (marked->indices[0], ==, 0);
  for (int i = 0; i < 4; i++)
    press (plot, GDK_KEY_Right);
  g_assert_cmpuint (marked->indices[1], ==, 2);
  g_assert_true (odl_sweep_plot_place (plot, marked, &x[1], &y));
  press (plot, GDK_KEY_Return);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (threshold_of (fixture), 0.2, 1e-12);
  g_assert_cmpfloat_with_epsilon (x[0], x[1], 1e-6); // both at the end of their range
}

static void
test_map (Fixture *fixture, const void *data)
{
  GtkWindow *window = open_sweep (fixture, CLEAN, FILTERS);
  const OdlSweepRow *marked = NULL;
  GtkWidget *wavelets = row_of (GTK_WIDGET (window), "Wavelet");
  adw_expander_row_set_enable_expansion (ADW_EXPANDER_ROW (wavelets), TRUE);
  type_into (wavelets, "Words, separated by commas", "haar, cdf97, sym8");
  vary (window, "Levels", "1", "4", "1");
  start (window);
  wait_until (fixture, has_ended, window);
  g_assert_cmpuint (n_rows (window), ==, 12);
  OdlSweepPlot *plot = show_plot (fixture, window);
  g_signal_connect (plot, "marked", G_CALLBACK (marked_cb), &marked);
  for (int i = 0; i < 4; i++)
    press (plot, i % 2 ? GDK_KEY_Up : GDK_KEY_Right);
  for (int i = 0; i < 8; i++)
    press (plot, i % 2 ? GDK_KEY_Down : GDK_KEY_Left);
  g_assert_cmpuint (marked->indices[0] + marked->indices[1], ==, 0);
  press (plot, GDK_KEY_Up);
  press (plot, GDK_KEY_Right);
  g_assert_cmpuint (marked->indices[0], ==, 1);
  g_assert_cmpuint (marked->indices[1], ==, 1);
  press (plot, GDK_KEY_space);
  settle (fixture);
  g_autofree char *words = odl_recipe_to_text (recipe_of (fixture), " ");
  g_test_message ("%s", words);
  g_assert_nonnull (strstr (words, "levels=2"));
  g_assert_nonnull (strstr (words, "wavelet=cdf97"));
}

// ---- searching and giving up ---------------------------------------------------------

static void
test_search (Fixture *fixture, const void *data)
{
  GtkWindow *window = open_sweep (fixture, CLEAN, FILTERS);
  vary (window, "Threshold", "0", "0.2", "0.001");
  choose_row (window, "Computed are", 1);
  start (window);
  wait_until (fixture, has_ended, window);
  g_assert_cmpuint (n_rows (window), >, 5);
  g_assert_cmpuint (n_rows (window), <, 60);
  GtkWidget *view = find_widget (GTK_WIDGET (window), GTK_TYPE_COLUMN_VIEW);
  g_signal_emit_by_name (view, "activate", 0);
  settle (fixture);
  g_assert_cmpfloat (threshold_of (fixture), >, 0.01);
}

static bool
has_some (Fixture *fixture, const void *window)
{
  return n_rows ((GtkWindow *) window) > 0;
}

static gboolean
escape (GtkWindow *window)
{
  gboolean taken = FALSE;
  g_signal_emit_by_name (
      controller_of (GTK_WIDGET (window), GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed",
      GDK_KEY_Escape, 0, 0, &taken);
  return taken;
}

static void
test_cancel (Fixture *fixture, const void *data)
{
  GtkWindow *window = open_sweep (fixture, CLEAN, LONG);
  vary (window, "Strength", "0.01", "0.5", "0.0001");
  start (window);
  wait_until (fixture, has_some, window);
  g_assert_true (escape (window));
  wait_until (fixture, has_ended, window);
  g_assert_true (has_label (GTK_WIDGET (window), "Stopped."));
  g_assert_cmpuint (n_rows (window), <, 4000);
  // Then it is the window's.
  g_assert_false (escape (window));
  // What was found before stays, and one that is closed ends what it does.
  start (window);
  run_cycles (fixture, 2);
  gtk_window_destroy (window);
  run_cycles (fixture, 2);
}

// ---- by keys alone -------------------------------------------------------------------

static bool
has_focus_in (Fixture *fixture, const void *row)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root ((GtkWidget *) row));
  return focus && (focus == row || gtk_widget_is_ancestor (focus, (GtkWidget *) row));
}

static bool
is_enabled (Fixture *fixture, const void *row)
{
  return adw_expander_row_get_enable_expansion ((AdwExpanderRow *) row);
}

static bool
has_results (Fixture *fixture, const void *window)
{
  return has_some (fixture, window) && has_ended (fixture, window);
}

static bool
is_another (Fixture *fixture, const void *threshold)
{
  return threshold_of (fixture) != *(const double *) threshold;
}

// The page whose text has the heading of the topic.
static bool
shows_help_of_sweeps (Fixture *fixture, const void *data)
{
  GListModel *windows = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
    GtkWidget *text = find_widget (window, GTK_TYPE_TEXT_VIEW);
    if (!text)
      continue;
    GtkTextIter from, to;
    GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (text));
    gtk_text_buffer_get_bounds (buffer, &from, &to);
    g_autofree char *words = gtk_text_buffer_get_text (buffer, &from, &to, FALSE);
    if (strstr (words, "Sweep, tune and optimise"))
      return true;
  }
  return false;
}

// The best one, which stands first.
static bool
has_focus_on_first (Fixture *fixture, const void *view)
{
  GtkWidget *list = gtk_widget_get_first_child ((GtkWidget *) view);
  while (list && !GTK_IS_LIST_VIEW (list))
    list = gtk_widget_get_next_sibling (list);
  return gtk_widget_get_first_child (list)
         == gtk_root_get_focus (gtk_widget_get_root (list));
}

static void
go_into (Fixture *fixture, GtkWidget *row)
{
  for (int i = 0; i < 60 && !has_focus_in (fixture, row); i++) {
    press_key ("Tab");
    run_cycles (fixture, 3);
  }
  wait_until (fixture, has_focus_in, row);
}

static void
test_keys (Fixture *fixture, const void *data)
{
  const double before = 0.01;
  odl_session_set_engine (fixture->session, "cpu");
  odl_units_set (fixture->session, ODL_UNIT_SHARE);
  open_and_wait (fixture, CLEAN);
  set_filters (fixture, FILTERS);
  focus_window (fixture, GTK_WINDOW (fixture->window));
  press_key ("ctrl+t");
  run_cycles (fixture, 5);
  GtkWindow *window = odl_sweep_window_present (fixture->window);
  focus_window (fixture, window);
  GtkWidget *row = row_of (GTK_WIDGET (window), "Threshold");
  go_into (fixture, find_widget (row, GTK_TYPE_SWITCH));
  press_key ("space");
  wait_until (fixture, is_enabled, row);
  go_into (fixture, row_of (row, "To"));
  press_key ("Return");
  wait_until (fixture, has_results, window);
  GtkWidget *view = find_widget (GTK_WIDGET (window), GTK_TYPE_COLUMN_VIEW);
  wait_until (fixture, has_focus_in, view);
  wait_until (fixture, has_focus_on_first, view);
  press_key ("Return"); // the best
  wait_until (fixture, is_another, &before);
  const double best = threshold_of (fixture);
  g_assert_cmpfloat (best, ==, 0.02);
  press_key ("Down");
  run_cycles (fixture, 3);
  press_key ("Return"); // the second best
  wait_until (fixture, is_another, &best);
  press_key ("F1");
  wait_until (fixture, shows_help_of_sweeps, NULL);
  focus_window (fixture, window);
  press_key ("Escape");
  run_cycles (fixture, 3);
  focus_window (fixture, GTK_WINDOW (fixture->window));
  press_key ("ctrl+z");
  const double second = threshold_of (fixture);
  wait_until (fixture, is_another, &second);
  g_assert_cmpfloat (threshold_of (fixture), ==, best);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/sweep/the-best-of-the-sheet-goes-into-the-filters", test_sheet);
  ADD ("/sweep/the-end-of-a-range-is-told", test_warning);
  ADD ("/sweep/words-of-drop-downs-are-whole", test_words);
  ADD ("/sweep/mistakes-are-told", test_mistakes);
  ADD ("/sweep/one-click-tries-and-apply-keeps", test_trying);
  ADD ("/sweep/what-was-changed-meanwhile-stays", test_tried_and_changed);
  ADD ("/sweep/numbers-have-the-unit-of-cards", test_units);
  ADD ("/sweep/other-filters-are-compared", test_filters);
  ADD ("/sweep/filters-have-a-curve-each", test_curves_of_filters);
  ADD ("/sweep/the-pointer-shows-and-changes-nothing", test_pointer);
  ADD ("/sweep/regions-say-what-is-best", test_regions);
  ADD ("/sweep/a-folder-is-swept-together", test_folder);
  ADD ("/sweep/a-point-of-the-curve-goes-into-the-filters", test_curve);
  ADD ("/sweep/a-map-has-two-parameters", test_map);
  ADD ("/sweep/a-search-tries-few", test_search);
  ADD ("/sweep/escape-gives-up", test_cancel);
  ADD ("/sweep/keys-alone-do", test_keys);
  return g_test_run ();
}
