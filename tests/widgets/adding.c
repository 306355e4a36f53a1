// SPDX-License-Identifier: MIT
// Filters that are added to the chain: searched for by name, and what comes with them.
#include "support/support.h"

#include "filter/own/words.h"
#include "widgets/panels/filter_card.h"
#include "widgets/window/parts.h"

static bool
is_searched (Fixture *fixture, const void *data)
{
  GtkWidget *card = recipe_of (fixture)->n_items == 2 ? card_of (fixture, 1) : NULL;
  GtkWidget *list = card ? find_widget (card, GTK_TYPE_POPOVER) : NULL;
  return list && gtk_widget_get_mapped (list);
}

static GtkPopover *
list_of (Fixture *fixture)
{
  return GTK_POPOVER (find_widget (card_of (fixture, 1), GTK_TYPE_POPOVER));
}

static bool
has_one (Fixture *fixture, const void *data)
{
  return recipe_of (fixture)->n_items == 1;
}

// In the list of a card, which lacks code of files.
static guint
index_of (const char *name)
{
  guint index = 0;
  for (size_t i = 0; odl_filter_at (i) != odl_filter_find (name); i++)
    index += !odl_own_is_filter (odl_filter_at (i));
  return index;
}

// GTK 4.8 shows a tooltip half a second after a list opens, also where the pointer is far
// away, and asks for its place on the list then. That has a surface as long as there is
// its window.
#define TOOLTIP_MS 600

// Adds a card that does nothing yet, and opens its list.
static void
test_search (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, true);
  open_and_wait (fixture, path);
  set_filters (fixture, "median");
  gtk_widget_activate_action (card_of (fixture, 0), "panel.search-filter", NULL);
  wait_until (fixture, is_searched, NULL);
  g_assert_cmpstr (recipe_of (fixture)->items[1].filter->name, ==, "pass-through");
  // Given up, it leaves nothing behind; what was chosen stays.
  gtk_popover_popdown (list_of (fixture));
  wait_until (fixture, has_one, NULL);
  // By its key from anywhere, where the panel is hidden, too.
  activate_and_settle (fixture, "show-filters", NULL);
  activate_and_settle (fixture, "add-filter", NULL);
  wait_until (fixture, is_searched, NULL);
  GtkWidget *chooser = gtk_widget_get_parent (GTK_WIDGET (list_of (fixture)));
  gtk_popover_popdown (list_of (fixture));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (chooser), index_of ("box"));
  settle (fixture);
  let_pass (300);
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 2);
  g_assert_cmpstr (recipe_of (fixture)->items[1].filter->name, ==, "box");
  // Who goes on by keys is at what was added.
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  g_assert_true (focus && gtk_widget_is_ancestor (focus, card_of (fixture, 1)));
  // Escape leads back to the picture, whose keys are those of playing again.
  activate (fixture, "cancel", NULL);
  focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  g_assert_true (ODL_IS_VIEWPORT (focus));
  // In one step, without the card that had nothing yet.
  activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, 1);
  activate_and_settle (fixture, "redo", NULL);
  g_assert_cmpstr (recipe_of (fixture)->items[1].filter->name, ==, "box");
}

static bool
has_hits (Fixture *fixture, const void *n)
{
  GtkWidget *view = find_widget (GTK_WIDGET (list_of (fixture)), GTK_TYPE_LIST_VIEW);

  return g_list_model_get_n_items (
             G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (view))))
         == *(const guint *) n;
}

static bool
says_nothing_found (Fixture *fixture, const void *data)
{
  return has_label (GTK_WIDGET (list_of (fixture)), "No filter is called that.");
}

// By what is in the middle of their names and by what they do, names first; Return takes
// the first one. Where there is none, this is said in the place of the list.
static void
test_words (Fixture *fixture, const void *data)
{
  static const struct {
    const char *typed, *taken;
    guint n; // hits
  } searches[]
      = { { "velet shr", "shrinkage", 1 },
          { "shrink", "shrinkage", 6 },
          { "edges", "diffusion", 7 }, // which none is called
          { "contrast", "multi-scale-contrast", 2 }, // the list has the other first
          { "zzz", "pass-through", 0 } };
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, true);

  open_and_wait (fixture, path);
  for (size_t i = 0; i < G_N_ELEMENTS (searches); i++) {
    set_filters (fixture, "median");
    gtk_widget_activate_action (card_of (fixture, 0), "panel.search-filter", NULL);
    wait_until (fixture, is_searched, NULL);
    GtkWidget *entry
        = find_widget (GTK_WIDGET (list_of (fixture)), GTK_TYPE_SEARCH_ENTRY);
    gtk_editable_set_text (GTK_EDITABLE (entry), searches[i].typed);
    wait_until (fixture, has_hits, &searches[i].n);
    g_assert_cmpint (says_nothing_found (fixture, NULL), ==, searches[i].n == 0);
    GtkWidget *view = find_widget (GTK_WIDGET (list_of (fixture)), GTK_TYPE_LIST_VIEW);
    g_assert_cmpint (gtk_widget_get_mapped (view), ==, searches[i].n > 0);
    g_signal_emit_by_name (entry, "activate");
    settle (fixture);
    g_assert_cmpstr (recipe_of (fixture)->items[1].filter->name, ==, searches[i].taken);
  }
  let_pass (TOOLTIP_MS);
}

static void
assert_filters (Fixture *fixture, const char *const *names, int n)
{
  g_assert_cmpint (recipe_of (fixture)->n_items, ==, n);
  for (int i = 0; i < n; i++)
    g_assert_cmpstr (recipe_of (fixture)->items[i].filter->name, ==, names[i]);
}

// Where it could do nothing, the curve comes with the transform that it works in.
static void
test_curve_with_transform (Fixture *fixture, const void *data)
{
  static const char *const added[] = { "median", "transform", "detail-curve", "inverse" };
  static const char *const open[] = { "transform", "detail-curve" };
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, true);
  open_and_wait (fixture, path);
  set_filters (fixture, "median");
  gtk_widget_activate_action (card_of (fixture, 0), "panel.add-filter", "s",
                              "detail-curve");
  settle (fixture);
  assert_filters (fixture, added, 4);
  set_filters (fixture, "transform");
  gtk_widget_activate_action (card_of (fixture, 0), "panel.add-filter", "s",
                              "detail-curve");
  settle (fixture);
  assert_filters (fixture, open, 2);
  // Also where it takes the place of another one.
  set_filters (fixture, "median box");
  gtk_drop_down_set_selected (
      GTK_DROP_DOWN (find_widget (card_of (fixture, 0), GTK_TYPE_DROP_DOWN)),
      index_of ("detail-curve"));
  settle (fixture);
  static const char *const replaced[] = { "transform", "detail-curve", "inverse", "box" };
  assert_filters (fixture, replaced, 4);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/adding/filters-are-searched-by-name", test_search);
  ADD ("/adding/words-are-found-inside-names", test_words);
  ADD ("/adding/a-curve-comes-with-its-transform", test_curve_with_transform);
  return g_test_run ();
}
