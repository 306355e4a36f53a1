// SPDX-License-Identifier: MIT
// The window that tells what filters and the program do.
#include "support/support.h"

#include <string.h>

#include "filter/filter.h"
#include "widgets/find.h"
#include "widgets/windows/help_window.h"

static GtkWindow *
help_of (Fixture *fixture)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next)
    if (gtk_window_get_transient_for (at->data) == GTK_WINDOW (fixture->window)
        && g_object_get_data (at->data, "help"))
      return at->data;
  return NULL;
}

static char *
text_of (GtkWindow *window)
{
  GtkWidget *view = odl_find_inside (GTK_WIDGET (window), GTK_TYPE_TEXT_VIEW);
  char *text = NULL;
  g_object_get (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), "text", &text, NULL);
  return text;
}

static bool
tells (Fixture *fixture, const void *part)
{
  GtkWindow *window = help_of (fixture);
  g_autofree char *text = window ? text_of (window) : NULL;
  return text && strstr (text, part);
}

static void
type (GtkWindow *window, const char *words)
{
  GtkWidget *entry = odl_find_inside (GTK_WIDGET (window), GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (entry), words);
}

static bool
finds_nothing (Fixture *fixture, const void *data)
{
  return has_label (GTK_WIDGET (help_of (fixture)), "No page has these words.");
}

static int
count_shown (Fixture *fixture)
{
  GtkWidget *list = odl_find_inside (GTK_WIDGET (help_of (fixture)), GTK_TYPE_LIST_BOX);
  GtkListBoxRow *row;
  int n = 0;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), i)); i++)
    n += gtk_widget_get_child_visible (GTK_WIDGET (row));
  return n;
}

static GtkWidget *
button_for (GtkWidget *root, const char *action)
{
  if (GTK_IS_BUTTON (root)
      && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (root)), action) == 0)
    return root;
  GtkWidget *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child && !found;
       child = gtk_widget_get_next_sibling (child))
    found = button_for (child, action);
  return found;
}

// Each filter has a page, with its parameters as the card calls them.
static void
test_every_filter (Fixture *fixture, const void *data)
{
  for (size_t i = 0; i < odl_filter_count (); i++) {
    const OdlFilter *filter = odl_filter_at (i);
    g_autofree char *page = g_strconcat ("filters/", filter->name, NULL);
    odl_help_window_present (fixture->window, page);
    g_assert_true (tells (fixture, filter->label));
    g_assert_true (tells (fixture, filter->description));
    for (size_t p = 0; p < filter->n_parameters; p++) {
      g_autofree char *term = g_strconcat (filter->parameters[p].label, "  ",
                                           filter->parameters[p].key, "\n", NULL);
      g_assert_true (tells (fixture, term));
    }
    g_assert_false (tells (fixture, "`"));
  }
  gtk_window_destroy (help_of (fixture));
}

static void
test_card (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, false);
  open_and_wait (fixture, path);
  set_filters (fixture, "median");
  g_signal_emit_by_name (button_for (card_of (fixture, 0), "win.help"), "clicked");
  wait_until (fixture, tells, "the median of the square around it");
  g_assert_true (tells (fixture, "Size  size\n"));
  // Another filter, the same window.
  set_filters (fixture, "gaussian");
  g_signal_emit_by_name (button_for (card_of (fixture, 0), "win.help"), "clicked");
  wait_until (fixture, tells, "Standard deviation  sigma\n");
  gtk_window_destroy (help_of (fixture));
}

static void
test_search (Fixture *fixture, const void *data)
{
  g_action_group_activate_action (G_ACTION_GROUP (fixture->application), "help", NULL);
  GtkWindow *window = help_of (fixture);
  const int all = count_shown (fixture);
  g_assert_cmpint (all, >, odl_filter_count ());
  g_assert_true (tells (fixture, "How do I …"));
  type (window, "KÁLMÁN unknown");
  wait_until (fixture, finds_nothing, NULL);
  g_assert_cmpint (count_shown (fixture), ==, 0);
  // A title comes before what others say about it; accents and case do not matter.
  type (window, "persisténce");
  wait_until (fixture, tells, "Averages over time where nothing moves");
  g_assert_cmpint (count_shown (fixture), <, all);
  type (window, "sendur selesnick");
  wait_until (fixture, tells, "Bivariate shrinkage with local variance");
  type (window, "");
  run_cycles (fixture, 2);
  // Again: the same window, and the page that it showed.
  g_action_group_activate_action (G_ACTION_GROUP (fixture->application), "help", NULL);
  g_assert_true (help_of (fixture) == window);
  g_assert_true (tells (fixture, "Bivariate shrinkage with local variance"));
  gtk_window_destroy (window);
}

// A page may be looked for while the window that showed another one is closed.
static void
test_unknown_page (Fixture *fixture, const void *data)
{
  odl_help_window_present (fixture->window, "filters/none");
  g_assert_nonnull (help_of (fixture));
  gtk_window_destroy (help_of (fixture));
  odl_help_window_present (fixture->window, "../median");
  gtk_window_destroy (help_of (fixture));
  run_cycles (fixture, 3);
  g_assert_null (help_of (fixture));
}

static bool
is_closed (Fixture *fixture, const void *data)
{
  return !help_of (fixture);
}

// Escape takes the words away, and then the window.
static void
test_escape (Fixture *fixture, const void *data)
{
  odl_help_window_present (fixture->window, "start");
  run_cycles (fixture, 3);
  GtkWidget *entry
      = odl_find_inside (GTK_WIDGET (help_of (fixture)), GTK_TYPE_SEARCH_ENTRY);
  type (help_of (fixture), "wavelet");
  g_signal_emit_by_name (entry, "stop-search");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "");
  g_assert_nonnull (help_of (fixture));
  g_signal_emit_by_name (entry, "stop-search");
  wait_until (fixture, is_closed, NULL);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/widgets/help/every-filter-has-a-page", test_every_filter);
  ADD ("/widgets/help/a-card-leads-to-its-page", test_card);
  ADD ("/widgets/help/words-find-pages", test_search);
  ADD ("/widgets/help/escape-clears-the-search-and-closes", test_escape);
  ADD ("/widgets/help/unknown-pages-change-nothing", test_unknown_page);
  return g_test_run ();
}
