// SPDX-License-Identifier: MIT
// The chain of filters at a glance: what each row says, which card is below them, and
// what is typed while the list of names opens.
#include "support/keyboard.h"
#include "support/support.h"

#include "widgets/panels/step_words.h"
#include "widgets/window/parts.h"

static OdlFilterChain *
chain_of (Fixture *fixture)
{
  return odl_filter_panel_chain (odl_main_window_parts (fixture->window)->filter_panel);
}

static void
begin (Fixture *fixture, const char *filters)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, true);
  open_and_wait (fixture, path);
  set_filters (fixture, filters);
}

// The number of the only card that is on screen.
static int
shown_card (Fixture *fixture)
{
  int shown = -1;
  for (int i = 0; odl_filter_chain_card (chain_of (fixture), i); i++)
    if (gtk_widget_get_mapped (odl_filter_chain_card (chain_of (fixture), i))) {
      g_assert_cmpint (shown, ==, -1);
      shown = i;
    }
  g_assert_cmpint (odl_filter_chain_selected (chain_of (fixture)), ==, shown);
  return shown;
}

// Whole, within what is to be seen of the panel.
static bool
are_in_sight (Fixture *fixture, const void *n)
{
  for (int i = 0; i < GPOINTER_TO_INT (n); i++) {
    GtkWidget *row = row_in_chain (fixture, i);
    GtkWidget *scroller = gtk_widget_get_ancestor (row, GTK_TYPE_SCROLLED_WINDOW);
    graphene_rect_t place;
    if (!gtk_widget_get_mapped (row) || !gtk_widget_compute_bounds (row, scroller, &place)
        || place.origin.y < 0
        || place.origin.y + place.size.height > (float) gtk_widget_get_height (scroller))
      return false;
  }
  return true;
}

static void
test_rows (Fixture *fixture, const void *data)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 900, 600);
  begin (fixture, "median:size=5 soft-threshold:levels=3,threshold=0.05 shrinkage");
  g_assert_true (has_label (row_in_chain (fixture, 0), "1  Median"));
  g_assert_true (has_label (row_in_chain (fixture, 0), "Size 5"));
  g_assert_true (
      has_label (row_in_chain (fixture, 1), "CDF 9/7 · 3 levels · Threshold 0.05"));
  wait_until (fixture, are_in_sight, GINT_TO_POINTER (3));
  // What is set in a card is told in its row.
  OdlRecipe recipe = *recipe_of (fixture);
  odl_recipe_set (&recipe, 1, "threshold", 0, 0.25);
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  g_assert_true (has_label (row_in_chain (fixture, 1), "Threshold 0.25"));
  // One alone has no list; none at all neither.
  set_filters (fixture, "median");
  g_assert_null (row_in_chain (fixture, 0));
  activate_and_settle (fixture, "clear-recipe", NULL);
  g_assert_null (row_in_chain (fixture, 0));
}

static bool
notes (Fixture *fixture, int item, const char *note)
{
  GtkWidget *row = row_in_chain (fixture, item);
  GtkWidget *mark = find_widget (row, GTK_TYPE_IMAGE);
  for (int n = 0; mark; mark = find_nth (row, GTK_TYPE_IMAGE, ++n))
    if (g_strcmp0 (gtk_image_get_icon_name (GTK_IMAGE (mark)),
                   "dialog-information-symbolic")
        == 0)
      break;
  g_assert_nonnull (mark);
  g_autofree char *other = gtk_test_accessible_check_property (
      GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, note ? note : "");
  return gtk_widget_get_mapped (mark) == (note != NULL) && !other
         && g_strcmp0 (gtk_widget_get_tooltip_text (mark), note) == 0;
}

// What a card that is not seen says of its filter is in its row.
static void
test_notes (Fixture *fixture, const void *data)
{
  begin (fixture, "sliding-mean soft-threshold:levels=2,threshold=auto median");
  g_assert_cmpint (shown_card (fixture), ==, 0);
  run_cycles (fixture, 3);
  g_assert_true (
      notes (fixture, 0, "A still has no frames before it: it stays as it is."));
  g_assert_true (notes (fixture, 1, NULL));
  g_assert_true (notes (fixture, 2, NULL));
  OdlRecipe recipe = *recipe_of (fixture);
  recipe.items[0] = recipe.items[2]; // a median before what was measured
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  settle (fixture);
  run_cycles (fixture, 3);
  g_assert_true (notes (fixture, 0, NULL));
  g_assert_true (
      notes (fixture, 1, "Measured before this: a filter above has changed since."));
}

// What was touched last has its card below the rows.
static void
test_touched (Fixture *fixture, const void *data)
{
  begin (fixture, "median shrinkage:levels=4 sharpen");
  g_assert_cmpint (shown_card (fixture), ==, 0);
  gtk_list_box_select_row (
      GTK_LIST_BOX (gtk_widget_get_parent (row_in_chain (fixture, 1))),
      GTK_LIST_BOX_ROW (row_in_chain (fixture, 1)));
  g_assert_cmpint (shown_card (fixture), ==, 1);
  // More rows in it, which makes it anew.
  OdlRecipe recipe = *recipe_of (fixture);
  odl_recipe_set (&recipe, 1, "levels", 0, 6);
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  settle (fixture);
  g_assert_cmpint (shown_card (fixture), ==, 1);
  // By undo what was changed, in another card.
  odl_recipe_set (&recipe, 2, "amount", 0, 2);
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  settle (fixture);
  g_assert_cmpint (shown_card (fixture), ==, 2);
  odl_session_undo (fixture->session);
  odl_session_undo (fixture->session);
  settle (fixture);
  g_assert_cmpint (shown_card (fixture), ==, 1);
  // A switch selects nothing: who tunes one filter looks at it with and without another.
  recipe = *recipe_of (fixture);
  recipe.items[2].bypassed = true;
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  settle (fixture);
  g_assert_cmpint (shown_card (fixture), ==, 1);
  // What comes, moves and takes the place of what goes.
  odl_filter_chain_add (chain_of (fixture), odl_filter_find ("gaussian"));
  settle (fixture);
  g_assert_cmpint (shown_card (fixture), ==, 3);
  odl_filter_chain_move (chain_of (fixture), 3, 0, false);
  settle (fixture);
  g_assert_cmpint (shown_card (fixture), ==, 0);
  recipe = *recipe_of (fixture);
  recipe.n_items--;
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  settle (fixture);
  g_assert_cmpint (shown_card (fixture), ==, 2);
}

// Each step of a walk through a chain, by what was done.
static void
test_step_words (Fixture *fixture, const void *data)
{
  static const struct {
    const char *before, *now, *words;
  } steps[] = {
    { "", "median", "Add Median" },
    { "median", "median gaussian box", "Add Gaussian and more" },
    { "median gaussian sharpen", "median sharpen", "Remove Gaussian" },
    { "median gaussian", "", "Remove all filters" },
    { "median gaussian box", "gaussian box median", "Move Median" },
    { "median gaussian box", "box median gaussian", "Move Box" },
    { "median gaussian", "box gaussian", "Box in place of Median" },
    { "median gaussian", "median gaussian:bypass=yes", "Switch off Gaussian" },
    { "median gaussian:bypass=yes", "median gaussian", "Switch on Gaussian" },
    { "median gaussian box", "median:bypass=yes gaussian box:bypass=yes",
      "Solo: Gaussian" },
    { "median soft-threshold:threshold=0.05", "median soft-threshold:threshold=0.1",
      "Soft threshold: Threshold 0.1" },
    { "median:size=3", "median:size=5", "Median: Size 5" },
    { "median", "median strength=0.5", "Strength 50 %" },
    { "median", "median view=residual", "What is shown" },
    { "median gaussian", "box sharpen", "Change several filters" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (steps); i++) {
    OdlRecipe before, now;
    odl_recipe_init (&before);
    odl_recipe_init (&now);
    g_assert_true (odl_recipe_parse (&before, steps[i].before, NULL));
    g_assert_true (odl_recipe_parse (&now, steps[i].now, NULL));
    g_autofree char *words = odl_step_words (&before, &now);
    g_assert_cmpstr (words, ==, steps[i].words);
  }
}

static bool
has_two (Fixture *fixture, const void *name)
{
  return recipe_of (fixture)->n_items == 2
         && g_strcmp0 (recipe_of (fixture)->items[1].filter->name, name) == 0;
}

static bool
is_median (Fixture *fixture, const void *data)
{
  return recipe_of (fixture)->n_items == 1
         && g_strcmp0 (recipe_of (fixture)->items[0].filter->name, "median") == 0;
}

static void
most_cb (OdlSession *session, GParamSpec *property, int *most)
{
  *most = MAX (*most, odl_session_recipe (session)->n_items);
}

// A third one was there, and is gone.
static bool
came_and_went (Fixture *fixture, const void *most)
{
  return *(const int *) most == 3 && has_two (fixture, "bilateral");
}

// Each of these keys does something to a picture.
static void
assert_no_key_came (Fixture *fixture)
{
  g_assert_false (odl_viewport_window (fixture->viewport).invert); // I
  g_assert_false (odl_viewport_wipe (fixture->viewport)); // W
  g_assert_false (odl_viewport_beside (fixture->viewport)); // B
  g_assert_false (is_on (fixture, "full-screen"));
}

// Keys follow each other faster than the panel unfolds.
static void
test_typed_ahead (Fixture *fixture, const void *data)
{
  begin (fixture, "");
  activate_and_settle (fixture, "show-filters", NULL); // hidden
  focus_window (fixture, GTK_WINDOW (fixture->window));
  gtk_widget_grab_focus (GTK_WIDGET (fixture->viewport));
  press_key ("Insert m e d i a n Return");
  wait_until (fixture, is_median, NULL);
  assert_no_key_came (fixture);
  settle (fixture);
  gtk_widget_grab_focus (GTK_WIDGET (fixture->viewport));
  press_key ("Insert b i l a BackSpace a Return");
  wait_until (fixture, has_two, "bilateral");
  settle (fixture);
  assert_no_key_came (fixture);
  // In one step, without the card that had nothing yet.
  activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 1);
  activate_and_settle (fixture, "redo", NULL);
  // Given up before it began, it leaves nothing.
  settle (fixture);
  gtk_widget_grab_focus (GTK_WIDGET (fixture->viewport));
  int most = 0;
  g_signal_connect (fixture->session, "notify::recipe", G_CALLBACK (most_cb), &most);
  press_key ("Insert b i Escape");
  wait_until (fixture, came_and_went, &most);
  assert_no_key_came (fixture);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD_IN_SHARES ("/chain/each-row-says-what-its-filter-does", test_rows);
  ADD ("/chain/notes-are-in-the-rows", test_notes);
  ADD_IN_SHARES ("/chain/the-card-is-of-what-was-touched", test_touched);
  ADD_IN_SHARES ("/chain/steps-say-what-was-done", test_step_words);
  ADD_IN_SHARES ("/chain/no-key-is-lost", test_typed_ahead);
  return g_test_run ();
}
