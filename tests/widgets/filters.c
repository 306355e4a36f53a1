// SPDX-License-Identifier: MIT
// Filters chosen by hand in the panel of the real window.
#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "support/chooser.h"

#include "filter/measure.h"
#include "filter/own/words.h"
#include "widgets/panels/add_menu.h"
#include "widgets/panels/filter_card.h"
#include "widgets/panels/history_list.h"
#include "widgets/panels/parameters/parameter_row.h"
#include "widgets/windows/preferences_window.h"
#include "widgets/window/parts.h"

// Small enough to lie in the middle of the canvas, away from the badge; odd on purpose.
#define WIDTH 211
#define HEIGHT 157

static GtkWidget *
row_of (Fixture *fixture, int index)
{
  GtkWidget *card
      = odl_filter_panel_card (odl_main_window_parts (fixture->window)->filter_panel, 0);
  GtkWidget *list = gtk_widget_get_first_child (card);
  GtkWidget *row = gtk_widget_get_first_child (list);
  for (int i = 0; row && i < index; i++)
    row = gtk_widget_get_next_sibling (row);
  g_assert_nonnull (row);
  return row;
}

static void
choose_filter (Fixture *fixture, const char *name)
{
  choose (row_of (fixture, 0), _ (odl_filter_find (name)->label));
  settle (fixture);
}

// Of parameters; curves and histograms are plain rows.
static int
count_rows (Fixture *fixture)
{
  int n = 0;
  GtkWidget *row = row_of (fixture, 0); // which chooses the filter
  while ((row = gtk_widget_get_next_sibling (row)))
    n += gtk_widget_get_visible (row) && G_OBJECT_TYPE (row) != GTK_TYPE_LIST_BOX_ROW;
  return n;
}

static bool
is_combo (GtkWidget *widget, const void *title)
{
  return ADW_IS_COMBO_ROW (widget)
         && g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)),
                         title);
}

static void
test_wavelet_by_hand (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  GtkWindow *preferences = odl_preferences_window_present (fixture->window);
  AdwComboRow *border
      = ADW_COMBO_ROW (find_where (GTK_WIDGET (preferences), is_combo, "Border"));
  g_assert_false (gtk_widget_get_sensitive (GTK_WIDGET (border)));
  choose_filter (fixture, "soft-threshold");
  g_assert_true (gtk_widget_get_sensitive (GTK_WIDGET (border)));

  GtkWidget *chooser = find_widget (row_of (fixture, 1), GTK_TYPE_DROP_DOWN);
  for (size_t i = 0; i < odl_wavelet_count (); i++)
    if (g_str_equal (odl_wavelet_at (i)->name, "haar"))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (chooser), i);
  adw_combo_row_set_selected (border, ODL_BORDER_CHOICE_ZERO);
  settle (fixture);
  // The threshold is the one that was measured with the wavelet before.
  const double threshold
      = odl_recipe_get (odl_session_recipe (fixture->session), 0, "threshold", 0);
  g_autofree char *filter = g_strdup_printf (
      "soft-threshold:wavelet=haar,normalisation=orthonormal,threshold=%.6g", threshold);
  const char *const options[] = { "--filter", filter, "--border", "zero", NULL };
  g_autoptr (GdkPixbuf) expected = cli_process (fixture, path, options);
  assert_canvas_shows (fixture, expected);

  // A border that the wavelet cannot have is replaced, and the panel says so.
  adw_combo_row_set_selected (border, ODL_BORDER_CHOICE_SYMMETRIC);
  settle (fixture);
  g_assert_nonnull (strstr (odl_session_note (fixture->session), "periodic"));
  g_assert_true (has_label (GTK_WIDGET (preferences), "periodic"));
  activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpint (adw_combo_row_get_selected (border), ==, ODL_BORDER_CHOICE_ZERO);
  gtk_window_destroy (preferences);
}

static void
test_filter_by_hand (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  choose_filter (fixture, "soft-threshold");
  // Wavelet, levels, transform, normalisation, threshold, shifts.
  g_assert_cmpint (count_rows (fixture), ==, 6);
  const double measured
      = odl_recipe_get (odl_session_recipe (fixture->session), 0, "threshold", 0);
  g_assert_cmpfloat (measured, >=, 0);

  GtkWidget *entry = find_widget (row_of (fixture, 5), GTK_TYPE_SPIN_BUTTON);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry), 0.12);
  settle (fixture);
  static const char *const options[] = {
    "--filter",
    "soft-threshold:wavelet=cdf97,levels=3,normalisation=orthonormal,threshold=0.12", NULL
  };
  g_autoptr (GdkPixbuf) expected = cli_process (fixture, path, options);
  assert_canvas_shows (fixture, expected);

  // The slider beside it: its middle is a threshold that is not the same.
  GtkWidget *slider = find_widget (row_of (fixture, 5), GTK_TYPE_SCALE);
  gtk_range_set_value (GTK_RANGE (slider), 0.5);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (
      odl_recipe_get (odl_session_recipe (fixture->session), 0, "threshold", 0), 0.125,
      1e-9);
  g_assert_cmpfloat_with_epsilon (gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry)),
                                  0.125, 1e-9);

  // The two moves are one step or two: it depends on how long the command line took.
  activate_and_settle (fixture, "undo", NULL);
  bool one_step = ABS (gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry)) - 0.12) > 1e-9;
  if (!one_step)
    activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpfloat_with_epsilon (gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry)),
                                  measured, 1e-9);
  activate_and_settle (fixture, "undo", NULL);
  g_assert_true (odl_recipe_is_identity (odl_session_recipe (fixture->session)));
  for (int i = 0; i < (one_step ? 2 : 3); i++)
    activate_and_settle (fixture, "redo", NULL);
  g_assert_cmpfloat_with_epsilon (
      odl_recipe_get (odl_session_recipe (fixture->session), 0, "threshold", 0), 0.125,
      1e-9);

  GtkWidget *transform = find_widget (row_of (fixture, 3), GTK_TYPE_DROP_DOWN);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (transform), ODL_TRANSFORM_STATIONARY);
  settle (fixture);
  static const char *const stationary[]
      = { "--filter",
          "soft-threshold:transform=stationary,normalisation=orthonormal,threshold=0.125",
          NULL };
  g_autoptr (GdkPixbuf) other = cli_process (fixture, path, stationary);
  assert_canvas_shows (fixture, other);
}

static double
levels_of (Fixture *fixture)
{
  return odl_recipe_get (odl_session_recipe (fixture->session), 0, "levels", 0);
}

// A filter has its own number of levels, until somebody says another one.
static void
test_levels_that_were_changed_stay (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  choose_filter (fixture, "shrinkage");
  const double own = levels_of (fixture);
  choose_filter (fixture, "bivariate");
  g_assert_cmpfloat (levels_of (fixture), >, own);
  OdlRecipe changed = *odl_session_recipe (fixture->session);
  odl_recipe_set (&changed, 0, "levels", 0, 2);
  odl_session_set_recipe (fixture->session, &changed, NULL);
  settle (fixture);
  choose_filter (fixture, "shrinkage");
  g_assert_cmpfloat (levels_of (fixture), ==, 2);
}

static void
test_rows_follow_levels (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  choose_filter (fixture, "shrinkage");
  // Wavelet, levels, transform, normalisation, rule, shifts; levels.
  g_assert_cmpint (count_rows (fixture), ==, 6 + 3);
  GtkWidget *levels = find_widget (row_of (fixture, 2), GTK_TYPE_SPIN_BUTTON);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (levels), 5);
  settle (fixture);
  g_assert_cmpint (count_rows (fixture), ==, 6 + 5);
}

static bool
has_focus (Fixture *fixture, GtkWidget *widget)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  return focus && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

// By keys alone: rows that come or go take nobody's focus, and a filter that was chosen
// is not switched off by the next Space.
static void
test_focus_stays (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  gtk_widget_grab_focus (find_widget (row_of (fixture, 0), GTK_TYPE_DROP_DOWN));
  choose_filter (fixture, "shrinkage");
  g_assert_true (
      has_focus (fixture, find_widget (row_of (fixture, 0), GTK_TYPE_DROP_DOWN)));
  gtk_widget_grab_focus (find_widget (row_of (fixture, 2), GTK_TYPE_SPIN_BUTTON));
  for (int levels = 4; levels <= 5; levels++) {
    GtkWidget *entry = find_widget (row_of (fixture, 2), GTK_TYPE_SPIN_BUTTON);
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry), levels);
    settle (fixture);
    g_assert_cmpint (count_rows (fixture), ==, 6 + levels);
    g_assert_true (
        has_focus (fixture, find_widget (row_of (fixture, 2), GTK_TYPE_SPIN_BUTTON)));
  }
}

static GtkToggleButton *
toggle_of (GtkWidget *row, const char *icon)
{
  GtkWidget *box = gtk_widget_get_parent (find_widget (row, GTK_TYPE_SCALE));
  for (GtkWidget *child = gtk_widget_get_first_child (box); child;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_TOGGLE_BUTTON (child)
        && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (child)), icon) == 0)
      return GTK_TOGGLE_BUTTON (child);
  g_assert_not_reached ();
}

static void
type_value (Fixture *fixture, int row, double value)
{
  gtk_spin_button_set_value (
      GTK_SPIN_BUTTON (find_widget (row_of (fixture, row), GTK_TYPE_SPIN_BUTTON)), value);
  settle (fixture);
}

static void
assert_thresholds (Fixture *fixture, double hl, double lh, double hh)
{
  const double wanted[ODL_DETAIL_BANDS] = { hl, lh, hh };
  for (int b = 0; b < ODL_DETAIL_BANDS; b++)
    g_assert_cmpfloat_with_epsilon (
        odl_recipe_get (odl_session_recipe (fixture->session), 0, "thresholds", b),
        wanted[b], 1e-6);
}

static void
test_bands (Fixture *fixture, const void *data)
{
  // Rows of the finest level, after the curve over all levels.
  enum { LEVEL = 7, HL, LH, HH };
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  choose_filter (fixture, "shrinkage");
  type_value (fixture, LEVEL, 0.2);
  assert_thresholds (fixture, 0.2, 0.2, 0.2);
  GtkToggleButton *more = toggle_of (row_of (fixture, LEVEL), "view-more-symbolic");
  GtkToggleButton *link = toggle_of (row_of (fixture, LEVEL), "insert-link-symbolic");
  gtk_toggle_button_set_active (more, TRUE);
  g_assert_cmpint (count_rows (fixture), ==, 6 + 3 + ODL_DETAIL_BANDS);
  type_value (fixture, LH, 0.4); // linked
  assert_thresholds (fixture, 0.4, 0.4, 0.4);
  gtk_toggle_button_set_active (link, FALSE);
  type_value (fixture, LH, 0.2);
  type_value (fixture, HH, 0.1);
  assert_thresholds (fixture, 0.4, 0.2, 0.1);
  type_value (fixture, LEVEL, 0); // the ratios stay
  assert_thresholds (fixture, 0, 0, 0);
  type_value (fixture, LEVEL, 0.8);
  assert_thresholds (fixture, 0.8, 0.4, 0.2);
  gtk_toggle_button_set_active (link, TRUE);
  settle (fixture);
  assert_thresholds (fixture, 0.8, 0.8, 0.8);
  activate_and_settle (fixture, "undo", NULL);
  assert_thresholds (fixture, 0.8, 0.4, 0.2);
  g_assert_false (gtk_toggle_button_get_active (link));
}

static void
assert_along_z (Fixture *fixture, double llh, double hlh, double lhh, double hhh)
{
  const double wanted[ODL_DEEP_BANDS] = { llh, hlh, lhh, hhh };
  for (int b = 0; b < ODL_DEEP_BANDS; b++)
    g_assert_cmpfloat_with_epsilon (
        odl_recipe_get (odl_session_recipe (fixture->session), 0, "z-thresholds", b),
        wanted[b], 1e-6);
}

// Those that are high along z follow the bands of slices until they have their own.
static void
test_deep_bands (Fixture *fixture, const void *data)
{
  enum { DIMENSIONS = 9, LEVEL, LLH, HLH, LHH, HHH }; // rows, of one level
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe;
  open_and_wait (fixture, "phantom:32x32x16");
  choose_filter (fixture, "shrinkage");
  odl_recipe_init (&recipe);
  odl_recipe_parse (&recipe, "shrinkage:levels=1,thresholds=0.3", &error);
  g_assert_no_error (error);
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  settle (fixture);
  g_assert_false (gtk_widget_get_visible (row_of (fixture, LEVEL)));
  odl_recipe_set (&recipe, 0, "dimensions", 0, 1);
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  settle (fixture);
  g_assert_true (gtk_widget_get_visible (row_of (fixture, LEVEL)));
  g_assert_false (gtk_widget_get_visible (row_of (fixture, LLH)));
  GtkToggleButton *linked = toggle_of (row_of (fixture, LEVEL), "view-paged-symbolic");
  GtkToggleButton *link = toggle_of (row_of (fixture, LEVEL), "insert-link-symbolic");
  g_assert_true (gtk_toggle_button_get_active (linked));
  gtk_toggle_button_set_active (linked, FALSE); // from where it was
  settle (fixture);
  assert_along_z (fixture, 0.3, 0.3, 0.3, 0.3);
  gtk_toggle_button_set_active (toggle_of (row_of (fixture, LEVEL), "view-more-symbolic"),
                                TRUE);
  g_assert_true (gtk_widget_get_visible (row_of (fixture, HHH)));
  gtk_toggle_button_set_active (link, FALSE);
  type_value (fixture, LLH, 0.2);
  type_value (fixture, HHH, 0.1);
  assert_along_z (fixture, 0.2, 0.3, 0.3, 0.1);
  assert_thresholds (fixture, 0.3, 0.3, 0.3);
  gtk_toggle_button_set_active (linked, TRUE);
  settle (fixture);
  assert_along_z (fixture, ODL_VALUE_AUTO, ODL_VALUE_AUTO, ODL_VALUE_AUTO,
                  ODL_VALUE_AUTO);
  g_assert_true (gtk_widget_get_visible (row_of (fixture, HHH))); // folds when told to
}

static bool
has_text (Fixture *fixture, const void *text)
{
  return has_label (GTK_WIDGET (fixture->window), text);
}

// What is measured is shown, and a number in its place is taken.
static void
test_measured (Fixture *fixture, const void *data)
{
  enum { SIGMA = 4 }; // row
  open_and_wait (fixture, "phantom:128x128");
  choose_filter (fixture, "gaussian"); // whose sigma is another
  choose_filter (fixture, "bayes-shrink");
  wait_until (fixture, has_text, "Noise in this frame: σ = 0.");
  GtkToggleButton *automatic
      = toggle_of (row_of (fixture, SIGMA), "view-refresh-symbolic");
  g_assert_true (gtk_toggle_button_get_active (automatic));
  gtk_toggle_button_set_active (automatic, FALSE);
  type_value (fixture, SIGMA, 0.25);
  const OdlRecipe *recipe = odl_session_recipe (fixture->session);
  g_assert_cmpfloat (odl_recipe_get (recipe, 0, "sigma", 0), ==, 0.25);
  gtk_toggle_button_set_active (automatic, TRUE);
  settle (fixture);
  g_assert_cmpfloat (odl_recipe_get (recipe, 0, "sigma", 0), ==, ODL_VALUE_AUTO);
}

// A picture of two values.
static char *
write_two_values (Fixture *fixture, int left, int right)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, 64, 64);
  g_autoptr (GdkPixbuf) half = gdk_pixbuf_new_subpixbuf (pixbuf, 32, 0, 32, 64);
  char *path = g_build_filename (fixture->folder, "halves.png", NULL);
  g_autoptr (GError) error = NULL;
  gdk_pixbuf_fill (pixbuf, (guint32) left * 0x01010100u);
  gdk_pixbuf_fill (half, (guint32) right * 0x01010100u);
  gdk_pixbuf_save (pixbuf, path, "png", &error, NULL);
  g_assert_no_error (error);
  return path;
}

// A picture without noise says so, in the place of a number that nobody can read.
static void
test_no_noise (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_two_values (fixture, 40, 40);
  open_and_wait (fixture, path);
  choose_filter (fixture, "bayes-shrink");
  wait_until (fixture, has_text, "No noise in this frame: σ is below 0.000001");
}

// The threshold and its histogram are shown, and follow what is changed.
static void
test_trough (Fixture *fixture, const void *data)
{
  enum { SHARE = 2, SMOOTHING, SIDE, THRESHOLD, DIMENSIONS, MEASURED }; // rows
  g_autofree char *path = write_two_values (fixture, 40, 200);
  open_and_wait (fixture, path);
  choose_filter (fixture, "trough-threshold");
  // In the middle between both peaks, and of two middles nearer to the side that is kept.
  wait_until (fixture, has_text,
              "Threshold in this frame: 121; the peak beyond it holds 50 %");
  // Of X-rays whose 0 is white it becomes that, not black.
  g_assert_true (has_text (fixture, "what is faint is removed"));
  GtkWidget *histogram = find_widget (row_of (fixture, MEASURED), GTK_TYPE_DRAWING_AREA);
  g_assert_nonnull (histogram);
  g_assert_cmpint (gtk_widget_get_height (histogram), >, 0);
  GtkWidget *side = find_widget (row_of (fixture, SIDE), GTK_TYPE_DROP_DOWN);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (side), ODL_KEEP_LOW);
  wait_until (fixture, has_text,
              "Threshold in this frame: 120; the peak beyond it holds 50 %");
  type_value (fixture, SHARE, 0.9);
  wait_until (fixture, has_text, "No threshold in this frame");
}

static double
threshold_of (Fixture *fixture)
{
  return odl_recipe_get (odl_session_recipe (fixture->session), 0, "threshold", 0);
}

// Dragged, moved by keys, found again; a drag is one step of the history.
static void
test_threshold_by_hand (Fixture *fixture, const void *data)
{
  enum { MEASURED = 7 }; // row
  gboolean handled = FALSE;
  g_autofree char *path = write_two_values (fixture, 40, 200);
  open_and_wait (fixture, path);
  choose_filter (fixture, "trough-threshold");
  wait_until (fixture, has_text, "Threshold in this frame: 121");
  GtkWidget *histogram = find_widget (row_of (fixture, MEASURED), GTK_TYPE_DRAWING_AREA);
  GtkEventController *drag = controller_of (histogram, GTK_TYPE_GESTURE_DRAG);
  GtkEventController *keys = controller_of (histogram, GTK_TYPE_EVENT_CONTROLLER_KEY);
  // Bins from 40 to 200 are drawn.
  const double width = gtk_widget_get_width (histogram);
  g_signal_emit_by_name (drag, "drag-begin", 0.25 * width, 5.0);
  g_signal_emit_by_name (drag, "drag-update", 0.25 * width, 0.0);
  wait_until (fixture, has_text, "Threshold set by hand: 12");
  const double dragged = threshold_of (fixture);
  g_assert_cmpfloat_with_epsilon (dragged, (40 + 0.5 * 161) / 255, 1.01 / 255);
  activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpfloat (threshold_of (fixture), ==, ODL_VALUE_AUTO);
  activate_and_settle (fixture, "redo", NULL);
  g_assert_cmpfloat (threshold_of (fixture), ==, dragged);
  wait_until (fixture, has_text, "Threshold set by hand: 12");
  g_signal_emit_by_name (keys, "key-pressed", GDK_KEY_Page_Up, 0, 0, &handled);
  g_assert_true (handled);
  wait_until (fixture, has_text, "Threshold set by hand: 13");
  g_assert_cmpfloat_with_epsilon (threshold_of (fixture), dragged + 10.0 / 255, 1e-6);
  g_signal_emit_by_name (keys, "key-pressed", GDK_KEY_Delete, 0, 0, &handled);
  wait_until (fixture, has_text, "Threshold in this frame: 121");
  g_assert_cmpfloat (threshold_of (fixture), ==, ODL_VALUE_AUTO);
}

// The wheel scrolls the panel, whatever control is under the pointer.
static void
test_wheel (Fixture *fixture, const void *data)
{
  open_and_wait (fixture, "phantom:128x128");
  choose_filter (fixture, "gaussian");
  int controls = 0;
  for (int row = 1; row <= count_rows (fixture); row++)
    for (int kind = 0; kind < 2; kind++) {
      GtkWidget *control = find_widget (
          row_of (fixture, row), kind == 0 ? GTK_TYPE_SCALE : GTK_TYPE_SPIN_BUTTON);
      g_autoptr (GListModel) all
          = control ? gtk_widget_observe_controllers (control) : NULL;
      for (guint i = 0; all && i < g_list_model_get_n_items (all); i++) {
        g_autoptr (GtkEventController) controller = g_list_model_get_item (all, i);
        g_assert_false (GTK_IS_EVENT_CONTROLLER_SCROLL (controller));
      }
      controls += control != NULL;
    }
  g_assert_cmpint (controls, ==, 2);
}

static void
test_chain (Fixture *fixture, const void *data)
{
  OdlFilterPanel *panel = odl_main_window_parts (fixture->window)->filter_panel;
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  choose_filter (fixture, "gaussian");
  gtk_widget_activate_action (GTK_WIDGET (panel), "panel.add-filter", "s", "sharpen");
  settle (fixture);
  const OdlRecipe *recipe = odl_session_recipe (fixture->session);
  g_assert_cmpint (recipe->n_items, ==, 2);
  g_assert_nonnull (odl_filter_panel_card (panel, 1));
  g_assert_null (odl_filter_panel_card (panel, 2));
  g_assert_cmpstr (recipe->items[1].filter->name, ==, "sharpen");
  // A step says what was done, and which filters there were then.
  GtkWidget *steps = odl_history_list_new (fixture->session);
  gtk_widget_set_parent (steps, GTK_WIDGET (panel));
  gtk_popover_popup (GTK_POPOVER (steps));
  run_cycles (fixture, 3);
  g_assert_true (has_label (steps, "2  Add Gaussian"));
  g_assert_true (has_label (steps, "3  Add Sharpen"));
  g_assert_true (has_label (steps, "Gaussian 1 + Sharpen 0.5"));
  let_pass (700); // GTK's tooltips look at a surface that they waited over
  gtk_widget_unparent (steps);
  activate_and_settle (fixture, "clear-recipe", NULL);
  g_assert_null (odl_filter_panel_card (panel, 1));
}

// Adds the filters of a menu and its submenus to `found`: how often each is there.
static void
count_filters (GMenuModel *menu, GHashTable *found)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autofree char *name = NULL;
    g_autoptr (GMenuModel) section
        = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
    g_autoptr (GMenuModel) below
        = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SUBMENU);
    if (section || below)
      count_filters (section ? section : below, found);
    else if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_TARGET, "s",
                                              &name))
      g_hash_table_insert (
          found, g_strdup (name),
          GINT_TO_POINTER (GPOINTER_TO_INT (g_hash_table_lookup (found, name)) + 1));
  }
}

static void
test_add_menu (Fixture *fixture, const void *data)
{
  g_autoptr (GMenu) menu = odl_add_menu_new ();
  g_autoptr (GHashTable) found
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  count_filters (G_MENU_MODEL (menu), found);
  for (size_t i = 0; i < odl_filter_count (); i++) {
    const OdlFilter *filter = odl_filter_at (i);
    g_test_message ("%s", filter->name);
    g_assert_cmpint (GPOINTER_TO_INT (g_hash_table_lookup (found, filter->name)), ==,
                     filter->kind != ODL_FILTER_PASS_THROUGH
                         && !odl_own_is_filter (filter)); // the window runs none
  }
  g_assert_cmpuint (g_hash_table_size (found), ==, odl_filter_count () - 3);
}

// Every filter of the table has a panel, made from its row.
static void
test_every_filter (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, true);
  open_and_wait (fixture, path);
  for (size_t i = 1; i < odl_filter_count (); i++) {
    const OdlFilter *filter = odl_filter_at (i);
    if (odl_own_is_filter (filter))
      continue;
    choose_filter (fixture, filter->name);
    g_test_message ("%s", filter->name);
    const OdlRecipeItem *item = &odl_session_recipe (fixture->session)->items[0];
    if (filter->kind == ODL_FILTER_DETAIL_CURVE) { // comes with its transform
      g_assert_true (item[1].filter == filter);
      set_filters (fixture, "median");
      continue;
    }
    g_assert_true (item->filter == filter);
    int n = 0; // what can be measured has rows once it was
    for (size_t k = 0; k < filter->n_parameters; k++)
      n += !filter->parameters[k].for_volumes && !filter->parameters[k].measurable
           && odl_recipe_item_uses (item, &filter->parameters[k]);
    g_assert_cmpint (count_rows (fixture), >=, n);
  }
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD_IN_SHARES ("/filters/a-filter-chosen-by-hand-is-the-command-lines",
                 test_filter_by_hand);
  ADD_IN_SHARES ("/filters/a-wavelet-and-a-border-chosen-by-hand-too",
                 test_wavelet_by_hand);
  ADD_IN_SHARES ("/filters/shrinkage-has-a-slider-for-every-level",
                 test_rows_follow_levels);
  ADD_IN_SHARES ("/filters/levels-that-were-changed-stay",
                 test_levels_that_were_changed_stay);
  ADD_IN_SHARES ("/filters/the-focus-stays-where-rows-come", test_focus_stays);
  ADD_IN_SHARES ("/filters/the-bands-of-a-level-are-linked-or-not", test_bands);
  ADD_IN_SHARES ("/filters/bands-along-z-follow-the-others-or-not", test_deep_bands);
  ADD_IN_SHARES ("/filters/what-a-frame-measures-is-shown", test_measured);
  ADD_IN_SHARES ("/filters/a-picture-without-noise-says-so", test_no_noise);
  ADD ("/filters/a-trough-is-shown-in-the-histogram", test_trough);
  ADD ("/filters/a-threshold-is-dragged-in-the-histogram", test_threshold_by_hand);
  ADD_IN_SHARES ("/filters/the-wheel-changes-no-number", test_wheel);
  ADD_IN_SHARES ("/filters/filters-form-a-chain", test_chain);
  ADD_IN_SHARES ("/filters/the-menu-has-each-once", test_add_menu);
  ADD_IN_SHARES ("/filters/every-filter-has-its-controls", test_every_filter);
  return g_test_run ();
}
