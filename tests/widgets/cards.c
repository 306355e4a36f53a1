// SPDX-License-Identifier: MIT
// What a filter's card does beside its numbers: duplicate, alone, reset, histograms of
// bands; and the list of steps.
#include <adwaita.h>
#include <math.h>

#include "support/support.h"

#include "session/band_meter.h"
#include "widgets/panels/parameters/at_row.h"
#include "widgets/lab/band_histograms.h"
#include "widgets/lab/rule_curve.h"
#include "widgets/panels/parameters/level_curve.h"
#include "widgets/panels/parameters/parameter_row.h"
#include "widgets/panels/overview_row.h"
#include "widgets/window/parts.h"

#include "../helpers/plans.h"

#define WIDTH 211
#define HEIGHT 157

static void
act (Fixture *fixture, int item, const char *action)
{
  g_assert_true (gtk_widget_activate_action (card_of (fixture, item), action, NULL));
  settle (fixture);
}

static void
begin (Fixture *fixture, const char *filters)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  set_filters (fixture, filters);
}

static bool
has_text_on_it (GtkWidget *widget, const void *text)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), text) == 0;
}

static void
press_solo (Fixture *fixture, int item)
{
  GtkWidget *solo = find_where (card_of (fixture, item), has_text_on_it, "Solo");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (solo),
                                !gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (solo)));
  settle (fixture);
}

static void
test_actions (Fixture *fixture, const void *data)
{
  begin (fixture, "gaussian:sigma=0.7 sharpen:amount=2 median");
  act (fixture, 1, "card.duplicate");
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 4);
  g_assert_cmpstr (recipe_of (fixture)->items[2].filter->name, ==, "sharpen");
  g_assert_cmpfloat (odl_recipe_get (recipe_of (fixture), 2, "amount", 0), ==, 2);
  g_assert_cmpstr (recipe_of (fixture)->items[3].filter->name, ==, "median");
  press_solo (fixture, 2);
  for (int i = 0; i < 4; i++)
    g_assert_cmpint (recipe_of (fixture)->items[i].bypassed, ==, i != 2);
  press_solo (fixture, 2);
  g_assert_false (recipe_of (fixture)->items[0].bypassed);
  act (fixture, 2, "card.reset");
  g_assert_cmpfloat (odl_recipe_get (recipe_of (fixture), 2, "amount", 0), ==, 0.5);
  g_assert_cmpfloat (odl_recipe_get (recipe_of (fixture), 1, "amount", 0), ==, 2);
  // No more than there is room for.
  while (recipe_of (fixture)->n_items < ODL_RECIPE_MAX_FILTERS)
    act (fixture, 0, "card.duplicate");
  act (fixture, 0, "card.duplicate");
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, ODL_RECIPE_MAX_FILTERS);
}

static void
test_steps (Fixture *fixture, const void *data)
{
  begin (fixture, "gaussian");
  const guint first = odl_session_history (fixture->session)->position;
  set_filters (fixture, "gaussian sharpen");
  set_filters (fixture, "gaussian sharpen median");
  odl_session_go_to_step (fixture->session, first);
  settle (fixture);
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 1);
  odl_session_go_to_step (fixture->session, first + 2);
  settle (fixture);
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 3);
  odl_session_go_to_step (fixture->session, 10000); // as far as it goes
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 3);
}

static GtkDropDown *
find_at (GtkWidget *widget)
{
  GtkDropDown *found = GTK_IS_LIST_BOX_ROW (widget) ? odl_at_row_choice (widget) : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child && !found;
       child = gtk_widget_get_next_sibling (child))
    found = find_at (child);
  return found;
}

static bool
is_metered (Fixture *fixture, const void *row)
{
  return odl_band_histograms_shown ((GtkWidget *) row, 0, ODL_BAND_HH).n > 0;
}

// The share of coefficients of a band up to a threshold, counted one by one in what
// `recipe` shows.
static double
count_share (Fixture *fixture,
             const char *recipe,
             OdlDetailBand band,
             double threshold,
             double *n)
{
  OdlImage *input = odl_session_frame (fixture->session)->input;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlPlan) plan = odl_test_plan (recipe, input);
  g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find ("reference"), &error);
  g_autoptr (OdlImage) picture = odl_engine_process (engine, plan, input, &error);
  const int w = (WIDTH + 1) / 2, h = (HEIGHT + 1) / 2;
  const int channels = odl_image_info (picture)->channels;
  double below = 0;
  g_assert_no_error (error);
  *n = 0;
  for (int i = 0; i < channels * HEIGHT; i++) {
    const int y = i / channels;
    float row[WIDTH];
    odl_image_scaled_row (picture, i % channels, y, 0, 0, row);
    for (int x = 0; x < WIDTH; x++) {
      const OdlDetailBand of = y < h ? ODL_BAND_HL : x < w ? ODL_BAND_LH : ODL_BAND_HH;
      if ((x < w && y < h) || of != band)
        continue;
      ++*n;
      below += fabs ((double) row[x]) <= threshold;
    }
  }
  return below / *n;
}

static void
test_histograms (Fixture *fixture, const void *data)
{
  begin (fixture, "shrinkage:levels=2,thresholds=0.02");
  GtkWidget *row = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  g_assert_nonnull (row);
  wait_until (fixture, is_metered, row);
  for (OdlDetailBand band = 0; band < ODL_DETAIL_BANDS; band++) {
    // Between bins shares are interpolated; here they are not.
    const double edge = exp2 (-4.0 - band);
    odl_band_histograms_drag (row, 0, band, edge);
    settle (fixture);
    const OdlBandShown shown = odl_band_histograms_shown (row, 0, band);
    double n;
    const double share
        = count_share (fixture, "shrinkage:levels=2,thresholds=0 view=analysis", band,
                       shown.threshold, &n);
    g_assert_cmpfloat (shown.n, ==, n);
    g_assert_cmpfloat_with_epsilon (shown.threshold, edge, 0.005 * edge);
    g_test_message ("%g: %g, counted %g", edge, shown.zeroed, share);
    g_assert_cmpfloat_with_epsilon (shown.zeroed, share, 0.02);
  }
  // One band moved, not the other level.
  g_assert_cmpfloat_with_epsilon (
      odl_recipe_get (recipe_of (fixture), 0, "thresholds", 3), 0.02, 1e-9);
  // What acts is drawn, and what is dragged is where it is dropped, at any strength.
  OdlRecipe strong = *recipe_of (fixture);
  strong.strength = 2;
  odl_session_set_recipe (fixture->session, &strong, NULL);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (
      odl_band_histograms_shown (row, 1, ODL_BAND_HL).threshold, 0.04, 1e-6);
  odl_band_histograms_drag (row, 1, ODL_BAND_HL, 0.0625);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (
      odl_band_histograms_shown (row, 1, ODL_BAND_HL).threshold, 0.0625, 1e-3);
}

// Those of the stationary transform, and inside one, after the filters before it.
static void
test_other_histograms (Fixture *fixture, const void *data)
{
  static const struct {
    const char *filters, *shown;
    int item;
  } cases[] = {
    { "shrinkage:levels=2,thresholds=0.02,transform=stationary",
      "shrinkage:levels=2,transform=stationary view=analysis", 0 },
    { "transform:levels=2 median shrinkage:thresholds=0.02,levels=5 sharpen inverse",
      "transform:levels=2 median view=filtered-analysis", 2 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    begin (fixture, cases[i].filters);
    GtkWidget *row = in_lab (fixture, "histograms", cases[i].item, ODL_BAND_HISTOGRAMS);
    wait_until (fixture, is_metered, row);
    for (OdlDetailBand band = 0; band < ODL_DETAIL_BANDS; band++) {
      const double edge = exp2 (-4.0 - band);
      double n;
      odl_band_histograms_drag (row, 0, band, edge);
      settle (fixture);
      const OdlBandShown shown = odl_band_histograms_shown (row, 0, band);
      const double share
          = count_share (fixture, cases[i].shown, band, shown.threshold, &n);
      g_assert_cmpfloat (shown.n, ==, n);
      g_assert_cmpfloat_with_epsilon (shown.zeroed, share, 0.02);
    }
  }
}

// Lines that rise to the right: their orientation has more coefficients that exceed a
// threshold than the opposite one.
static char *
write_lines (Fixture *fixture, double across, double down)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, 128, 128);
  char *path = g_build_filename (fixture->folder, "lines.png", NULL);
  guchar *pixels = gdk_pixbuf_get_pixels (pixbuf);
  for (int y = 0; y < 128; y++)
    for (int x = 0; x < 128; x++)
      memset (pixels + y * gdk_pixbuf_get_rowstride (pixbuf) + 3 * x,
              (int) (128 + 100 * sin (across * x + down * y)), 3);
  g_assert_true (gdk_pixbuf_save (pixbuf, path, "png", NULL, NULL));
  return path;
}

static void
test_orientations (Fixture *fixture, const void *data)
{
  static const struct {
    double across, down; // radians a pixel
    int strong, weak;
  } lines[] = {
    { 1, 1, 2, 5 }, // rising at 45°
    { 1, -1, 5, 2 },     { 1.2, 0.6, 0, 3 }, // at 75°
    { 1.2, -0.6, 3, 0 }, { 0.6, 1.2, 1, 4 }, // at 15°
    { -0.6, 1.2, 4, 1 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (lines); i++) {
    g_autofree char *path = write_lines (fixture, lines[i].across, lines[i].down);
    open_and_wait (fixture, path);
    set_filters (fixture, "");
    set_filters (fixture,
                 "shrinkage:levels=2,thresholds=0.2,transform=dual-tree colour=luma");
    GtkWidget *row = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
    wait_until (fixture, is_metered, row);
    const OdlBandShown strong = odl_band_histograms_shown (row, 1, lines[i].strong);
    const OdlBandShown weak = odl_band_histograms_shown (row, 1, lines[i].weak);
    g_test_message ("%g, %g: %g, %g", lines[i].across, lines[i].down, strong.zeroed,
                    weak.zeroed);
    g_assert_cmpfloat (strong.n, ==, weak.n);
    g_assert_cmpfloat (strong.zeroed, <, 0.3);
    g_assert_cmpfloat (weak.zeroed, >, 0.7);
  }
  // One that falls is dragged to a place of its own.
  GtkWidget *row = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  g_assert_cmpfloat (odl_band_histograms_shown (row, 0, 5).threshold, ==, 0.2);
  odl_band_histograms_drag (row, 0, 5, 0.05);
  settle (fixture);
  row = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  g_assert_cmpfloat_with_epsilon (odl_band_histograms_shown (row, 0, 5).threshold, 0.05,
                                  0.002);
  g_assert_cmpfloat (odl_band_histograms_shown (row, 0, 2).threshold, ==, 0.2);
  g_assert_cmpfloat (odl_band_histograms_shown (row, 0, 4).threshold, ==, 0.2);
  odl_session_undo (fixture->session);
  settle (fixture);
  g_assert_cmpfloat (odl_recipe_get (recipe_of (fixture), 0, "falling-thresholds", 2), ==,
                     ODL_VALUE_AUTO);
}

// Whether a label that is to be seen, or the place of a number, says so.
static bool
says (GtkWidget *widget, const char *part)
{
  const char *text
      = GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget))
        : GTK_IS_TEXT (widget) && !*gtk_editable_get_text (GTK_EDITABLE (widget))
            ? gtk_text_get_placeholder_text (GTK_TEXT (widget))
            : NULL;
  if (!gtk_widget_get_visible (widget))
    return false;
  if (text && strstr (text, part))
    return true;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    if (says (child, part))
      return true;
  return false;
}

static bool
card_says (Fixture *fixture, const void *part)
{
  return says (card_of (fixture, 0), part);
}

static bool
lab_says (Fixture *fixture, const void *part)
{
  return says (in_lab_half (fixture, ODL_BAND_HISTOGRAMS, 0), part);
}

// As far right or left of where a gain of 1 is as the bins of a histogram are then.
static void
test_gains (Fixture *fixture, const void *data)
{
  begin (fixture, "scale-bands:levels=2,gains=1:1:0.5/2");
  GtkWidget *row = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  g_assert_nonnull (row);
  wait_until (fixture, is_metered, row);
  g_assert_cmpfloat (odl_band_histograms_shown (row, 0, ODL_BAND_HH).threshold, ==, 0.5);
  wait_until (fixture, lab_says, "× 0.5");
  static const double gains[] = { 0.25, 1.41421, 1.02, 9, 0, 1 };
  static const double wanted[] = { 0.25, 1.41, 1, 4, 0, 1 };
  for (size_t i = 0; i < G_N_ELEMENTS (gains); i++) {
    odl_band_histograms_drag (row, 0, ODL_BAND_LH, gains[i]);
    settle (fixture);
    g_assert_cmpfloat_with_epsilon (
        odl_recipe_get (recipe_of (fixture), 0, "gains", ODL_BAND_LH), wanted[i], 1e-9);
  }
  g_assert_cmpfloat (odl_recipe_get (recipe_of (fixture), 0, "gains", ODL_BAND_HH), ==,
                     0.5);
  g_assert_cmpfloat (odl_recipe_get (recipe_of (fixture), 0, "gains", 3), ==, 2);
  // What acts is drawn, and what is dragged is where it is dropped, at any strength.
  OdlRecipe weak = *recipe_of (fixture);
  weak.strength = 0.5;
  odl_session_set_recipe (fixture->session, &weak, NULL);
  settle (fixture);
  g_assert_cmpfloat (odl_band_histograms_shown (row, 0, ODL_BAND_HH).threshold, ==, 0.75);
  odl_band_histograms_drag (row, 0, ODL_BAND_HH, 2);
  settle (fixture);
  g_assert_cmpfloat (odl_recipe_get (recipe_of (fixture), 0, "gains", ODL_BAND_HH), ==,
                     3);
  // A direction that falls gets one of its own.
  begin (fixture, "scale-bands:levels=2,gains=2,transform=dual-tree");
  row = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  wait_until (fixture, is_metered, row);
  g_assert_cmpfloat (odl_band_histograms_shown (row, 0, 5).threshold, ==, 2);
  odl_band_histograms_drag (row, 0, 5, 0.5);
  settle (fixture);
  row = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  g_assert_cmpfloat (odl_band_histograms_shown (row, 0, 5).threshold, ==, 0.5);
  g_assert_cmpfloat (odl_band_histograms_shown (row, 0, 2).threshold, ==, 2);
}

static bool
has_icon (GtkWidget *widget, const void *icon)
{
  return GTK_IS_TOGGLE_BUTTON (widget)
         && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)), icon) == 0;
}

static void
assert_falling (Fixture *fixture, double hl, double lh, double hh)
{
  const double wanted[ODL_DETAIL_BANDS] = { hl, lh, hh };
  for (int b = 0; b < ODL_DETAIL_BANDS; b++)
    g_assert_cmpfloat_with_epsilon (
        odl_recipe_get (recipe_of (fixture), 0, "falling-thresholds", b), wanted[b],
        1e-6);
}

// The menu's entry is there where they are to be seen.
static void
test_falling_views (Fixture *fixture, const void *data)
{
  begin (fixture, "shrinkage:levels=1");
  GAction *action
      = g_action_map_lookup_action (G_ACTION_MAP (fixture->window), "other-directions");
  g_assert_false (g_action_get_enabled (action));
  set_filters (fixture, "shrinkage:levels=1,transform=dual-tree");
  g_assert_true (g_action_get_enabled (action));
  activate_and_settle (fixture, "other-directions", NULL);
  g_assert_cmpint (recipe_of (fixture)->view, ==, ODL_VIEW_FALLING);
  activate_and_settle (fixture, "view", "'filtered-analysis'");
  activate_and_settle (fixture, "other-directions", NULL);
  g_assert_cmpint (recipe_of (fixture)->view, ==, ODL_VIEW_FILTERED_FALLING);
  activate_and_settle (fixture, "other-directions", NULL);
  g_assert_cmpint (recipe_of (fixture)->view, ==, ODL_VIEW_FILTERED_ANALYSIS);
  g_autoptr (GVariant) on = g_action_get_state (action);
  g_assert_false (g_variant_get_boolean (on));
}

// They have a row where they act, which follows until its button is released.
static void
test_falling (Fixture *fixture, const void *data)
{
  begin (fixture, "shrinkage:levels=1,thresholds=0.3:0.2:0.1");
  GtkWidget *follows
      = find_where (card_of (fixture, 0), has_icon, "object-flip-horizontal-symbolic");
  g_assert_false (gtk_widget_get_mapped (follows));
  OdlRecipe recipe = *recipe_of (fixture);
  odl_recipe_set (&recipe, 0, "transform", 0, ODL_TRANSFORM_DUAL_TREE);
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  settle (fixture);
  follows
      = find_where (card_of (fixture, 0), has_icon, "object-flip-horizontal-symbolic");
  g_assert_true (gtk_widget_get_mapped (follows));
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (follows)));
  // Meanwhile the number that holds stands there, dimmed, and moves with the rising one.
  GtkWidget *row = gtk_widget_get_ancestor (follows, ODL_TYPE_PARAMETER_ROW);
  g_assert_true (says (row, "0.3"));
  odl_recipe_set (&recipe, 0, "thresholds", 0, 0.4);
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  settle (fixture);
  g_assert_true (says (row, "0.4"));
  odl_session_undo (fixture->session);
  settle (fixture);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (follows), FALSE);
  settle (fixture);
  assert_falling (fixture, 0.3, 0.2, 0.1);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (follows), TRUE);
  settle (fixture);
  assert_falling (fixture, ODL_VALUE_AUTO, ODL_VALUE_AUTO, ODL_VALUE_AUTO);
}

static void
drop (Fixture *fixture, int onto, int dragged, bool behind)
{
  GtkWidget *row = row_in_chain (fixture, onto), *other = row_in_chain (fixture, dragged);
  odl_overview_row_drop (ODL_OVERVIEW_ROW (row), ODL_OVERVIEW_ROW (other), behind);
}

// Alt and an arrow, and a drag, put a filter elsewhere; inside a transform its card says
// what it works on.
static void
test_places (Fixture *fixture, const void *data)
{
  begin (fixture, "transform:levels=2 inverse gaussian median");
  g_assert_false (gtk_widget_has_css_class (card_of (fixture, 2), "inside"));
  drop (fixture, 0, 2, true);
  settle (fixture);
  g_assert_cmpstr (recipe_of (fixture)->items[1].filter->name, ==, "gaussian");
  g_assert_cmpstr (recipe_of (fixture)->items[2].filter->name, ==, "inverse");
  g_assert_true (gtk_widget_has_css_class (card_of (fixture, 1), "inside"));
  g_assert_false (gtk_widget_has_css_class (card_of (fixture, 2), "inside"));
  GtkDropDown *choice = find_at (card_of (fixture, 1));
  g_assert_nonnull (choice);
  gtk_drop_down_set_selected (choice, 2);
  settle (fixture);
  g_assert_cmpint (recipe_of (fixture)->items[1].at, ==, ODL_AT_COARSEST);
  // To the front, past more than one, and to where it was.
  drop (fixture, 0, 3, false);
  settle (fixture);
  g_assert_cmpstr (recipe_of (fixture)->items[0].filter->name, ==, "median");
  g_assert_cmpstr (recipe_of (fixture)->items[3].filter->name, ==, "inverse");
  drop (fixture, 3, 0, true);
  settle (fixture);
  g_assert_cmpstr (recipe_of (fixture)->items[3].filter->name, ==, "median");
  odl_session_undo (fixture->session);
  settle (fixture);
  g_assert_cmpstr (recipe_of (fixture)->items[0].filter->name, ==, "median");
}

static void
test_curve_by_hand (Fixture *fixture, const void *data)
{
  begin (fixture, "transform detail-curve:one=0.5 inverse");
  GtkWidget *row = in_lab (fixture, "curves", 1, ODL_RULE_CURVE);
  g_assert_nonnull (row);
  odl_rule_curve_drag (row, 1.1, 1.6);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (odl_recipe_get (recipe_of (fixture), 1, "one", 0), 1.6,
                                  0.051);
  g_assert_cmpfloat (odl_recipe_get (recipe_of (fixture), 1, "two", 0), ==, 2);
  odl_rule_curve_drag (row, -1.1, 0.3); // the other side only follows
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (odl_recipe_get (recipe_of (fixture), 1, "one", 0), 1.6,
                                  0.051);
}

static void
test_scaled_together (Fixture *fixture, const void *data)
{
  begin (fixture, "shrinkage:levels=3,thresholds=0.08:0.04:0.02/0.04/0.02");
  GtkWidget *row = in_lab (fixture, "histograms", 0, ODL_BAND_HISTOGRAMS);
  GtkWidget *switched = find_with (card_of (fixture, 0), "scale-others");
  g_assert_nonnull (switched);
  odl_band_histograms_drag (row, 1, ODL_BAND_HL, 0.08);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (
      odl_recipe_get (recipe_of (fixture), 0, "thresholds", 0), 0.08, 1e-9);
  odl_band_histograms_drag (row, 1, ODL_BAND_HL, 0.04);
  gtk_switch_set_active (g_object_get_data (G_OBJECT (switched), "scale-others"), TRUE);
  settle (fixture);
  odl_band_histograms_drag (row, 1, ODL_BAND_HL, 0.06);
  settle (fixture);
  static const double wanted[] = { 0.12, 0.06, 0.03, 0.06, 0.06, 0.06, 0.03, 0.03, 0.03 };
  for (int i = 0; i < (int) G_N_ELEMENTS (wanted); i++)
    g_assert_cmpfloat_with_epsilon (
        odl_recipe_get (recipe_of (fixture), 0, "thresholds", i), wanted[i],
        0.01 * wanted[i]);
}

// The curve over the levels moves bands in proportion, and with the switch the others.
static void
test_level_curve (Fixture *fixture, const void *data)
{
  begin (fixture, "scale-bands:levels=3,gains=1/2:1:1/1");
  GtkWidget *row = find_with (card_of (fixture, 0), "level-curve");
  GtkWidget *switched = find_with (card_of (fixture, 0), "scale-others");
  g_assert_nonnull (row);
  odl_level_curve_drag (row, 1, 3);
  settle (fixture);
  static const double moved[] = { 1, 1, 1, 3, 1.5, 1.5, 1, 1, 1 };
  for (int i = 0; i < (int) G_N_ELEMENTS (moved); i++)
    g_assert_cmpfloat_with_epsilon (odl_recipe_get (recipe_of (fixture), 0, "gains", i),
                                    moved[i], 0.08);
  gtk_switch_set_active (g_object_get_data (G_OBJECT (switched), "scale-others"), TRUE);
  odl_level_curve_drag (row, 1, 1.5);
  settle (fixture);
  for (int i = 0; i < (int) G_N_ELEMENTS (moved); i++)
    g_assert_cmpfloat_with_epsilon (odl_recipe_get (recipe_of (fixture), 0, "gains", i),
                                    moved[i] / 2, 0.08);
  odl_session_undo (fixture->session);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (odl_recipe_get (recipe_of (fixture), 0, "gains", 0), 1,
                                  1e-9);
}

// Sizes and sums are those of the kernels that the plan takes; of a file once it is read.
static void
test_kernels (Fixture *fixture, const void *data)
{
  static const struct {
    const char *recipe, *words;
  } cases[] = {
    { "convolve:shape=laplace-5", "5 × 5, sum 0. Blue is above 0, orange below." },
    { "convolve:shape=gaussian,size=9", "9 × 9, sum 1. " },
    { "convolve:shape=gaussian,size=5,dimensions=3", "Middle slice of 5 × 5 × 5, sum 1" },
    { "convolve:shape=quadrature,size=7,direction=30", "the imaginary one dashed" },
  };
  begin (fixture, "convolve:shape=sobel-x");
  wait_until (fixture, card_says, "3 × 3, sum 0. ");
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    set_filters (fixture, cases[i].recipe);
    wait_until (fixture, card_says, cases[i].words);
  }
  g_autofree char *file = g_build_filename (fixture->folder, "kernel.txt", NULL);
  g_assert_true (g_file_set_contents (file, "1 2 3\n0 0 0\n4 5 6\n", -1, NULL));
  g_autofree char *recipe = g_strdup_printf ("convolve:kernel=%s", file);
  set_filters (fixture, recipe);
  wait_until (fixture, card_says, "3 × 3, sum 21. ");
  g_autofree char *path = write_png (fixture, "b.png", 64, 48, false);
  const OdlRecipe given = *recipe_of (fixture);
  set_filters (fixture, "");
  odl_session_open (fixture->session, path, &given); // as the command line does
  wait_until (fixture, card_says, "3 × 3, sum 21. ");
}

// A level whose bands differ, a σ that is measured, and a volume, which measures nothing.
static void
test_words (Fixture *fixture, const void *data)
{
  begin (fixture, "shrinkage:levels=2,thresholds=0.1/0.1");
  g_assert_false (says (card_of (fixture, 0), "bands differ"));
  g_assert_true (says (card_of (fixture, 0), "finest"));
  set_filters (fixture, "shrinkage:levels=2,thresholds=0.1:0.1:0.3/0.1");
  g_assert_true (says (card_of (fixture, 0), "bands differ"));

  open_and_wait (fixture, "phantom:48x40x12,noise=gaussian,sigma=0.1");
  set_filters (fixture, "bayes-shrink");
  wait_until (fixture, card_says, "those of a slice");
  g_assert_false (says (card_of (fixture, 0), "auto, "));
  odl_session_set_planes (fixture->session, false);
  wait_until (fixture, card_says, "Noise in this frame: σ = 0.");
  wait_until (fixture, card_says, "auto, 0.");
  set_filters (fixture, "bayes-shrink:dimensions=3");
  wait_until (fixture, card_says, "those of a slice");
  g_assert_false (says (card_of (fixture, 0), "Noise in this frame"));
}

// How far values may go beyond the range around them is asked only where that is limited.
static void
test_limiter (Fixture *fixture, const void *data)
{
  begin (fixture, "scale-bands:levels=2");
  g_assert_true (says (card_of (fixture, 0), "Limit overshoot"));
  g_assert_false (says (card_of (fixture, 0), "of the range around"));
  set_filters (fixture, "scale-bands:levels=2,limiter=on");
  g_assert_true (says (card_of (fixture, 0), "of the range around"));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD_IN_SHARES ("/cards/duplicate-alone-reset", test_actions);
  ADD_IN_SHARES ("/cards/any-step-can-be-gone-to", test_steps);
  ADD_IN_SHARES ("/cards/histograms-count-the-bands", test_histograms);
  ADD_IN_SHARES ("/cards/histograms-are-of-every-transform", test_other_histograms);
  ADD_IN_SHARES ("/cards/dual-trees-have-six-orientations", test_orientations);
  ADD_IN_SHARES ("/cards/gains-are-dragged-in-histograms", test_gains);
  ADD_IN_SHARES ("/cards/directions-that-fall-follow-or-not", test_falling);
  ADD_IN_SHARES ("/cards/directions-that-fall-are-in-the-menu", test_falling_views);
  ADD_IN_SHARES ("/cards/filters-are-moved-into-transforms", test_places);
  ADD_IN_SHARES ("/cards/curves-are-drawn-by-hand", test_curve_by_hand);
  ADD_IN_SHARES ("/cards/others-are-scaled", test_scaled_together);
  ADD_IN_SHARES ("/cards/a-curve-over-the-levels", test_level_curve);
  ADD_IN_SHARES ("/cards/kernels-are-shown", test_kernels);
  ADD_IN_SHARES ("/cards/words-are-true", test_words);
  ADD_IN_SHARES ("/cards/a-limit-is-asked-where-it-acts", test_limiter);
  return g_test_run ();
}
